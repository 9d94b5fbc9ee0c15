/**
 * Decides when notes are written: soon, but not for every block, and before the next block is handed out if one is overdue. A killed run
 * therefore loses at most notes of this age, however slow its reader is.
 */

/** Milliseconds for which a block may be handed out without a note. */
const LATE_MS = 100;

/** Notes that wait to be written. */
export interface LateNotes<T> {
  /** Called before a block is handed out. @throws an error of writing, now or earlier in the background */
  beforeNext(): void;
  /** Called after a block was handed out. */
  note(value: T): void;
  /** Writes the pending note now. @throws as `beforeNext` */
  flush(): void;
  /** Stops writing. */
  close(): void;
}

/** @param write writes the note before it returns */
export function lateNotes<T>(write: (value: T) => void): LateNotes<T> {
  let waiting: { readonly value: T; readonly sinceMs: number } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failure: { readonly error: unknown } | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== undefined) write(waiting.value);
    waiting = undefined;
    failure = undefined;
  }

  return {
    beforeNext() {
      if (failure !== undefined) throw failure.error;
      if (waiting !== undefined && performance.now() - waiting.sinceMs > LATE_MS) flush();
    },
    note(value) {
      waiting = { value, sinceMs: waiting?.sinceMs ?? performance.now() };
      timer ??= setTimeout(() => {
        try {
          flush();
        } catch (error) {
          failure = { error }; // the next block is not handed out
        }
      }, LATE_MS);
      (timer as { unref?(): void }).unref?.();
    },
    flush,
    close() {
      clearTimeout(timer);
    },
  };
}
