/**
 * Writes a file completely or not at all, so that neither a reader nor a crash ever finds half of it. Only a plain file is replaced: a
 * device, pipe or link of that name stays.
 */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, sep } from 'node:path';
import { UsageError } from '../../core/base/errors.ts';
import { kindOf } from './found-file.ts';
import { badFile, cannotWrite, codeOf, FILE_HINT, orElse } from './system-error.ts';
import { remove, temporaryBeside, tidyBeside } from './temporary-file.ts';

const PERMISSIONS = 0o777;
/** Permissions to keep of a file that must not be changed by other users, even if they might write to the file before. */
export const OWN_TO_WRITE = 0o755;

/** Returns the file that would be replaced; `undefined` if there is none. @throws UsageError for anything but a plain file */
function replaceable(path: string): fs.Stats | undefined {
  const file = fs.lstatSync(path, { throwIfNoEntry: false });
  if (file === undefined || file.isFile()) return file;
  throw badFile(path, `expected a plain file to write to, got ${kindOf(file)}`, FILE_HINT);
}

/** @throws UsageError as `act` fails */
export function orRefuse<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw cannotWrite(path, error);
  }
}

/** Checks that a name can be that of a file. @param option that names the file @throws UsageError */
export function requireFileName(path: string, option: string): void {
  if (path === '' || path === '-' || path.endsWith(sep)) throw badFile(option, 'expected the name of a file');
}

/** Checks before any work that the file can be written. @param option that names the file @throws UsageError */
export function requireWritable(path: string, option = '--out'): void {
  requireFileName(path, option);
  orRefuse(path, () => {
    fs.accessSync(dirname(path), fs.constants.W_OK);
    if (replaceable(path) !== undefined) fs.accessSync(path, fs.constants.W_OK);
  });
}

/** Checks that the result does not replace an input. @throws UsageError */
export function requireNoInput(path: string, inputs: readonly (string | undefined)[], option = '--out'): void {
  const place = fs.lstatSync(path, { throwIfNoEntry: false });
  if (place === undefined) return;
  for (const input of inputs) {
    const file = orElse(() => fs.statSync(input ?? ''), undefined); // its reader says why it cannot be read
    if (file === undefined || file.dev !== place.dev || file.ino !== place.ino) continue;
    throw badFile(option, `${path} is one of the files that are read`, 'pass a different name for the result');
  }
}

/** Makes the new name survive a power cut, where the system can sync a directory. */
function syncFolder(folder: string): void {
  try {
    const handle = fs.openSync(folder, 'r');
    try {
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP'].includes(codeOf(error) ?? '')) throw error;
  }
}

/** Gives a new file the permissions of the file that it replaces, as far as they are kept, and the owner if that is allowed. */
function takeOver(handle: number, old: fs.Stats, kept: number): void {
  try {
    fs.fchownSync(handle, old.uid, old.gid);
  } catch (error) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP'].includes(codeOf(error) ?? '')) throw error;
  }
  fs.fchmodSync(handle, old.mode & kept);
}

/** A new file next to the target, which replaces the target when it is complete. */
type Fresh = ReturnType<typeof begin>;

/** Makes an empty file with the permissions of the file that it will replace. */
function begin(path: string, temporary = temporaryBeside(path, randomBytes(8).toString('hex')), kept = PERMISSIONS) {
  const old = replaceable(path);
  const handle = fs.openSync(temporary, 'wx', 0o644);
  try {
    if (old !== undefined) takeOver(handle, old, kept);
    tidyBeside(path, fs.fstatSync(handle).mtimeMs);
    return { temporary, handle };
  } catch (error) {
    giveUp({ temporary, handle });
    throw error;
  }
}

/** Makes the file that `replaceBy` renames, for a writer that opens it itself. @throws UsageError */
export function beginReplacement(temporary: string, path: string): void {
  orRefuse(path, () => fs.closeSync(begin(path, temporary).handle));
}

function putInPlace(temporary: string, path: string, lasts: boolean): void {
  replaceable(path); // the target may have changed meanwhile
  fs.renameSync(temporary, path);
  if (lasts) syncFolder(dirname(path));
}

/** Gives a complete file the name of the file that it replaces. @throws UsageError */
export function replaceBy(temporary: string, path: string): void {
  orRefuse(path, () => putInPlace(temporary, path, true));
}

/** Brings the file to disk and gives it the name of the target. */
function finish(path: string, { temporary, handle }: Fresh, lasts = true): void {
  fs.fsyncSync(handle);
  fs.closeSync(handle);
  putInPlace(temporary, path, lasts);
}

function giveUp({ temporary, handle }: Fresh): void {
  try {
    fs.closeSync(handle);
  } catch {
    // it was closed before the rename failed
  }
  remove(temporary);
}

/**
 * Writes to a new file next to the target, brings it to disk, and renames it over the target. All of this runs without a break, so that a
 * signal never finds it half done.
 * @param lasts whether its name is brought to disk too: without that, a power cut may leave the complete previous file
 * @param kept permissions that the new file may have of the target
 * @throws UsageError `bad-option` when the file cannot be written; the target is then unchanged
 */
export function writeFileAtomically(path: string, text: string | Uint8Array, lasts = true, kept = PERMISSIONS): void {
  requireWritable(path);
  orRefuse(path, () => {
    const fresh = begin(path, undefined, kept);
    try {
      fs.writeFileSync(fresh.handle, text);
      finish(path, fresh, lasts);
    } catch (error) {
      giveUp(fresh);
      throw error;
    }
  });
}

/**
 * Writes a text that is longer than memory in pieces, as `writeFileAtomically` does. A signal removes the unfinished file.
 * @param beforeStop registers what a signal that ends the run calls first, and returns a function that undoes it
 * @throws UsageError, and errors of the pieces
 */
export async function writeFileInPieces(
  path: string,
  pieces: AsyncIterable<string>,
  beforeStop: (undo: () => void) => () => void,
): Promise<void> {
  requireWritable(path);
  const fresh = orRefuse(path, () => begin(path));
  const takeBack = beforeStop(() => remove(fresh.temporary));
  try {
    for await (const piece of pieces) orRefuse(path, () => fs.writeFileSync(fresh.handle, piece));
    orRefuse(path, () => finish(path, fresh));
  } catch (error) {
    giveUp(fresh);
    throw error;
  } finally {
    takeBack();
  }
}
