/**
 * Bytes that a caller hands in, as a copy that nobody else can write to: not through the array it was made from, not
 * through another view of its buffer, not from another thread. `slice` is not that: of a Node Buffer it is a view.
 */
import { badArgument, requireList } from './arguments.ts';
import { isBytes, isBytesOf, lengthOfBytes } from './bytes.ts';
import { DecodeError, UsageError } from './errors.ts';
import { requireAtMost } from './json-structure.ts';
import { MAX_LIST } from './limits.ts';

function copyOf(bytes: Uint8Array, path: string, at?: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(bytes);
  } catch (cause) {
    throw new UsageError('usage/bad-option', 'expected a Uint8Array, got a detached one', {
      path: at === undefined ? path : `${path}[${at}]`,
      cause,
    });
  }
}

/**
 * A copy, of any length.
 * @param at for the element of a list: its path is put together only for an error
 * @throws UsageError for anything but bytes
 */
export function ownElement(bytes: unknown, path: string, at?: number): Uint8Array<ArrayBuffer> {
  if (!isBytes(bytes)) throw badArgument(at === undefined ? path : `${path}[${at}]`, 'a Uint8Array', bytes);
  return copyOf(bytes, path, at);
}

/**
 * A copy; whatever is to be checked, its length included, is checked of the copy.
 * @param most bytes that will be held
 * @throws UsageError for anything but bytes; DecodeError `decode/too-large`
 */
export function ownBytes(bytes: unknown, path: string, most = Number.POSITIVE_INFINITY): Uint8Array<ArrayBuffer> {
  if (!isBytes(bytes)) throw badArgument(path, 'a Uint8Array', bytes);
  requireAtMost(most, lengthOfBytes(bytes), path, ' bytes'); // before the copy is made
  const own = copyOf(bytes, path);
  requireAtMost(most, own.length, path, ' bytes');
  return own;
}

/**
 * A copy in its place, the `at`-th, among others of the same length that stand in one piece of memory. Makes no garbage.
 * @returns `undefined`, and has written nothing, for what is not that many bytes: the caller has the words for it
 */
export function ownPart(bytes: unknown, length: number, whole: Uint8Array, at: number): Uint8Array | undefined {
  if (!isBytesOf(length, bytes)) return undefined;
  const own = new Uint8Array(whole.buffer, whole.byteOffset + length * at, length);
  try {
    own.set(bytes);
  } catch {
    return undefined; // memory that is shared and grew meanwhile
  }
  return own;
}

/** A copy of exactly `length` bytes. @throws UsageError for anything else */
export function ownBytesOf(length: number, bytes: unknown, path: string): Uint8Array<ArrayBuffer> {
  const own = isBytes(bytes) ? copyOf(bytes, path) : undefined;
  if (own?.length === length) return own;
  throw badArgument(path, `a Uint8Array of ${length} bytes`, own ?? bytes);
}

/**
 * The elements of an array, each read once.
 * @param most elements that will be held; the default is above anything that is handed in at once
 * @throws UsageError for anything but an array; DecodeError `decode/too-large`
 */
export function ownList<T>(list: readonly T[], path: string, most = MAX_LIST): T[] {
  requireList(list, path);
  const { length } = list;
  if (!(length <= most)) throw new DecodeError('decode/too-large', `expected at most ${most}, got ${length}`, { path });
  const own: T[] = [];
  for (let at = 0; at < length; at++) own.push(list[at]!);
  return own;
}
