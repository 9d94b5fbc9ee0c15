/** `ton-finality verify`: one block, its verdict, coverage and signers. What it is told is read in `verify-inputs.ts`. */
import { UsageError } from '../../base/errors.ts';
import { BODY_LIMITS } from '../../base/limits.ts';
import type { ProvenHeader } from '../../chain/block-header.ts';
import { parseSignatureSet, type SignatureSet } from '../../decode/signature-set.ts';
import { reportToJson } from '../../report/json.ts';
import { renderSigners, renderText } from '../../report/text.ts';
import { checkSessionId, type SessionIdCheck } from '../../validators/session-id.ts';
import type { ValidatorSet } from '../../validators/validator-set.ts';
import { withWarnings } from '../../verify/own-report.ts';
import { verifyBlock } from '../../verify/verifier.ts';
import { exitCodeOf } from '../exit-code.ts';
import type { FetchedBlock } from '../fetch-block.ts';
import { withFileName } from '../input/error-with-file.ts';
import { InputLog } from '../input/input-log.ts';
import { type OptionTable, parseOptions } from '../input/options.ts';
import { inputName, readJson } from '../input/read-file.ts';
import { readSourcePlan, SOURCE_OPTIONS, SOURCE_USAGE } from '../input/server-options.ts';
import {
  INPUT_OPTIONS,
  readBlockOptions,
  readBlockProof,
  readClock,
  readGivenHeader,
  readPolicy,
  readProvenHeader,
  readValidators,
  requireExpectedBlock,
  requireOneStdin,
  wordsAgain,
} from '../input/verify-inputs.ts';
import { judgeAll } from '../judge-all.ts';
import { jsonText, printJson, printNote, printNoteNow, printResult } from '../output.ts';
import { runMember } from '../run-member.ts';
import type { SavedAnswers, UsedAnswer } from '../save-answers.ts';
import { beforeStop } from '../stop.ts';
import { requireNoInput, requireWritable, writeFileAtomically } from '../write-file.ts';

export const VERIFY_USAGE = `usage: ton-finality verify FILE|-|SEQNO|latest --validators FILE|--checkpoint FILE [options]

Proves one masterchain block final from the JSON of getMasterchainBlockSignatures.

  FILE, or - for standard input     the answer, in any wrapping a server sends
  --validators FILE                 the validator set: { main, validators: [...] } or { publicKey: weight }
  --checkpoint FILE                 the set proven by a checkpoint, see ton-finality checkpoint

${SOURCE_USAGE}

from lite servers, proven from --checkpoint: see ton-finality verify --lite --help

policy: as strict as the node or stricter, but for the named exceptions
  --strict                          for money: proven header and set, bound id, young enough by the clock, no exceptions
  --threshold N/D                   more than N/D of the weight must have signed, at least 2/3
  --require-bound-id                undecided unless the whole block id is bound; from servers that is so anyway
  --expect-root-hash HEX            refuse an answer about another block
  --expect-file-hash HEX
  --ignore-defects                  exception: count the good entries of a set that the node would reject
  --accept-claimed                  exception: let a set that only a server claims make a block final
  --accept-unbound                  exception: a server's word will do for the number, which ordinary signatures leave open

evidence: what the block's header says of its signers, and the time
  --block FILE                      the block or a Merkle proof of its header: binds the whole id, the set and the network
  --catchain-seqno N --list-hash N  gen_catchain_seqno and gen_validator_list_hash_short
  --now SECONDS                     clock for the age of the set, Unix time; default with latest or --strict: this machine's
  --valid-until SECONDS             until when the set was elected, where its file does not say

output
  --json                            one object, schema ton-finality/report@2
  --out FILE                        the same object into a file, whole or not at all, so that no pipe hides the exit code
  --signers                         every signer and every missing validator

exit code: 0 final, 1 not final, 2 bad input, 3 source failed, 4 undecided, 5 internal error`;

const OPTIONS = {
  ...SOURCE_OPTIONS,
  ...INPUT_OPTIONS,
  json: { type: 'boolean' },
  out: { type: 'string' },
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

async function readBlockFile(file: string, log: InputLog): Promise<FetchedBlock> {
  const json = await readJson(file, { log, ...BODY_LIMITS.block }); // as much as is read from a server
  const set = withFileName(inputName(file), () => parseSignatureSet(json));
  const sets = [{ set, source: undefined }] as const;
  return { sets, header: undefined, claimedSet: undefined, confirmedBy: undefined, warnings: [] };
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
  const givenHeader = readGivenHeader(options);
  let saved: SavedAnswers | undefined;
  const log = new InputLog();
  const plan = readSourcePlan(word, options, (answer) => {
    log.addAnswer(answer);
    saved?.keep(answer);
  });
  const policy = readPolicy(options, plan !== undefined);
  const nowSeconds = readClock(options, plan?.wanted === 'latest');
  if (options.out !== undefined) {
    requireWritable(options.out);
    requireNoInput(options.out, [word, options.validators, options.checkpoint, options.block]);
  }
  const named = await readValidators(options, log);
  const blockProof = await readBlockProof(options.block, log);
  // Most runs ask no server, and need not read how that is done.
  const servers = plan && (await import('../servers.ts')).createServers(plan);
  if (plan?.saveTo !== undefined) saved = await (await import('../save-answers.ts')).saveTo(plan.saveTo);
  const unwatch = beforeStop(() => saved && printNoteNow(saved.summary()));
  let used: UsedAnswer | undefined;

  async function judge(fetched: FetchedBlock) {
    const validators = named?.validators ?? requireClaimed(fetched);
    const { blockId } = fetched.sets[0].set;
    requireExpectedBlock(blockId, options);
    const provenHeader = await readProvenHeader(blockProof, blockId);
    const judging = readBlockOptions(options, policy, provenHeader ?? givenHeader ?? fetched.header, nowSeconds);
    const judged = judgeAll(fetched.sets, (set) => verifyBlock(set, validators, judging));
    const session = () => sessionLine(judged.best.set, validators, provenHeader);
    return { ...judged, fetched, session };
  }

  try {
    const { best, warnings, fetched, session } =
      plan === undefined || servers === undefined
        ? await judge(await readBlockFile(word, log))
        : await (await import('../judge-in-turn.ts')).judgeInTurn(plan, servers, judge);
    if (best.source !== undefined) {
      const note = fetched.claimedSet === undefined ? '' : ', with a set that is then given, not claimed';
      used = { source: best.source, note, words: wordsAgain(options, policy, nowSeconds) };
    }
    const report = withWarnings(best.report, [...warnings, ...fetched.warnings]);
    const json = { ...reportToJson(report), run: await runMember(log, nowSeconds) };
    if (options.out !== undefined) writeFileAtomically(options.out, jsonText(json));
    if (options.json === true) await printJson(json);
    else {
      await printResult(renderText(report));
      if (fetched.confirmedBy !== undefined) await printResult(line('confirmed', `by ${fetched.confirmedBy}`));
      const sessionWords = session();
      if (sessionWords !== undefined) await printResult(sessionWords);
      if (options.signers === true) await printResult(`\n${renderSigners(report)}`);
    }
    return exitCodeOf(report.verdict);
  } finally {
    unwatch();
    if (saved !== undefined) await printNote(saved.summary(used)); // most of all when it failed
  }
}
