/**
 * A file that is written whole or not at all, so that neither a reader nor a crash ever meets half of it, and only ever in
 * place of a plain file: a device, a pipe or a link of that name stays what it is.
 */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { UsageError } from '../../core/base/errors.ts';
import { kindOf } from './found-file.ts';
import { cannotWrite, codeOf } from './system-error.ts';
import { temporaryBeside, tidyBeside } from './temporary-file.ts';

const PERMISSIONS = 0o777;

function cannot(path: string, message: string, hint?: string): UsageError {
  return new UsageError('usage/bad-option', message, { path, hint });
}

/** What stands there now; `undefined` for nothing. @throws UsageError for anything but a plain file */
function replaceable(path: string): Stats | undefined {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file === undefined || file.isFile()) return file;
  const hint = 'remove it, or pass the name of a plain file';
  throw cannot(path, `expected a plain file to write to, got ${kindOf(file)}`, hint);
}

/** @throws UsageError as `act` fails */
function orRefuse<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (codeOf(error) !== 'ENOENT') throw cannotWrite(path, error);
    const folder = resolve(dirname(path));
    throw cannot(path, `cannot be written: the folder ${folder} does not exist`, `make it with mkdir -p ${folder}`);
  }
}

/** Looks before any work is done whether there is a place for the file. @param option that names it @throws UsageError */
export function requireWritable(path: string, option = '--out'): void {
  if (path === '' || path === '-' || path.endsWith(sep)) throw cannot(option, 'expected the name of a file');
  orRefuse(path, () => {
    accessSync(dirname(path), constants.W_OK);
    if (replaceable(path) !== undefined) accessSync(path, constants.W_OK);
  });
}

/** The result must not take the place of what it was made from. @throws UsageError */
export function requireNoInput(path: string, inputs: readonly (string | undefined)[], option = '--out'): void {
  const place = lstatSync(path, { throwIfNoEntry: false });
  if (place === undefined) return;
  for (const input of inputs) {
    const file = input === undefined ? undefined : statSync(input, { throwIfNoEntry: false });
    if (file === undefined || file.dev !== place.dev || file.ino !== place.ino) continue;
    throw cannot(option, `${path} is one of the files that are read`, 'pass a different name for the result');
  }
}

/** Makes the new name itself last through a power cut, where the system can do that for a directory. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP'].includes(codeOf(error) ?? '')) throw error;
  }
}

/** Gives a new file the owner, where that is allowed, and the permissions of the one it replaces. */
function takeOver(handle: number, old: Stats): void {
  try {
    fchownSync(handle, old.uid, old.gid);
  } catch (error) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP'].includes(codeOf(error) ?? '')) throw error;
  }
  fchmodSync(handle, old.mode & PERMISSIONS);
}

function forget(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // it is not there any more; what went wrong before is what counts
  }
}

/** A new file beside the target, which takes its place when it is whole. */
interface Fresh {
  readonly temporary: string;
  readonly handle: number;
}

function begin(path: string): Fresh {
  const temporary = temporaryBeside(path, randomBytes(8).toString('hex'));
  const handle = openSync(temporary, 'wx', 0o644);
  try {
    tidyBeside(path, fstatSync(handle).mtimeMs);
    const old = replaceable(path);
    if (old !== undefined) takeOver(handle, old);
    return { temporary, handle };
  } catch (error) {
    closeSync(handle);
    forget(temporary);
    throw error;
  }
}

/** Brings it to disk and in the place of the target. */
function finish(path: string, { temporary, handle }: Fresh, lasts = true): void {
  fsyncSync(handle);
  closeSync(handle);
  replaceable(path); // it may have become something else meanwhile
  renameSync(temporary, path);
  if (lasts) syncFolder(dirname(path));
}

function giveUp({ temporary, handle }: Fresh): void {
  try {
    closeSync(handle);
  } catch {
    // it was closed before it could not take its place
  }
  forget(temporary);
}

/**
 * Writes to a new file beside the target, brings it to disk, and renames it over the target. All of it in one go, so that
 * no signal finds it half done.
 * @param lasts whether its name is brought to disk too: without, a power cut may leave what was there before, as a whole
 * @throws UsageError `bad-option` when that cannot be done; the target is then as it was
 */
export function writeFileAtomically(path: string, text: string | Uint8Array, lasts = true): void {
  requireWritable(path);
  orRefuse(path, () => {
    const fresh = begin(path);
    try {
      writeFileSync(fresh.handle, text);
      finish(path, fresh, lasts);
    } catch (error) {
      giveUp(fresh);
      throw error;
    }
  });
}

/**
 * The same for what is longer than memory; a signal takes away what was begun.
 * @param beforeStop keeps what is to be done when a signal ends the run, and gives what takes it back
 * @throws UsageError, and what the pieces throw
 */
export async function writeFileInPieces(
  path: string,
  pieces: AsyncIterable<string>,
  beforeStop: (undo: () => void) => () => void,
): Promise<void> {
  requireWritable(path);
  const fresh = orRefuse(path, () => begin(path));
  const takeBack = beforeStop(() => forget(fresh.temporary));
  try {
    for await (const piece of pieces) orRefuse(path, () => writeFileSync(fresh.handle, piece));
    orRefuse(path, () => finish(path, fresh));
  } catch (error) {
    giveUp(fresh);
    throw error;
  } finally {
    takeBack();
  }
}
