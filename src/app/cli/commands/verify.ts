/** `ton-finality verify`: prints one block with its verdict, coverage and signers. `verify-inputs.ts` reads its inputs. */
import { BODY_LIMITS } from '../../../core/base/limits.ts';
import { parseSignatureList, type SignatureList } from '../../../core/block/signature-set.ts';
import type { ProvenHeader } from '../../../core/chain/block-header.ts';
import { checkSessionId, type SessionIdCheck } from '../../../core/validators/session-id.ts';
import type { ValidatorSet } from '../../../core/validators/validator-set.ts';
import { withWarnings } from '../../../core/verify/own-report.ts';
import type { BlockHeaderFacts } from '../../../core/verify/report.ts';
import { verifyBlock } from '../../../core/verify/verifier.ts';
import type { ServerObservers } from '../../../net/sources/server-events.ts';
import { requireNoInput, requireWritable, writeFileAtomically } from '../../files/write-file.ts';
import { row } from '../../report/layout.ts';
import { renderSigners, renderText } from '../../report/render-report.ts';
import { reportToJson } from '../../report/report-json.ts';
import { defineCommand } from '../command.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import type { BlockToJudge, JudgedBlock } from '../fetch-block.ts';
import { withFileName } from '../input/error-with-file.ts';
import { InputLog } from '../input/input-log.ts';
import { flagRow, textRow, under } from '../input/option-rows.ts';
import { inputName, readJson } from '../input/read-file.ts';
import { readSourcePlan, readWitnessTerms, SOURCE_OPTIONS } from '../input/server-options.ts';
import { WITNESS_OPTIONS } from '../input/shared-options.ts';
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
import { jsonText, printJson, printNote, printNoteNow, printResult } from '../output.ts';
import { runMember } from '../run-member.ts';
import type { SavedAnswers, UsedAnswer } from '../save-answers.ts';
import { beforeStop } from '../stop.ts';

const SESSION_WORDS: Readonly<Record<SessionIdCheck, string>> = {
  match: 'its id matches the one computed from validator set and header',
  mismatch: 'its id differs from the computed one; finality does not depend on it',
  'not-enough-data': 'its id cannot be computed from this validator set',
};

/** Returns one line on the session id of a Simplex set, if a proven header gives the numbers in it. */
function sessionLine(
  set: SignatureList,
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
  return row('session', SESSION_WORDS[check]);
}

async function readBlockFile(file: string, log: InputLog): Promise<BlockToJudge> {
  const json = await readJson(file, { log, ...BODY_LIMITS.block }); // the same limit as for a server
  const set = withFileName(inputName(file), () => parseSignatureList(json));
  return { set, source: undefined, header: undefined, claimedSet: undefined, warnings: [] };
}

function requireClaimed(fetched: BlockToJudge): ValidatorSet {
  if (fetched.claimedSet !== undefined) return fetched.claimedSet;
  throw new TypeError('no validator set was fetched'); // fetchBlock throws if it cannot fetch one
}

export const verifyCommand = defineCommand({
  name: 'verify',
  usage: ['FILE|-|SEQNO|latest --validators FILE|--checkpoint FILE [options]'],
  about:
    'Verifies that one masterchain block is final, from the JSON of getMasterchainBlockSignatures: from a file or, with SEQNO or latest, from HTTP servers.',
  words: {
    wanted: 'one FILE, -, SEQNO or latest',
    count: [1, 1],
    rows: [['FILE, or -', 'answer of a server, with or without its envelope; - for standard input']],
    choices: ['latest'],
  },
  options: {
    ...under('trust', INPUT_OPTIONS),
    ...under('HTTP servers, for SEQNO or latest instead of FILE', { ...SOURCE_OPTIONS, ...WITNESS_OPTIONS }),
    ...under('output', {
      json: flagRow('print one JSON object, schema ton-finality/report@3'),
      out: textRow(
        'FILE',
        'also write that object to a file, whole or not at all; unlike a pipe, this keeps the exit code',
      ),
      signers: flagRow('list every signer and every missing validator'),
    }),
  },
  examples: [
    'verify signatures.json --validators validators.json',
    'verify latest --base-url https://host/api/v2 --checkpoint checkpoint.json --strict',
  ],
  exit: '0 final, 1 not final, 2 bad input, 3 source failed, 4 undecided, 5 internal error',
  async run({ options, words, texts }) {
    const word = words[0]!; // exactly one is given
    const { block, checkpoint, validators: set, out } = options;
    requireOneStdin({ block, checkpoint, validators: set, '': word });
    const givenHeader = readGivenHeader(options);
    let saved: SavedAnswers | undefined;
    const log = new InputLog();
    const plan = readSourcePlan(word, options, (answer) => {
      log.addAnswer(answer);
      saved?.keep(answer);
    });
    const policy = readPolicy(options, plan !== undefined);
    const nowSeconds = readClock(options, plan?.wanted === 'latest');
    if (out !== undefined) {
      requireWritable(out);
      requireNoInput(out, [word, set, checkpoint, block]);
    }
    const named = await readValidators(options, log);
    const blockProof = await readBlockProof(block, log);
    // Most runs ask no server, so this code is loaded on use.
    const { sayWhileWaiting } = plan ? await import('../say-while-waiting.ts') : {};
    const observers: ServerObservers = { onServer: (event) => waiting?.onServer(event) };
    const servers = plan && (await import('../servers.ts')).createServers(plan, observers);
    const terms = readWitnessTerms(options, servers, nowSeconds);
    if (plan?.saveTo !== undefined) saved = await (await import('../save-answers.ts')).saveTo(plan.saveTo);
    const unwatch = beforeStop(() => saved && printNoteNow(saved.summary()));
    const waiting = sayWhileWaiting?.(options.json === true);
    let used: UsedAnswer | undefined;

    async function judge(fetched: BlockToJudge): Promise<JudgedBlock & { readonly session: () => string | undefined }> {
      const validators = named?.validators ?? requireClaimed(fetched);
      const { blockId } = fetched.set;
      requireExpectedBlock(blockId, options);
      const provenHeader = await readProvenHeader(blockProof, blockId);
      const judging = (header?: BlockHeaderFacts) => readBlockOptions(options, policy, header, nowSeconds);
      const verify = (set: SignatureList, header?: BlockHeaderFacts) => verifyBlock(set, validators, judging(header));
      return {
        fetched,
        validators,
        report: verify(fetched.set, provenHeader ?? givenHeader ?? fetched.header),
        verify,
        session: () => sessionLine(fetched.set, validators, provenHeader),
      };
    }

    try {
      const live =
        plan && servers && (await (await import('../fetch-block.ts')).verifyFromServers(plan, servers, judge, terms));
      const { fetched, report: judged, session } = live?.judged ?? (await judge(await readBlockFile(word, log)));
      if (fetched.source !== undefined) {
        const note = fetched.claimedSet === undefined ? '' : ', with a set that is then given, not claimed';
        used = { source: fetched.source, note, words: wordsAgain(texts, policy, nowSeconds) };
      }
      const report = withWarnings(judged, live?.warnings ?? []);
      const doubts = live === undefined ? undefined : await import('../doubts.ts');
      const { doubt, witnesses } = live ?? {};
      const doubted = doubt &&
        witnesses && { doubt, block: { report, tip: fetched.set.blockId, witnesses, warnings: report.warnings } };
      const told = doubted === undefined ? reportToJson(report) : doubts?.doubtToJson(doubted.block, doubted.doubt);
      const json = { ...told, run: await runMember(log, nowSeconds) };
      if (out !== undefined) writeFileAtomically(out, jsonText(json));
      if (witnesses !== undefined) {
        const { noteWitnesses } = await import('../witness-words.ts');
        await noteWitnesses({ tip: fetched.set.blockId, witnesses }, options.evidence, options.json === true);
      }
      if (options.json === true) await printJson(json);
      else if (doubted !== undefined) await doubts?.printDoubt(doubted.block, doubted.doubt, false);
      else {
        await printResult(renderText(report));
        const others = witnesses && doubts?.witnessRow(witnesses);
        if (others !== undefined) await printResult(others);
        const sessionWords = session();
        if (sessionWords !== undefined) await printResult(sessionWords);
        if (options.signers === true) await printResult(`\n${renderSigners(report)}`);
      }
      return doubted === undefined ? exitCodeOf(report.verdict) : EXIT.undecided;
    } catch (error) {
      if (plan !== undefined) await (await import('../keep-evidence.ts')).tellFork(error, options);
      throw error;
    } finally {
      waiting?.end();
      unwatch();
      if (saved !== undefined) await printNote(saved.summary(used)); // also when the run failed
    }
  },
});
