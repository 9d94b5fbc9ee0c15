/**
 * Checks block numbers that servers name. Without the check, every server would be asked to wait for a block that no
 * server has.
 */
import { SourceError } from '../../core/base/errors.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import { requireServerFault } from './climb.ts';
import type { Fleet } from './fleet.ts';
import { askHeads } from './heads.ts';
import type { TellReason } from './run.ts';
import { syncOver } from './sync.ts';
import type { SyncOptions } from './sync-options.ts';

/**
 * Makes the check. A number up to the lowest head that a server names is accepted. Above it, the newest block is proven
 * once, because a liar can name any head.
 * @returns a function that throws SourceError `source/not-ready` for a block above the newest one
 */
export function requireUpToHead(fleet: Fleet, from: Checkpoint, options: SyncOptions, onReason?: TellReason) {
  const { clock = () => Date.now() / 1000, signal } = options;
  let said: Promise<number> | undefined;
  let proven: Promise<number> | undefined;
  const lowest = async () => {
    try {
      return Math.min(...(await askHeads(fleet, signal, clock)).map(({ head }) => head.last.seqno));
    } catch (error) {
      requireServerFault(error);
      return Number.POSITIVE_INFINITY; // servers that name no head can still prove a block
    }
  };
  const newest = async () => (await syncOver(fleet, from, options, onReason)).tip.seqno;
  return async (seqno: number): Promise<void> => {
    said ??= lowest();
    if (seqno <= (await said)) return;
    proven ??= newest();
    if (seqno <= (await proven)) return;
    throw new SourceError('source/not-ready', `block ${seqno} is newer than the head`);
  };
}
