/** Handles signals that end a run: a last report is printed, and the exit code is the shell's code for the signal. */
import { constants } from 'node:os';

const lastWords = new Set<() => void>();

/** @param say called once when a signal ends the run; must not wait for anything @returns a function that removes it */
export function beforeStop(say: () => void): () => void {
  lastWords.add(say);
  return () => lastWords.delete(say);
}

let blockedReads = 0;

/** Runs work that cannot be cancelled, such as opening a pipe without a writer. */
export async function whileBlocked<T>(work: Promise<T>): Promise<T> {
  blockedReads += 1;
  try {
    return await work;
  } finally {
    blockedReads -= 1;
  }
}

/** Ends the process within this call. An exit would wait for a read that may never end, so the signal ends the process. */
export function endNow(code: number, signal: NodeJS.Signals): void {
  if (blockedReads > 0) process.kill(process.pid, signal);
  else process.exit(code);
}

/**
 * Handles the signals of this process, which must not be shared with other code. @param onStop called first when a signal ends the process
 */
export function watchSignals(onStop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      onStop();
      for (const say of lastWords) say();
      endNow(128 + constants.signals[signal], signal); // the code that a shell gives
    });
  }
}
