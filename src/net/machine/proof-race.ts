/**
 * Requests the proofs of the heads that servers name. At most two are requested at a time, each from the server that
 * named the head. The highest head whose proof comes in time wins. Rule R7 of live verification. Pure.
 */
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';

/**
 * Milliseconds that the proof of a higher head is waited for once one is there, and after which a second server is
 * asked for the same proof.
 */
export const PROOF_GRACE_MS = 1_000;
/** Proofs that are requested at a time. */
const MOST_AT_A_TIME = 2;

export type RaceEvent =
  | { readonly kind: 'begin' }
  | { readonly kind: 'proven'; readonly at: number }
  | { readonly kind: 'failed'; readonly at: number }
  /** The time of a `wake` is over. */
  | { readonly kind: 'woken' };

export type RaceAction =
  /** Have the head at this place proven by the server that named it. */
  | { readonly kind: 'prove'; readonly at: number }
  | { readonly kind: 'wake'; readonly ms: number }
  /** The proof that wins; `undefined` where there is none. Open requests are not needed any more. */
  | { readonly kind: 'end'; readonly best: number | undefined };

export interface RaceState {
  /** Heads in the order in which they are requested. */
  readonly heads: readonly BlockIdExt[];
  /** How many heads were requested. */
  readonly asked: number;
  readonly open: readonly number[];
  readonly best: number | undefined;
}

type Step = readonly [RaceState, readonly RaceAction[]];

/** Starts a race. @param heads in the order in which they are to be tried */
export function startRace(heads: readonly BlockIdExt[]): RaceState {
  return { heads, asked: 0, open: [], best: undefined };
}

/** Requests the next proof, where there is one. */
function next(state: RaceState): Step {
  const { heads, asked, open } = state;
  if (asked === heads.length || open.length === MOST_AT_A_TIME) return [state, []];
  return [{ ...state, asked: asked + 1, open: [...open, asked] }, [{ kind: 'prove', at: asked }]];
}

function seqnoOf({ heads }: RaceState, at: number): number {
  return heads[at]!.seqno; // `at` is the place of a requested head
}

export function stepRace(state: RaceState, event: RaceEvent): Step {
  const { heads, best } = state;
  if (event.kind === 'begin') {
    const [one, asks] = next(state);
    const [first, second] = heads;
    // Requests the same proof a second time only if the first is late, or is missing.
    const isSame = second !== undefined && differingField(first!, second) === undefined;
    if (isSame) return [one, [...asks, { kind: 'wake', ms: PROOF_GRACE_MS }]];
    const [both, more] = next(one);
    return [both, [...asks, ...more]];
  }
  if (event.kind === 'woken') return best === undefined ? next(state) : [state, [{ kind: 'end', best }]];
  const open = state.open.filter((at) => at !== event.at);
  if (event.kind === 'failed') {
    if (best !== undefined) return [state, [{ kind: 'end', best }]];
    const [after, asks] = next({ ...state, open });
    return [after, after.open.length === 0 ? [{ kind: 'end', best }] : asks];
  }
  // If a proof is there already, the late head is the higher one that the race waited for.
  const mayBeHigher = open.some((at) => seqnoOf(state, at) > seqnoOf(state, event.at));
  const after = { ...state, open, best: event.at };
  return [after, [mayBeHigher ? { kind: 'wake', ms: PROOF_GRACE_MS } : { kind: 'end', best: event.at }]];
}
