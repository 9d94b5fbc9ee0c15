/** One question, tried until it is answered, its deadline is near or another try cannot help. */
import { SourceError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type RetryPolicy, retryDelay } from '../machine/retry.ts';
import { sleep } from './timer.ts';

/** A question and how long it may take. */
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
      const delayMs = retryDelay(error, policy, endMs - performance.now(), Math.random());
      if (delayMs === undefined) throw error;
      before = error;
      await sleep(delayMs, signal).catch(() => {
        throw stopped(tries);
      });
    }
  }
}
