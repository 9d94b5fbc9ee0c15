/**
 * When notes are written: soon, not for every block, and before the next block is handed out while one has waited too long. So
 * what a killed run leaves unnoted is never older than that, however slow its reader is.
 */

/** Milliseconds that a block may be handed out and not noted. */
const LATE_MS = 100;

/** What waits to be written. */
export interface LateNotes<T> {
  /** Called before a block is handed out. @throws what writing throws, now or behind the caller's back */
  beforeNext(): void;
  /** A block was handed out. */
  note(value: T): void;
  /** Writes now what is not written. @throws as `beforeNext` */
  flush(): void;
  /** Writes no more. */
  close(): void;
}

/** @param write writes it and returns when it is written */
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
