/** `ton-finality verify … --lite`: proves a block or the head over lite servers, and checks its signatures. */
import { encodeHex } from '../../../core/base/bytes.ts';
import { SourceError, UsageError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import { blockIdToJson } from '../../../core/block/block-id-json.ts';
import type { SignatureList } from '../../../core/block/signature-set.ts';
import { type Checkpoint, validatorSetAt } from '../../../core/chain/checkpoint.ts';
import { withAcceptedStart, withWarnings } from '../../../core/verify/own-report.ts';
import type { VerificationReport } from '../../../core/verify/report.ts';
import { isStale } from '../../../core/verify/set-check.ts';
import { verifyBlock } from '../../../core/verify/verifier.ts';
import type { LiteServerClient } from '../../../net/lite/client.ts';
import { type OlderBlockProof, proveOlderBlock } from '../../../net/lite/prove.ts';
import type { RecordedLiteAnswer } from '../../../net/lite/requester.ts';
import { syncCheckpoint } from '../../../net/lite/sync.ts';
import type { SyncOptions } from '../../../net/lite/sync-options.ts';
import type { SyncResult } from '../../../net/lite/sync-result.ts';
import { effectOf, mayPass } from '../../../net/machine/outcome.ts';
import type { Witness } from '../../../net/sources/compare.ts';
import { isSignedEnough } from '../../../net/sources/until-good.ts';
import { verifyFrom } from '../../../net/sources/verify-from.ts';
import { row } from '../../report/layout.ts';
import { renderSigners, renderText, warningWords } from '../../report/render-report.ts';
import { reportToJson } from '../../report/report-json.ts';
import { defineCommand } from '../command.ts';
import { type Doubt, doubtOf, printDoubt } from '../doubts.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import { readHttpBeside, withHttp } from '../http-beside.ts';
import { LITE_OPTIONS, openLite, readLitePlan, strictness } from '../input/lite-options.ts';
import { countRow, flagRow, type OptionTable, type OptionValues, shown, textRow, under } from '../input/option-rows.ts';
import { readCheckpointFlag } from '../input/read-checkpoint.ts';
import { HTTP_OPTIONS, readSeqnoOrLatest, readWitnesses, type SourcePlan } from '../input/server-options.ts';
import {
  EXPECT_OPTIONS,
  NETWORK_OPTION,
  STALE_START_OPTION,
  STRICT_OPTION,
  WITNESS_OPTIONS,
} from '../input/shared-options.ts';
import { requireExpectedBlock, THRESHOLD_OPTION } from '../input/verify-inputs.ts';
import { tellFork } from '../keep-evidence.ts';
import { printJson, printNote, printResult } from '../output.ts';
import { saveLiteAnswers } from '../save-lite-answers.ts';
import { sayWhileWaiting, type Waiting } from '../say-while-waiting.ts';
import { createServers, type V2Server } from '../servers.ts';
import { noteWitnesses, witnessWords } from '../witness-words.ts';

const OPTIONS = {
  checkpoint: textRow('FILE', 'checkpoint to start from, see ton-finality sync'),
  ...LITE_OPTIONS,
  ...NETWORK_OPTION,
  ...WITNESS_OPTIONS,
  ...STRICT_OPTION,
  ...STALE_START_OPTION,
  'max-age': countRow('SECONDS', 1, 86_400, 'for latest: undecided if the newest block is older; default 60'),
  ...THRESHOLD_OPTION,
  ...EXPECT_OPTIONS,
  save: textRow('DIR', 'save every answer as received'),
  ...under(
    'HTTP servers as additional witnesses; if no lite server leads to the block, its signatures from HTTP servers are checked against the validator set of the checkpoint',
    HTTP_OPTIONS,
  ),
  ...under('output', {
    json: flagRow('print one JSON object, schema ton-finality/report@3; for an older block ton-finality/ancestor@1'),
    signers: flagRow('list every signer and every missing validator'),
  }),
} satisfies OptionTable;

type VerifyLiteFlags = OptionValues<typeof OPTIONS>;

function reasonOf({ verdict }: SyncResult): string | undefined {
  return verdict.status === 'undecided' ? verdict.reason : undefined;
}

function witnessRow({ witnesses }: Pick<SyncResult, 'witnesses'>): string {
  return row('witnesses', witnessWords(witnesses));
}

/** Checks that the block has the requested number; no other block is reported. */
function requireNumber(seqno: number, wanted: number | 'latest'): void {
  if (wanted === 'latest' || seqno === wanted) return;
  throw new SourceError('source/wrong-block', `asked for block ${wanted}, block ${seqno} was proven`);
}

async function printAncestor(proof: OlderBlockProof, head: SyncResult, asJson: boolean): Promise<void> {
  const { blockId, header, provenance } = proof;
  if (asJson) {
    await printJson({
      schema: 'ton-finality/ancestor@1',
      block: blockIdToJson(blockId),
      verdict: { status: 'final' },
      genUtime: header.genUtime,
      provenance: { kind: provenance.kind, head: blockIdToJson(provenance.head) },
      headReport: head.report === undefined ? null : reportToJson(head.report),
    });
    return;
  }
  await printResult(
    [
      `FINAL: masterchain block ${blockId.seqno}, listed in the state of block ${provenance.head.seqno}, which is final`,
      '',
      row('root hash', encodeHex(blockId.rootHash)),
      row('file hash', encodeHex(blockId.fileHash)),
      row('bound', 'the whole id'),
      row('head', `block ${provenance.head.seqno}, root hash ${encodeHex(provenance.head.rootHash)}`),
      witnessRow(head),
      ...(head.report?.warnings ?? []).map((warning) => row('warning', warningWords(warning))),
    ].join('\n'),
  );
}

/** Prints a judged block. @returns the exit code */
async function printJudged(
  report: VerificationReport,
  heard: Pick<SyncResult, 'witnesses'>,
  { json, signers }: VerifyLiteFlags,
): Promise<number> {
  if (json === true) await printJson(reportToJson(report));
  else {
    await printResult(renderText(report));
    await printResult(witnessRow(heard));
    if (signers === true) await printResult(`\n${renderSigners(report)}`);
  }
  return exitCodeOf(report.verdict);
}

async function judgeResult(
  result: SyncResult,
  options: VerifyLiteFlags,
  wanted: number | 'latest',
  maxAge: number,
): Promise<number> {
  const asJson = options.json === true;
  requireNumber(result.tip.seqno, wanted);
  const doubt = doubtOf(reasonOf(result));
  if (doubt !== undefined) {
    await printDoubt(result, doubt, asJson);
    return EXIT.undecided;
  }
  const { signatures, checkpoint, tipHeader } = result;
  if (signatures === undefined) {
    throw new UsageError('usage/bad-option', `block ${result.tip.seqno} is the key block of the checkpoint`, {
      hint: 'nothing is left to prove: run ton-finality checkpoint show',
    });
  }
  const judged = verifyBlock(signatures, validatorSetAt(checkpoint), {
    requireBoundId: true,
    requireProvenSet: true,
    ...present({ threshold: options.threshold }),
    context: {
      header: tipHeader,
      ...(wanted === 'latest' ? { nowSeconds: Date.now() / 1000, maxHeadAgeSeconds: maxAge } : {}),
    },
  });
  const taken = result.startIsStale ? withAcceptedStart(judged) : judged; // a stale start that was not accepted has returned above
  const report = result.warnings.length === 0 ? taken : withWarnings(taken, result.warnings);
  return await printJudged(report, result, options);
}

/** No server over HTTP proves when a block was made. */
const UNKNOWN_AGE: Doubt = {
  reason: 'stale-head',
  words:
    'only lite servers can prove the age of the newest block: use other lite servers, or ask for a block by its number',
};

/** Converts a lite server that names a block without leading to it to a witness. */
function namedBy(client: LiteServerClient): Witness {
  return {
    name: client.name,
    named: async (seqno, { signal, deadlineMs }) => ({
      blockId: (await client.lookup(seqno, present({ signal, deadlineMs }))).id,
    }),
  };
}

/**
 * Verifies the block by signatures from servers over HTTP, under the set of the checkpoint.
 * @param lite servers that are asked which block has the number
 * @param witnesses how many other servers have to name the block
 */
async function runHttp(
  lite: readonly LiteServerClient[],
  start: Checkpoint,
  { plan, servers }: Beside,
  options: VerifyLiteFlags,
  witnesses: number,
): Promise<number | undefined> {
  const { strict, acceptStaleStart } = strictness(options);
  const validators = validatorSetAt(start);
  const nowSeconds = Date.now() / 1000;
  const judging = {
    requireBoundId: true,
    requireProvenSet: true,
    ...present({ threshold: options.threshold }),
    context: acceptStaleStart ? {} : { nowSeconds },
  };
  const verify = (set: SignatureList) => verifyBlock(set, validators, judging);
  const countEachServer = options['count-each-server'] === true;
  const terms = {
    wanted: plan.wanted,
    deadlineMs: plan.deadlineMs,
    witnesses,
    countEachServer,
    nowSeconds,
    more: lite.map(namedBy),
  };
  const {
    judged,
    agreement,
    warnings,
    witnesses: heard,
  } = await verifyFrom(servers, terms, async ({ signatures }) => {
    requireExpectedBlock(signatures.blockId, options);
    return { report: verify(signatures), validators, verify };
  });
  if (judged === undefined || !isSignedEnough(judged.report)) return undefined; // a later set may have signed it
  const isTaken = acceptStaleStart && isStale(validators, nowSeconds);
  const tip = judged.report.coverage.blockId;
  const isHead = plan.wanted === 'latest';
  const aged = isHead
    ? [
        ...warnings,
        {
          code: 'age-not-proven',
          message: `the age of block ${tip.seqno} is not proven: only HTTP servers name it as the newest`,
        },
      ]
    : warnings;
  const report = withWarnings(isTaken ? withAcceptedStart(judged.report) : judged.report, aged);
  const asJson = options.json === true;
  const isAgeWanted = isHead && (strict || options['max-age'] !== undefined);
  const said = agreement !== 'enough' ? doubtOf(agreement) : isAgeWanted ? UNKNOWN_AGE : undefined;
  const doubt = report.verdict.status === 'final' ? said : undefined;
  await noteWitnesses({ tip, witnesses: heard }, options.evidence, asJson);
  if (doubt !== undefined) {
    await printDoubt({ report, tip, witnesses: heard, warnings: report.warnings }, doubt, asJson);
    return EXIT.undecided;
  }
  return await printJudged(report, { witnesses: heard }, options);
}

/** The servers over HTTP, if some are named. */
interface Beside {
  readonly plan: SourcePlan;
  readonly servers: readonly V2Server[];
}

/** Reads the number of witnesses among servers of both kinds; `undefined` if the command line does not say. @throws UsageError */
function witnessesOf({ witnesses }: VerifyLiteFlags, lite: number, http: Beside | undefined): number | undefined {
  return readWitnesses(witnesses, lite - 1 + (http?.servers.length ?? 0));
}

async function run(
  clients: readonly LiteServerClient[],
  start: Checkpoint,
  wanted: number | 'latest',
  options: VerifyLiteFlags,
  waiting: Waiting,
  http: Beside | undefined,
): Promise<number> {
  const maxAge = options['max-age'] ?? 60;
  const asked = witnessesOf(options, clients.length, http);
  const { strict, acceptStaleStart } = strictness(options);
  const countEachServer = options['count-each-server'] === true;
  const common: SyncOptions = {
    // The reports of all servers are judged after those over HTTP have answered.
    countEachServer,
    ...(http === undefined
      ? { strict, acceptStaleStart, ...present({ witnesses: asked }) }
      : { acceptStaleStart: true }),
    maxHeadAgeSeconds: maxAge,
    onProgress: ({ tip, target }) => waiting.proved(tip.seqno, target.seqno),
  };
  const witnesses = asked ?? Number(strict);
  const mixed = { acceptStaleStart, witnesses, countEachServer, waitForBlock: wanted === 'latest' && witnesses > 0 };
  const compared = async (result: SyncResult): Promise<SyncResult> =>
    http === undefined ? result : await withHttp(result, http.servers, { ...mixed, deadlineMs: http.plan.deadlineMs });
  if (wanted === 'latest' || wanted > start.keyBlock.seqno) {
    const proven = await syncCheckpoint(clients, start, wanted === 'latest' ? common : { ...common, to: wanted });
    const result = await compared(proven);
    await noteWitnesses(result, options.evidence, options.json === true);
    requireExpectedBlock(result.tip, options);
    return await judgeResult(result, options, wanted, maxAge);
  }
  const proven = await syncCheckpoint(clients, start, common);
  const head = await compared(proven);
  await noteWitnesses(head, options.evidence, options.json === true);
  const doubt = doubtOf(reasonOf(head));
  if (doubt !== undefined) {
    await printDoubt(head, doubt, options.json === true);
    return EXIT.undecided;
  }
  if (head.tip.seqno === wanted) return await judgeResult(head, options, wanted, maxAge); // the block of the checkpoint itself
  const proof = await proveOlderBlock(clients, proven, wanted);
  requireNumber(proof.blockId.seqno, wanted);
  requireExpectedBlock(proof.blockId, options);
  await printAncestor(proof, head, options.json === true);
  return EXIT.final;
}

/** Returns whether other servers may do better. A fork or a wrong clock stays. */
function isOfServers(error: unknown): error is SourceError {
  return error instanceof SourceError && mayPass(error) && error.code !== 'source/aborted';
}

/** Runs over lite servers, and over HTTP if none of those leads to the block. */
async function runAll(...given: Parameters<typeof run>): Promise<number> {
  const [clients, start, wanted, options, , http] = given;
  try {
    return await run(...given);
  } catch (error) {
    const isLater = wanted === 'latest' || wanted > start.keyBlock.seqno;
    if (http === undefined || !isLater || !isOfServers(error)) throw error;
    await printNote(`no lite server leads to the block: ${error.message}; asking HTTP servers for its signatures`);
    const witnesses = witnessesOf(options, clients.length, http) ?? Number(strictness(options).strict);
    const out = error.statements.filter((one) => one.error instanceof SourceError && effectOf(one.error) === 'out');
    const kept = clients.filter(({ name }) => out.every(({ source }) => source !== name));
    const code = await runHttp(kept, start, http, options, witnesses);
    if (code === undefined) throw error;
    return code;
  }
}

export const verifyLiteCommand = defineCommand({
  name: 'verify --lite',
  usage: ['SEQNO|latest --checkpoint FILE (--config FILE | --lite HOST:PORT:KEY ...) [options]'],
  about:
    'Proves that a masterchain block is final over untrusted lite servers. The validator set is proven from the checkpoint, and the whole block id is bound. A block older than the checkpoint is proven by a newer final block that lists it. The checkpoint file is not changed: ton-finality sync moves it.',
  words: { wanted: 'one SEQNO, or latest', count: [1, 1], choices: ['latest'] },
  options: OPTIONS,
  requires: [['config', 'lite']],
  examples: [
    'verify latest --checkpoint checkpoint.json --config global.config.json --strict',
    'verify 59379986 --checkpoint checkpoint.json --config global.config.json --json',
  ],
  exit: '0 final, 1 not final, 2 bad input, 3 no server answers or they disagree, 4 undecided',
  async run({ options, words: [word = ''] }) {
    const wanted = readSeqnoOrLatest(word);
    if (wanted === undefined)
      throw new UsageError('usage/bad-option', `expected one SEQNO, or latest, got ${shown(word)}`);
    const start = await readCheckpointFlag(options.checkpoint, { mustBePlain: true });
    const { plan: httpPlan, without } = readHttpBeside(word, options);
    const plan = (await readLitePlan({ ...options, without }))!; // servers are required
    const waiting = sayWhileWaiting(options.json === true);
    const http = httpPlan && { plan: httpPlan, servers: createServers(httpPlan, waiting).v2 };
    const saver = options.save === undefined ? undefined : await saveLiteAnswers(options.save);
    const clients = openLite(
      plan,
      present({ onServer: waiting.onServer, onAnswer: saver && ((answer: RecordedLiteAnswer) => saver.keep(answer)) }),
    );
    try {
      return await runAll(clients, start, wanted, options, waiting, http);
    } catch (error) {
      await tellFork(error, options);
      throw error;
    } finally {
      waiting.end();
      for (const client of clients) client.close();
      if (saver !== undefined) await printNote(saver.summary());
    }
  },
});
