/**
 * Decides which block is handed out next, where each block is proven by its own signatures. Every block is handed out
 * once, in order, whatever heads a source names. Pure: times are milliseconds of a clock that never goes back.
 */
import { isFarBehind, isOutage, type SeenHeads, sawHead } from './stall.ts';

/**
 * Milliseconds between looks at the head while catching up. Each look costs a request that could have fetched a block.
 */
const HEAD_EVERY_MS = 5000;

export interface BlocksPlan {
  /** The first block; `undefined` begins at the head. */
  readonly from: number | undefined;
  readonly pollMs: number;
  /** Blocks behind the head at which the follower reports a lag, and whether it leaves the rest out then. */
  readonly lagAfter: number;
  readonly sample: boolean;
  /** Milliseconds without a block after which a head that does not advance ends the run. */
  readonly maxStandMs: number;
}

/** How far the next report is behind the head of the chain. */
export interface FollowLag {
  /** Seqno of the next block to be reported. */
  readonly next: number;
  /** Seqno of the newest block the source knows. */
  readonly head: number;
  /** Blocks that exist and are not reported yet. */
  readonly behind: number;
  /** Blocks left out just now; 0 unless `sample` is set. */
  readonly skipped: number;
}

export type BlocksEvent =
  | { readonly kind: 'begin' }
  | { readonly kind: 'waited' | 'taken'; readonly nowMs: number }
  /** The source named its head. `stuckMs`: milliseconds without a block. */
  | { readonly kind: 'looked'; readonly said: number; readonly nowMs: number; readonly stuckMs: number }
  /** The block that was asked for does not exist yet: the head is this one. */
  | { readonly kind: 'beyond'; readonly head: number; readonly nowMs: number };

export type BlocksAction =
  | { readonly kind: 'look' }
  /** Servers that are behind come nearer: restart the patience. */
  | { readonly kind: 'alive' }
  /** Report now why there is no block. */
  | { readonly kind: 'say' }
  | { readonly kind: 'wait'; readonly ms: number }
  | ({ readonly kind: 'lag' } & FollowLag)
  /** Hand out this block. Up to `head`, further blocks may be requested early. */
  | { readonly kind: 'give'; readonly seqno: number; readonly head: number }
  | { readonly kind: 'end' };

export interface BlocksState {
  readonly plan: BlocksPlan;
  readonly seen: SeenHeads;
  /** `undefined` before the first head is known. */
  readonly next: number | undefined;
  /** Blocks before this one are not handed out. */
  readonly lowest: number;
  readonly lookedMs: number;
}

type BlocksStep = readonly [BlocksState, readonly BlocksAction[]];

export function startBlocks(plan: BlocksPlan): BlocksState {
  const { from } = plan;
  return { plan, seen: { said: 0, head: 0, highest: 0 }, next: from, lowest: from ?? 1, lookedMs: 0 };
}

function onward(before: BlocksState, nowMs: number): BlocksStep {
  const { seen, lookedMs, next = seen.head } = before;
  const { head } = seen;
  if (next > head || nowMs - lookedMs > HEAD_EVERY_MS) return [before, [{ kind: 'look' }]];
  return give(before, next);
}

function give(before: BlocksState, wanted: number): BlocksStep {
  const { plan, seen } = before;
  const { head } = seen;
  const behind = head - wanted + 1;
  const isBehind = behind >= plan.lagAfter;
  const skipped = isBehind && plan.sample ? head - wanted : 0;
  const next = wanted + skipped;
  const lag = { kind: 'lag', next, head, behind, skipped } as const;
  const action = { kind: 'give', seqno: next, head } as const;
  return [{ ...before, next }, [...(isBehind ? [lag] : []), action]];
}

function looked(before: BlocksState, event: Extract<BlocksEvent, { kind: 'looked' }>): BlocksStep {
  const { plan } = before;
  const { said, nowMs, stuckMs } = event;
  const { seen: saw, moved, wentBack } = sawHead(before.seen, said);
  const next = before.next ?? saw.head;
  // After a head that was made up, blocks must not be asked for before they exist.
  const seen = isFarBehind(said, saw.head) ? { ...saw, head: Math.max(said, next - 1) } : saw;
  const isFirst = before.seen.highest === 0;
  const isLife = moved && said < next; // no block is due yet
  const isNews = wentBack || (isFirst && isFarBehind(said, next - 1));
  const told: BlocksAction[] = [
    ...(isLife ? [{ kind: 'alive' } as const] : []),
    ...(isNews ? [{ kind: 'say' } as const] : []),
  ];
  const state = { ...before, seen, next, lookedMs: nowMs };
  if (next > seen.head) {
    if (!isLife && isOutage(stuckMs, plan.maxStandMs)) return [state, [...told, { kind: 'end' }]];
    return [state, [...told, { kind: 'wait', ms: plan.pollMs }]];
  }
  const [after, actions] = give(state, next);
  return [after, [...told, ...actions]];
}

/** Takes one step. @returns the state after an event, and the actions to take, in this order */
export function stepBlocks(state: BlocksState, event: BlocksEvent): BlocksStep {
  const { seen, lowest, next } = state;
  switch (event.kind) {
    case 'begin':
      return [state, [{ kind: 'look' }]];
    case 'waited':
      return onward(state, event.nowMs);
    case 'looked':
      return looked(state, event);
    case 'taken': {
      const after = next! + 1; // `next` is set once a block was handed out
      return onward({ ...state, next: after, lowest: after }, event.nowMs);
    }
    case 'beyond': {
      // The head had been far too high. Undoes the jump or the start that this head caused.
      const { head, nowMs } = event;
      const back = { ...state, seen: { ...seen, said: head, head }, next: Math.max(lowest, head), lookedMs: nowMs };
      return onward(back, nowMs);
    }
  }
}
