/**
 * Compares a proven block with other servers while a chain is followed: which servers are asked, how long the run waits
 * for each, and when enough of them agree. No server holds up a chain that is already trusted. Rule R3 of live
 * verification. Pure.
 */

/**
 * Milliseconds for which new blocks wait for the comparison, and then for the proofs of servers that name a different
 * block.
 */
export const COMPARE_WAIT_MS = 1_000;
export const PROVE_OTHER_WAIT_MS = 2_250;

/** The extent of a comparison: one server in turn, all of them, or all of them with the run waiting for each. */
export type Scope = 'turn' | 'all' | 'whole';

/**
 * Returns the extent. Where trust begins, and where old keys could lie, the run waits for all servers; at a key block
 * all are asked.
 * @param keyBlock the newest at or below the block in question
 * @param compared the newest that was compared; -1 for none
 */
export function scopeOf(keyBlock: number, compared: number, baseIsStale: boolean): Scope {
  if (baseIsStale || compared < 0) return 'whole';
  return keyBlock > compared ? 'all' : 'turn';
}

/**
 * Returns the servers whose turn it is: as many as have to agree, at least one. @param others servers that may be asked
 * @param turn the number of this turn
 */
export function inTurn<S>(others: readonly S[], turn: number, witnesses: number): readonly S[] {
  const first = turn % Math.max(1, others.length);
  return [...others.slice(first), ...others.slice(0, first)].slice(0, Math.max(1, witnesses));
}

export type ComparisonEvent =
  | { readonly kind: 'begin' }
  /** A server names a different block, and is asked to prove it. */
  | { readonly kind: 'names-another'; readonly at: number }
  /** The comparison with one server is over. voices: the number of witnesses that agree so far. */
  | { readonly kind: 'over'; readonly at: number; readonly voices: number }
  /** The time of the last `wait` is over. */
  | { readonly kind: 'waited' };

export type ComparisonAction =
  /** Ask the part at this place. */
  | { readonly kind: 'ask'; readonly at: number }
  | { readonly kind: 'wait'; readonly ms: number }
  /** isEnough: as many servers agree as have to. Open answers are taken later. */
  | { readonly kind: 'end'; readonly isEnough: boolean };

/** The answer of one server. */
export interface Part {
  readonly isWaitedFor?: boolean | undefined;
  readonly namesAnother?: boolean;
  readonly isOver?: boolean;
}

export interface ComparisonState {
  readonly parts: readonly Part[];
  /** Parts that are asked only where the others are too few. */
  readonly more: number;
  readonly witnesses: number;
  readonly voices: number;
  readonly isWhole: boolean;
  readonly phase: 'answers' | 'proofs' | 'witnesses';
}

type ComparisonStep = readonly [ComparisonState, readonly ComparisonAction[]];

/**
 * Starts a comparison.
 * @param slow for each server that is asked, whether it was too slow the last time; the run does not wait for it then
 * @param more servers that may be asked as well
 */
export function startComparison(
  slow: readonly boolean[],
  more: number,
  witnesses: number,
  isWhole: boolean,
): ComparisonState {
  const parts = slow.map((isSlow) => ({ isWaitedFor: isWhole || !isSlow }));
  return { parts, more, witnesses, voices: 0, isWhole, phase: 'answers' };
}

function changed(state: ComparisonState, at: number, change: Part): ComparisonState {
  return { ...state, parts: state.parts.map((part, place) => (place === at ? { ...part, ...change } : part)) };
}

/** Continues as soon as the servers that the run waits for have answered, or at once when the time is over. */
function settle(state: ComparisonState, isTime = false): ComparisonStep {
  const { parts, phase, witnesses, voices, more } = state;
  const open = parts.filter(({ isOver }) => !isOver);
  if (phase !== 'witnesses') {
    const isOpen = open.some(({ isWaitedFor }) => isWaitedFor);
    if (isOpen && !isTime) return [state, []];
    const proving = parts.map((part) => ({ ...part, isWaitedFor: part.isWaitedFor && part.namesAnother }));
    if (phase === 'proofs' || !isOpen) return settle({ ...state, phase: 'witnesses' });
    const [after, actions] = settle({ ...state, parts: proving, phase: 'proofs' });
    return [after, after.phase === 'proofs' ? [{ kind: 'wait', ms: PROVE_OTHER_WAIT_MS }] : actions];
  }
  const isEnough = voices >= witnesses;
  if (isEnough || (open.length === 0 && more === 0)) return [state, [{ kind: 'end', isEnough }]];
  // A server that delays its answer must not keep the others from being asked.
  const asks = Array.from({ length: more }, (_, place) => ({ kind: 'ask', at: parts.length + place }) as const);
  return [{ ...state, parts: [...parts, ...asks.map(() => ({}))], more: 0 }, asks];
}

export function stepComparison(state: ComparisonState, event: ComparisonEvent): ComparisonStep {
  switch (event.kind) {
    case 'begin': {
      const asks = state.parts.map((_, at) => ({ kind: 'ask', at }) as const);
      const [after, actions] = settle(state);
      const wait = { kind: 'wait', ms: COMPARE_WAIT_MS } as const;
      return [after, [...asks, ...(after.phase === 'answers' && !state.isWhole ? [wait] : []), ...actions]];
    }
    case 'names-another':
      return [changed(state, event.at, { namesAnother: true }), []];
    case 'over':
      return settle({ ...changed(state, event.at, { isOver: true }), voices: event.voices }, false);
    case 'waited':
      return settle(state, true);
  }
}
