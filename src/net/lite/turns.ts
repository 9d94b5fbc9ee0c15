/** How many questions one server gets at a time, and how fast. */
import type { Signal } from '../../base/runtime-types.ts';

export interface Turns {
  /** Runs the work in its turn. Rejects with the signal's reason when that comes before the turn does. */
  run<T>(work: () => Promise<T>, signal: Signal): Promise<T>;
}

/** @param gapMs milliseconds between two starts, 0 for none */
export function createTurns(most: number, gapMs: number): Turns {
  const queue: (() => void)[] = [];
  let running = 0;
  let nextStartMs = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function startNext(): void {
    if (timer !== undefined || running >= most || queue.length === 0) return;
    const waitMs = nextStartMs - performance.now();
    if (waitMs > 0) {
      timer = setTimeout(() => {
        timer = undefined;
        startNext();
      }, waitMs);
      return;
    }
    nextStartMs = performance.now() + gapMs;
    running += 1;
    queue.shift()?.();
    startNext();
  }

  function myTurn(signal: Signal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        queue.splice(queue.indexOf(start), 1);
        reject(signal.reason);
      };
      const start = () => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      queue.push(start);
      startNext();
    });
  }

  return Object.freeze({
    async run<T>(work: () => Promise<T>, signal: Signal): Promise<T> {
      await myTurn(signal);
      try {
        return await work();
      } finally {
        running -= 1;
        startNext();
      }
    },
  });
}
