/** How a run ends before its end: by a signal. What is worth saying then is said, and the exit code is the shell's for it. */

const SIGNAL_EXITS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
];

const lastWords = new Set<() => void>();

/** @param say called once when a signal ends the run; must not wait for anything @returns takes it back */
export function beforeStop(say: () => void): () => void {
  lastWords.add(say);
  return () => lastWords.delete(say);
}

let blockedReads = 0;

/** For work that nothing can call off, such as opening a pipe to which nobody writes. */
export async function whileBlocked<T>(work: Promise<T>): Promise<T> {
  blockedReads += 1;
  try {
    return await work;
  } finally {
    blockedReads -= 1;
  }
}

/**
 * Ends the process, within this call. An exit would wait for a read that may never end; there the process is ended from
 * outside, by the signal.
 */
export function endNow(code: number, signal: NodeJS.Signals): void {
  if (blockedReads > 0) process.kill(process.pid, signal);
  else process.exit(code);
}

/** Takes the signals of this process, which must be all ours. @param onStop called first when one ends it */
export function watchSignals(onStop: () => void): void {
  for (const [signal, code] of SIGNAL_EXITS) {
    process.once(signal, () => {
      onStop();
      for (const say of lastWords) say();
      endNow(code, signal); // in a shell the signal is the same number
    });
  }
}
