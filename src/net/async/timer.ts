/** Time limits that cover everything under them: a signal that fires at the limit or when the caller's own does. */
import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { onAbort } from './on-abort.ts';

/** setTimeout takes an int32. */
export const LONGEST_TIMEOUT_MS = 0x7fffffff;

export interface Timer {
  readonly signal: Signal;
  /** Whether it was the time limit and not the caller that fired the signal. */
  readonly expired: boolean;
  /** Counts from now, with another limit. */
  restart(limitMs: number): void;
  /** Must be called when the work is over, else the timer and the listener on the caller's signal stay. */
  close(): void;
  /** Closes it, and fires the signal: what is left of the work is of no use. */
  stop(): void;
}

/** AbortSignal.timeout and AbortSignal.any would do, but hold their parents alive; long-lived callers would leak. */
export function startTimer(limitMs: number, parent?: Signal): Timer {
  const controller = new AbortController();
  const { signal } = controller;
  let expired = false;
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const onParent = () => controller.abort(parent?.reason);
  const onLimit = () => {
    expired = !signal.aborted;
    controller.abort(new Error('the time limit was reached'));
  };
  const forgetParent = onAbort(parent, onParent);
  const timer = {
    signal,
    get expired() {
      return expired;
    },
    restart(limitMs: number) {
      clearTimeout(timeout);
      timeout = setTimeout(onLimit, Math.min(limitMs, LONGEST_TIMEOUT_MS));
    },
    close() {
      clearTimeout(timeout);
      forgetParent();
    },
    stop() {
      timer.close();
      controller.abort();
    },
  };
  timer.restart(limitMs);
  return timer;
}

/** The work, or the signal's reason if that comes first: nothing waits for work that ignores its signal. */
export function untilAborted<T>(work: Promise<T>, signal: Signal): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(forget);
  });
}

/** Waits; rejects with the signal's reason when that comes first. */
export function sleep(ms: number, signal?: Signal): Promise<void> {
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const work = new Promise<void>((resolve) => {
    timeout = setTimeout(resolve, ms);
  });
  if (signal === undefined) return work;
  return untilAborted(work, signal).finally(() => clearTimeout(timeout));
}

/**
 * One time limit over questions to several servers: when the work is over, in whatever way, all that is left is stopped.
 * @param heard what was said so far, filled by `work`: it goes into the error when time runs out
 * @param work is given a signal that fires at the limit, when the caller stops, and when the work is over
 * @throws SourceError `source/timeout` or `source/aborted`, or what the work throws
 */
export async function withinOneDeadline<T>(
  name: string,
  opts: { readonly signal?: Signal; readonly deadlineMs?: number },
  heard: readonly SourceStatement[],
  work: (signal: Signal) => Promise<T>,
): Promise<T> {
  // Without a limit of its own the work takes as long as the sources' own limits let it.
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
