/**
 * From a trusted block to the head that servers name, or to a block of a number: who is asked for what, and where trust moves. Rules R1
 * to R6 of live verification. Pure: a state, and what to do when something has happened.
 */
import { askNamers, type Climbing, namerFails, namerHolds, wokeNamers } from './namers.ts';
import { arrived, atHead, end, giveUp, leave, mayLeave, nextRound, noWay } from './sync-rounds.ts';
import {
  aged,
  ageOf,
  andThen,
  moved,
  type Step,
  type Surroundings,
  type SyncEvent,
  type SyncState,
} from './sync-state.ts';
import { judgeHead } from './sync-verdict.ts';
import { inOrder, standingOf, type Target } from './targets.ts';

/** Goes for the next target by any server. */
function climbNext<S>(state: SyncState<S>, now: Surroundings): Step<S> {
  let { why } = state;
  for (const [at, target] of state.untried.entries()) {
    const standing = standingOf(target.block, state.place);
    if (standing === 'end') return atHead(state, target, now);
    if (standing === 'newer') {
      const id = state.namers.nextId;
      const namers = { ...state.namers, nextId: id + 1 };
      const climbing = { ...state, namers, why, untried: state.untried.slice(at), climbing: { id, target } };
      return [climbing, [{ kind: 'climb', id, target, isAlone: false }]];
    }
    why ??= { standing, target };
  }
  return noWay({ ...state, why }, now);
}

/** Asks those that named targets; after them, all servers for each target. */
function askOn<S>(state: SyncState<S>, now: Surroundings): Step<S> {
  const isFresh = ageOf(state, now) <= state.plan.maxAgeSeconds;
  const [namers, actions, target] = askNamers(state.namers, state.place, isFresh);
  const after = { ...state, namers };
  if (target !== undefined) return atHead(after, target, now);
  if (namers.first !== undefined || state.question !== undefined) return [after, actions];
  return climbNext({ ...after, untried: state.targets }, now);
}

/** What was named is to be tried. */
function aimAt<S>(state: SyncState<S>, targets: readonly Target<S>[], now: Surroundings): Step<S> {
  const namers = { ...state.namers, queue: [...state.namers.queue, ...targets] };
  return askOn({ ...state, targets: [...state.targets, ...targets], namers }, now);
}

/** A server that named a target does not lead there by itself. */
function failedAlone<S>(state: SyncState<S>, { id, target }: Climbing<S>, now: Surroundings): Step<S> {
  const failed = new Set([...state.failedAlone, target.server]);
  const [namers, actions] = namerFails(state.namers, id);
  const after = { ...state, namers, failedAlone: failed };
  const { waiting } = state;
  const isTaken = actions.some(({ kind }) => kind === 'take');
  const led = isTaken ? aged(moved(after, waiting!, waiting!.prover), now) : after; // it is what is taken
  return andThen([led, actions], (one) => askOn(one, now));
}

/** No server leads to a target, from where trust is. */
function climbFailed<S>(
  before: SyncState<S>,
  { id, isUnknown = false, isUnsupported = false, isOlder = false }: Extract<SyncEvent<S>, { kind: 'failed' }>,
  now: Surroundings,
): Step<S> {
  const state = { ...before, climbing: undefined };
  const { server } = before.climbing!.target; // it is the one that failed
  // Who named the target does not know the block that another server led to: it is on another way.
  if (isUnknown && state.place.prover !== server && mayLeave(state)) {
    return andThen(leave(state), (left) => climbNext(left, now));
  }
  const doubted: Step<S> = [
    { ...state, why: { failed: id }, untried: state.untried.slice(1), isOlder },
    // That this program cannot read a proof is no sign that there is none.
    isUnsupported ? [] : [{ kind: 'doubt', server, failed: id }],
  ];
  return andThen(doubted, (after) => climbNext(after, now));
}

function climbHeld<S>(state: SyncState<S>, event: Extract<SyncEvent<S>, { kind: 'held' }>, now: Surroundings): Step<S> {
  const { id, prover } = event;
  if (state.climbing?.id === id) return [aged(moved(state, event, prover), now), [{ kind: 'take', id }]];
  const [namers, actions] = namerHolds(state.namers, id);
  const after = { ...state, namers };
  if (actions.length > 0) return [aged(moved(after, event, prover), now), actions];
  return [namers === state.namers ? state : { ...after, waiting: event }, []];
}

function hasFailed<S>(
  state: SyncState<S>,
  event: Extract<SyncEvent<S>, { kind: 'failed' }>,
  now: Surroundings,
): Step<S> {
  const { id, isFinal = false } = event;
  const { climbing, namers, question } = state;
  const climb = [climbing, namers.first, namers.second].find((one) => one?.id === id);
  if (id === question) return giveUp({ ...state, question: undefined }, { failed: id }, now);
  if (climb !== undefined && isFinal) return giveUp(state, { failed: id }, now);
  if (climb === undefined) return [state, []]; // it was cancelled
  return climb === climbing ? climbFailed(state, event, now) : failedAlone(state, climb, now);
}

/** @returns the state after an event, and what to do, in this order */
export function stepSync<S>(state: SyncState<S>, event: SyncEvent<S>, now: Surroundings): Step<S> {
  if (event.kind === 'begin') return nextRound(state);
  if (event.kind === 'held') return climbHeld(state, event, now);
  if (event.kind === 'failed') return hasFailed(state, event, now);
  const { question, namers, climbing, plan } = state;
  const { id } = event;
  if (event.kind === 'arrived') {
    if (climbing?.id === id) return arrived({ ...state, climbing: undefined }, now);
    return namers.first?.id === id ? arrived({ ...state, namers: { ...namers, first: undefined } }, now) : [state, []];
  }
  if (id !== question) {
    const [woken, actions] = wokeNamers(namers, id); // or it was cancelled
    return [{ ...state, namers: woken }, actions];
  }
  const answered = { ...state, question: undefined };
  switch (event.kind) {
    case 'heads': {
      const doubted = new Set([...event.doubted, ...state.failedAlone]);
      const targets = inOrder(event.heads, (server) => doubted.has(server));
      return aimAt(answered, targets, now);
    }
    case 'named':
      return aimAt(state, [event.target], now);
    case 'names-over':
      return askOn(answered, now);
    case 'woke':
      return nextRound(answered);
    case 'compared': {
      const headAgeSeconds = ageOf(state, now);
      const { startIsStale, place } = state;
      const isProverUnknown = place.isProven && place.prover === undefined;
      const judged = judgeHead(event, { ...plan, startIsStale, headAgeSeconds, isProverUnknown });
      return end(answered, { kind: 'end', how: 'judged', startIsStale, headAgeSeconds, ...judged });
    }
  }
}
