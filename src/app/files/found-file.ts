/**
 * Opens files that this program finds by itself, in addition to those that a user names. They are read only if no other user can have made
 * or changed them, never through a link, and without waiting.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { DecodeError, type UsageError } from '../../core/base/errors.ts';
import { badFile, codeOf, FILE_HINT } from './system-error.ts';

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants; // Windows lacks the first two flags
const WRITABLE_BY_OTHERS = 0o022;
const CHUNK_BYTES = 1 << 20;

/** Names the kind of a file that is not a plain one. */
export function kindOf(file: Stats): string {
  if (file.isSymbolicLink()) return 'a symbolic link';
  if (file.isDirectory()) return 'a directory';
  if (file.isFIFO()) return 'a pipe';
  if (file.isSocket()) return 'a socket';
  return 'a device';
}

/** Returns whether users other than the owner may write to a file. Windows has other rights, and no user ids. */
export function othersMayWrite({ mode }: Stats): boolean {
  return process.getuid !== undefined && (mode & WRITABLE_BY_OTHERS) !== 0;
}

/** Returns why a file must not be trusted; `undefined` for a plain file that only this user can write to. */
function whyNot(file: Stats): string | undefined {
  if (!file.isFile()) return `expected a plain file, got ${kindOf(file)}`;
  const uid = process.getuid?.();
  if (uid !== undefined && file.uid !== uid) return 'it belongs to another user';
  return othersMayWrite(file) ? 'other users may write to it' : undefined;
}

function refused(path: string, message: string, cause?: unknown): UsageError {
  const hint = 'remove the file, pass a name in a folder you own, or make the file yours with chown and chmod go-w';
  return badFile(path, message, hint, cause);
}

/** @returns `undefined` if there is no such file @throws UsageError for a file that another user may have made */
export function openFound(path: string): number | undefined {
  let handle: number;
  try {
    handle = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK') throw refused(path, 'expected a plain file, got a symbolic link', error);
    throw refused(path, `cannot be read (${code})`, error);
  }
  const file = fstatSync(handle);
  const fault = whyNot(file);
  if (fault === undefined) return handle;
  closeSync(handle);
  throw file.isDirectory() ? badFile(path, fault, FILE_HINT) : refused(path, fault);
}

/**
 * Reads a whole file that was found.
 * @returns `undefined` if there is no file
 * @throws UsageError for a file that another user may have made; DecodeError `decode/too-large`
 */
export function readFoundFile(path: string, maxBytes: number): Uint8Array | undefined {
  const handle = openFound(path);
  if (handle === undefined) return undefined;
  try {
    const chunks: Uint8Array[] = [];
    for (let length = 0; ; ) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, maxBytes + 1 - length));
      const bytes = readSync(handle, chunk);
      if (bytes === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, bytes));
      length += bytes;
      if (length > maxBytes) {
        throw new DecodeError('decode/too-large', `expected at most ${maxBytes} bytes, got more`, { path });
      }
    }
  } finally {
    closeSync(handle);
  }
}
