/**
 * Runs tasks at the same time, each with a number. Each result is an event, and the owner takes one event after the
 * other.
 */
import { SourceError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { onAbort } from './on-abort.ts';
import { sleep } from './timer.ts';

export class Tasks<E> {
  readonly #open = new Map<number, AbortController>();
  readonly #events: E[] = [];
  readonly #signal: Signal | undefined;
  #fault: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** @param signal ends all tasks */
  constructor(signal: Signal | undefined) {
    this.#signal = signal;
  }

  /**
   * Starts a task.
   * @param work stops at the signal
   * @param onFailure the event when servers failed; without it, and for any other error, `take` throws the error
   */
  begin(id: number, work: (signal: Signal) => Promise<E>, onFailure?: (error: SourceError) => E | undefined): void {
    const stop = new AbortController();
    const forget = onAbort(this.#signal, () => stop.abort());
    this.#open.set(id, stop);
    const end = (tell: () => void) => {
      forget();
      if (this.#open.get(id) !== stop) return; // the task was cancelled
      this.#open.delete(id);
      tell();
    };
    work(stop.signal).then(
      (event) => end(() => this.put(event)),
      (error: unknown) => {
        stop.abort(); // whatever else the task has under way
        end(() => this.#failed(error, onFailure));
      },
    );
  }

  #failed(error: unknown, onFailure: ((error: SourceError) => E | undefined) | undefined): void {
    const isSource = error instanceof SourceError;
    const event = isSource && error.code !== 'source/aborted' ? onFailure?.(error) : undefined;
    if (event !== undefined) {
      this.put(event);
      return;
    }
    const isStopped = this.#signal?.aborted === true && !isSource;
    this.#fault ??= { error: isStopped ? new SourceError('source/aborted', 'stopped by the caller') : error };
    this.#wake?.();
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  isOpen(id: number): boolean {
    return this.#open.has(id);
  }

  /** Cancels a task, and drops its result. */
  cancel(id: number): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }

  put(event: E): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** Returns the next event, in order of arrival. @throws the first error that is not a server's failure */
  async take(): Promise<E> {
    for (;;) {
      if (this.#fault !== undefined) throw this.#fault.error;
      const event = this.#events.shift();
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => {
        this.#wake = () => {
          this.#wake = undefined;
          resolve();
        };
      });
    }
  }

  /** Delivers the event after this many milliseconds, in place of an event that was to come under this number. */
  wake(id: number, ms: number, event: E): void {
    this.cancel(id);
    this.begin(id, (signal) => sleep(ms, signal).then(() => event));
  }

  /**
   * Drives a machine until one of its actions gives a result, then stops all tasks.
   * @param step returns the state after an event, and the actions to do, in this order
   */
  async run<S, A, R>(
    start: S,
    first: E,
    step: (state: S, event: E) => readonly [S, readonly A[]],
    perform: (action: A, state: S) => Promise<R | undefined>,
  ): Promise<R> {
    try {
      let state = start;
      for (let event = first; ; event = await this.take()) {
        const [after, actions] = step(state, event);
        state = after;
        for (const action of actions) {
          const result = await perform(action, state);
          if (result !== undefined) return result;
        }
      }
    } finally {
      this.close();
    }
  }

  /** Stops all tasks. */
  close(): void {
    for (const id of [...this.#open.keys()]) this.cancel(id);
  }
}
