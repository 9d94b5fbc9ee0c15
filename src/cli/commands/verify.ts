/** `ton-finality verify`: one block, its verdict, coverage and signers. What it is told is read in `verify-inputs.ts`. */

import { DecodeError, SourceError, type SourceStatement, UsageError } from '../../base/errors.ts';
import type { ProvenHeader } from '../../chain/block-header.ts';
import { parseSignatureSet, type SignatureSet } from '../../decode/signature-set.ts';
import type { RecordedAnswer } from '../../http/toncenter-options.ts';
import { reportToJson } from '../../report/json.ts';
import { renderSigners, renderText } from '../../report/text.ts';
import { checkSessionId, type SessionIdCheck } from '../../validators/session-id.ts';
import type { ValidatorSet } from '../../validators/validator-set.ts';
import { withWarnings } from '../../verify/own-report.ts';
import type { VerificationReport } from '../../verify/report.ts';
import { verifyBlock } from '../../verify/verifier.ts';
import { exitCodeOf } from '../exit-code.ts';
import { type FetchedBlock, type FetchedSet, fetchBlock } from '../fetch-block.ts';
import { withFileName } from '../input/error-with-file.ts';
import { type OptionTable, parseOptions } from '../input/options.ts';
import { inputName, readJson } from '../input/read-file.ts';
import { readSourcePlan, SOURCE_OPTIONS, SOURCE_USAGE } from '../input/server-options.ts';
import {
  INPUT_OPTIONS,
  readClock,
  readGivenHeader,
  readPolicy,
  readProvenHeader,
  readValidators,
  requireExpectedBlock,
  requireOneStdin,
} from '../input/verify-inputs.ts';
import { printJson, printNote, printResult } from '../output.ts';
import { prepareFolder, saveAnswers, type UsedAnswer } from '../save-answers.ts';
import { createServers } from '../servers.ts';

export const VERIFY_USAGE = `usage: ton-finality verify FILE|-|SEQNO|latest --validators FILE|--checkpoint FILE [options]

Proves one masterchain block final from the JSON of getMasterchainBlockSignatures.

  FILE, or - for standard input     the answer, in any wrapping a server sends
  --validators FILE                 the validator set: { main, validators: [...] } or { publicKey: weight }
  --checkpoint FILE                 the set proven by a checkpoint, see ton-finality checkpoint

${SOURCE_USAGE}

policy: as strict as the node or stricter, but for two named exceptions
  --threshold N/D                   more than N/D of the weight must have signed, at least 2/3
  --require-bound-id                undecided unless the whole block id is bound
  --expect-root-hash HEX            refuse an answer about another block
  --expect-file-hash HEX
  --ignore-defects                  exception: count the good entries of a set that the node would reject
  --accept-claimed                  exception: let a set that only a server claims make a block final

evidence: what the block's header says of its signers, and the time
  --block FILE                      the block or a Merkle proof of its header: binds the whole id and the set
  --catchain-seqno N --list-hash N  gen_catchain_seqno and gen_validator_list_hash_short
  --now SECONDS                     Unix time by which the age of the set is judged; with latest, this machine's clock

output
  --json                            one object, schema ton-finality/report@2
  --signers                         every signer and every missing validator

exit code: 0 final, 1 not final, 2 bad input, 3 source failed, 4 undecided`;

const OPTIONS = {
  ...SOURCE_OPTIONS,
  ...INPUT_OPTIONS,
  json: { type: 'boolean' },
  signers: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

const SESSION_WORDS: Readonly<Record<SessionIdCheck, string>> = {
  match: 'its id is the one computed from set and header',
  mismatch: 'its id is not the one computed; finality does not depend on it',
  'not-enough-data': 'its id cannot be computed from this set',
};

/** As the rows of the report above it. */
function line(name: string, value: string): string {
  return `  ${name.padEnd(10)} ${value}`;
}

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
  return line('session', SESSION_WORDS[check]);
}

async function readBlockFile(file: string): Promise<FetchedBlock> {
  const json = await readJson(file);
  const set = withFileName(inputName(file), () => parseSignatureSet(json));
  const sets = [{ set, source: undefined }] as const;
  return { sets, header: undefined, claimedSet: undefined, confirmedBy: undefined, warnings: [] };
}

interface Judged extends FetchedSet {
  readonly report: VerificationReport;
}

/**
 * Judges each list of signatures by itself: servers of a quorum agree on the block, not on the list, so one good list is
 * enough, and what is wrong with another is a warning.
 * @throws DecodeError for a file, SourceError for servers, when not one list can be judged
 */
function judgeAll(
  sets: FetchedBlock['sets'],
  verifySet: (set: SignatureSet) => VerificationReport,
): { readonly best: Judged; readonly warnings: readonly string[] } {
  const judged: Judged[] = [];
  const unreadable: (SourceStatement & { readonly error: DecodeError })[] = [];
  for (const { set, source } of sets) {
    try {
      judged.push({ set, source, report: verifySet(set) });
    } catch (error) {
      // Some of an answer is read only when it is verified, such as the candidate of a simplex set.
      if (!(error instanceof DecodeError) || source === undefined) throw error;
      unreadable.push({ source, error });
    }
  }
  const faults = unreadable.map(({ source, error }) => `${source}: signatures that cannot be read: ${error.message}`);
  const best = judged.find(({ report }) => report.verdict.status === 'final') ?? judged[0];
  if (best === undefined) {
    throw new SourceError('source/malformed', faults.join('; '), {
      statements: unreadable,
      cause: unreadable[0]!.error, // there is one set or more
      hint: 'ask another server',
    });
  }
  const isFinal = best.report.verdict.status === 'final';
  const lesser = judged.filter(({ report }) => isFinal && report.verdict.status !== 'final');
  const notFinal = lesser.map(
    ({ source, report }) => `${source ?? 'a server'}: its list of signatures is not final: ${report.verdict.status}`,
  );
  return { best, warnings: [...faults, ...notFinal] };
}

/** Keeps the bodies if asked to. That this fails is said, and changes nothing about the verdict. */
async function save(folder: string, recorded: readonly RecordedAnswer[], used: UsedAnswer | undefined): Promise<void> {
  try {
    await printNote(await saveAnswers(folder, recorded, used));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await printNote(error.message);
  }
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
  requireOneStdin(word, options);
  const policy = readPolicy(options);
  const givenHeader = readGivenHeader(options);
  const recorded: RecordedAnswer[] = [];
  const plan = readSourcePlan(word, options, (answer) => {
    if (options.save !== undefined) recorded.push(answer);
  });
  const nowSeconds = readClock(options, plan?.wanted === 'latest');
  const named = await readValidators(options);
  const servers = plan && createServers(plan);
  if (plan?.saveTo !== undefined) await prepareFolder(plan.saveTo);
  let used: UsedAnswer | undefined;
  try {
    const fetched =
      plan === undefined || servers === undefined ? await readBlockFile(word) : await fetchBlock(plan, servers);
    const validators = named?.validators ?? requireClaimed(fetched);
    const { blockId } = fetched.sets[0].set;
    requireExpectedBlock(blockId, options);
    const provenHeader = await readProvenHeader(options.block, blockId, named?.checkpoint);
    const header = provenHeader ?? givenHeader ?? fetched.header;
    const evidence = {
      ...(header === undefined ? {} : { header }),
      ...(nowSeconds === undefined ? {} : { nowSeconds }),
    };
    const verifySet = (set: SignatureSet) => verifyBlock(set, validators, { ...policy, evidence });
    const { best, warnings } = judgeAll(fetched.sets, verifySet);
    if (best.source !== undefined) used = { source: best.source, isSetClaimed: fetched.claimedSet !== undefined };
    const report = withWarnings(best.report, [...warnings, ...fetched.warnings]);
    if (options.json === true) await printJson(reportToJson(report));
    else {
      await printResult(renderText(report));
      if (fetched.confirmedBy !== undefined) await printResult(line('confirmed', `by ${fetched.confirmedBy}`));
      const session = sessionLine(best.set, validators, provenHeader);
      if (session !== undefined) await printResult(session);
      if (options.signers === true) await printResult(`\n${renderSigners(report)}`);
    }
    return exitCodeOf(report.verdict);
  } finally {
    // Most of all when it failed.
    if (plan?.saveTo !== undefined) await save(plan.saveTo, recorded, used);
  }
}
