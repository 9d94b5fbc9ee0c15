/** Turns errors of the system about a file into errors of this library. */
import { UsageError } from '../../core/base/errors.ts';

/** Returns the code of a system error, such as ENOENT; `undefined` for any other error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Makes the error of a file that cannot be used. @param path the file, or the flag that names it */
export function badFile(path: string, message: string, hint?: string, cause?: unknown): UsageError {
  return new UsageError('usage/bad-option', message, { path, hint, cause });
}

export function cannotWrite(path: string, cause: unknown): UsageError {
  return badFile(path, `cannot be written (${codeOf(cause)})`, undefined, cause);
}

export function cannotRead(path: string, cause: unknown): UsageError {
  const code = codeOf(cause);
  return badFile(path, code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`, undefined, cause);
}
