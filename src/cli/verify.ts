/** `ton-finality verify`: one block, its verdict, coverage and signers. */
import { encodeHex, equalBytes } from '../base/bytes.ts';
import { DecodeError, UsageError } from '../base/errors.ts';
import { parseSignatureSet, type SignatureSet } from '../decode/signature-set.ts';
import type { RecordedAnswer } from '../http/source.ts';
import { reportToJson } from '../report/json.ts';
import { renderSigners, renderText } from '../report/text.ts';
import { validatorSetFromJson } from '../validators/from-json.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { Evidence, Policy } from '../verify/report.ts';
import { verifyBlock } from '../verify/verifier.ts';
import { exitCodeOf } from './exit-code.ts';
import { type FetchedBlock, fetchBlock } from './fetch-block.ts';
import { headClock } from './head-clock.ts';
import {
  type OptionTable,
  type ParsedOptions,
  parseOptions,
  readHashOption,
  readThresholdOption,
  readUint32Option,
} from './options.ts';
import { printJson, printNote, printResult } from './output.ts';
import { readJson } from './read-input.ts';
import { saveAnswers } from './save-answers.ts';
import { readSourcePlan, SOURCE_OPTIONS, SOURCE_USAGE } from './source-options.ts';

export const VERIFY_USAGE = `usage: ton-finality verify FILE|-|SEQNO|latest --validators FILE [options]

Proves one masterchain block final from the JSON of getMasterchainBlockSignatures.

  FILE, or - for standard input     the answer, in any wrapping a server sends
  --validators FILE                 the validator set: { main, validators: [...] } or { publicKey: weight }

${SOURCE_USAGE}

policy: as strict as the node or stricter, but for two named exceptions
  --threshold N/D                   more than N/D of the weight must have signed, at least 2/3
  --require-bound-id                undecided unless the whole block id is bound
  --expect-root-hash HEX            refuse an answer about another block
  --expect-file-hash HEX
  --require-fresh                   with latest: undecided if the set is too old to vouch for a head
  --ignore-defects                  exception: count the good entries of a set that the node would reject
  --accept-claimed                  exception: let a set that only a server claims make a block final

evidence: what the block's header says of its signers
  --catchain-seqno N --list-hash N  gen_catchain_seqno and gen_validator_list_hash_short

output
  --json                            one object, schema ton-finality/report@1
  --signers                         every signer and every missing validator

exit code: 0 final, 1 not final, 2 bad input, 3 source failed, 4 undecided`;

const OPTIONS = {
  ...SOURCE_OPTIONS,
  validators: { type: 'string' },
  threshold: { type: 'string' },
  'require-bound-id': { type: 'boolean' },
  'require-fresh': { type: 'boolean' },
  'expect-root-hash': { type: 'string' },
  'expect-file-hash': { type: 'string' },
  'ignore-defects': { type: 'boolean' },
  'accept-claimed': { type: 'boolean' },
  'catchain-seqno': { type: 'string' },
  'list-hash': { type: 'string' },
  json: { type: 'boolean' },
  signers: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

type Options = ParsedOptions<typeof OPTIONS>['values'];

function readPolicy(options: Options): Policy {
  return {
    onDefect: options['ignore-defects'] === true ? 'ignore' : 'reject',
    acceptClaimed: options['accept-claimed'] === true,
    requireBoundId: options['require-bound-id'] === true,
    ...(options.threshold === undefined ? {} : { threshold: readThresholdOption('threshold', options.threshold) }),
  };
}

function readEvidence(options: Options): Evidence {
  const { 'catchain-seqno': catchainSeqno, 'list-hash': listHash } = options;
  if (catchainSeqno === undefined && listHash === undefined) return {};
  if (catchainSeqno === undefined || listHash === undefined) {
    throw new UsageError('usage/bad-option', 'expected both --catchain-seqno and --list-hash, got one of them', {
      hint: 'a header names its validator set by both numbers together',
    });
  }
  return {
    header: {
      source: 'given',
      catchainSeqno: readUint32Option('catchain-seqno', catchainSeqno),
      validatorListHashShort: readUint32Option('list-hash', listHash),
    },
  };
}

async function readValidators(options: Options): Promise<ValidatorSet> {
  if (options.validators === undefined) {
    throw new UsageError('usage/bad-option', 'expected --validators FILE, got no validator set', {
      hint: 'signatures prove nothing without the keys of the right set, from a source other than the signatures',
    });
  }
  return validatorSetFromJson(await readJson(options.validators));
}

function requireExpectedHash(option: string, expected: string | undefined, got: Uint8Array): void {
  if (expected === undefined || equalBytes(readHashOption(option, expected), got)) return;
  throw new DecodeError('decode/range', `expected the hash of --${option}, got ${encodeHex(got)}`, {
    path: option === 'expect-root-hash' ? 'id.root_hash' : 'id.file_hash',
    hint: 'this answer is about another block than the one you expect',
  });
}

function requireExpectedBlock(set: SignatureSet, options: Options): void {
  requireExpectedHash('expect-root-hash', options['expect-root-hash'], set.blockId.rootHash);
  requireExpectedHash('expect-file-hash', options['expect-file-hash'], set.blockId.fileHash);
}

async function readBlockFile(file: string): Promise<FetchedBlock> {
  return { sets: [parseSignatureSet(await readJson(file))], header: undefined, claimedSet: undefined, warnings: [] };
}

function requireClaimed(fetched: FetchedBlock): ValidatorSet {
  if (fetched.claimedSet !== undefined) return fetched.claimedSet;
  throw new TypeError('no validator set was fetched'); // fetchBlock has thrown if it could not
}

/** @param words the command line after `verify` @returns the exit code */
export async function verifyCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, OPTIONS);
  if (options.help === true) {
    await printResult(VERIFY_USAGE);
    return 0;
  }
  const [word, ...surplus] = positionals;
  if (word === undefined || surplus.length > 0) {
    throw new UsageError('usage/bad-option', `expected one FILE, -, SEQNO or latest, got ${positionals.length}`, {
      hint: 'see ton-finality verify --help',
    });
  }
  if (word === '-' && options.validators === '-') {
    throw new UsageError('usage/bad-option', 'standard input can be only one of the two files', {
      path: '--validators',
    });
  }
  if (options.validators !== undefined && options['validators-from'] !== undefined) {
    throw new UsageError('usage/bad-option', 'expected --validators or --validators-from, got both');
  }
  const policy = readPolicy(options);
  const evidence = readEvidence(options);
  const recorded: RecordedAnswer[] = [];
  const plan = readSourcePlan(word, options, (answer) => {
    if (options.save !== undefined) recorded.push(answer);
  });
  const given = plan?.claimedSet === true ? undefined : await readValidators(options);
  let fetched: FetchedBlock;
  try {
    fetched = plan === undefined ? await readBlockFile(word) : await fetchBlock(plan);
  } finally {
    // Most of all when it failed: then somebody will want to see what the servers said.
    if (plan?.saveTo !== undefined) await printNote(await saveAnswers(plan.saveTo, recorded));
  }
  const validators = given ?? requireClaimed(fetched);
  const clock = headClock(plan?.wanted === 'latest', options['require-fresh'] === true, validators);
  const header = evidence.header ?? fetched.header;
  const opts = { ...policy, evidence: { ...clock.evidence, ...(header === undefined ? {} : { header }) } };
  const reports = fetched.sets.map((set) => {
    requireExpectedBlock(set, options);
    return verifyBlock(set, validators, opts);
  });
  // Servers of a quorum agree on the block, not on the list of signatures: one good list is enough.
  const best = reports.find(({ verdict }) => verdict.status === 'final') ?? reports[0]!;
  const report = { ...best, warnings: [...best.warnings, ...fetched.warnings, ...clock.warnings] };
  if (options.json === true) await printJson(reportToJson(report, validators));
  else {
    await printResult(renderText(report));
    if (options.signers === true) await printResult(`\n${renderSigners(report, validators)}`);
  }
  return exitCodeOf(report.verdict);
}
