/**
 * Decides what a follower over lite servers does next. It looks at the heads, has the highest proven, and goes down to
 * the last delivered block. Then it compares, delivers the blocks, and pauses. Rules R3 to R9 of live verification.
 * Pure.
 */
import {
  MAX_FOLLOW_HOP,
  QUESTION_DEADLINE_MS,
  RECONNECT_EARLY_CAP_MS,
  RETRY_BASE_MS,
  STALE_START_WITNESSES,
} from '../../core/base/limits.ts';
import { agreementOf, type Said } from './agreement.ts';
import { type Scope, scopeOf } from './comparison.ts';
import { backoffMs, grownMs } from './retry.ts';
import { isFarBehind, isOutage, type StallCode, stallCode } from './stall.ts';

/** Milliseconds: the shortest time between two looks at the heads, and the longest while there is nothing new. */
const NOTHING_NEW_MS = 400;
const IDLE_CAP_MS = 1_000;
/** Milliseconds for one answer near the head: at most, and where there is no time between signed blocks. */
const NEAR_DEADLINE_MS = 3_000;
const UNPACED_DEADLINE_MS = 1_000;
/** How often two servers are asked to agree where trust continues from an old set. */
const STALE_TRIES = 3;
/** Failures in a row by unknown answers of all servers, after which another try cannot help. */
const MAX_OLDER = 3;
/** Missing proofs in a row of a server's own head, after which the server is doubted. */
const UNPROVEN_BEFORE_DOUBT = 3;

/** The task of a run. */
export interface FollowPlan {
  /** The newest block that is proven, or that an earlier run handed out. */
  readonly proven: number;
  /** The first block to hand out; without it, the first head that is proven. */
  readonly next: number | undefined;
  readonly signEveryMs: number;
  readonly maxOutageMs: number;
  readonly acceptStaleStart: boolean;
}

/**
 * When something happened, and how long no block had been proven then: milliseconds of a clock that never goes back.
 */
export interface Now {
  readonly nowMs: number;
  readonly stuckMs: number;
}

export type FollowEvent<S> =
  | { readonly kind: 'begin' | 'waited'; readonly nowMs: number }
  /** Servers named their heads. */
  | ({ readonly kind: 'looked'; readonly said: number; readonly isNewer: boolean } & Now)
  /** An answer on the way to a head holds, and leads to this block. */
  | { readonly kind: 'held'; readonly seqno: number }
  /** A server did not have the proof of the head that it named. */
  | { readonly kind: 'unproven'; readonly server: S }
  /** A server proved the head that it named. */
  | { readonly kind: 'climbed'; readonly server: S }
  /** The highest proven block. `keyBlock`: the newest key block at or below it. */
  | {
      readonly kind: 'proven';
      readonly seqno: number;
      readonly keyBlock: number;
      readonly baseIsStale: boolean;
    }
  /** The blocks below the tip are proven. */
  | { readonly kind: 'descended' }
  /** Other servers gave their answers. `unheard`: the number of witnesses among servers that are behind or silent. */
  | {
      readonly kind: 'compared';
      /** By now: the machine may have slept. */
      readonly baseIsStale: boolean;
      readonly isEnough: boolean;
      readonly said: Said;
      readonly unheard: number;
      readonly nowMs: number;
      readonly chance: number;
    }
  /** The caller has taken all blocks that were handed out. */
  | { readonly kind: 'taken'; readonly isKeyBlock: boolean; readonly count: number; readonly nowMs: number }
  /**
   * The last question failed. isOlder: all servers answer in an unknown form. `chance`: a random number from 0 to 1.
   */
  | ({
      readonly kind: 'failed';
      readonly mayTryAgain: boolean;
      readonly isOlder: boolean;
      readonly chance: number;
    } & Now);

export type FollowAction<S> =
  | { readonly kind: 'look' | 'prove' | 'descend' }
  | { readonly kind: 'compare'; readonly scope: Scope }
  /** The base's validators can have withdrawn their stakes, and the caller accepts that. */
  | { readonly kind: 'warn-stale' }
  /** Hand out the blocks from the first to the last. */
  | { readonly kind: 'give'; readonly first: number; readonly last: number }
  /** Servers answer, though without a block: restart the patience. */
  | { readonly kind: 'alive' }
  /** Report now why there is no block. */
  | { readonly kind: 'say' }
  /** Report the last failure. `few`: too few servers agree, which is the last failure from now on. */
  | { readonly kind: 'trouble'; readonly few?: 'too-few-witnesses' | 'stale-set' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'doubt' | 'believe'; readonly server: S }
  /**
   * `failed`: by the last failure. `stands`: no server names a newer block, for too long. Otherwise too few servers
   * agree, or one contradicts.
   */
  | { readonly kind: 'end'; readonly how: 'failed' | 'stands' | 'too-few-witnesses' | 'contradicted' | 'stale-set' };

export interface FollowState<S> {
  readonly plan: FollowPlan;
  readonly proven: number;
  readonly next: number | undefined;
  /** The newest block that servers name now, and the newest that they ever named. */
  readonly said: number;
  readonly highest: number;
  /** Whether the heads are being asked for, or a step is under way. */
  readonly at: 'heads' | 'step';
  readonly isAnswered: boolean;
  readonly isClimbing: boolean;
  /** The newest block that an answer on the way led to. Reaching it again is not progress. */
  readonly held: number;
  /** The newest key block that was compared with all servers; -1 for none. */
  readonly compared: number;
  /** The block that is being compared. */
  readonly tip: { readonly seqno: number; readonly keyBlock: number; readonly baseIsStale: boolean } | undefined;
  readonly staleTries: number;
  /** The time since which too few servers agree. */
  readonly fewSinceMs: number | undefined;
  /** Steps in a row that failed, and looks in a row that saw nothing new. */
  readonly failures: number;
  readonly idle: number;
  /** Failures in a row by which all servers answer in a form that is not known. */
  readonly older: number;
  readonly isBehindTold: boolean;
  readonly unproven: ReadonlyMap<S, number>;
  readonly startedMs: number;
}

type FollowStep<S> = readonly [FollowState<S>, readonly FollowAction<S>[]];

export function startFollow<S>(plan: FollowPlan): FollowState<S> {
  const { proven, next } = plan;
  return {
    plan,
    proven,
    next,
    said: 0,
    highest: 0,
    at: 'heads',
    isAnswered: false,
    isClimbing: false,
    held: 0,
    compared: -1,
    tip: undefined,
    staleTries: 0,
    fewSinceMs: undefined,
    failures: 0,
    idle: 0,
    older: 0,
    isBehindTold: false,
    unproven: new Map(),
    startedMs: 0,
  };
}

/** Returns why there is no block to hand out. */
export function stallOf({ proven, said, isAnswered, isClimbing, fewSinceMs }: FollowState<unknown>): StallCode {
  return stallCode({ head: proven, said, isAnswered, isClimbing, areFew: fewSinceMs !== undefined });
}

/** Milliseconds for one answer near the head. If all servers are slow, slow answers are accepted. */
export function nearMs({ plan, failures }: FollowState<unknown>): number {
  const ms = plan.signEveryMs > 0 ? Math.min(plan.signEveryMs, NEAR_DEADLINE_MS) : UNPACED_DEADLINE_MS;
  return grownMs(ms, QUESTION_DEADLINE_MS, Math.min(failures, 4));
}

function wait<S>(state: FollowState<S>, ms: number, nowMs: number): FollowAction<S> {
  return { kind: 'wait', ms: Math.max(0, ms - (nowMs - state.startedMs)) };
}

function nothingNew<S>(before: FollowState<S>, moved: boolean, { nowMs, stuckMs }: Now): FollowStep<S> {
  const { said, proven, idle, plan } = before;
  if (!moved && isOutage(stuckMs, plan.maxOutageMs)) return [before, [{ kind: 'end', how: 'stands' }]];
  const isNews = isFarBehind(said, proven) && !before.isBehindTold;
  const state = { ...before, idle: idle + 1, isBehindTold: before.isBehindTold || isNews };
  const told: FollowAction<S>[] = [
    ...(moved ? [{ kind: 'alive' } as const] : []),
    ...(isNews ? [{ kind: 'say' } as const] : []),
  ];
  return [state, [...told, wait(state, grownMs(NOTHING_NEW_MS, IDLE_CAP_MS, idle, 1.3), nowMs)]];
}

/** Reports a failure, and tries again after a pause. */
function again<S>(
  before: FollowState<S>,
  nowMs: number,
  chance: number,
  trouble: FollowAction<S> = { kind: 'trouble' },
): FollowStep<S> {
  const { failures } = before;
  const ms = backoffMs(RETRY_BASE_MS, RECONNECT_EARLY_CAP_MS, failures, chance);
  const state = { ...before, isClimbing: false, failures: failures + 1 };
  return [state, [trouble, wait(state, ms, nowMs)]];
}

/**
 * Decides whether the answers of other servers are enough to hand out a block. A block is proven, so there is no
 * outage.
 */
function judge<S>(before: FollowState<S>, event: Extract<FollowEvent<S>, { kind: 'compared' }>): FollowStep<S> {
  const { baseIsStale, isEnough, said, unheard, nowMs, chance } = event;
  const { plan, next } = before;
  const { acceptStaleStart } = plan;
  const { seqno, keyBlock, baseIsStale: wasStale } = before.tip!; // the tip that was compared
  // The machine slept in the comparison: the next one asks all servers.
  const isNew = baseIsStale && !wasStale;
  const fail = (state: FollowState<S>, how: 'too-few-witnesses' | 'stale-set', isOver: boolean): FollowStep<S> =>
    isOver ? [state, [{ kind: 'end', how }]] : again(state, nowMs, chance, { kind: 'trouble', few: how });
  const agreement = baseIsStale ? agreementOf(said, { startIsStale: true, acceptStaleStart, witnesses: 0 }) : 'enough';
  // Where two histories are proven, there is no other try: it could find enough servers for the other one.
  if (agreement === 'contradicted' && (isEnough || said.forked > 0)) return [before, [{ kind: 'end', how: agreement }]];
  if (!isEnough) {
    const fewSinceMs = before.fewSinceMs ?? nowMs;
    return fail({ ...before, fewSinceMs }, 'too-few-witnesses', nowMs - fewSinceMs > plan.maxOutageMs);
  }
  const state = { ...before, fewSinceMs: undefined };
  if (agreement !== 'enough' || isNew) {
    const staleTries = state.staleTries + 1;
    const mayAgree = isNew || (staleTries < STALE_TRIES && said.agreed + unheard >= STALE_START_WITNESSES);
    return fail({ ...state, staleTries }, 'stale-set', !mayAgree);
  }
  const given = {
    ...{ ...state, compared: Math.max(state.compared, keyBlock), proven: seqno, next: seqno + 1, tip: undefined },
    ...{ isClimbing: false, failures: 0, idle: 0, staleTries: baseIsStale ? 0 : state.staleTries },
  };
  const give = { kind: 'give', first: next ?? seqno, last: seqno } as const;
  return [given, baseIsStale ? [{ kind: 'warn-stale' }, give] : [give]];
}

/** Decides whether another try can help. */
function afterFailure<S>(before: FollowState<S>, event: Extract<FollowEvent<S>, { kind: 'failed' }>): FollowStep<S> {
  const { mayTryAgain, isOlder, chance, nowMs, stuckMs } = event;
  const older = isOlder ? before.older + 1 : 0;
  const state = { ...before, older, isAnswered: before.isAnswered && before.at === 'step' };
  if (!mayTryAgain || older >= MAX_OLDER || isOutage(stuckMs, before.plan.maxOutageMs))
    return [state, [{ kind: 'end', how: 'failed' }]];
  return again(state, nowMs, chance);
}

/** Takes one step. @returns the state after an event, and the actions to take, in this order */
export function stepFollow<S>(state: FollowState<S>, event: FollowEvent<S>): FollowStep<S> {
  const { unproven, compared, plan } = state;
  switch (event.kind) {
    case 'begin':
    case 'waited':
      return [{ ...state, at: 'heads', startedMs: event.nowMs }, [{ kind: 'look' }]];
    case 'looked': {
      const { said, isNewer } = event;
      const highest = Math.max(state.highest, said);
      const looked = { ...state, at: 'step', isAnswered: true, said, highest } as const;
      return isNewer
        ? [looked, [{ kind: 'prove' }]]
        : nothingNew({ ...looked, failures: 0 }, said > state.highest, event);
    }
    case 'held':
      if (event.seqno <= state.held) return [{ ...state, isClimbing: true }, []];
      return [{ ...state, isClimbing: true, held: event.seqno }, [{ kind: 'alive' }]];
    case 'unproven': {
      const times = (unproven.get(event.server) ?? 0) + 1;
      const doubt = { kind: 'doubt', server: event.server } as const;
      const after = { ...state, unproven: new Map([...unproven, [event.server, times]]) };
      return [after, times < UNPROVEN_BEFORE_DOUBT ? [] : [doubt]];
    }
    case 'climbed': {
      const { server } = event;
      const left = new Map([...unproven].filter(([one]) => one !== server));
      return [{ ...state, unproven: left, older: 0 }, [{ kind: 'believe', server }]];
    }
    case 'proven':
      return [{ ...state, tip: event }, [{ kind: 'descend' }]];
    case 'descended': {
      const { keyBlock, baseIsStale } = state.tip!; // the tip that the descent began at
      return [state, [{ kind: 'compare', scope: scopeOf(keyBlock, compared, baseIsStale) }]];
    }
    case 'compared':
      return judge(state, event);
    case 'taken': {
      // A key block's set is shown only by the block after it, and far behind the head no time is spent on a pause.
      const isHurried = event.isKeyBlock || event.count >= MAX_FOLLOW_HOP;
      return [state, [wait(state, isHurried ? 0 : plan.signEveryMs, event.nowMs)]];
    }
    case 'failed':
      return afterFailure(state, event);
  }
}
