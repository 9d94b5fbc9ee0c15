/** What the system says of a file that cannot be used. */
import { UsageError } from '../../core/base/errors.ts';

/** The code of a failure of the system, as ENOENT; `undefined` for any other error. */
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
