/** Where words go: the result to stdout, everything else to stderr. A reader that went away is no error. */
import { writeSync } from 'node:fs';
import { FinalityError, printable } from '../../core/base/errors.ts';
import { cannotWrite } from '../files/system-error.ts';

/** The identifier in an error object's `schema`, see `schemas/error-2.json`. */
export const ERROR_SCHEMA = 'ton-finality/error@2';

/** That of an event, see `schemas/event-1.json`. */
export const EVENT_SCHEMA = 'ton-finality/event@1';

/** Characters of a note or of somebody else's error: paths are the longest thing in them. */
const MAX_NOTE_CHARS = 10_000;

/**
 * Writes and waits, so that an exit cannot cut a long answer. A closed pipe (`| head`) is quietly the end.
 * @returns whether there is a reader
 * @throws UsageError when it cannot be written, as to a full disk
 */
function write(stream: NodeJS.WriteStream, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const settle = (error?: NodeJS.ErrnoException | null) => {
      if (error && error.code !== 'EPIPE') {
        reject(cannotWrite(stream === process.stderr ? 'standard error' : 'standard output', error));
      } else resolve(!error);
      // A stream that failed says so once more, later, and nobody else listens.
      if (!error) stream.off('error', settle);
    };
    stream.once('error', settle);
    stream.write(text, settle);
  });
}

/** As it is. @returns whether there is a reader */
export function printText(text: string): Promise<boolean> {
  return write(process.stdout, text);
}

/** @returns whether there is a reader: more for one that went away is of no use */
export function printResult(text: string): Promise<boolean> {
  return write(process.stdout, `${text}\n`);
}

/** As it is printed, and as it is written to a file. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export async function printJson(value: unknown): Promise<void> {
  await write(process.stdout, jsonText(value));
}

function noteLine(text: string): string {
  return `ton-finality: ${printable(text, MAX_NOTE_CHARS)}\n`;
}

/** What a person should know beside the result. That it cannot be said changes nothing about the result. */
export async function printNote(text: string): Promise<void> {
  await write(process.stderr, noteLine(text)).catch(() => {});
}

/** Something that happens while a command runs on: a note, or with `--json` an object on a line of standard error. */
export async function printEvent(
  code: string,
  message: string,
  asJson: boolean,
  more: Readonly<Record<string, number | string>> = {},
): Promise<void> {
  if (!asJson) return await printNote(message);
  const event = { schema: EVENT_SCHEMA, code, message: printable(message, MAX_NOTE_CHARS), ...more };
  await write(process.stderr, `${JSON.stringify(event)}\n`).catch(() => {});
}

/** The same, before the process ends within this very call. */
export function printNoteNow(text: string): void {
  try {
    writeSync(process.stderr.fd, noteLine(text));
  } catch {
    // nobody is left to tell
  }
}

function errorToJson(error: unknown) {
  const known = error instanceof FinalityError ? error : undefined;
  return {
    schema: ERROR_SCHEMA,
    code: known?.code ?? 'internal',
    path: known?.path ?? null,
    message: (error instanceof Error && printable(error.message, MAX_NOTE_CHARS)) || 'unknown failure',
    hint: known?.hint ?? null,
  };
}

/** One line of what went wrong and at most one of what to do, or the same as one JSON object. */
export async function printError(error: unknown, asJson: boolean): Promise<void> {
  const { message, hint, code } = errorToJson(error);
  const internal = code === 'internal' ? 'internal error: ' : '';
  if (asJson) await write(process.stderr, `${JSON.stringify(errorToJson(error))}\n`);
  else await write(process.stderr, `ton-finality: ${internal}${message}\n${hint === null ? '' : `hint: ${hint}\n`}`);
}
