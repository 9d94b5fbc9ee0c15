/** Turns errors of the system about a file into errors of this library. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../core/base/errors.ts';

/** Returns the code of a system error, such as ENOENT; `undefined` for any other error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Makes the error of a file that cannot be used. @param path the file, or the flag that names it */
export function badFile(path: string, message: string, hint?: string, cause?: unknown): UsageError {
  return new UsageError('usage/bad-option', message, { path, hint, cause });
}

/** For anything but a plain file. */
export const FILE_HINT = 'pass the name of a plain file';

/** @param path the file, or the flag that names it @param folder where the file would be */
export function cannotWrite(path: string, cause: unknown, folder = resolve(dirname(path))): UsageError {
  const code = codeOf(cause);
  if (code === 'EISDIR') return badFile(path, 'expected a plain file to write to, got a directory', FILE_HINT, cause);
  if (code !== 'ENOENT' || existsSync(folder)) return badFile(path, `cannot be written (${code})`, undefined, cause);
  const hint = `make it with mkdir -p ${folder}`;
  return badFile(path, `cannot be written: the folder ${folder} does not exist`, hint, cause);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'expected a file, got a directory',
  EACCES: 'no permission to read it',
};

/** @param ifMissing what to do if there is no such file */
export function cannotRead(path: string, cause: unknown, ifMissing?: string): UsageError {
  const code = codeOf(cause) ?? '';
  const hint = code === 'ENOENT' ? ifMissing : undefined;
  return badFile(path, REASONS[code] ?? `cannot be read (${code})`, hint, cause);
}

/** Returns another value where a read throws. */
export function orElse<T>(read: () => T, other: T): T {
  try {
    return read();
  } catch {
    return other;
  }
}
