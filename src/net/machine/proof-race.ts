/**
 * Requests the proofs of the heads that servers name. At most two are requested at a time, each from the server that
 * named the head. The highest head whose proof comes in time wins. While proofs are late, servers are asked for their
 * heads again, because a silent server must not hold up the others. Rule R7 of live verification. Pure.
 */
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';

/**
 * Milliseconds that the proof of a higher head is waited for once one is there. After the same time without a proof, a
 * second server is asked for the same one, or servers for newer heads.
 */
export const PROOF_GRACE_MS = 1_000;
/** Proofs that are requested at a time. */
const MOST_AT_A_TIME = 2;

/** A head that a server names. */
export interface RaceHead {
  readonly block: BlockIdExt;
  /** Whether its proof is waited for once a lower head is proven. */
  readonly isWaitedFor: boolean;
}

export type RaceEvent =
  | { readonly kind: 'begin' }
  | { readonly kind: 'proven'; readonly at: number }
  | { readonly kind: 'failed'; readonly at: number }
  /** The answer to `look`: the heads of servers that were not asked for a proof. */
  | { readonly kind: 'named'; readonly heads: readonly RaceHead[] }
  /** The time of a `wake` is over. */
  | { readonly kind: 'woken' };

export type RaceAction =
  /** Have the head at this place proven by the server that named it. */
  | { readonly kind: 'prove'; readonly at: number }
  /** Have the servers asked for their heads again. */
  | { readonly kind: 'look' }
  /** Wait once; it replaces the wait before. */
  | { readonly kind: 'wake'; readonly ms: number }
  /** The proof of this head did not come in time: it is higher than the best, or another server was asked later and was first. */
  | { readonly kind: 'late'; readonly at: number }
  /** The proof that wins; `undefined` where there is none. Open requests are not needed any more. */
  | { readonly kind: 'end'; readonly best: number | undefined };

export interface RaceState {
  /** Heads in the order in which they are requested. */
  readonly heads: readonly RaceHead[];
  /** How many heads were requested. */
  readonly asked: number;
  readonly open: readonly number[];
  /** Open requests that a second was waited for. The next server is asked as well. */
  readonly overdue: readonly number[];
  readonly best: number | undefined;
}

type RaceStep = readonly [RaceState, readonly RaceAction[]];

/** Starts a race. @param heads in the order in which they are to be tried */
export function startRace(heads: readonly RaceHead[]): RaceState {
  return { heads, asked: 0, open: [], overdue: [], best: undefined };
}

/** Requests the next proof, where there is one. */
function next(state: RaceState): RaceStep {
  const { heads, asked, open } = state;
  if (asked === heads.length || open.length === MOST_AT_A_TIME) return [state, []];
  return [{ ...state, asked: asked + 1, open: [...open, asked] }, [{ kind: 'prove', at: asked }]];
}

const WAKE = { kind: 'wake', ms: PROOF_GRACE_MS } as const;

/** Returns the open requests for heads above this one that are waited for. */
function higher({ heads, open }: RaceState, than: number): readonly number[] {
  const isHigher = ({ block, isWaitedFor }: RaceHead) => isWaitedFor && block.seqno > heads[than]!.block.seqno;
  return open.filter((at) => isHigher(heads[at]!)); // both are places of requested heads
}

/** Ends with the best proof. A server that was asked a second earlier for the same block is late. */
function endWith({ heads, open, overdue }: RaceState, best: number): readonly RaceAction[] {
  const isSame = (at: number) => heads[at]!.isWaitedFor && heads[at]!.block.seqno === heads[best]!.block.seqno;
  const outrun = overdue.filter((at) => open.includes(at) && isSame(at));
  return [...outrun.map((at) => ({ kind: 'late', at }) as const), { kind: 'end', best }];
}

export function stepRace(state: RaceState, event: RaceEvent): RaceStep {
  const { heads, best } = state;
  if (event.kind === 'begin') {
    const [one, asks] = next(state);
    const [first, second] = heads;
    // Requests the same proof a second time only if the first is late, or is missing.
    const isSame = second !== undefined && differingField(first!.block, second.block) === undefined;
    if (isSame) return [one, [...asks, WAKE]];
    const [both, more] = next(one);
    return [both, [...asks, ...more, WAKE]];
  }
  if (event.kind === 'woken') {
    if (best !== undefined) {
      const late = higher(state, best).map((at) => ({ kind: 'late', at }) as const);
      return [state, [...late, ...endWith(state, best)]];
    }
    const waited = { ...state, overdue: state.open };
    if (state.asked === heads.length && state.open.length < MOST_AT_A_TIME) return [waited, [{ kind: 'look' }]];
    const [after, asks] = next(waited);
    return [after, [...asks, WAKE]];
  }
  if (event.kind === 'named') {
    if (best !== undefined) return [state, []];
    const [after, asks] = next({ ...state, heads: [...heads, ...event.heads] });
    return [after, [...asks, WAKE]];
  }
  const open = state.open.filter((at) => at !== event.at);
  if (event.kind === 'failed') {
    if (best !== undefined) return [state, endWith(state, best)];
    const [after, asks] = next({ ...state, open });
    return [after, after.open.length === 0 ? [{ kind: 'end', best: undefined }] : asks];
  }
  // If a proof is there already, the late head is the higher one that the race waited for.
  const after = { ...state, open, best: event.at };
  const mayBeHigher = higher(after, event.at).length > 0;
  return [after, mayBeHigher ? [WAKE] : endWith(after, event.at)];
}
