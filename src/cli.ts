#!/usr/bin/env node
/**
 * Starts the command: runs `app/cli/main.ts` and sets the exit code. It imports nothing before it can report an error,
 * so that a broken installation does not end with the exit code of a verdict.
 */
import { writeSync } from 'node:fs';

/** The value of `EXIT.internal`, which cannot be imported yet. */
const INTERNAL = 5;

/**
 * The value of `EXIT.badInput`, for a process that may open too few files to load the command: not a defect of the
 * program.
 */
const TOO_FEW_FILES = 2;
const lacksFiles = (error: unknown): boolean =>
  /\bE[MN]FILE\b/.test(String((error as { code?: unknown } | null)?.code));

/** Reports a defect of this program without any other part of the program. */
function sayCrash(error: unknown): void {
  const said = error instanceof Error ? error.message : '';
  const message = said.slice(0, 500).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ') || 'unknown failure';
  const isLimit = lacksFiles(error);
  const hint = isLimit ? 'allow more open files: ulimit -n 1024' : null;
  const code = isLimit ? 'usage/bad-option' : 'internal';
  const words = isLimit ? `${message}\nhint: ${hint}` : `internal error: ${message}`;
  const json = { schema: 'ton-finality/error@2', code, path: null, message, hint };
  const text = process.argv.includes('--json') ? JSON.stringify(json) : `ton-finality: ${words}`;
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // the error stream is closed, so nothing can be reported
  }
}

let isOver = false;
let end = (code: number): void => process.exit(code);

function crash(error: unknown): void {
  isOver = true;
  sayCrash(error);
  end(lacksFiles(error) ? TOO_FEW_FILES : INTERNAL);
}

process.exitCode = INTERNAL; // until the command has ended
process.on('uncaughtException', crash);
process.on('exit', () => {
  if (!isOver) sayCrash(new Error('the command stopped before its end'));
});
try {
  const { endNow, watchSignals } = await import('./app/cli/stop.ts');
  end = (code) => endNow(code, 'SIGKILL');
  watchSignals(() => {
    isOver = true;
  });
  const { main } = await import('./app/cli/main.ts');
  process.exitCode = await main(process.argv.slice(2));
  isOver = true;
} catch (error) {
  crash(error);
}
