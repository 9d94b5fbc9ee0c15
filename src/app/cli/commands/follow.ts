/** `ton-finality follow`: every new block, proven over lite servers; goes on where it stopped. */
import { UsageError } from '../../../core/base/errors.ts';
import { MAX_SEQNO } from '../../../core/base/limits.ts';
import { present } from '../../../core/base/present.ts';
import { type BlockIdExt, differingField, formatBlockId } from '../../../core/block/block-id.ts';
import { type Checkpoint, parseCheckpoint } from '../../../core/chain/checkpoint.ts';
import { connectLite, type LiteServerClient } from '../../../net/lite/client.ts';
import { type FollowedBlock, followHead } from '../../../net/lite/follow.ts';
import { syncCheckpoint } from '../../../net/lite/sync.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import { notOnTheWay, placeOf } from '../follow-place.ts';
import { openFollowState } from '../follow-state.ts';
import { followedLine } from '../followed-line.ts';
import { HAND_OUT_OPTIONS, HAND_OUT_USAGE, handOut, requireStateFor } from '../hand-out.ts';
import { readCount } from '../input/counts.ts';
import { withFileName } from '../input/error-with-file.ts';
import { LITE_OPTIONS, LITE_USAGE, readLitePlan, strictness } from '../input/lite-options.ts';
import { type OptionTable, type ParsedOptions, parseOptions } from '../input/options.ts';
import { inputName, readJson } from '../input/read-file.ts';
import { tellFork } from '../keep-evidence.ts';
import { METRICS_OPTIONS, METRICS_USAGE, type SeenBlock, startMetrics } from '../metrics-option.ts';
import { printEvent, printResult } from '../output.ts';
import { stallMembers, stallWords } from '../stall-words.ts';
import { statusLine } from '../status-line.ts';
import { tellWarning } from '../witness-words.ts';
import { followHttpCommand, namesHttpServers } from './follow-http.ts';

const FOLLOW_USAGE = `usage: ton-finality follow --checkpoint FILE (--config FILE | --lite HOST:PORT:KEY ...) [options]
       ton-finality follow --base-url URL ... (--validators FILE | --checkpoint FILE) [options]

Prints one line for every new masterchain block, each proven final over lite servers, none of which is believed. No gap,
no duplicate, through restarts of the servers; ends by a signal.

  --checkpoint FILE                 where trust begins, see ton-finality sync
${LITE_USAGE}
${HAND_OUT_USAGE}
  --from N                          first block, after the checkpoint's key block; default: the head
  --until N                         ends after this block
  --sign-every SECONDS              seconds between signed blocks, and so the longest delay; default 5, 0 for none
  --witnesses K                     K other servers must name each signed block before it is printed; without, none must
  --strict                          for money: at least one witness, no exception
  --accept-stale-start              exception: a checkpoint older than its set's stakes, without two more servers
  --evidence FILE                   where evidence goes if two blocks of one number are certified
${METRICS_USAGE}
  --json                            one object a line

over HTTP with --base-url: see ton-finality follow --base-url --help

exit code: 0 ended by --until, or its reader or standard input (--ack) did, 130 or 143 by a signal, 2 bad input, 3 no server
           answers or they disagree, 4 trust goes on from validators past their stakes, and too few servers agree or one contradicts; or
           ended by --until, and a block was printed that is not final`;

const OPTIONS = {
  ...LITE_OPTIONS,
  ...METRICS_OPTIONS,
  ...HAND_OUT_OPTIONS,
  checkpoint: { type: 'string' },
  from: { type: 'string' },
  until: { type: 'string' },
  'sign-every': { type: 'string' },
  witnesses: { type: 'string' },
  strict: { type: 'boolean' },
  'accept-stale-start': { type: 'boolean' },
  evidence: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

type Options = ParsedOptions<typeof OPTIONS>['values'];

/** Its margin only where its own signatures were checked. */
function seenOf({ header: { seqno, genUtime }, provenBy, report }: FollowedBlock): SeenBlock {
  const seen = { seqno, genUtime, outcome: report.verdict.status };
  if (provenBy === 'descendant') return seen;
  const { coverage, requiredWeight } = report;
  return { ...seen, margin: Number(coverage.signedWeight - requiredWeight) / Number(coverage.totalWeight) };
}

async function readStart(options: Options): Promise<Checkpoint> {
  const { checkpoint } = options;
  if (checkpoint === undefined) {
    throw new UsageError('usage/bad-option', 'expected --checkpoint FILE', {
      path: '--checkpoint',
      hint: 'ton-finality sync makes one from a block that you pin',
    });
  }
  const json = await readJson(checkpoint, { mustBePlain: true });
  return withFileName(inputName(checkpoint), () => parseCheckpoint(json));
}

/** A state is of use only where its key block comes after that of the checkpoint. @throws UsageError, SourceError */
async function requireOnTheWay(
  clients: readonly LiteServerClient[],
  start: Checkpoint,
  keyBlock: BlockIdExt,
): Promise<void> {
  // Old keys may lead anywhere; that they lead there is no more than the state says already.
  const { tip } = await syncCheckpoint(clients, start, { to: keyBlock.seqno, acceptStaleStart: true });
  if (differingField(tip, keyBlock) !== undefined) throw notOnTheWay(keyBlock, start);
}

/** @param words the command line after `follow` @returns the exit code */
export async function followCommand(words: readonly string[]): Promise<number> {
  if (namesHttpServers(words)) return await followHttpCommand(words);
  const { values: options, positionals } = parseOptions(words, OPTIONS);
  if (options.help === true) {
    await printResult(FOLLOW_USAGE);
    return 0;
  }
  if (positionals.length > 0)
    throw new UsageError('usage/bad-option', 'expected options only', { hint: 'see ton-finality follow --help' });
  const plan = await readLitePlan(options);
  if (plan === undefined) {
    throw new UsageError('usage/bad-option', 'expected --config FILE or --lite HOST:PORT:KEY, got neither', {
      path: '--lite',
    });
  }
  const from = options.from === undefined ? undefined : readCount('from', options.from, 1, MAX_SEQNO);
  const last = options.until === undefined ? Number.POSITIVE_INFINITY : readCount('until', options.until, 1, MAX_SEQNO);
  const signEverySeconds =
    options['sign-every'] === undefined ? 5 : readCount('sign-every', options['sign-every'], 0, 3600);
  const witnesses =
    options.witnesses === undefined ? undefined : readCount('witnesses', options.witnesses, 0, plan.servers.length - 1);
  requireStateFor(options, [options.checkpoint, options.config]);
  const start = await readStart(options);
  const state = await openFollowState(options.state, { from, sync: options.sync });
  const network = plan.network === undefined ? {} : { network: plan.network };
  const metrics = await startMetrics(options.metrics, 'follow');
  const observers = metrics === undefined ? {} : { onServer: metrics.onServer };
  const clients = plan.servers.map((server) => connectLite(server, { ...network, ...observers }));
  const asJson = options.json === true;
  const begun = formatBlockId(start.keyBlock);
  const status = statusLine(!asJson);
  const hand = handOut(state, options, asJson);
  let exitCode: number = EXIT.final;
  try {
    const { checkpoint, unproven, ...place } = placeOf(state.kept, start, from);
    if (unproven !== undefined) await requireOnTheWay(clients, start, unproven);
    const blocks = followHead(clients, checkpoint, {
      ...place,
      ...present({ signal: hand.signal }),
      signEverySeconds,
      ...strictness(options),
      countEachServer: plan.countEachServer,
      ...present({ witnesses }),
      onTrouble: (error) => status.show(error.message),
      onStall(stall) {
        status.clear();
        void printEvent(stall.code, stallWords(stall), asJson, stallMembers(stall));
      },
      onWarning(warning) {
        status.clear();
        void tellWarning(warning, options.evidence, asJson);
      },
    });
    for await (const block of blocks) {
      status.clear();
      const after = { after: block.header.blockId, checkpoint: block.checkpoint, start: begun };
      if (!(await hand.give(block.header.seqno, followedLine(block, asJson), after))) break;
      metrics?.block(seenOf(block));
      exitCode = Math.max(exitCode, exitCodeOf(block.report.verdict));
      const ageSeconds = Math.max(0, Math.round(Date.now() / 1000 - block.header.genUtime));
      status.show(`block ${block.header.seqno}, ${ageSeconds} s old`);
      if (block.header.seqno >= last) break;
    }
    status.clear();
    await hand.finish();
    return exitCode;
  } catch (error) {
    await tellFork(error, options);
    try {
      state.keep(); // what was printed before, so that the next run does not print it again
    } catch {
      // the error that ended the run says more
    }
    throw error;
  } finally {
    status.clear();
    hand.close();
    state.close();
    for (const client of clients) client.close();
    metrics?.close();
  }
}
