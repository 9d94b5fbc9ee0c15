/**
 * One listener for each signal, for any number of questions. A signal that a program keeps for all its work would
 * otherwise gather a listener for each question, and Node warns of a leak at the eleventh.
 */
import type { Signal } from '../../core/base/runtime-types.ts';

const callbacksOf = new WeakMap<Signal, Set<() => void>>();

/**
 * Calls back once when the signal fires, or at once if it has fired; never without a signal. @returns a function that
 * prevents the call
 */
export function onAbort(signal: Signal | undefined, callback: () => void): () => void {
  if (signal === undefined || signal.aborted) {
    if (signal !== undefined) callback();
    return () => {};
  }
  const callbacks = callbacksOf.get(signal) ?? listenTo(signal);
  // Wrapped, so that a function registered twice is called twice.
  const entry = () => callback();
  callbacks.add(entry);
  return () => {
    callbacks.delete(entry);
  };
}

function listenTo(signal: Signal): Set<() => void> {
  const callbacks = new Set<() => void>();
  callbacksOf.set(signal, callbacks);
  signal.addEventListener(
    'abort',
    () => {
      for (const callback of [...callbacks]) callback();
      callbacks.clear();
    },
    { once: true },
  );
  return callbacks;
}
