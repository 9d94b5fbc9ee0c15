/** Why a synchronisation has no result yet: rule R8 of live verification. Pure. */
import type { SyncState } from './sync-state.ts';

export interface SyncStallReason {
  /**
   * no-server: no server has answered. not-proven: servers answer, and none has proven anything. catching-up: blocks are being proven on
   * the way to the target. comparing: the block is proven, and other servers are asked for it.
   */
  readonly code: 'no-server' | 'not-proven' | 'catching-up' | 'comparing';
  /** Seqno of the newest block that is proven, or that trust began at, and of the newest that a server names: no less. */
  readonly head: number;
  readonly said: number;
}

export function syncStall<S>({ targets, place, round, isComparing }: SyncState<S>): SyncStallReason {
  const head = place.tip.seqno;
  const said = Math.max(head, ...targets.map(({ block }) => block.seqno));
  // A second round begins only where servers answered in the first.
  const isAnswered = targets.length > 0 || round > 1;
  const climbed = place.isProven ? 'catching-up' : 'not-proven';
  return { code: isComparing ? 'comparing' : isAnswered ? climbed : 'no-server', head, said };
}
