/** Decides when a failed question is asked again, and how long a run pauses. Pure: the random number is a parameter. */
import type { SourceError } from '../../core/base/errors.ts';
import { RETRY_BASE_MS, RETRY_CAP_MS } from '../../core/base/limits.ts';
import { isA, OUTCOMES } from './outcome.ts';

/** How often one question is tried, and how long a server that limits its rate is left alone. */
export interface RetryPolicy {
  /** How often a failed question is tried again. */
  readonly retries: number;
  /** Whether a server that does not have the block yet is asked again until the deadline. */
  readonly waitForBlock: boolean;
  /** Least wait after the first `rate-limited`, in milliseconds; it doubles with each try. */
  readonly rateLimitWaitMs: number;
}

/** Milliseconds until a server that lacks the block is asked for it again, in each of the two that wait for one. */
export const WAIT_STEP_MS = 1000;
const WAIT_JITTER_MS = 500;

/**
 * Returns the milliseconds to wait before the next try; `undefined` when there is none.
 * @param error of the last try; its `attempts` counts the tries so far, its `retryAfterMs` is what the server asked for
 * @param leftMs milliseconds until the deadline of the question
 * @param chance 0 or more, less than 1
 */
export function retryDelay(
  error: SourceError,
  policy: RetryPolicy,
  leftMs: number,
  chance: number,
): number | undefined {
  const { code, attempts: tries, retryAfterMs = 0, retryable } = error;
  const { retries, waitForBlock, rateLimitWaitMs } = policy;
  const mostTries = isA(code, 'once-more') ? Math.min(1, retries) : retries;
  let delayMs: number;
  if (waitForBlock && OUTCOMES[code] === 'not-yet') delayMs = WAIT_STEP_MS + chance * WAIT_JITTER_MS;
  else if (!retryable || tries > mostTries) return undefined;
  else delayMs = chance * grownMs(RETRY_BASE_MS, RETRY_CAP_MS, tries - 1);
  const restMs = OUTCOMES[code] === 'busy' ? grownMs(rateLimitWaitMs, Number.POSITIVE_INFINITY, tries - 1) : 0;
  delayMs = Math.max(delayMs, restMs, retryAfterMs);
  return delayMs < leftMs ? delayMs : undefined;
}

/** Returns milliseconds that grow with each time, up to a cap. */
export function grownMs(baseMs: number, capMs: number, times: number, factor = 2): number {
  return Math.min(capMs, baseMs * factor ** Math.min(times, 64)); // Infinity times 0 is NaN
}

/**
 * Returns the milliseconds before a failed question is tried again. The pause grows with each failure, and is random,
 * so that many clients that failed together do not return together.
 * @param times how often it failed before
 * @param chance a random number from 0 to 1
 */
export function backoffMs(baseMs: number, capMs: number, times: number, chance: number, factor = 2): number {
  return grownMs(baseMs, capMs, times, factor) * (0.5 + chance / 2);
}
