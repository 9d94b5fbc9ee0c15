/** `ton-finality verify … --lite`: proves a block or the head over lite servers, and checks its signatures. */
import { encodeHex } from '../../../core/base/bytes.ts';
import { SourceError, UsageError } from '../../../core/base/errors.ts';
import { MAX_HEAD_AGE_SECONDS } from '../../../core/base/limits.ts';
import { present } from '../../../core/base/present.ts';
import { blockIdToJson } from '../../../core/block/block-id-json.ts';
import type { SignatureList } from '../../../core/block/signature-list.ts';
import { type Checkpoint, validatorSetAt } from '../../../core/chain/checkpoint.ts';
import type { ValidatorSet } from '../../../core/validators/validator-set.ts';
import { withAcceptedStart, withWarnings } from '../../../core/verify/own-report.ts';
import type { BlockContext } from '../../../core/verify/report.ts';
import { isStale } from '../../../core/verify/set-check.ts';
import { verifyBlock } from '../../../core/verify/verifier.ts';
import { STALE_START } from '../../../core/verify/warnings.ts';
import type { LiteServerClient } from '../../../net/lite/client.ts';
import { type OlderBlockProof, proveOlderBlock } from '../../../net/lite/prove.ts';
import { syncCheckpoint } from '../../../net/lite/sync.ts';
import type { SyncOptions } from '../../../net/lite/sync-options.ts';
import type { SyncResult } from '../../../net/lite/sync-result.ts';
import { effectOf, mayPass } from '../../../net/machine/outcome.ts';
import type { Witness } from '../../../net/sources/ask-witnesses.ts';
import { isSignedEnough } from '../../../net/sources/until-good.ts';
import { verifyFrom } from '../../../net/sources/verify-from.ts';
import { distinctWarnings } from '../../../net/sources/witness-report.ts';
import { row } from '../../report/layout.ts';
import { warningWords } from '../../report/render-report.ts';
import { reportToJson } from '../../report/report-json.ts';
import { defineCommand } from '../command.ts';
import { LITE_RUN_OPTIONS, readLitePlan, strictness } from '../input/lite-options.ts';
import { type OptionTable, type OptionValues, option, shown, under } from '../input/option-rows.ts';
import { readCheckpointFlag } from '../input/read-file.ts';
import { HTTP_OPTIONS, readSeqnoOrLatest, readWitnesses, type Wanted } from '../input/server-options.ts';
import { EXPECT_OPTIONS } from '../input/shared-options.ts';
import { requireExpectedBlock, THRESHOLD_OPTION } from '../input/trust-inputs.ts';
import { EXIT } from '../output/exit-code.ts';
import { printEvent, printJson, printResult } from '../output/print.ts';
import { type Doubt, doubtOf, printVerdict, witnessRow } from '../output/print-verdict.ts';
import { noteWitnesses } from '../output/print-witnesses.ts';
import type { Waiting } from '../output/say-while-waiting.ts';
import { type Beside, readHttpBeside, withHttp } from '../servers/http-beside.ts';
import { overLite, requireWantedBlock } from '../servers/lite-run.ts';

const OPTIONS = {
  checkpoint: option.text('FILE', 'checkpoint to start from, see ton-finality sync'),
  ...LITE_RUN_OPTIONS,
  'max-age': option.count('SECONDS', 1, 86_400, 'for latest: undecided if the newest block is older; default 60'),
  ...THRESHOLD_OPTION,
  ...EXPECT_OPTIONS,
  save: option.text('DIR', 'save every answer as received'),
  ...under(
    'HTTP servers as additional witnesses; if no lite server leads to the block, its signatures from HTTP servers are checked against the validator set of the checkpoint',
    HTTP_OPTIONS,
  ),
  ...under('output', {
    json: option.flag(
      'print one JSON object, schema ton-finality/report@3; for an older block ton-finality/ancestor@1',
    ),
    signers: option.flag('list every signer and every missing validator'),
  }),
} satisfies OptionTable;

type VerifyLiteFlags = OptionValues<typeof OPTIONS>;

/** The inputs of one run. */
interface LiteVerification {
  readonly clients: readonly LiteServerClient[];
  readonly start: Checkpoint;
  readonly wanted: Wanted;
  readonly options: VerifyLiteFlags;
  readonly strictly: ReturnType<typeof strictness>;
  readonly waiting: Waiting;
  readonly http: Beside | undefined;
  /** How many other servers of either kind have to name the block; `undefined` if the command line does not say. */
  readonly asked: number | undefined;
}

async function printAncestor(proof: OlderBlockProof, head: SyncResult, asJson: boolean): Promise<void> {
  const { blockId, header, provenance } = proof;
  // Without a report the head is the key block of the checkpoint, which then has the mark of a stale start.
  const marks = head.checkpoint.staleStart === 'accepted' ? [STALE_START] : [];
  const warnings = distinctWarnings([...(head.report?.warnings ?? marks), ...head.warnings]);
  if (asJson) {
    await printJson({
      schema: 'ton-finality/ancestor@1',
      block: blockIdToJson(blockId),
      verdict: { status: 'final' },
      genUtime: header.genUtime,
      provenance: { kind: provenance.kind, head: blockIdToJson(provenance.head) },
      headReport: head.report === undefined ? null : reportToJson(head.report),
      warnings,
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
      witnessRow(head.witnesses),
      ...warnings.map((warning) => row('warning', warningWords(warning))),
    ].join('\n'),
  );
}

/** Verifies signatures under a proven set, as the command line says. */
function verifyUnder(validators: ValidatorSet, { threshold }: VerifyLiteFlags, context: BlockContext) {
  const policy = { requireBoundId: true, requireProvenSet: true, ...present({ threshold }) };
  return (signatures: SignatureList) => verifyBlock(signatures, validators, { ...policy, context });
}

/** Prints why a result is undecided. @returns the exit code; `undefined` if it is not undecided, or because of an old head only */
async function printDoubted(result: SyncResult, options: VerifyLiteFlags): Promise<number | undefined> {
  const doubt = doubtOf(result.verdict.status === 'undecided' ? result.verdict.reason : undefined);
  return doubt && (await printVerdict({ ...result, doubt }, options));
}

/** Judges and prints the block that a run proved. @returns the exit code */
async function judgeResult(result: SyncResult, { options, wanted }: LiteVerification): Promise<number> {
  requireWantedBlock(result.tip.seqno, wanted);
  const code = await printDoubted(result, options);
  if (code !== undefined) return code;
  const { signatures, checkpoint, tip, tipHeader: header, witnesses, warnings } = result;
  if (signatures === undefined) {
    const hint = 'nothing is left to prove: run ton-finality checkpoint show';
    throw new UsageError('usage/bad-option', `block ${tip.seqno} is the key block of the checkpoint`, { hint });
  }
  const age = wanted === 'latest' ? { nowSeconds: Date.now() / 1000, maxHeadAgeSeconds: maxAgeOf(options) } : {};
  const judged = verifyUnder(validatorSetAt(checkpoint), options, { header, ...age })(signatures);
  const taken = result.startIsStale ? withAcceptedStart(judged) : judged; // a stale start that was not accepted has returned above
  const report = warnings.length === 0 ? taken : withWarnings(taken, warnings);
  return await printVerdict({ tip, report, warnings, witnesses }, options);
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
 * Verifies the block by signatures from servers over HTTP, under the set of the checkpoint. The lite servers are asked which block has the
 * number.
 * @returns the exit code; `undefined` if the set of the checkpoint did not sign the block: a later set may have signed it
 */
async function runHttp(
  { clients, start, wanted, options, asked, strictly: { strict, acceptStaleStart } }: LiteVerification,
  { plan: { deadlineMs }, servers }: Beside,
): Promise<number | undefined> {
  const validators = validatorSetAt(start);
  const nowSeconds = Date.now() / 1000;
  const verify = verifyUnder(validators, options, acceptStaleStart ? {} : { nowSeconds });
  const terms = {
    wanted,
    deadlineMs,
    witnesses: asked ?? Number(strict),
    countEachServer: options['count-each-server'],
    nowSeconds,
    more: clients.map(namedBy),
  };
  const verified = await verifyFrom(servers, terms, async ({ signatures }) => {
    requireExpectedBlock(signatures.blockId, options);
    return { report: verify(signatures), validators, verify };
  });
  const { judged, agreement, witnesses } = verified;
  if (judged === undefined || !isSignedEnough(judged.report)) return undefined;
  const isTaken = acceptStaleStart && isStale(validators, nowSeconds);
  const tip = judged.report.coverage.blockId;
  const isHead = wanted === 'latest';
  const message = `the age of block ${tip.seqno} is not proven: only HTTP servers name it as the newest`;
  const aged = isHead ? [...verified.warnings, { code: 'age-not-proven', message }] : verified.warnings;
  const report = withWarnings(isTaken ? withAcceptedStart(judged.report) : judged.report, aged);
  const isAgeWanted = isHead && (strict || options['max-age'] !== undefined);
  const said = agreement !== 'enough' ? doubtOf(agreement) : isAgeWanted ? UNKNOWN_AGE : undefined;
  const doubt = report.verdict.status === 'final' ? said : undefined;
  await noteWitnesses({ tip, witnesses }, options);
  return await printVerdict({ tip, report, warnings: report.warnings, witnesses, doubt }, options);
}

const maxAgeOf = (options: VerifyLiteFlags) => options['max-age'] ?? MAX_HEAD_AGE_SECONDS;

/** Proves the block over lite servers. @returns the exit code */
async function runLite(run: LiteVerification): Promise<number> {
  const { clients, start, wanted, options, waiting, http, asked, strictly } = run;
  const countEachServer = options['count-each-server'];
  const { acceptStaleStart } = strictly;
  const common: SyncOptions = {
    // The reports of all servers are judged after those over HTTP have answered.
    countEachServer,
    ...(http === undefined ? { ...strictly, ...present({ witnesses: asked }) } : { acceptStaleStart: true }),
    maxHeadAgeSeconds: maxAgeOf(options),
    onProgress: ({ tip, target }) => waiting.proved(tip.seqno, target.seqno),
  };
  const isLater = wanted === 'latest' || wanted > start.keyBlock.seqno;
  const end = isLater && wanted !== 'latest' ? { to: wanted } : {};
  const proven = await syncCheckpoint(clients, start, { ...common, ...end });
  const witnesses = asked ?? Number(strictly.strict);
  const waitForBlock = wanted === 'latest' && witnesses > 0;
  const mixed = { acceptStaleStart, witnesses, countEachServer, waitForBlock, deadlineMs: http?.plan.deadlineMs };
  const head = http === undefined ? proven : await withHttp(proven, http.servers, mixed);
  await noteWitnesses(head, options);
  if (isLater) {
    requireExpectedBlock(head.tip, options);
    return await judgeResult(head, run);
  }
  const code = await printDoubted(head, options);
  if (code !== undefined) return code;
  if (head.tip.seqno === wanted) return await judgeResult(head, run); // the block of the checkpoint itself
  const proof = await proveOlderBlock(clients, proven, wanted);
  requireWantedBlock(proof.blockId.seqno, wanted);
  requireExpectedBlock(proof.blockId, options);
  await printAncestor(proof, head, options.json);
  return EXIT.final;
}

/** Returns whether other servers may do better. A fork or a wrong clock stays. */
function isOfServers(error: unknown): error is SourceError {
  return error instanceof SourceError && mayPass(error) && error.code !== 'source/aborted';
}

/** Runs over lite servers, and over HTTP if none of those leads to the block. */
async function runAll(run: LiteVerification): Promise<number> {
  const { clients, start, wanted, http } = run;
  try {
    return await runLite(run);
  } catch (error) {
    const isLater = wanted === 'latest' || wanted > start.keyBlock.seqno;
    if (http === undefined || !isLater || !isOfServers(error)) throw error;
    const words = `no lite server leads to the block: ${error.message}; asking HTTP servers for its signatures`;
    await printEvent('asking-http', words, run.options.json);
    const out = error.statements.filter((one) => one.error instanceof SourceError && effectOf(one.error) === 'out');
    const kept = clients.filter(({ name }) => out.every(({ source }) => source !== name));
    const code = await runHttp({ ...run, clients: kept }, http);
    if (code === undefined) throw error;
    return code;
  }
}

export const verifyLiteCommand = defineCommand({
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
    const strictly = strictness(options);
    const start = await readCheckpointFlag(options, { mustBePlain: true });
    let waiting: Waiting | undefined;
    const { http, without } = readHttpBeside(word, options, (event) => waiting?.onServer(event));
    const plan = (await readLitePlan({ ...options, without }))!; // servers are required
    const asked = readWitnesses(options.witnesses, plan.servers.length - 1 + (http?.servers.length ?? 0));
    return await overLite(plan, options, async (clients, own) => {
      waiting = own;
      return await runAll({ clients, start, wanted, options, strictly, waiting, http, asked });
    });
  },
});
