/** When a question that failed is asked again, and after how long: one rule for every server. */
import { SourceError, type SourceErrorCode } from '../../base/errors.ts';
import { RETRY_BASE_MS, RETRY_CAP_MS } from '../../base/limits.ts';
import type { Signal } from '../../base/runtime-types.ts';
import { sleep } from './timer.ts';

/** How often one question is tried, and how long a server that counts is left alone. */
export interface RetryPolicy {
  /** Tries after the first. */
  readonly retries: number;
  /** While the server does not have the block yet, it is asked again until the deadline. */
  readonly waitForBlock: boolean;
  /** Least wait after the first `rate-limited`, in milliseconds; it doubles with each try. */
  readonly rateLimitWaitMs: number;
}

// Answers whose trouble may be gone in a moment. Of the others, 'not-ready' and 'server' get one more try.
const PASSING: ReadonlySet<SourceErrorCode> = new Set(['source/rate-limited', 'source/upstream', 'source/timeout']);
const ONCE_MORE: ReadonlySet<SourceErrorCode> = new Set(['source/not-ready', 'source/server']);
const WAIT_STEP_MS = 1000;
const WAIT_JITTER_MS = 500;

/**
 * Milliseconds to wait before the next try; `undefined` when there is none.
 * @param error of the last try; its `attempts` counts the tries so far, its `retryAfterMs` is what the server asked for
 * @param leftMs milliseconds until the deadline of the question
 */
export function retryDelay(error: SourceError, policy: RetryPolicy, leftMs: number): number | undefined {
  const { code, attempts: tries, retryAfterMs = 0 } = error;
  const { retries, waitForBlock, rateLimitWaitMs } = policy;
  let delayMs: number;
  if (waitForBlock && code === 'source/not-ready') delayMs = WAIT_STEP_MS + Math.random() * WAIT_JITTER_MS;
  else if (PASSING.has(code) ? tries > retries : !ONCE_MORE.has(code) || tries > Math.min(1, retries)) return undefined;
  else delayMs = Math.random() * Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** (tries - 1));
  const restMs = code === 'source/rate-limited' ? rateLimitWaitMs * 2 ** (tries - 1) : 0;
  delayMs = Math.max(delayMs, restMs, retryAfterMs);
  return delayMs < leftMs ? delayMs : undefined;
}

/** One question, tried until it is answered, its deadline is near or another try cannot help. */
export interface Tries<T> {
  /** @param tries how many this one makes @param before what the last one ended with */
  readonly attempt: (tries: number, before: SourceError | undefined) => Promise<T>;
  /** On the clock of `performance.now()`. */
  readonly endMs: number;
  readonly signal: Signal | undefined;
  /** The error of a question that the caller stopped between two tries. */
  readonly stopped: (tries: number) => SourceError;
}

/** @throws what the last attempt threw */
export async function withRetries<T>({ attempt, endMs, signal, stopped }: Tries<T>, policy: RetryPolicy): Promise<T> {
  let before: SourceError | undefined;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(tries, before);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      const delayMs = retryDelay(error, policy, endMs - performance.now());
      if (delayMs === undefined) throw error;
      before = error;
      await sleep(delayMs, signal).catch(() => {
        throw stopped(tries);
      });
    }
  }
}
