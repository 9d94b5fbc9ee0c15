/**
 * Limits how fast, and how many at a time, questions go to a server. Several sources may share one pace. The clock is
 * monotonic: a wall clock that is set back would stall a source, and one set forward would allow a burst.
 */

import { badOption } from '../../core/base/arguments.ts';
import { requireOptions } from '../../core/base/options.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { onAbort } from './on-abort.ts';
import { LONGEST_TIMEOUT_MS, untilAborted } from './timer.ts';

/** Limits how fast questions go to one server. */
export interface Pace {
  /** Runs the task in its turn; rejects with the signal's reason when the signal fires first. */
  run<T>(task: () => Promise<T>, signal: Signal): Promise<T>;
  /**
   * Starts nothing for this many milliseconds, for example those of a Retry-After header. A shorter rest does not end a
   * longer one.
   */
  rest?(ms: number): void;
  /** Returns the milliseconds that are left of such a rest. */
  restMs?(): number;
  /**
   * Returns the milliseconds until a task given now would start, by rate and rest. The pace does not know how
   * long running tasks take.
   */
  waitMs?(): number;
}

/**
 * Makes a pace for questions to one server. Starts are spread evenly: at 10 a second, one every 100 ms, never ten at
 * once. @throws UsageError for a rate or a concurrency that is not positive
 */
export function createPace(given: { readonly requestsPerSecond: number; readonly concurrency: number }): Pace {
  const { requestsPerSecond, concurrency } = requireOptions(given, ['requestsPerSecond', 'concurrency']);
  if (!(requestsPerSecond > 0)) {
    throw badOption('expected a positive number', 'requestsPerSecond');
  }
  if (!(concurrency >= 1)) {
    throw badOption('expected 1 or more', 'concurrency');
  }
  const intervalMs = requestsPerSecond === Number.POSITIVE_INFINITY ? 0 : 1000 / requestsPerSecond;
  const waiting = new Set<() => void>(); // in the order of arrival
  let running = 0;
  let nextStart = Number.NEGATIVE_INFINITY;
  let restUntil = Number.NEGATIVE_INFINITY;
  let timeout: ReturnType<typeof setTimeout> | undefined;

  const untilStart = () => Math.max(nextStart, restUntil) - performance.now();

  function startThoseDue(): void {
    clearTimeout(timeout);
    for (const start of waiting) {
      if (running >= concurrency) return; // called again when a task ends
      const ms = untilStart();
      if (ms > 0) {
        timeout = setTimeout(startThoseDue, Math.min(Math.ceil(ms), LONGEST_TIMEOUT_MS));
        return;
      }
      waiting.delete(start);
      nextStart = performance.now() + intervalMs;
      running++;
      start();
    }
  }

  function turn(signal: Signal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        forget();
        resolve();
      };
      const forget = onAbort(signal, () => {
        waiting.delete(start);
        if (waiting.size === 0) clearTimeout(timeout);
        reject(signal.reason);
      });
      if (signal.aborted) return;
      waiting.add(start);
      startThoseDue();
    });
  }

  return Object.freeze({
    async run<T>(task: () => Promise<T>, signal: Signal): Promise<T> {
      await turn(signal);
      try {
        return await untilAborted(task(), signal);
      } finally {
        running--;
        startThoseDue();
      }
    },
    rest(ms: number): void {
      restUntil = Math.max(restUntil, performance.now() + ms);
    },
    restMs: () => Math.max(0, restUntil - performance.now()),
    waitMs: () => Math.max(0, untilStart()) + waiting.size * intervalMs,
  });
}
