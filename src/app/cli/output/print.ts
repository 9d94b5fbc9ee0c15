/** Writes the result to stdout and everything else to stderr. A reader that closed the pipe is not an error. */
import { writeSync } from 'node:fs';
import { FinalityError, printable } from '../../../core/base/errors.ts';
import { cannotWrite } from '../../files/system-error.ts';

/** The identifier in an error object's `schema`, see `schemas/error-2.json`. */
export const ERROR_SCHEMA = 'ton-finality/error@2';

/** The identifier in an event's `schema`, see `schemas/event-1.json`. */
export const EVENT_SCHEMA = 'ton-finality/event@1';

/** Most characters of a note or of an error from elsewhere; paths are the longest part. */
const MAX_NOTE_CHARS = 10_000;

/**
 * Writes and waits, so that an exit cannot cut a long answer. A closed pipe (`| head`) ends the output without an error.
 * @returns whether there is a reader
 * @throws UsageError when the stream cannot be written, such as a full disk
 */
function write(stream: NodeJS.WriteStream, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const settle = (error?: NodeJS.ErrnoException | null) => {
      if (error && error.code !== 'EPIPE') {
        reject(cannotWrite(stream === process.stderr ? 'standard error' : 'standard output', error));
      } else resolve(!error);
      // A failed stream reports the failure again later, and nothing else listens for it.
      if (!error) stream.off('error', settle);
    };
    stream.once('error', settle);
    stream.write(text, settle);
  });
}

/** Prints a text unchanged. @returns whether there is a reader */
export function printText(text: string): Promise<boolean> {
  return write(process.stdout, text);
}

/** @returns whether there is a reader: if not, more output is useless */
export function printResult(text: string): Promise<boolean> {
  return write(process.stdout, `${text}\n`);
}

/** Prints a text that is not the result to stderr. */
export function printAside(text: string): Promise<boolean> {
  return write(process.stderr, `${text}\n`);
}

/** Formats JSON as it is printed and written to files. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export async function printJson(value: unknown): Promise<void> {
  await write(process.stdout, jsonText(value));
}

function noteLine(text: string): string {
  return `ton-finality: ${printable(text, MAX_NOTE_CHARS)}\n`;
}

/** Prints a note to stderr. A failure to print it does not change the result. */
export async function printNote(text: string): Promise<void> {
  await write(process.stderr, noteLine(text)).catch(() => {});
}

type MoreOfEvent = Readonly<Record<string, number | string>>;

function eventLine(code: string, message: string, asJson: boolean, more: MoreOfEvent = {}): string {
  if (!asJson) return noteLine(message);
  return `${JSON.stringify({ schema: EVENT_SCHEMA, code, message: printable(message, MAX_NOTE_CHARS), ...more })}\n`;
}

/** Reports an event while a command runs: a note, or with `--json` one object on a line of standard error. */
export async function printEvent(code: string, message: string, asJson: boolean, more?: MoreOfEvent): Promise<void> {
  await write(process.stderr, eventLine(code, message, asJson, more)).catch(() => {});
}

/** Reports an event before this call returns, because the process is about to end. */
export function printEventNow(code: string, message: string, asJson: boolean): void {
  try {
    writeSync(process.stderr.fd, eventLine(code, message, asJson));
  } catch {
    // there is no reader left
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

/** Prints an error in one line and a hint in another, or both as one JSON object. */
export async function printError(error: unknown, asJson: boolean): Promise<void> {
  const { message, hint, code } = errorToJson(error);
  const internal = code === 'internal' ? 'internal error: ' : '';
  if (asJson) await write(process.stderr, `${JSON.stringify(errorToJson(error))}\n`);
  else await write(process.stderr, `ton-finality: ${internal}${message}\n${hint === null ? '' : `hint: ${hint}\n`}`);
}
