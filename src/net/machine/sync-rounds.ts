/** When a synchronisation begins anew, goes back to where trust began, compares what it has proven, and ends. Pure. */
import { MAX_CLOCK_SKEW_SECONDS, RETRY_BASE_MS } from '../../core/base/limits.ts';
import {
  aged,
  ageOf,
  andThen,
  ask,
  type NoWay,
  type Step,
  type Surroundings,
  type SyncAction,
  type SyncState,
  stop,
} from './sync-state.ts';
import type { Target } from './targets.ts';

/** Times that targets are chosen anew because none could be reached, or the one that was had become old. */
const MAX_ROUNDS = 4;
/** The same where all servers answer in a form that is not known: once may be a slip. */
const MAX_OLDER_ROUNDS = 2;

export function end<S>(state: SyncState<S>, action: Extract<SyncAction<S>, { kind: 'end' }>): Step<S> {
  return andThen(stop(state), (idle) => [idle, [action]]);
}

export function nextRound<S>(state: SyncState<S>): Step<S> {
  const round = state.round + 1;
  const kind = state.plan.isByNumber ? 'ask-names' : 'ask-heads';
  return ask({ ...state, round, targets: [], why: undefined, isOlder: false }, (id) => ({ kind, id }));
}

/** Nothing newer is gone for. */
function compare<S>(state: SyncState<S>, prover: S | undefined, now: Surroundings): Step<S> {
  const { genUtime = 0 } = state.place;
  if (genUtime > now.nowSeconds + MAX_CLOCK_SKEW_SECONDS) return end(state, { kind: 'end', how: 'clock' });
  return andThen(stop(aged({ ...state, isComparing: true }, now)), (idle) =>
    ask(idle, (id) => ({ kind: 'compare', id, prover, baseIsStale: idle.startIsStale })),
  );
}

/** A server names nothing newer than what is trusted. */
export function atHead<S>(state: SyncState<S>, { server }: Target<S>, now: Surroundings): Step<S> {
  return compare(state, state.place.isProven ? state.place.prover : server, now);
}

/** A long way: by now there are newer blocks, and a head has to be fresh when it is told. */
export function arrived<S>(before: SyncState<S>, now: Surroundings): Step<S> {
  const state = { ...before, hasArrived: true };
  const isOld = ageOf(state, now) > state.plan.maxAgeSeconds / 2;
  return isOld && state.round < MAX_ROUNDS ? andThen(stop(state), nextRound) : compare(state, state.place.prover, now);
}

/** No more is to be had than what was reached. */
export function giveUp<S>(state: SyncState<S>, why: NoWay<S> | undefined, now: Surroundings): Step<S> {
  if (state.hasArrived) return compare(state, state.place.prover, now);
  return end(state, { kind: 'end', how: 'no-way', why });
}

/** A server may have led astray, and not mean to go on: whether there is another way to try. */
export function mayLeave<S>({ hasArrived, place, left, plan }: SyncState<S>): boolean {
  return !hasArrived && place.isProven && left <= plan.servers;
}

/** Back to where trust began. */
export function leave<S>(state: SyncState<S>): Step<S> {
  const { place, plan, left } = state;
  const { prover } = place;
  const doubt = prover === undefined ? [] : [{ kind: 'doubt', server: prover, failed: undefined } as const];
  return [{ ...state, place: plan.root, left: left + 1 }, [...doubt, { kind: 'leave' }]];
}

export function noWay<S>(state: SyncState<S>, now: Surroundings): Step<S> {
  const { round, why, isOlder } = state;
  if (round >= (isOlder ? MAX_OLDER_ROUNDS : MAX_ROUNDS) || now.kept === 0) return giveUp(state, why, now);
  const isLast = round === MAX_ROUNDS - 1 && mayLeave(state);
  return andThen(isLast ? leave(state) : [state, []], (after) =>
    ask(after, (id) => ({ kind: 'wake', id, ms: RETRY_BASE_MS * round })),
  );
}
