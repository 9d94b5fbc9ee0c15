/**
 * Decides when a run that waits for a final block asks servers for their heads, when for the proof, and how long it
 * pauses. Pure: each event gives a new state and the action to take. Heads of servers are claims.
 */
import { backoffMs, grownMs } from './retry.ts';

export type WaitEvent =
  | { readonly kind: 'begin' }
  /** The newest block that a server names. */
  | { readonly kind: 'looked'; readonly said: number }
  /** The chain is proven up to this block, and the block or transaction is not in it yet. */
  | { readonly kind: 'absent'; readonly upTo: number }
  /** Servers failed. `chance`: a random number from 0 to 1. */
  | { readonly kind: 'failed'; readonly chance: number }
  | { readonly kind: 'waited' };

export type WaitAction =
  | { readonly kind: 'look' }
  | { readonly kind: 'prove' }
  | { readonly kind: 'wait'; readonly ms: number };

export interface WaitState {
  /** Seqno of the awaited block; `undefined` if every new head may contain it. */
  readonly due: number | undefined;
  /** No head up to this one is worth a proof. */
  readonly upTo: number;
  /** Failures in a row. */
  readonly failures: number;
}

/** Blocks of a second, at most: a block is not there earlier than by this rate. */
const BLOCKS_PER_SECOND = 4;
const [LEAST_MS, MOST_MS] = [500, 5_000];

export function startWait(due: number | undefined, upTo: number): WaitState {
  return { due, upTo, failures: 0 };
}

export function stepWait(state: WaitState, event: WaitEvent): readonly [WaitState, WaitAction] {
  const { due, upTo, failures } = state;
  switch (event.kind) {
    case 'begin':
    case 'waited':
      return [state, { kind: 'look' }];
    case 'looked': {
      const wanted = due ?? upTo + 1;
      if (event.said >= wanted) return [state, { kind: 'prove' }];
      const ms = Math.max(LEAST_MS, Math.min(MOST_MS, ((wanted - event.said) * 1000) / BLOCKS_PER_SECOND));
      return [state, { kind: 'wait', ms }];
    }
    case 'absent': {
      // A head that no server can prove may be named again and again.
      const isNew = event.upTo > upTo;
      const after = { ...state, upTo: Math.max(upTo, event.upTo), failures: isNew ? 0 : failures + 1 };
      return [after, { kind: 'wait', ms: grownMs(LEAST_MS, MOST_MS, after.failures) }];
    }
    case 'failed': {
      const ms = backoffMs(LEAST_MS, MOST_MS, failures, event.chance);
      const after = { ...state, failures: failures + 1 };
      return [after, { kind: 'wait', ms }];
    }
  }
}
