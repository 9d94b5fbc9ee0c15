/** What a synchronisation knows, what may happen to it, and what it may do. Pure. */
import type { BlockIdExt } from '../../core/block/block-id.ts';
import type { Said } from './agreement.ts';
import { type Climbing, type Namers, type NamersAction, namersUnderWay, startNamers } from './namers.ts';
import type { Judged } from './sync-verdict.ts';
import type { Place, Standing, Target } from './targets.ts';

/** Where trust is after an answer, and whether keys whose stakes are over could have made it. */
export interface Led {
  readonly tip: BlockIdExt;
  readonly genUtime: number;
  /** An answer before this one began with a set past its stakes. */
  readonly startIsStale: boolean;
  /** Unix seconds from which the stakes are free again of the set that the way begins with. */
  readonly stakesEnd: number;
}

/** What has happened. Questions, climbs and waits are known by their numbers. */
export type SyncEvent<S> =
  | { readonly kind: 'begin' }
  /** doubted: those that named blocks in vain before. */
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
   * No server answers a question, or leads to a target. isUnknown: the one that named it does not know the block that it was asked from.
   * isFinal: no other server mends it, as where the way has more links than one may have. isUnsupported: most servers answer in a form
   * that is not known. isOlder: all do.
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
  | { readonly standing: Exclude<Standing, 'newer' | 'end'>; readonly target: Target<S> };

export type SyncAction<S> =
  | NamersAction<S>
  /** Ask all servers for their heads, or for the block of the number that is asked for. */
  | { readonly kind: 'ask-heads' | 'ask-names'; readonly id: number }
  /** It named a block that nobody can prove, as the climb with this number found; or it led where nobody leads on. */
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
    } & Judged);

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
  /** Of the set at a start that is a checkpoint. */
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
  /** Nothing more is gone for: other servers are asked for the block. */
  readonly isComparing: boolean;
  readonly startIsStale: boolean;
  /** The earliest end of stakes on the way. */
  readonly stakesEnd: number;
  /** Ways that were left because no server led on from their end. */
  readonly left: number;
  /** Those that did not lead by themselves to what they named. */
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

export type Step<S> = readonly [SyncState<S>, readonly SyncAction<S>[]];

export function startSync<S>(plan: SyncPlan<S>): SyncState<S> {
  const start: SyncState<S> = {
    plan,
    round: 0,
    place: plan.root,
    hasArrived: false,
    isComparing: false,
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
export function moved<S>(state: SyncState<S>, led: Led, prover: S | undefined): SyncState<S> {
  const { tip, genUtime } = led;
  return {
    ...state,
    place: { tip, genUtime, isProven: true, prover },
    startIsStale: state.startIsStale || led.startIsStale,
    stakesEnd: Math.min(state.stakesEnd, led.stakesEnd),
  };
}

/** The machine may have slept, and an attacker may have got old keys by now. */
export function aged<S>(state: SyncState<S>, { nowSeconds }: Surroundings): SyncState<S> {
  return { ...state, startIsStale: state.startIsStale || nowSeconds > state.stakesEnd };
}

export function ageOf<S>({ place }: SyncState<S>, { nowSeconds }: Surroundings): number {
  return Math.max(0, nowSeconds - (place.genUtime ?? Number.NEGATIVE_INFINITY));
}

/** A question, by the next number. */
export function ask<S>(state: SyncState<S>, question: (id: number) => SyncAction<S>): Step<S> {
  const id = state.namers.nextId;
  return [{ ...state, question: id, namers: { ...state.namers, nextId: id + 1 } }, [question(id)]];
}

/** Nothing that is under way is of use any more. */
export function stop<S>(state: SyncState<S>): Step<S> {
  const { question, climbing, namers } = state;
  const open = [question, climbing?.id, ...namersUnderWay(namers)].filter((id) => id !== undefined);
  const idle = { ...state, question: undefined, climbing: undefined, namers: startNamers<S>([], namers.nextId) };
  return [idle, open.map((id) => ({ kind: 'cancel', id }))];
}

/** One step after another. */
export function andThen<S>([state, actions]: Step<S>, next: (state: SyncState<S>) => Step<S>): Step<S> {
  const [after, more] = next(state);
  return [after, [...actions, ...more]];
}
