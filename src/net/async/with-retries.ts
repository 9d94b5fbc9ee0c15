/** Tries a question until it is answered, its deadline is near, or another try cannot help. */
import { SourceError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type RetryPolicy, retryDelay } from '../machine/retry.ts';
import { sleep } from './timer.ts';

/** A question, and how long it may take. */
export interface Tries<T> {
  /** Makes one attempt. @param tries the number of this attempt @param before the error of the last attempt */
  readonly attempt: (tries: number, before: SourceError | undefined) => Promise<T>;
  /** The end of the question on the clock of `performance.now()`. */
  readonly endMs: number;
  readonly signal: Signal | undefined;
  /** Returns the error of a question that the caller stopped between two tries. */
  readonly stopped: (tries: number) => SourceError;
}

/** Tries a question. @throws what the last attempt threw */
export async function withRetries<T>({ attempt, endMs, signal, stopped }: Tries<T>, policy: RetryPolicy): Promise<T> {
  let before: SourceError | undefined;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(tries, before);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      const delayMs = retryDelay(error, policy, endMs - performance.now(), Math.random());
      if (delayMs === undefined) throw error;
      before = error;
      await sleep(delayMs, signal).catch(() => {
        throw stopped(tries);
      });
    }
  }
}
