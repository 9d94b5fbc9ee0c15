/**
 * Decides the way from a trusted block to the head that servers name, or to the block of a number: which server is
 * asked for what, where trust moves, and how the run ends. Rules R1 to R6 and R8 of live verification. Pure: each event
 * gives a new state and the actions to take.
 */
import { MAX_CLOCK_SKEW_SECONDS, RETRY_BASE_MS } from '../../core/base/limits.ts';
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';
import { agreementOf, type Said } from './agreement.ts';
import {
  askNamers,
  type Climbing,
  inOrder,
  type Namers,
  type NamersAction,
  namerFails,
  namerHolds,
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

interface JudgedHead {
  readonly verdict: SyncVerdict;
  /**
   * Whether the report is handed out. A report says `final` by itself, so there is none where the required servers do
   * not agree.
   */
  readonly isShown: boolean;
  /** The mark of blocks after a stale start. */
  readonly mark: 'accepted' | 'refused';
}

/** Judges the head by what other servers said about it. */
function judgeHead<S>({ plan, place, startIsStale }: SyncState<S>, said: Said, ageSeconds: number): JudgedHead {
  // Where an earlier run received the proof, a server that agrees may have given it. No server is a witness of itself.
  const isProverUnknown = place.isProven && place.prover === undefined;
  const agreed = said.agreed - Number(isProverUnknown);
  const agreement = agreementOf({ ...said, agreed }, { ...plan, startIsStale });
  const isOld = ageSeconds > plan.maxAgeSeconds;
  const reason = agreement !== 'enough' ? agreement : isOld ? 'stale-head' : undefined;
  return {
    verdict: reason === undefined ? { status: 'final' } : { status: 'undecided', reason },
    isShown: reason !== 'too-few-witnesses',
    // An old head is proven as well.
    mark: agreement === 'enough' ? 'accepted' : 'refused',
  };
}

/** The block that an answer led to, and whether keys without stakes could have made the answer. */
export interface Led {
  readonly tip: BlockIdExt;
  readonly genUtime: number;
  /** Whether an answer before this one began with a set whose validators can have withdrawn their stakes. */
  readonly startIsStale: boolean;
  /** The time in Unix seconds from which the validators of the first set on the way can withdraw their stakes. */
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
  /** A server names a block with the number that is asked for. */
  | { readonly kind: 'named'; readonly id: number; readonly target: Target<S> }
  /** All servers have answered the question for names, or failed to. */
  | { readonly kind: 'names-over'; readonly id: number }
  /** An answer of a climb holds, and waits until it is taken. */
  | ({ readonly kind: 'held'; readonly id: number; readonly prover: S } & Led)
  /** A climb has reached its target. */
  | { readonly kind: 'arrived'; readonly id: number }
  /**
   * No server answers a question, or leads to a target:
   * - unknownTo: the servers that do not know the block that was asked from;
   * - isFinal: no other server can help, as where the way has too many links;
   * - isUnsupported: most servers answer in an unknown form;
   * - isOlder: all servers answer in an unknown form.
   */
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly unknownTo?: readonly S[];
      readonly isFinal?: boolean;
      readonly isUnsupported?: boolean;
      readonly isOlder?: boolean;
    }
  | { readonly kind: 'woke'; readonly id: number }
  | ({ readonly kind: 'compared'; readonly id: number } & Said);

/** Why no target was reached: the failure of a question, of a climb, or of a server that named a block. */
export type NoWay<S> =
  | { readonly failed: number }
  | { readonly position: Exclude<Position, 'newer' | 'end'>; readonly target: Target<S> };

export type SyncAction<S> =
  | NamersAction<S>
  /** Ask all servers for their heads, or for the block of the number that is asked for. */
  | { readonly kind: 'ask-heads' | 'ask-names'; readonly id: number }
  /**
   * The server named a block that no server can prove, as the climb with this number showed; or it led to a block from
   * which no server leads further.
   */
  | { readonly kind: 'doubt'; readonly server: S; readonly failed: number | undefined }
  /** Move trust back to where the run began. */
  | { readonly kind: 'leave' }
  /** Ask all servers but the prover for the newest trusted block, if the clocks are right. */
  | { readonly kind: 'compare'; readonly id: number; readonly prover: S | undefined; readonly baseIsStale: boolean }
  | { readonly kind: 'end'; readonly how: 'no-way'; readonly why: NoWay<S> | undefined }
  /** The newest proven block has a time after this machine's clock. */
  | { readonly kind: 'end'; readonly how: 'clock' }
  | ({
      readonly kind: 'end';
      readonly how: 'judged';
      readonly startIsStale: boolean;
      readonly headAgeSeconds: number;
    } & JudgedHead);

/** The circumstances of an event. */
export interface Surroundings {
  /** This machine's clock, Unix seconds. */
  readonly nowSeconds: number;
  /** How many servers are not out. */
  readonly kept: number;
}

export interface SyncPlan<S> {
  readonly root: Place<S>;
  /** The block that an earlier run had reached, proven again. */
  readonly resumed?: Led;
  /** Whether the start is known to be one that old keys could have made. */
  readonly startIsStale: boolean;
  /** When the validators' stakes become free, for a start that is a checkpoint. */
  readonly stakesEnd: number;
  /** Whether a block is asked for by its number: its age does not matter. */
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
  /** Whether the place is a target, and not a block on the way to one. */
  readonly hasArrived: boolean;
  /** Whether trust moved since servers were asked for heads: there are newer blocks by now. */
  readonly hasMoved: boolean;
  /** Whether other servers are being asked for the block, and its age in seconds when they were. */
  readonly isComparing: boolean;
  readonly ageThen: number;
  readonly startIsStale: boolean;
  /** The earliest end of stakes on the way. */
  readonly stakesEnd: number;
  /** How many ways were left because no server led further. */
  readonly left: number;
  /** Servers that did not lead by themselves to the block that they named, since they last did. */
  readonly failedAlone: ReadonlySet<S>;
  /** All targets of this round, in order; the same without those that no server led to. */
  readonly targets: readonly Target<S>[];
  readonly untried: readonly Target<S>[];
  readonly namers: Namers<S>;
  /** The climb in which any server may be asked. */
  readonly climbing: Climbing<S> | undefined;
  /** The answer of the second server, which waits for the first to fail. */
  readonly waiting: (Led & { readonly prover: S }) | undefined;
  /** The open question: for heads or names, a wait, or the comparison. */
  readonly question: number | undefined;
  readonly why: NoWay<S> | undefined;
  /** Whether all servers answered the last climb in an unknown form. */
  readonly isOlder: boolean;
}

type SyncStep<S> = readonly [SyncState<S>, readonly SyncAction<S>[]];

export function startSync<S>(plan: SyncPlan<S>): SyncState<S> {
  const start: SyncState<S> = {
    plan,
    round: 0,
    place: plan.root,
    hasArrived: false,
    hasMoved: false,
    isComparing: false,
    ageThen: 0,
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

/** Returns the state with trust moved to the block of an answer. */
function moved<S>(state: SyncState<S>, led: Led, prover: S | undefined): SyncState<S> {
  const { tip, genUtime } = led;
  return {
    ...state,
    place: { tip, genUtime, isProven: true, prover },
    hasMoved: true,
    startIsStale: state.startIsStale || led.startIsStale,
    stakesEnd: Math.min(state.stakesEnd, led.stakesEnd),
  };
}

/** Returns the state with the time passed: if the machine slept, an attacker may have old keys by now. */
function aged<S>(state: SyncState<S>, { nowSeconds }: Surroundings): SyncState<S> {
  return { ...state, startIsStale: state.startIsStale || nowSeconds > state.stakesEnd };
}

function ageOf<S>({ place }: SyncState<S>, { nowSeconds }: Surroundings): number {
  return Math.max(0, nowSeconds - (place.genUtime ?? Number.NEGATIVE_INFINITY));
}

/** Asks a question under the next number. */
function ask<S>(state: SyncState<S>, question: (id: number) => SyncAction<S>): SyncStep<S> {
  const id = state.namers.nextId;
  return [{ ...state, question: id, namers: { ...state.namers, nextId: id + 1 } }, [question(id)]];
}

/** Stops everything that is under way. */
function stop<S>(state: SyncState<S>): SyncStep<S> {
  const { question, climbing, namers } = state;
  const open = [question, climbing?.id, namers.first?.id, namers.second?.id].filter((id) => id !== undefined);
  const idle = { ...state, question: undefined, climbing: undefined, namers: startNamers<S>([], namers.nextId) };
  return [idle, open.map((id) => ({ kind: 'cancel', id }))];
}

/** Joins two steps. */
function andThen<S>([state, actions]: SyncStep<S>, next: (state: SyncState<S>) => SyncStep<S>): SyncStep<S> {
  const [after, more] = next(state);
  return [after, [...actions, ...more]];
}

/** How often targets are chosen again because none could be reached, or the reached block had become old. */
const MAX_ROUNDS = 4;
/** A comparison after which an old head is looked for once more, in seconds. */
const LONG_COMPARISON_SECONDS = 3;
/** How often targets are chosen again when all servers answer in an unknown form: a single time may be a slip. */
const MAX_OLDER_ROUNDS = 2;
/** Milliseconds after the first round in which the next block is waited for; in all, a minute. */
const NEXT_BLOCK_MS = 9_000;

function endSync<S>(state: SyncState<S>, action: Extract<SyncAction<S>, { kind: 'end' }>): SyncStep<S> {
  return andThen(stop(state), (idle) => [idle, [action]]);
}

function nextRound<S>(state: SyncState<S>): SyncStep<S> {
  const round = state.round + 1;
  const kind = state.plan.isByNumber ? 'ask-names' : 'ask-heads';
  const searching = { ...state, round, hasMoved: false, targets: [], untried: [], why: undefined, isOlder: false };
  return ask(searching, (id) => ({ kind, id }));
}

/** Ends the search, and compares the block with other servers. */
function compare<S>(state: SyncState<S>, prover: S | undefined, now: Surroundings): SyncStep<S> {
  const { genUtime = 0 } = state.place;
  if (genUtime > now.nowSeconds + MAX_CLOCK_SKEW_SECONDS) return endSync(state, { kind: 'end', how: 'clock' });
  const ageThen = ageOf(state, now);
  return andThen(stop(aged({ ...state, isComparing: true, ageThen }, now)), (idle) =>
    ask(idle, (id) => ({ kind: 'compare', id, prover, baseIsStale: idle.startIsStale })),
  );
}

/** A server names nothing newer than the trusted block. */
function atHead<S>(state: SyncState<S>, { server }: Target<S>, now: Surroundings): SyncStep<S> {
  return compare(state, state.place.isProven ? state.place.prover : server, now);
}

/** A target is reached. After a long way there are newer blocks, and a head has to be fresh when it is reported. */
function arrived<S>(before: SyncState<S>, now: Surroundings): SyncStep<S> {
  const state = { ...before, hasArrived: true };
  const isOld = ageOf(state, now) > state.plan.maxAgeSeconds / 2;
  if (!isOld) return compare(state, state.place.prover, now);
  // The server that named a newer block may have failed once.
  const isNamed = state.untried.some(({ block }) => positionOf(block, state.place) === 'newer');
  if (isNamed) return askOn({ ...state, namers: { ...state.namers, isLed: false } }, now);
  return state.round < MAX_ROUNDS ? andThen(stop(state), nextRound) : compare(state, state.place.prover, now);
}

/** Ends with the block that was reached. */
function giveUp<S>(state: SyncState<S>, why: NoWay<S> | undefined, now: Surroundings): SyncStep<S> {
  if (state.hasArrived) return compare(state, state.place.prover, now);
  return endSync(state, { kind: 'end', how: 'no-way', why });
}

/**
 * Whether there is another way to try: a server may have led to a dead end. From a reached block, a server can lead to
 * one only with old keys, so where the base is stale.
 */
function mayLeave<S>({ hasArrived, startIsStale, place, left, plan }: SyncState<S>): boolean {
  return (!hasArrived || startIsStale) && place.isProven && left <= plan.servers;
}

/** Returns to where trust began. */
function leave<S>(state: SyncState<S>): SyncStep<S> {
  const { place, plan, left } = state;
  const { prover } = place;
  const doubt = prover === undefined ? [] : [{ kind: 'doubt', server: prover, failed: undefined } as const];
  return [{ ...state, place: plan.root, hasArrived: false, left: left + 1 }, [...doubt, { kind: 'leave' }]];
}

function noWay<S>(state: SyncState<S>, now: Surroundings): SyncStep<S> {
  const { round, why, isOlder, place, targets } = state;
  if (round >= (isOlder ? MAX_OLDER_ROUNDS : MAX_ROUNDS) || now.kept === 0) return giveUp(state, why, now);
  // A run that has arrived ends there in any case.
  const isLast = round === MAX_ROUNDS - 1 && !state.hasArrived && mayLeave(state);
  // All servers name the start, where this run cannot end: the next block is not there yet.
  const isNext = why !== undefined && targets.every(({ block }) => differingField(block, place.tip) === undefined);
  const ms = (isNext ? NEXT_BLOCK_MS : RETRY_BASE_MS) * round;
  return andThen(isLast ? leave(state) : [state, []], (after) => ask(after, (id) => ({ kind: 'wake', id, ms })));
}

/**
 * Tries the next target, by any server. A run ends at an old block only where no server is left that could know a newer
 * one: a server that did not answer is asked again in the next round.
 */
function climbNext<S>(state: SyncState<S>, now: Surroundings): SyncStep<S> {
  let { why } = state;
  const isFresh = ageOf(state, now) <= state.plan.maxAgeSeconds;
  for (const target of state.untried) {
    const position = positionOf(target.block, state.place);
    if (position === 'end' && isFresh) return atHead(state, target, now);
    if (position === 'newer') {
      const id = state.namers.nextId;
      const namers = { ...state.namers, nextId: id + 1 };
      const climbing = { ...state, namers, why, climbing: { id, target } };
      return [climbing, [{ kind: 'climb', id, target, isAlone: false }]];
    }
    if (position !== 'end') why ??= { position, target };
  }
  const isLast = state.round >= MAX_ROUNDS;
  const end = state.targets.find(({ block }) => positionOf(block, state.place) === 'end');
  const areAllHeard = !state.hasMoved && new Set(state.targets.map(({ server }) => server)).size >= now.kept;
  if (end !== undefined && (areAllHeard || isLast)) return atHead(state, end, now);
  if (state.hasArrived && state.hasMoved && !isFresh && !isLast) return andThen(stop(state), nextRound);
  return noWay({ ...state, why }, now);
}

/** Asks the servers that named targets; after them, all servers for each target. */
function askOn<S>(state: SyncState<S>, now: Surroundings): SyncStep<S> {
  const isFresh = ageOf(state, now) <= state.plan.maxAgeSeconds;
  const [namers, actions, target] = askNamers(state.namers, state.place, isFresh);
  const after = { ...state, namers };
  if (target !== undefined) return atHead(after, target, now);
  if (namers.first !== undefined || state.question !== undefined) return [after, actions];
  return climbNext(after, now);
}

/** Tries the named targets. */
function aimAt<S>(state: SyncState<S>, targets: readonly Target<S>[], now: Surroundings): SyncStep<S> {
  const namers = { ...state.namers, queue: [...state.namers.queue, ...targets] };
  const untried = [...state.untried, ...targets];
  return askOn({ ...state, targets: [...state.targets, ...targets], untried, namers }, now);
}

/** A server that named a target does not lead there by itself. */
function failedAlone<S>(state: SyncState<S>, { id, target }: Climbing<S>, now: Surroundings): SyncStep<S> {
  const failed = new Set([...state.failedAlone, target.server]);
  const [namers, actions] = namerFails(state.namers, id);
  const after = { ...state, namers, failedAlone: failed };
  const { waiting } = state;
  const isTaken = actions.some(({ kind }) => kind === 'take');
  // the answer that is taken is the waiting one
  const led = isTaken ? aged(moved(after, waiting!, waiting!.prover), now) : after;
  return andThen([led, actions], (one) => askOn(one, now));
}

/** No server leads to a target from the trusted block. */
function climbFailed<S>(
  before: SyncState<S>,
  { id, unknownTo = [], isUnsupported = false, isOlder = false }: Extract<SyncEvent<S>, { kind: 'failed' }>,
  now: Surroundings,
): SyncStep<S> {
  const state = { ...before, climbing: undefined };
  const { target } = before.climbing!; // the climb that failed
  const { server } = target;
  const { why, place } = state;
  const untried = state.untried.filter((one) => one !== target);
  // A server does not know the block that another server led to: the two are on different ways.
  if (unknownTo.some((one) => one !== place.prover) && mayLeave(state)) {
    return andThen(leave(server === place.prover ? { ...state, untried } : state), (left) => climbNext(left, now));
  }
  // A server names the trusted block, where this run cannot end: the other one may have made its block up.
  const isHere =
    why !== undefined && 'target' in why && why.position === 'behind' && why.target.block.seqno === place.tip.seqno;
  const doubted: SyncStep<S> = [
    { ...state, why: isHere ? why : { failed: id }, untried, isOlder },
    // This program's failure to read a proof does not mean that there is none.
    isUnsupported ? [] : [{ kind: 'doubt', server, failed: id }],
  ];
  return andThen(doubted, (after) => climbNext(after, now));
}

function climbHeld<S>(
  state: SyncState<S>,
  event: Extract<SyncEvent<S>, { kind: 'held' }>,
  now: Surroundings,
): SyncStep<S> {
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
): SyncStep<S> {
  const { id, isFinal = false } = event;
  const { climbing, namers, question } = state;
  const climb = [climbing, namers.first, namers.second].find((one) => one?.id === id);
  if (id === question) return giveUp({ ...state, question: undefined }, { failed: id }, now);
  if (climb !== undefined && isFinal) return giveUp(state, { failed: id }, now);
  if (climb === undefined) return [state, []]; // it was cancelled
  return climb === climbing ? climbFailed(state, event, now) : failedAlone(state, climb, now);
}

/** Takes one step. @returns the state after an event, and the actions to take, in this order */
export function stepSync<S>(state: SyncState<S>, event: SyncEvent<S>, now: Surroundings): SyncStep<S> {
  if (event.kind === 'begin') return nextRound(state);
  if (event.kind === 'held') return climbHeld(state, event, now);
  if (event.kind === 'failed') return hasFailed(state, event, now);
  const { question, namers, climbing, plan } = state;
  const { id } = event;
  if (event.kind === 'arrived') {
    if (climbing?.id === id) return arrived({ ...state, climbing: undefined }, now);
    const { first } = namers;
    if (first?.id !== id) return [state, []];
    const failedAlone = new Set([...state.failedAlone].filter((server) => server !== first.target.server));
    return arrived({ ...state, failedAlone, namers: { ...namers, first: undefined } }, now);
  }
  if (id !== question) {
    const [woken, actions] = wokeNamers(namers, id); // or the climb was cancelled
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
      const after = aged(answered, now);
      const { startIsStale } = after;
      const judged = judgeHead(after, event, headAgeSeconds);
      const wasYoung = state.ageThen <= plan.maxAgeSeconds;
      const isLong = headAgeSeconds - state.ageThen > LONG_COMPARISON_SECONDS;
      const isOld = headAgeSeconds > plan.maxAgeSeconds && judged.mark === 'accepted' && event.forked === 0;
      if (isOld && (wasYoung || isLong) && state.round <= MAX_ROUNDS) {
        // The comparison took long, or the machine slept, so there are newer blocks. A head that was old before is looked for once: each
        // round costs a comparison, and the network may stand. Two histories of this block are reported in any case.
        const round = wasYoung ? state.round : MAX_ROUNDS;
        return nextRound({ ...after, isComparing: false, hasArrived: true, round });
      }
      return endSync(after, { kind: 'end', how: 'judged', startIsStale, headAgeSeconds, ...judged });
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
  /**
   * Seqno of the newest block that is proven or that trust began at, and of the newest block that a server names, which
   * is never smaller.
   */
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
