/** `ton-finality follow`: prints every new block, proven over lite servers. A later run can resume. */
import { present } from '../../../core/base/present.ts';
import { type BlockIdExt, differingField, formatBlockId } from '../../../core/block/block-id.ts';
import type { Checkpoint } from '../../../core/chain/checkpoint.ts';
import type { LiteServerClient } from '../../../net/lite/client.ts';
import { type FollowedBlock, followLite } from '../../../net/lite/follow.ts';
import { syncCheckpoint } from '../../../net/lite/sync.ts';
import type { SyncStall } from '../../../net/lite/sync-options.ts';
import { defineCommand } from '../command.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import { hasFinished, notOnTheWay, placeOf, requireOrder } from '../follow-place.ts';
import { openFollowState } from '../follow-state.ts';
import { FOLLOW_EXIT, followTelling } from '../follow-telling.ts';
import { followedLine } from '../followed-line.ts';
import { HAND_OUT_OPTIONS, handOut, requireNoOtherStdin } from '../hand-out.ts';
import { LITE_OPTIONS, openLite, readLitePlan, strictness } from '../input/lite-options.ts';
import { countRow, flagRow, seqnoRow, textRow } from '../input/option-rows.ts';
import { readCheckpointFlag } from '../input/read-checkpoint.ts';
import { readWitnesses } from '../input/server-options.ts';
import { NETWORK_OPTION, STALE_START_OPTION, STRICT_OPTION, WITNESS_OPTIONS } from '../input/shared-options.ts';
import { tellFork } from '../keep-evidence.ts';
import type { SeenBlock } from '../metrics.ts';
import { METRICS_OPTIONS, startMetrics } from '../metrics-option.ts';

/** Converts a block for the counts. It has a margin only if its own signatures were checked. */
function seenOf({ header: { seqno, genUtime }, provenBy, report }: FollowedBlock): SeenBlock {
  const seen = { seqno, genUtime, outcome: report.verdict.status };
  if (provenBy === 'descendant') return seen;
  const { coverage, requiredWeight } = report;
  return { ...seen, margin: Number(coverage.signedWeight - requiredWeight) / Number(coverage.totalWeight) };
}

/**
 * Checks that the key block of a state comes after that of the checkpoint.
 * @param onStall reports why there is no answer yet
 * @throws UsageError, SourceError
 */
async function requireOnTheWay(
  clients: readonly LiteServerClient[],
  start: Checkpoint,
  keyBlock: BlockIdExt,
  onStall: (stall: SyncStall) => void,
): Promise<void> {
  // The start may be stale: the state records that already, and old keys prove no more here.
  const { tip } = await syncCheckpoint(clients, start, { to: keyBlock.seqno, acceptStaleStart: true, onStall });
  if (differingField(tip, keyBlock) !== undefined) throw notOnTheWay(keyBlock, start);
}

export const followCommand = defineCommand({
  name: 'follow',
  usage: ['--checkpoint FILE (--config FILE | --lite HOST:PORT:KEY ...) [options]'],
  about:
    'Proves every new masterchain block over untrusted lite servers and prints one line for each. Prints every block exactly once, even if servers restart. Stop it with Ctrl-C.',
  options: {
    checkpoint: textRow('FILE', 'checkpoint to start from, see ton-finality sync'),
    ...LITE_OPTIONS,
    ...NETWORK_OPTION,
    ...HAND_OUT_OPTIONS,
    from: seqnoRow("first block, after the checkpoint's key block; default: the newest"),
    to: seqnoRow('exit after this block'),
    'sign-every-seconds': countRow(
      'SECONDS',
      0,
      3600,
      'check signatures every N seconds of blocks, which is also the longest delay; default 5; 0 checks every block',
    ),
    ...WITNESS_OPTIONS,
    ...STRICT_OPTION,
    ...STALE_START_OPTION,
    ...METRICS_OPTIONS,
    json: flagRow('print one JSON object a line'),
  },
  requires: [['config', 'lite']],
  examples: [
    'follow --checkpoint checkpoint.json --config global.config.json --state follow.json',
    'follow --checkpoint checkpoint.json --config global.config.json --strict --json',
  ],
  exit: FOLLOW_EXIT,
  async run({ options }) {
    const plan = (await readLitePlan(options))!; // servers are required
    const { from, to } = options;
    requireOrder(from, to);
    const witnesses = readWitnesses(options.witnesses, plan.servers.length - 1);
    requireNoOtherStdin(options, [options.checkpoint, options.config]);
    const start = await readCheckpointFlag(options.checkpoint, { mustBePlain: true });
    const state = await openFollowState(options.state, { from, sync: options.sync });
    const metrics = await startMetrics(options.metrics, 'follow');
    const clients = openLite(plan, present({ onServer: metrics?.onServer }));
    const asJson = options.json === true;
    const begun = formatBlockId(start.keyBlock);
    const hand = handOut(state, options, asJson);
    const { status, ...tell } = followTelling(options);
    let exitCode: number = EXIT.final;
    try {
      if (hasFinished(state.kept, to)) return exitCode;
      requireOrder(start.keyBlock.seqno + 1, state.kept === undefined ? to : undefined);
      const { checkpoint, unproven, ...place } = placeOf(state.kept, start, from);
      if (unproven !== undefined) {
        await requireOnTheWay(clients, start, unproven, (stall) => {
          // The last comparison of the way is a part of it.
          tell.onStall({ ...stall, code: stall.code === 'comparing' ? 'catching-up' : stall.code });
        });
      }
      const blocks = followLite(clients, checkpoint, {
        ...place,
        ...present({ signal: hand.signal, witnesses }),
        signEverySeconds: options['sign-every-seconds'] ?? 5,
        ...strictness(options),
        countEachServer: plan.countEachServer,
        ...tell,
      });
      for await (const block of blocks) {
        status.clear();
        requireOrder(block.header.seqno, to);
        const after = { after: block.header.blockId, checkpoint: block.checkpoint, start: begun };
        if (!(await hand.give(block.header.seqno, followedLine(block, asJson), after))) break;
        metrics?.block(seenOf(block));
        exitCode = Math.max(exitCode, exitCodeOf(block.report.verdict));
        const ageSeconds = Math.max(0, Math.round(Date.now() / 1000 - block.header.genUtime));
        status.show(`block ${block.header.seqno}, ${ageSeconds} s old`);
        if (block.header.seqno === to) break;
      }
      status.clear();
      await hand.finish();
      return exitCode;
    } catch (error) {
      await tellFork(error, options);
      try {
        state.keep(); // what was printed is recorded, so that the next run does not print it again
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
  },
});
