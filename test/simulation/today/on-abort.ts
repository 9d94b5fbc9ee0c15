/** In place of `src/net/async/on-abort.ts`: signals of a world take any number of listeners, and each is told once. */
import type { SimAbortSignal } from './shims.ts';

export function onAbort(signal: SimAbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined || signal.aborted) {
    if (signal !== undefined) callback();
    return () => {};
  }
  return signal.listen(callback, true);
}
