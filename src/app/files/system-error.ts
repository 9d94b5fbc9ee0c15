/** Turns errors of the system about a file into errors of this library. */
import { UsageError } from '../../core/base/errors.ts';

/** Returns the code of a system error, such as ENOENT; `undefined` for any other error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** @param path the file, or the flag that names it */
export function cannotWrite(path: string, cause: unknown, hint?: string): UsageError {
  return new UsageError('usage/bad-option', `cannot be written (${codeOf(cause)})`, { path, cause, hint });
}

export function cannotRead(path: string, cause: unknown): UsageError {
  const code = codeOf(cause);
  const why = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`;
  return new UsageError('usage/bad-option', why, { path, cause });
}
