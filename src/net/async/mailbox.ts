/** Events of work that goes on at the same time, taken one after the other. */

export interface Mailbox<E> {
  put(event: E): void;
  /** Ends the wait of whoever takes events. The first error counts. */
  fail(error: unknown): void;
  /** The next event, in the order in which they came. Rejects with the error of `fail`. */
  take(): Promise<E>;
}

export function createMailbox<E>(): Mailbox<E> {
  const events: E[] = [];
  let fault: { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  return Object.freeze({
    put(event: E): void {
      events.push(event);
      wake?.();
    },
    fail(error: unknown): void {
      fault ??= { error };
      wake?.();
    },
    async take(): Promise<E> {
      for (;;) {
        if (fault !== undefined) throw fault.error;
        const event = events.shift();
        if (event !== undefined) return event;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  });
}
