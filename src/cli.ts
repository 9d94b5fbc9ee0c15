#!/usr/bin/env node
/**
 * The command's shim: runs `app/cli/main.ts` and sets the exit code. Imports nothing before it can say what went wrong, so
 * that not even a broken installation ends with the code of a verdict.
 */
import { writeSync } from 'node:fs';

/** `EXIT.internal`, before it can be imported. */
const INTERNAL = 5;

/** `EXIT.badInput`: this process may not open as many files as it is made of, which is no defect. */
const TOO_FEW_FILES = 2;
const lacksFiles = (error: unknown): boolean =>
  /\bE[MN]FILE\b/.test(String((error as { code?: unknown } | null)?.code));

/** Words for a defect of this program, at once and without any other part of it. */
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
    // nobody is left to tell
  }
}

let isOver = false;
let end = (code: number): void => process.exit(code);

function crash(error: unknown): void {
  isOver = true;
  sayCrash(error);
  end(lacksFiles(error) ? TOO_FEW_FILES : INTERNAL);
}

process.exitCode = INTERNAL; // until the command has come to its end
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
