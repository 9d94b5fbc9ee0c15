/** The options of `followLite`, and their strict reader. */
import { badArgument, isObject, requireInteger } from '../../core/base/arguments.ts';
import { MAX_SEQNO } from '../../core/base/limits.ts';
import { flag, number, optional, readOptions, whole } from '../../core/base/options.ts';
import { type BlockIdExt, copyBlockId } from '../../core/block/block-id.ts';
import { type Checkpoint, ownCheckpoint } from '../../core/chain/checkpoint.ts';
import type { FollowOptions } from '../follow/follow-options.ts';
import { followReaders } from '../follow/live-options.ts';
import type { FollowStall } from '../follow/stall-reports.ts';
import type { LiveWarning } from '../sources/witness-report.ts';
import type { LiteServerClient } from './client.ts';
import { requireDistinctServers, requireWitnesses } from './fleet.ts';

/**
 * Seconds between two blocks whose signatures are checked while a chain is followed. Hashes prove the blocks in
 * between.
 */
const SIGN_EVERY_SECONDS = 5;

/** Where a follower begins, how often it checks signatures, and which events it reports. */
export interface FollowLiteOptions
  extends Pick<FollowOptions, 'strict' | 'countEachServer' | 'engine' | 'signal' | 'onTrouble'> {
  /**
   * The last block that was reported: the next one must follow it. Not before the checkpoint's key block, so save the
   * id of a block before its checkpoint.
   */
  readonly after?: BlockIdExt;
  /** Seqno of the first block, after the checkpoint's key block. Default: the head at the start. */
  readonly from?: number;
  /**
   * Seqno of the last block. The iteration ends after the block, or after the head at the start if that is later. If a
   * server has named a different block, it has up to 10 s to prove it first: a loop that you leave yourself does not
   * hear of a fork that is proven then. Default: no end.
   */
  readonly to?: number;
  /** A block that you pinned since: the chain must have this block at its number. */
  readonly through?: BlockIdExt;
  /**
   * Seconds between blocks whose signatures are checked, and so the longest delay. Default 5. 0 checks as many as
   * possible.
   */
  readonly signEverySeconds?: number;
  /**
   * Continues from a set whose validators can have withdrawn their stakes, at the start or after a long sleep, without
   * two further servers that name the same block. Every report after it says so. Default false.
   */
  readonly acceptStaleStart?: boolean;
  /**
   * How many servers must name the same signed block before it, or a block below it, is reported. The server that gave
   * the proof does not count. Until then the run waits, and reports why. Default 0: one other server is asked in turn,
   * and all at key blocks.
   */
  readonly witnesses?: number;
  /** Returns the time in Unix seconds. Default: this machine's clock. */
  readonly clock?: () => number;
  /** Called when there has been no block for 10 s, 20 s, 40 s and so on, with the reason in `code`. */
  readonly onStall?: (stall: FollowStall) => void;
  /** Called once for each warning that does not end the run. */
  readonly onWarning?: (warning: LiveWarning) => void;
  /**
   * Milliseconds without a new proven block after which the run ends with an error, while the servers' head does not
   * move or questions fail. Default 10 minutes.
   */
  readonly maxOutageMs?: number;
}

/** One day. */
const MAX_SIGN_EVERY_SECONDS = 86_400;

/** Checks the options. @throws UsageError `usage/bad-option` */
export function readFollowLiteOptions(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  given: FollowLiteOptions,
) {
  const distinct = requireDistinctServers(clients);
  if (!isObject(checkpoint)) {
    throw badArgument('checkpoint', 'a checkpoint', checkpoint, 'parseCheckpoint reads one, syncCheckpoint makes one');
  }
  const own = ownCheckpoint(checkpoint).checkpoint;
  const lowest = own.keyBlock.seqno + 1;
  const opts = readOptions(given, '', {
    from: whole(lowest, MAX_SEQNO),
    to: whole(lowest, MAX_SEQNO),
    after: optional((value: BlockIdExt, path) => {
      const after = copyBlockId(value, path);
      requireInteger(after.seqno, `${path}.seqno`, 0, MAX_SEQNO);
      if (after.seqno >= own.keyBlock.seqno) return after;
      throw badArgument(path, `block ${own.keyBlock.seqno} or later`, after.seqno, 'save it before the checkpoint');
    }),
    through: optional(copyBlockId),
    signEverySeconds: number(0, MAX_SIGN_EVERY_SECONDS, SIGN_EVERY_SECONDS),
    acceptStaleStart: flag(false),
    ...followReaders(),
  });
  const { after, from, to } = opts;
  if (after !== undefined && from !== undefined) {
    throw badArgument('from', 'one of `after` and `from`', from, 'a run that resumes after a block begins there');
  }
  const first = after === undefined ? (from ?? lowest) : after.seqno + 1;
  if (to !== undefined && to < first) throw badArgument('to', `block ${first} or later, the first block`, to);
  const witnesses = requireWitnesses(distinct, opts);
  return { ...opts, clients: distinct, checkpoint: own, witnesses };
}

/** The options with their defaults. */
export type FollowLiteSettings = ReturnType<typeof readFollowLiteOptions>;
