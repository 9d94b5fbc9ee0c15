/**
 * Waiting until something is final: when servers are asked for their heads, when for the proof, and how long neither. Pure: a state,
 * and what to do when something has happened. What servers say of their heads is a claim.
 */
import { backoffMs, grownMs } from './pause.ts';

export type WaitEvent =
  | { readonly kind: 'begin' }
  /** The newest block that a server names. */
  | { readonly kind: 'looked'; readonly said: number }
  /** Proven up to this block, and not there yet. */
  | { readonly kind: 'absent'; readonly upTo: number }
  /** Servers failed, at random from 0 to 1. */
  | { readonly kind: 'failed'; readonly chance: number }
  | { readonly kind: 'waited' };

export type WaitAction =
  | { readonly kind: 'look' }
  | { readonly kind: 'prove' }
  | { readonly kind: 'wait'; readonly ms: number };

export interface WaitState {
  /** Seqno of the block that is waited for; without one every new head may hold it. */
  readonly due: number | undefined;
  /** No head up to this one is worth a proof. */
  readonly upTo: number;
  /** In a row. */
  readonly failures: number;
}

/** Blocks of a second, at least: no block is there so much earlier. */
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
      return [
        { ...state, failures: failures + 1 },
        { kind: 'wait', ms },
      ];
    }
  }
}
