/** `ton-finality verify`: one block, its verdict, coverage and signers. */
import { encodeHex, equalBytes } from '../base/bytes.ts';
import { DecodeError, TrustError, UsageError } from '../base/errors.ts';
import { type ProvenHeader, provenHeader } from '../chain/block-header.ts';
import { type Checkpoint, parseCheckpoint, validatorSetAt } from '../chain/checkpoint.ts';
import { parseSignatureSet, type SignatureSet } from '../decode/signature-set.ts';
import { reportToJson } from '../report/json.ts';
import { renderSigners, renderText } from '../report/text.ts';
import { validatorSetFromJson } from '../validators/from-json.ts';
import { checkSessionId, type SessionIdCheck } from '../validators/session-id.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { BlockHeaderFacts, Policy } from '../verify/report.ts';
import { verifyBlock } from '../verify/verifier.ts';
import { exitCodeOf } from './exit-code.ts';
import {
  type OptionTable,
  type ParsedOptions,
  parseOptions,
  readHashOption,
  readThresholdOption,
  readUint32Option,
} from './options.ts';
import { printJson, printResult } from './output.ts';
import { readBytes, readJson } from './read-input.ts';

export const VERIFY_USAGE = `usage: ton-finality verify FILE|- --validators FILE|--checkpoint FILE [options]

Proves one masterchain block final from the JSON of getMasterchainBlockSignatures.

  FILE, or - for standard input     the answer, in any wrapping a server sends
  --validators FILE                 the validator set: { main, validators: [...] } or { publicKey: weight }
  --checkpoint FILE                 the set proven by a checkpoint, see ton-finality checkpoint

policy: as strict as the node or stricter, but for two named exceptions
  --threshold N/D                   more than N/D of the weight must have signed, at least 2/3
  --require-bound-id                undecided unless the whole block id is bound
  --expect-root-hash HEX            refuse an answer about another block
  --expect-file-hash HEX
  --ignore-defects                  exception: count the good entries of a set that the node would reject
  --accept-claimed                  exception: let a set that only a server claims make a block final

evidence: what the block's header says of its signers
  --block FILE                      the block or a Merkle proof of its header: binds the whole id and the set
  --catchain-seqno N --list-hash N  gen_catchain_seqno and gen_validator_list_hash_short

output
  --json                            one object, schema ton-finality/report@1
  --signers                         every signer and every missing validator

exit code: 0 final, 1 not final, 2 bad input, 3 source failed, 4 undecided`;

const OPTIONS = {
  validators: { type: 'string' },
  checkpoint: { type: 'string' },
  block: { type: 'string' },
  threshold: { type: 'string' },
  'require-bound-id': { type: 'boolean' },
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

function readGivenHeader(options: Options): BlockHeaderFacts | undefined {
  const { 'catchain-seqno': catchainSeqno, 'list-hash': listHash } = options;
  if (catchainSeqno === undefined && listHash === undefined) return undefined;
  if (catchainSeqno === undefined || listHash === undefined) {
    throw new UsageError('usage/bad-option', 'expected both --catchain-seqno and --list-hash, got one of them', {
      hint: 'a header names its validator set by both numbers together',
    });
  }
  if (options.block !== undefined) {
    throw new UsageError('usage/bad-option', 'the block says both numbers itself', { path: '--catchain-seqno' });
  }
  return {
    source: 'given',
    catchainSeqno: readUint32Option('catchain-seqno', catchainSeqno),
    validatorListHashShort: readUint32Option('list-hash', listHash),
  };
}

/** The header of the block file, proven for the block that the signatures are of. */
async function readProvenHeader(
  file: string | undefined,
  set: SignatureSet,
  checkpoint: Checkpoint | undefined,
): Promise<ProvenHeader | undefined> {
  if (file === undefined) return undefined;
  const header = provenHeader(await readBytes(file), set.blockId);
  if (checkpoint !== undefined && header.globalId !== checkpoint.globalId) {
    throw new TrustError(
      'trust/wrong-network',
      `the block is of network ${header.globalId}, the checkpoint of ${checkpoint.globalId}`,
      { path: '--block' },
    );
  }
  return header;
}

async function readValidators(options: Options): Promise<{ validators: ValidatorSet; checkpoint?: Checkpoint }> {
  if (options.validators !== undefined && options.checkpoint !== undefined) {
    throw new UsageError('usage/bad-option', 'expected --validators or --checkpoint, got both');
  }
  if (options.checkpoint !== undefined) {
    const checkpoint = parseCheckpoint(await readJson(options.checkpoint));
    return { validators: validatorSetAt(checkpoint), checkpoint };
  }
  if (options.validators === undefined) {
    throw new UsageError('usage/bad-option', 'expected --validators FILE or --checkpoint FILE, got no validator set', {
      hint: 'signatures prove nothing without the keys of the right set, from a source other than the signatures',
    });
  }
  return { validators: validatorSetFromJson(await readJson(options.validators)) };
}

/** Standard input can be read once. */
function requireOneStdin(file: string, options: Options): void {
  const sources = [file, options.validators, options.checkpoint, options.block];
  if (sources.filter((source) => source === '-').length > 1) {
    throw new UsageError('usage/bad-option', 'standard input can be only one of the files', {
      path: options.validators === '-' ? '--validators' : options.checkpoint === '-' ? '--checkpoint' : '--block',
    });
  }
}

const SESSION_WORDS: Readonly<Record<SessionIdCheck, string>> = {
  match: 'its id is the one computed from set and header',
  mismatch: 'its id is not the one computed; finality does not depend on it',
  'not-enough-data': 'its id cannot be computed from this set',
};

/** One line on the session id of a simplex set, where a proven header gives the numbers that go into it. */
function sessionLine(
  set: SignatureSet,
  validators: ValidatorSet,
  header: ProvenHeader | undefined,
): string | undefined {
  if (set.kind !== 'simplex' || header === undefined) return undefined;
  const { catchainSeqno, prevKeyBlockSeqno, vertSeqno } = header;
  const check = checkSessionId(set.sessionId, validators, {
    catchainSeqno,
    prevKeyBlockSeqno,
    verticalSeqno: vertSeqno,
  });
  return `  ${'session'.padEnd(10)} ${SESSION_WORDS[check]}`;
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

/** @param words the command line after `verify` @returns the exit code */
export async function verifyCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, OPTIONS);
  if (options.help === true) {
    await printResult(VERIFY_USAGE);
    return 0;
  }
  const [file, ...surplus] = positionals;
  if (file === undefined || surplus.length > 0) {
    throw new UsageError('usage/bad-option', `expected one FILE or -, got ${positionals.length}`, {
      hint: 'see ton-finality verify --help',
    });
  }
  requireOneStdin(file, options);
  const policy = readPolicy(options);
  const given = readGivenHeader(options);
  const { validators, checkpoint } = await readValidators(options);
  const set = parseSignatureSet(await readJson(file));
  requireExpectedBlock(set, options);
  const proven = await readProvenHeader(options.block, set, checkpoint);
  const header = proven ?? given;
  const report = verifyBlock(set, validators, { ...policy, ...(header === undefined ? {} : { evidence: { header } }) });
  if (options.json === true) await printJson(reportToJson(report, validators));
  else {
    await printResult(renderText(report));
    const session = sessionLine(set, validators, proven);
    if (session !== undefined) await printResult(session);
    if (options.signers === true) await printResult(`\n${renderSigners(report, validators)}`);
  }
  return exitCodeOf(report.verdict);
}
