/**
 * From a trusted block to the head that servers name, or to a block of a number: who is asked for what, where trust moves, and what it
 * ends with. Rules R1 to R6 and R8 of live verification. Pure: a state, and what to do when something has happened.
 */
import { MAX_CLOCK_SKEW_SECONDS, RETRY_BASE_MS } from '../../core/base/limits.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { agreementOf, type Said, type Terms } from './agreement.ts';
import {
  askNamers,
  type Climbing,
  inOrder,
  type Namers,
  type NamersAction,
  namerFails,
  namerHolds,
  namersUnderWay,
  type Place,
  type Position,
  positionOf,
  startNamers,
  type Target,
  wokeNamers,
} from './targets.ts';

export type SyncVerdict =
  | { readonly status: 'final' }
  | {
      readonly status: 'undecided';
      readonly reason: 'stale-set' | 'contradicted' | 'too-few-witnesses' | 'stale-head';
    };

export interface HeadTerms extends Terms {
  readonly headAgeSeconds: number;
  readonly maxAgeSeconds: number;
  /** The proof was given to an earlier run: one of those that agree may have given it, and no server is a witness of itself. */
  readonly isProverUnknown: boolean;
}

export interface JudgedHead {
  readonly verdict: SyncVerdict;
  /** A report says final of its own accord: there is none where the servers that were wanted do not say so. */
  readonly isShown: boolean;
  /** How what comes after a stale start is marked. */
  readonly mark: 'accepted' | 'refused';
}

export function judgeHead(said: Said, terms: HeadTerms): JudgedHead {
  const agreed = said.agreed - Number(terms.isProverUnknown);
  const agreement = agreementOf({ ...said, agreed }, terms);
  const isOld = terms.headAgeSeconds > terms.maxAgeSeconds;
  const reason = agreement !== 'enough' ? agreement : isOld ? 'stale-head' : undefined;
  return {
    verdict: reason === undefined ? { status: 'final' } : { status: 'undecided', reason },
    isShown: reason !== 'too-few-witnesses',
    // An old head is proven all the same.
    mark: agreement === 'enough' ? 'accepted' : 'refused',
  };
}

/** Where trust is after an answer, and whether keys whose stakes are over could have made it. */
export interface Led {
  readonly tip: BlockIdExt;
  readonly genUtime: number;
  /** An answer before this one began with a set past its stakes. */
  readonly startIsStale: boolean;
  /** Unix seconds from which the stakes are free again of the set that the way begins with. */
  readonly stakesEnd: number;
}

/** An event of a synchronisation. Questions, climbs and waits are known by their numbers. */
export type SyncEvent<S> =
  | { readonly kind: 'begin' }
  /** doubted: the servers that named blocks without proof before. */
  | {
      readonly kind: 'heads';
      readonly id: number;
      readonly heads: readonly Target<S>[];
      readonly doubted: readonly S[];
    }
  /** A server names a block under the number that is asked for. */
  | { readonly kind: 'named'; readonly id: number; readonly target: Target<S> }
  /** All servers have answered the question for names, or failed to. */
  | { readonly kind: 'names-over'; readonly id: number }
  /** A climb has an answer that holds; it waits until that is taken. */
  | ({ readonly kind: 'held'; readonly id: number; readonly prover: S } & Led)
  /** A climb is at its target. */
  | { readonly kind: 'arrived'; readonly id: number }
  /**
   * No server answers a question, or leads to a target:
   * - isUnknown: the server that named the target does not know the block that was asked from;
   * - isFinal: no other server can help, as where the way has too many links;
   * - isUnsupported: most servers answer in an unknown form;
   * - isOlder: all servers answer in an unknown form.
   */
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly isUnknown?: boolean;
      readonly isFinal?: boolean;
      readonly isUnsupported?: boolean;
      readonly isOlder?: boolean;
    }
  | { readonly kind: 'woke'; readonly id: number }
  | ({ readonly kind: 'compared'; readonly id: number } & Said);

/** Why no target was reached: the failure of a question or a climb, or of what a server named. */
export type NoWay<S> =
  | { readonly failed: number }
  | { readonly position: Exclude<Position, 'newer' | 'end'>; readonly target: Target<S> };

export type SyncAction<S> =
  | NamersAction<S>
  /** Ask all servers for their heads, or for the block of the number that is asked for. */
  | { readonly kind: 'ask-heads' | 'ask-names'; readonly id: number }
  /**
   * The server named a block that no server can prove, as the climb with this number found; or it led to where no server leads
   * further.
   */
  | { readonly kind: 'doubt'; readonly server: S; readonly failed: number | undefined }
  /** Trust is where the run began. */
  | { readonly kind: 'leave' }
  /** Ask all but the prover for the block where trust is, if the clocks are right. */
  | { readonly kind: 'compare'; readonly id: number; readonly prover: S | undefined; readonly baseIsStale: boolean }
  | { readonly kind: 'end'; readonly how: 'no-way'; readonly why: NoWay<S> | undefined }
  /** The newest proven block was made later than this machine's clock says that it is now. */
  | { readonly kind: 'end'; readonly how: 'clock' }
  | ({
      readonly kind: 'end';
      readonly how: 'judged';
      readonly startIsStale: boolean;
      readonly headAgeSeconds: number;
    } & JudgedHead);

/** How things are when something happens. */
export interface Surroundings {
  /** This machine's clock, Unix seconds. */
  readonly nowSeconds: number;
  /** How many servers are not out. */
  readonly kept: number;
}

export interface SyncPlan<S> {
  readonly root: Place<S>;
  /** Where an earlier run had come to, proven again. */
  readonly resumed?: Led;
  /** The start is known to be one that old keys could have made. */
  readonly startIsStale: boolean;
  /** When the stakes of the set are free, for a start that is a checkpoint. */
  readonly stakesEnd: number;
  /** A block is asked for by its number: its age does not matter. */
  readonly isByNumber: boolean;
  readonly maxAgeSeconds: number;
  readonly acceptStaleStart: boolean;
  readonly witnesses: number;
  readonly servers: number;
}

export interface SyncState<S> {
  readonly plan: SyncPlan<S>;
  readonly round: number;
  readonly place: Place<S>;
  /** Whether the place is a block that was gone for, and not one on the way to it. */
  readonly hasArrived: boolean;
  /** Nothing more is gone for: other servers are asked for the block, which was young enough when they began to be. */
  readonly isComparing: boolean;
  readonly wasYoung: boolean;
  readonly startIsStale: boolean;
  /** The earliest end of stakes on the way. */
  readonly stakesEnd: number;
  /** Ways that were left because no server led on from their end. */
  readonly left: number;
  /** Servers that did not lead by themselves to the block that they named. */
  readonly failedAlone: ReadonlySet<S>;
  /** All that were named in this round, in order; and those of them that all servers are still to be asked for. */
  readonly targets: readonly Target<S>[];
  readonly untried: readonly Target<S>[];
  readonly namers: Namers<S>;
  /** The climb in which any server may be asked. */
  readonly climbing: Climbing<S> | undefined;
  /** The answer of the second namer, which waits for the first one to fail. */
  readonly waiting: (Led & { readonly prover: S }) | undefined;
  /** Heads, names, a wait or the comparison that is asked for. */
  readonly question: number | undefined;
  readonly why: NoWay<S> | undefined;
  /** All servers answered the last climb in a form that is not known. */
  readonly isOlder: boolean;
}

type Step<S> = readonly [SyncState<S>, readonly SyncAction<S>[]];

export function startSync<S>(plan: SyncPlan<S>): SyncState<S> {
  const start: SyncState<S> = {
    plan,
    round: 0,
    place: plan.root,
    hasArrived: false,
    isComparing: false,
    wasYoung: false,
    startIsStale: plan.startIsStale,
    stakesEnd: plan.stakesEnd,
    left: 0,
    failedAlone: new Set(),
    targets: [],
    untried: [],
    namers: startNamers([], 0),
    climbing: undefined,
    waiting: undefined,
    question: undefined,
    why: undefined,
    isOlder: false,
  };
  return plan.resumed === undefined ? start : moved(start, plan.resumed, undefined);
}

/** Trust is where an answer led. */
function moved<S>(state: SyncState<S>, led: Led, prover: S | undefined): SyncState<S> {
  const { tip, genUtime } = led;
  return {
    ...state,
    place: { tip, genUtime, isProven: true, prover },
    startIsStale: state.startIsStale || led.startIsStale,
    stakesEnd: Math.min(state.stakesEnd, led.stakesEnd),
  };
}

/** The machine may have slept, and an attacker may have got old keys by now. */
function aged<S>(state: SyncState<S>, { nowSeconds }: Surroundings): SyncState<S> {
  return { ...state, startIsStale: state.startIsStale || nowSeconds > state.stakesEnd };
}

function ageOf<S>({ place }: SyncState<S>, { nowSeconds }: Surroundings): number {
  return Math.max(0, nowSeconds - (place.genUtime ?? Number.NEGATIVE_INFINITY));
}

/** A question, by the next number. */
function ask<S>(state: SyncState<S>, question: (id: number) => SyncAction<S>): Step<S> {
  const id = state.namers.nextId;
  return [{ ...state, question: id, namers: { ...state.namers, nextId: id + 1 } }, [question(id)]];
}

/** Nothing that is under way is of use any more. */
function stop<S>(state: SyncState<S>): Step<S> {
  const { question, climbing, namers } = state;
  const open = [question, climbing?.id, ...namersUnderWay(namers)].filter((id) => id !== undefined);
  const idle = { ...state, question: undefined, climbing: undefined, namers: startNamers<S>([], namers.nextId) };
  return [idle, open.map((id) => ({ kind: 'cancel', id }))];
}

/** One step after another. */
function andThen<S>([state, actions]: Step<S>, next: (state: SyncState<S>) => Step<S>): Step<S> {
  const [after, more] = next(state);
  return [after, [...actions, ...more]];
}

/** How often targets are chosen again because none could be reached, or the reached one had become old. */
const MAX_ROUNDS = 4;
/** How often targets are chosen again when all servers answer in an unknown form: once may be a slip. */
const MAX_OLDER_ROUNDS = 2;

function end<S>(state: SyncState<S>, action: Extract<SyncAction<S>, { kind: 'end' }>): Step<S> {
  return andThen(stop(state), (idle) => [idle, [action]]);
}

function nextRound<S>(state: SyncState<S>): Step<S> {
  const round = state.round + 1;
  const kind = state.plan.isByNumber ? 'ask-names' : 'ask-heads';
  return ask({ ...state, round, targets: [], why: undefined, isOlder: false }, (id) => ({ kind, id }));
}

/** Nothing newer is gone for. */
function compare<S>(state: SyncState<S>, prover: S | undefined, now: Surroundings): Step<S> {
  const { genUtime = 0 } = state.place;
  if (genUtime > now.nowSeconds + MAX_CLOCK_SKEW_SECONDS) return end(state, { kind: 'end', how: 'clock' });
  const wasYoung = ageOf(state, now) <= state.plan.maxAgeSeconds;
  return andThen(stop(aged({ ...state, isComparing: true, wasYoung }, now)), (idle) =>
    ask(idle, (id) => ({ kind: 'compare', id, prover, baseIsStale: idle.startIsStale })),
  );
}

/** A server names nothing newer than what is trusted. */
function atHead<S>(state: SyncState<S>, { server }: Target<S>, now: Surroundings): Step<S> {
  return compare(state, state.place.isProven ? state.place.prover : server, now);
}

/** After a long way there are newer blocks, and a head has to be fresh when it is reported. */
function arrived<S>(before: SyncState<S>, now: Surroundings): Step<S> {
  const state = { ...before, hasArrived: true };
  const isOld = ageOf(state, now) > state.plan.maxAgeSeconds / 2;
  return isOld && state.round < MAX_ROUNDS ? andThen(stop(state), nextRound) : compare(state, state.place.prover, now);
}

/** No more is to be had than what was reached. */
function giveUp<S>(state: SyncState<S>, why: NoWay<S> | undefined, now: Surroundings): Step<S> {
  if (state.hasArrived) return compare(state, state.place.prover, now);
  return end(state, { kind: 'end', how: 'no-way', why });
}

/** Whether there is another way to try: a server may have led astray, and may not continue. */
function mayLeave<S>({ hasArrived, place, left, plan }: SyncState<S>): boolean {
  return !hasArrived && place.isProven && left <= plan.servers;
}

/** Back to where trust began. */
function leave<S>(state: SyncState<S>): Step<S> {
  const { place, plan, left } = state;
  const { prover } = place;
  const doubt = prover === undefined ? [] : [{ kind: 'doubt', server: prover, failed: undefined } as const];
  return [{ ...state, place: plan.root, left: left + 1 }, [...doubt, { kind: 'leave' }]];
}

function noWay<S>(state: SyncState<S>, now: Surroundings): Step<S> {
  const { round, why, isOlder } = state;
  if (round >= (isOlder ? MAX_OLDER_ROUNDS : MAX_ROUNDS) || now.kept === 0) return giveUp(state, why, now);
  const isLast = round === MAX_ROUNDS - 1 && mayLeave(state);
  return andThen(isLast ? leave(state) : [state, []], (after) =>
    ask(after, (id) => ({ kind: 'wake', id, ms: RETRY_BASE_MS * round })),
  );
}

/** Goes for the next target by any server. */
function climbNext<S>(state: SyncState<S>, now: Surroundings): Step<S> {
  let { why } = state;
  for (const [at, target] of state.untried.entries()) {
    const position = positionOf(target.block, state.place);
    if (position === 'end') return atHead(state, target, now);
    if (position === 'newer') {
      const id = state.namers.nextId;
      const namers = { ...state.namers, nextId: id + 1 };
      const climbing = { ...state, namers, why, untried: state.untried.slice(at), climbing: { id, target } };
      return [climbing, [{ kind: 'climb', id, target, isAlone: false }]];
    }
    why ??= { position, target };
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

/** Tries the named targets. */
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
    // This program's failure to read a proof does not mean that there is none.
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
      // The comparison took long, or the machine slept, so there are newer blocks. Two histories of this block are reported.
      const isAgedSince =
        state.wasYoung && headAgeSeconds > plan.maxAgeSeconds && judged.mark === 'accepted' && event.forked === 0;
      if (isAgedSince && state.round < MAX_ROUNDS) return nextRound({ ...answered, isComparing: false });
      return end(answered, { kind: 'end', how: 'judged', startIsStale, headAgeSeconds, ...judged });
    }
  }
}

export interface SyncStallReason {
  /**
   * Why there is no result yet:
   * - no-server: no server has answered;
   * - not-proven: servers answer, and none has proven anything;
   * - catching-up: blocks are being proven on the way to the target;
   * - comparing: the block is proven, and the run asks other servers for it.
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
