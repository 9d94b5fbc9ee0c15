/**
 * Calls the functions that the caller gave. An error names the callback that threw, and nothing waits for a callback after a
 * stop.
 */

import { SourceError, UsageError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { untilAborted } from './timer.ts';

/** Returns the error for a callback that threw; an error of this library keeps its own message. */
export function callbackFailed(name: string, cause: unknown): UsageError {
  const words = cause instanceof Error ? cause.message : String(cause);
  return new UsageError('usage/callback', `the callback threw: ${words}`, { path: name, cause });
}

/** A promise, also of another realm or library. */
function isThenable(value: unknown): boolean {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/** Calls an observer. @throws UsageError `usage/callback` naming it when it throws */
export function tell<T>(name: string, observer: ((value: T) => unknown) | undefined, value: T): void {
  if (observer === undefined) return;
  try {
    const result = observer(value);
    // An async callback must not end the process by an unhandled rejection.
    if (isThenable(result)) Promise.resolve(result).catch(() => {});
  } catch (error) {
    throw callbackFailed(name, error);
  }
}

/**
 * Calls a callback, and waits for its result or for the signal.
 * @throws SourceError if the callback throws one; UsageError `usage/callback` naming the callback for any other error;
 * the
 * signal's reason
 */
export async function consult<T>(name: string, ask: () => T | Promise<T>, signal: Signal | undefined): Promise<T> {
  const answer = async () => {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof SourceError) throw error;
      throw callbackFailed(name, error);
    }
  };
  return await untilAborted(answer(), signal);
}
