/** `ton-finality follow`: prints every new block, proven over lite servers. A later run can resume. */
import { TrustError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import { type BlockIdExt, differingField, formatBlockId } from '../../../core/block/block-id.ts';
import type { Checkpoint } from '../../../core/chain/checkpoint.ts';
import type { LiteServerClient } from '../../../net/lite/client.ts';
import { type FollowedBlock, followLite } from '../../../net/lite/follow-lite.ts';
import { syncCheckpoint } from '../../../net/lite/sync.ts';
import type { SyncStall } from '../../../net/lite/sync-options.ts';
import { ownHeadOf, type SyncResult } from '../../../net/lite/sync-result.ts';
import { defineCommand } from '../command.ts';
import { notOnTheWay, placeOf, requireAfterCheckpoint, requireOrder } from '../follow/follow-place.ts';
import { openFollowState } from '../follow/follow-state.ts';
import { HAND_OUT_OPTIONS, requireNoOtherStdin } from '../follow/hand-out.ts';
import { FOLLOW_EXIT, runFollow } from '../follow/run-follow.ts';
import { LITE_OPTIONS, openLite, readLitePlan, strictness } from '../input/lite-options.ts';
import { option } from '../input/option-rows.ts';
import { readCheckpointFlag } from '../input/read-file.ts';
import { readWitnesses } from '../input/server-options.ts';
import { NETWORK_OPTION, STALE_START_OPTION, STRICT_OPTION, WITNESS_OPTIONS } from '../input/shared-options.ts';
import { METRICS_OPTIONS, type SeenBlock, startMetrics } from '../output/metrics.ts';
import { noteWitnesses, type TellOptions } from '../output/print-witnesses.ts';

/** Converts a block for the counts. It has a margin only if its own signatures were checked. */
function seenOf({ header: { seqno, genUtime }, provenBy, report }: FollowedBlock): SeenBlock {
  const seen = { seqno, genUtime, outcome: report.verdict.status };
  if (provenBy === 'descendant') return seen;
  const { coverage, requiredWeight } = report;
  return { ...seen, margin: Number(coverage.signedWeight - requiredWeight) / Number(coverage.totalWeight) };
}

/** Makes the error where a stale checkpoint leads to a different block than the state has: old keys could have made that way. */
function perhapsForged(result: SyncResult, keyBlock: BlockIdExt): TrustError {
  const { tip, witnesses } = result;
  const prover = ownHeadOf(result)?.prover;
  const led = [...(prover === undefined ? [] : [prover.name]), ...witnesses.agreed].join(', ');
  const others = [...witnesses.contradicts, ...witnesses.forked].map(({ source }) => source).join(', ');
  const words = [
    `the validators of the checkpoint can have withdrawn their stakes, and ${led} led to ${formatBlockId(tip)}, not to ${formatBlockId(keyBlock)} of the state`,
    ...(others === '' ? [] : [`${others} named a different block than ${led}`]),
  ];
  return new TrustError('trust/stale-start', words.join('; '), {
    path: '--checkpoint',
    hint: 'exclude the server that is wrong with --without SERVER, or pass a newer checkpoint',
  });
}

/**
 * Checks that the key block of a state comes after that of the checkpoint.
 * @param onStall reports why there is no answer yet
 * @throws UsageError, SourceError; TrustError `trust/stale-start` where old keys could have made the way to a different block
 */
async function requireOnTheWay(
  clients: readonly LiteServerClient[],
  start: Checkpoint,
  keyBlock: BlockIdExt,
  options: TellOptions,
  onStall: (stall: SyncStall) => void,
): Promise<void> {
  // The start may be stale: the state records that already, and any way to its block is enough.
  const result = await syncCheckpoint(clients, start, { to: keyBlock.seqno, acceptStaleStart: true, onStall });
  if (differingField(result.tip, keyBlock) === undefined) return;
  if (!result.startIsStale) throw notOnTheWay(keyBlock, start);
  await noteWitnesses(result, options);
  throw perhapsForged(result, keyBlock);
}

export const followCommand = defineCommand({
  usage: ['--checkpoint FILE (--config FILE | --lite HOST:PORT:KEY ...) [options]'],
  about:
    'Proves every new masterchain block over untrusted lite servers and prints one line for each. Prints every block once, even if servers restart; resumed with --state after a kill, it may print the last blocks again. Stop it with Ctrl-C.',
  options: {
    checkpoint: option.text('FILE', 'checkpoint to start from, see ton-finality sync'),
    ...LITE_OPTIONS,
    ...NETWORK_OPTION,
    ...HAND_OUT_OPTIONS,
    from: option.seqno("first block, after the checkpoint's key block; default: the newest"),
    to: option.seqno('exit after this block'),
    'sign-every-seconds': option.count(
      'SECONDS',
      0,
      3600,
      'check signatures every N seconds of blocks, which is also the longest delay; default 5; 0 checks every block',
    ),
    ...WITNESS_OPTIONS,
    ...STRICT_OPTION,
    ...STALE_START_OPTION,
    ...METRICS_OPTIONS,
    json: option.flag('print one JSON object a line'),
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
    const strictly = strictness(options);
    requireOrder(from, to);
    const witnesses = readWitnesses(options.witnesses, plan.servers.length - 1);
    requireNoOtherStdin(options, [options.checkpoint, options.config]);
    const start = await readCheckpointFlag(options, { mustBePlain: true });
    const begun = formatBlockId(start.keyBlock);
    const trust = { checkpoint: start, start: begun };
    const state = await openFollowState(options.state, { from, trust, sync: options.sync });
    const metrics = await startMetrics(options.metrics, 'follow', options.json);
    const clients = openLite(plan, present({ onServer: metrics?.onServer }));
    try {
      return await runFollow<FollowedBlock>(options, state, {
        async follow(more) {
          if (state.kept === undefined) requireAfterCheckpoint(start, { from, to });
          const { checkpoint, unproven, ...place } = placeOf(state.kept, start, from);
          if (unproven !== undefined) {
            await requireOnTheWay(clients, start, unproven, options, (stall) => {
              // The last comparison of the way is a part of it.
              more.onStall({ ...stall, code: stall.code === 'comparing' ? 'catching-up' : stall.code });
            });
          }
          return followLite(clients, checkpoint, {
            ...place,
            ...present({ witnesses, to, signEverySeconds: options['sign-every-seconds'] }),
            ...strictly,
            countEachServer: plan.countEachServer,
            ...more,
          });
        },
        endsItself: true,
        placeAfter: ({ header, checkpoint }) => ({ after: header.blockId, checkpoint, start: begun }),
        onPrinted: (block) => metrics?.block(seenOf(block)),
      });
    } finally {
      for (const client of clients) client.close();
      metrics?.close();
    }
  },
});
