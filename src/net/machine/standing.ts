/**
 * The memory of one server: whether the server may be asked, rests, how often it failed, and how quick it is. One rule serves
 * every kind of server; the caller decides how long a rest takes. Pure: the time comes in, from a monotonic clock.
 */
import { grownMs } from './retry.ts';

/** Milliseconds during which a lite server that failed is asked after all others: at first, and at most. */
export const LITE_REST_MS = 30_000;
export const LITE_REST_CAP_MS = 600_000;

/** How long a server rests after a failure. */
export interface RestRule {
  /** Milliseconds of the first and of the longest rest; each rest is twice as long as the last. */
  readonly firstMs: number;
  readonly longestMs: number;
  /**
   * How much a valid answer repairs. one: it removes one failure, and the rest continues. all: it ends the rest, and
   * removes all failures if the last one was twice that long ago.
   */
  readonly forgiving: 'one' | 'all';
}

/**
 * The rules of each kind of server. Lite servers rest for long: there are others, a valid answer says little about the
 * next one, and a proof is expensive. HTTP servers are few and followers ask them all the time, so a server that
 * recovered is used again at once.
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
  /** Why the server rests or rested; removed by the next valid answer. */
  readonly fault: Fault | undefined;
  /** Failures that valid answers have not made up for. */
  readonly failures: number;
  /** Blocks in a row that the server named and could not prove. */
  readonly inVain: number;
  readonly failedAtMs: number;
  readonly restsUntilMs: number;
  /** Milliseconds that its questions take, the last one weighted by half; servers that never answered come last. */
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
 * - `answered`, `failed`: the outcome of a question.
 * - `in-vain`: the server named a block that it cannot prove.
 * - `proven`: a block that the server named is proven.
 * - `probed`: this question tests whether the server has recovered, so other questions need not.
 * - `excused`: the server failed because it was asked for what another server had led to.
 */
export type Seen =
  | { readonly kind: 'answered'; readonly askedAtMs: number }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | { readonly kind: 'lied' | 'in-vain' | 'proven' | 'probed' | 'excused' };

/** Returns the milliseconds of a rest. @param times failures before this one */
export function restMs(times: number, { firstMs, longestMs }: RestRule): number {
  return grownMs(firstMs, longestMs, times);
}

/** Returns the standing with a rest. A new fault does not shorten the rest of an older one. */
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

/** Returns the standing after an observation. */
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
    case 'excused':
      return {
        ...standing,
        fault: undefined,
        failures: Math.max(0, failures - 1),
        restsUntilMs: Number.NEGATIVE_INFINITY,
      };
    case 'lied':
      return { ...standing, isOut: true };
  }
}

/**
 * Returns the standing with the time of a question, however the question ended: a server that lets questions run into
 * their deadline is not quick.
 */
export function withTime(standing: Standing, ms: number): Standing {
  const { tookMs } = standing;
  return { ...standing, tookMs: Number.isFinite(tookMs) ? (tookMs + ms) / 2 : ms };
}

export function isResting({ restsUntilMs }: Standing, nowMs: number): boolean {
  return restsUntilMs > nowMs;
}
