/**
 * The questions to a server that names another block than ours: rule R3 of live verification. The server has to prove its block
 * from our newest key block below. If it does not know that key block, the questions start from our key blocks 1, 2, 4, 8 …
 * earlier, down to the root; after a while from every second of these. Pure.
 */
import {
  KEYLESS_RATE_LIMIT_WAIT_MS,
  MAX_CONFRONT_BYTES,
  MAX_CONFRONT_QUESTIONS,
  QUESTION_DEADLINE_MS,
} from '../../core/base/limits.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';

/** Milliseconds of verification that one contradiction may cost. */
const MAX_CONFRONT_CPU_MS = 5_000;

/** Milliseconds before a server that failed is asked again. */
const ASK_AGAIN_MS = 250;
/**
 * Milliseconds of questions after which only the root is left to ask from, and no failed question is asked again: one that was not
 * answered in time took as long.
 */
const BACK_MS = QUESTION_DEADLINE_MS;
/** Milliseconds of questions after which every second of our key blocks is left out: a follower does not wait for long. */
const SKIP_MS = 750;
/** How many of them this holds for. From those further back, three answers do not lead up to the one before. */
const MAX_SKIPPING = 7;

/** Why there is no answer: the server does not know the block that was asked from, is busy, or failed in another way. */
export type NoAnswer = 'unknown-block' | 'busy' | 'failed';

export type ContradictionEvent =
  | { readonly kind: 'begin' }
  | { readonly kind: 'answered'; readonly bytes: number }
  /** forMs: milliseconds since the first question. */
  | { readonly kind: 'failed'; readonly why: NoAnswer; readonly forMs: number }
  /** The answer holds. `isApart`: its chain differs from ours. */
  | { readonly kind: 'held'; readonly tip: BlockIdExt; readonly isApart: boolean; readonly cpuMs: number }
  | { readonly kind: 'false' }
  | { readonly kind: 'waited' };

export type ContradictionAction =
  /** Ask for the proof from a block to the other one. `isStart`: the question starts from a key block of ours. */
  | { readonly kind: 'ask'; readonly from: BlockIdExt; readonly isStart: boolean }
  | { readonly kind: 'verify' }
  | { readonly kind: 'wait'; readonly ms: number }
  /** open: no proof either way. refuted: the server's proof is false. apart: two histories are proven. */
  | { readonly kind: 'end'; readonly how: 'open' | 'refuted' | 'apart' };

export interface ContradictionState {
  /** The block that the server names. */
  readonly other: BlockIdExt;
  /** Our key blocks that are still to be tried, in order. */
  readonly left: readonly BlockIdExt[];
  /** How many of the last ones are never left out. */
  readonly kept: number;
  readonly from: BlockIdExt | undefined;
  /** Questions since the last key block of ours. */
  readonly questions: number;
  readonly bytes: number;
  readonly cpuMs: number;
}

type ContradictionStep = readonly [ContradictionState, ContradictionAction];

/** Picks the 1st, 2nd, 3rd, 5th, 9th … and the last one. */
function stepsBack<T>(all: readonly T[]): readonly T[] {
  return all.filter((_, at) => at === all.length - 1 || (at & (at - 1)) === 0);
}

/** Starts the questions. @param keyBlocks of our chain, below the other block, the newest first */
export function startContradiction(other: BlockIdExt, keyBlocks: readonly BlockIdExt[]): ContradictionState {
  const left = stepsBack(keyBlocks);
  return {
    other,
    left,
    kept: Math.max(1, left.length - MAX_SKIPPING),
    from: undefined,
    questions: 0,
    bytes: 0,
    cpuMs: 0,
  };
}

function endWith(state: ContradictionState, how: 'open' | 'refuted' | 'apart'): ContradictionStep {
  return [state, { kind: 'end', how }];
}

/** Asks one more question from the newest trusted block; ends with `open` where the questions have cost enough. */
function ask(state: ContradictionState, from: BlockIdExt, isStart: boolean): ContradictionStep {
  const { bytes, cpuMs, questions } = state;
  const isSpent = bytes > MAX_CONFRONT_BYTES || cpuMs > MAX_CONFRONT_CPU_MS || questions >= MAX_CONFRONT_QUESTIONS;
  if (isSpent) return endWith(state, 'open');
  const asking = { ...state, from, questions: questions + 1 };
  return [asking, { kind: 'ask', from, isStart }];
}

function fromEarlier(state: ContradictionState, forMs: number): ContradictionStep {
  const { left: all, kept } = state;
  const [start, ...left] = forMs > BACK_MS ? all.slice(-1) : all.slice(Number(forMs > SKIP_MS && all.length > kept));
  return start === undefined ? endWith(state, 'open') : ask({ ...state, left, questions: 0 }, start, true);
}

function failed(state: ContradictionState, why: NoAnswer, forMs: number): ContradictionStep {
  if (why === 'unknown-block') return fromEarlier(state, forMs);
  const ms = why === 'busy' ? KEYLESS_RATE_LIMIT_WAIT_MS : ASK_AGAIN_MS;
  // With the wait, because the timer of a question may fire a millisecond early.
  if (state.questions >= MAX_CONFRONT_QUESTIONS || forMs + ms >= BACK_MS) return endWith(state, 'open');
  return [state, { kind: 'wait', ms }];
}

/** Takes one step. @returns the state after an event, and the action to take */
export function stepContradiction(state: ContradictionState, event: ContradictionEvent): ContradictionStep {
  switch (event.kind) {
    case 'begin':
      return fromEarlier(state, 0);
    case 'answered':
      return [{ ...state, bytes: state.bytes + event.bytes }, { kind: 'verify' }];
    case 'failed':
      return failed(state, event.why, event.forMs);
    case 'waited':
      return ask(state, state.from!, false); // a question from this block is open
    case 'false':
      return endWith(state, 'refuted');
    case 'held': {
      const after = { ...state, cpuMs: state.cpuMs + event.cpuMs };
      if (event.isApart) return endWith(after, 'apart');
      // The block is proven, and our chain has the same blocks: the server did not lie.
      return event.tip.seqno === state.other.seqno ? endWith(after, 'open') : ask(after, event.tip, false);
    }
  }
}
