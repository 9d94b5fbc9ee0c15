/** Time limits that cover everything under them: a signal that fires at the limit or when the caller's own does. */
import type { Signal } from '../../core/base/runtime-types.ts';
import { onAbort } from './on-abort.ts';

const LONGEST_TIMEOUT_MS = 0x7fffffff; // setTimeout takes an int32

export interface Timer {
  readonly signal: Signal;
  /** Whether it was the time limit and not the caller that fired the signal. */
  readonly expired: boolean;
  /** Counts from now, with another limit. */
  restart(limitMs: number): void;
  /** Must be called when the work is over, else the timer and the listener on the caller's signal stay. */
  close(): void;
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
    controller.abort(new Error('the time limit is over'));
  };
  const forgetParent = parent === undefined ? () => {} : onAbort(parent, onParent);
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
