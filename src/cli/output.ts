/** Where words go: the result to stdout, everything else to stderr. A reader that went away is no error. */
import { FinalityError } from '../base/errors.ts';

/** The identifier in an error object's `schema`, see `schemas/error-2.json`. */
export const ERROR_SCHEMA = 'ton-finality/error@2';

/** Writes and waits, so that an exit cannot cut a long answer. A closed pipe (`| head`) is quietly the end. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: NodeJS.ErrnoException | null) => {
      if (error && error.code !== 'EPIPE') reject(error);
      else resolve();
    };
    stream.once('error', settle);
    stream.write(text, settle);
  });
}

export function printResult(text: string): Promise<void> {
  return write(process.stdout, `${text}\n`);
}

export function printJson(value: unknown): Promise<void> {
  return printResult(JSON.stringify(value, null, 2));
}

/** What a person should know beside the result. */
export function printNote(text: string): Promise<void> {
  return write(process.stderr, `ton-finality: ${text}\n`);
}

function errorToJson(error: unknown) {
  const known = error instanceof FinalityError ? error : undefined;
  return {
    schema: ERROR_SCHEMA,
    code: known?.code ?? 'internal',
    path: known?.path ?? null,
    message: error instanceof Error ? error.message : 'unknown failure',
    hint: known?.hint ?? null,
  };
}

/** One line of what went wrong and at most one of what to do, or the same as one JSON object. */
export function printError(error: unknown, asJson: boolean): Promise<void> {
  const { message, hint, code } = errorToJson(error);
  if (asJson) return write(process.stderr, `${JSON.stringify(errorToJson(error))}\n`);
  const internal = code === 'internal' ? 'internal error: ' : '';
  return write(process.stderr, `ton-finality: ${internal}${message}\n${hint === null ? '' : `hint: ${hint}\n`}`);
}
