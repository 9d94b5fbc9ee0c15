/**
 * Time limits that cover all work under them: a signal that fires at the limit, or when the caller's own signal does.
 */
import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { onAbort } from './on-abort.ts';

/** The longest delay of setTimeout, which takes an int32. */
export const LONGEST_TIMEOUT_MS = 0x7fffffff;

/**
 * Starts a time limit. AbortSignal.timeout and AbortSignal.any keep their parents alive, so long-lived callers would
 * leak.
 */
export function startTimer(limitMs: number, parent?: Signal) {
  const controller = new AbortController();
  const signal: Signal = controller.signal;
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const onParent = () => controller.abort(parent?.reason);
  const onLimit = () => {
    timer.expired = !signal.aborted;
    controller.abort(new Error('the time limit was reached'));
  };
  const forgetParent = onAbort(parent, onParent);
  const timer = {
    signal,
    /** Whether the time limit fired the signal, and not the caller. */
    expired: false,
    /** Counts again from now, with a new limit. */
    restart(limitMs: number) {
      clearTimeout(timeout);
      timeout = setTimeout(onLimit, Math.min(limitMs, LONGEST_TIMEOUT_MS));
    },
    /** Frees the timer and the listener on the caller's signal. Must be called when the work is over. */
    close() {
      clearTimeout(timeout);
      forgetParent();
    },
    /** Closes the timer and fires the signal, because the rest of the work is not needed. */
    stop() {
      timer.close();
      controller.abort();
    },
  };
  timer.restart(limitMs);
  return timer;
}

export type Timer = ReturnType<typeof startTimer>;

/** Returns the time limit of a question that has to end by then, on the clock of `performance.now()`. */
export function limitUntil(endMs: number): { readonly deadlineMs?: number } {
  return Number.isFinite(endMs) ? { deadlineMs: Math.max(1, endMs - performance.now()) } : {};
}

/**
 * Waits for the work, or rejects with the signal's reason if the signal fires first: the work may ignore its signal.
 */
export function untilAborted<T>(work: Promise<T>, signal: Signal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => reject(signal?.reason));
    work.then(resolve, reject).then(forget);
  });
}

/** Waits; rejects with the signal's reason when the signal fires first. */
export function sleep(ms: number, signal?: Signal): Promise<void> {
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const work = new Promise<void>((resolve) => {
    timeout = setTimeout(resolve, ms);
  });
  if (signal === undefined) return work;
  return untilAborted(work, signal).finally(() => clearTimeout(timeout));
}

/** Waits. @throws SourceError `source/aborted` when the signal fires first */
export async function sleepUnlessStopped(ms: number, signal: Signal | undefined): Promise<void> {
  await sleep(ms, signal).catch(() => {
    throw new SourceError('source/aborted', 'stopped by the caller');
  });
}

/**
 * Runs work with one time limit over questions to several servers; the rest of the work is stopped when it settles.
 * @param heard answers so far, filled by `work`, for the error when time runs out
 * @param work is given a signal that fires at the limit, when the caller stops, and when the work is over
 * @throws SourceError `source/timeout` or `source/aborted`, or what the work throws
 */
export async function withinOneDeadline<T>(
  name: string,
  opts: { readonly signal?: Signal; readonly deadlineMs?: number },
  heard: readonly SourceStatement[],
  work: (signal: Signal) => Promise<T>,
): Promise<T> {
  // Without a limit of its own, the work takes as long as the sources' own limits allow.
  const timer = startTimer(opts.deadlineMs ?? Number.POSITIVE_INFINITY, opts.signal);
  try {
    return await untilAborted(work(timer.signal), timer.signal);
  } catch (error) {
    if (!timer.signal.aborted) throw error;
    const statements = [...heard];
    if (timer.expired) throw new SourceError('source/timeout', `${name}: no answer in time`, { statements });
    throw new SourceError('source/aborted', `${name}: stopped by the caller`, { statements });
  } finally {
    timer.stop();
  }
}
