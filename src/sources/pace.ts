/** How fast and how many at a time a server is asked. One pace may be shared by several sources. */
import PQueue from 'p-queue';
import { UsageError } from '../base/errors.ts';
import { untilAborted } from './timer.ts';

export interface Pace {
  /** Runs the task in its turn; rejects with the signal's reason when that comes first. */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Nobody has to wait for a turn, so there is no queue. */
const UNLIMITED: Pace = Object.freeze({
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return untilAborted(task(), signal);
  },
});

/**
 * Starts are spread evenly: at 10 a second one every 100 ms, never ten at once.
 * @throws UsageError for a rate or a concurrency that is not positive
 */
export function createPace(opts: { readonly requestsPerSecond: number; readonly concurrency: number }): Pace {
  const { requestsPerSecond, concurrency } = opts;
  if (!(requestsPerSecond > 0)) {
    throw new UsageError('usage/bad-option', 'expected a positive number', { path: 'requestsPerSecond' });
  }
  if (!(concurrency >= 1)) {
    throw new UsageError('usage/bad-option', 'expected 1 or more', { path: 'concurrency' });
  }
  if (requestsPerSecond === Number.POSITIVE_INFINITY && concurrency === Number.POSITIVE_INFINITY) return UNLIMITED;
  const spread =
    requestsPerSecond === Number.POSITIVE_INFINITY
      ? {}
      : { interval: Math.ceil(1000 / requestsPerSecond), intervalCap: 1, strict: true };
  const queue = new PQueue({ concurrency, ...spread });
  return Object.freeze({
    run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
      return queue.add(task, { signal });
    },
  });
}
