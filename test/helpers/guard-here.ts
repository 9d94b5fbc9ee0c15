/**
 * Runs `container/guard.mjs` in this process, beside a command that the test gives: for rows of cases of what it hands on and what it
 * makes of the answer. That it is a process which starts another one is shown where it runs as one.
 */
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './vectors.ts';

export interface GuardRun {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
}

const GUARD = pathToFileURL(join(ROOT, 'container/guard.mjs')).href;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
let runs = 0;

/** @param env beside what this process has @param command given the words after `node`; what it gives is the exit code */
export async function guardHere(
  env: Readonly<Record<string, string | undefined>>,
  command: (words: readonly string[]) => Promise<number | null>,
): Promise<GuardRun> {
  const { spawn } = childProcess;
  const { writeSync } = fs;
  const { env: environment, exitCode } = process;
  const listeners = SIGNALS.map((signal) => process.listeners(signal));
  let stdout = '';
  childProcess.spawn = ((_: string, words: readonly string[]) => {
    const child = new EventEmitter();
    command(words).then(
      (code) => child.emit('exit', code),
      (error: unknown) => child.emit('error', error),
    );
    return child;
  }) as typeof spawn;
  fs.writeSync = ((handle: number, ...rest: [string]) => {
    if (handle !== 1) return writeSync(handle, ...rest);
    stdout += rest[0];
    return rest[0].length;
  }) as typeof writeSync;
  syncBuiltinESMExports();
  process.env = { ...environment, ...env };
  try {
    await import(`${GUARD}?run=${runs++}`); // read anew each time, since reading it is running it
    return { code: process.exitCode, stdout };
  } finally {
    Object.assign(childProcess, { spawn });
    Object.assign(fs, { writeSync });
    syncBuiltinESMExports();
    process.env = environment;
    process.exitCode = exitCode;
    for (const [at, signal] of SIGNALS.entries())
      for (const one of process.listeners(signal)) if (!listeners[at]!.includes(one)) process.off(signal, one);
  }
}
