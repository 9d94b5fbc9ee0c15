/**
 * The memory of one server: whether the server may be asked, rests, how often it failed, and how quick it is. One rule serves
 * every kind of server; the caller decides how long a rest takes. Pure: the time comes in, from a monotonic clock.
 */
import { LITE_REST_CAP_MS, LITE_REST_MS } from '../../core/base/limits.ts';
import { grownMs } from './pause.ts';

/** How long a server rests that failed. */
export interface RestRule {
  /** Milliseconds of the first rest, and of the longest: each is twice the one before. */
  readonly firstMs: number;
  readonly longestMs: number;
  /**
   * How much a valid answer repairs. one: one failure, and the rest continues. all: it ends the rest, and clears all failures if
   * the last one was twice that long ago.
   */
  readonly forgiving: 'one' | 'all';
}

/**
 * Lite servers rest for long: there are others, one good answer shows little of the next, and a proof costs. Servers over HTTP are
 * few, and are asked all the time by those who follow: one that is well again is wanted back at once.
 */
export const REST_RULES = {
  lite: { firstMs: LITE_REST_MS, longestMs: LITE_REST_CAP_MS, forgiving: 'one' },
  http: { firstMs: 1_000, longestMs: 60_000, forgiving: 'all' },
} as const satisfies Readonly<Record<string, RestRule>>;

/** Why a server is asked after the others: it failed, was slower than another, or is behind another. */
export type Fault = 'down' | 'slow' | 'behind';

export interface Standing {
  /** The server lied and is not asked again. */
  readonly isOut: boolean;
  /** Why it rests, or did; gone with the next good answer. */
  readonly fault: Fault | undefined;
  /** Failures that are not made up for. */
  readonly failures: number;
  /** Blocks it named, one after the other, that it could not prove. */
  readonly inVain: number;
  readonly failedAtMs: number;
  readonly restsUntilMs: number;
  /** Milliseconds that its questions take, the last one counted half; those that never answered come last. */
  readonly tookMs: number;
}

export const NEW_STANDING: Standing = Object.freeze({
  isOut: false,
  fault: undefined,
  failures: 0,
  inVain: 0,
  failedAtMs: Number.NEGATIVE_INFINITY,
  restsUntilMs: Number.NEGATIVE_INFINITY,
  tookMs: Number.POSITIVE_INFINITY,
});

/**
 * An observation of a server:
 * - answered, failed: a question was;
 * - in-vain: the server named a block that it cannot prove;
 * - proven: a block that the server named is proven;
 * - probed: this question tests whether the server is well, so no other question has to.
 */
export type Seen =
  | { readonly kind: 'answered'; readonly askedAtMs: number }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | { readonly kind: 'lied' | 'in-vain' | 'proven' | 'probed' };

/** @param times failures before this one */
export function restMs(times: number, { firstMs, longestMs }: RestRule): number {
  return grownMs(firstMs, longestMs, times);
}

/** One fault does not shorten the rest for another. */
function resting(standing: Standing, times: number, nowMs: number, rule: RestRule): Standing {
  return { ...standing, restsUntilMs: Math.max(standing.restsUntilMs, nowMs + restMs(times, rule)) };
}

function answered(standing: Standing, askedAtMs: number, nowMs: number, rule: RestRule): Standing {
  const { failures, failedAtMs } = standing;
  // A question from before a failure says nothing about the time after.
  if (askedAtMs < failedAtMs) return standing;
  const well = { ...standing, fault: undefined };
  if (rule.forgiving === 'one') return { ...well, failures: Math.max(0, failures - 1) };
  const isForgotten = nowMs - failedAtMs > 2 * restMs(failures - 1, rule);
  return { ...well, failures: isForgotten ? 0 : failures, restsUntilMs: Number.NEGATIVE_INFINITY };
}

/** @returns the standing after something was seen */
export function standingAfter(standing: Standing, seen: Seen, nowMs: number, rule: RestRule): Standing {
  const { failures, inVain } = standing;
  switch (seen.kind) {
    case 'answered':
      return answered(standing, seen.askedAtMs, nowMs, rule);
    case 'failed': {
      const { fault } = seen;
      return resting({ ...standing, fault, failures: failures + 1, failedAtMs: nowMs }, failures, nowMs, rule);
    }
    case 'in-vain':
      return resting({ ...standing, inVain: inVain + 1 }, inVain, nowMs, rule);
    case 'proven':
      return { ...standing, inVain: 0 };
    case 'probed':
      return resting(standing, Math.max(0, failures - 1), nowMs, rule);
    case 'lied':
      return { ...standing, isOut: true };
  }
}

/** The time of a question counts however it ended: one that lets others run into their deadline is not quick. */
export function withTime(standing: Standing, ms: number): Standing {
  const { tookMs } = standing;
  return { ...standing, tookMs: Number.isFinite(tookMs) ? (tookMs + ms) / 2 : ms };
}

export function isResting({ restsUntilMs }: Standing, nowMs: number): boolean {
  return restsUntilMs > nowMs;
}
