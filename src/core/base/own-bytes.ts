/**
 * Copies bytes that a caller passes in, so that the caller cannot change them later through the array, a different view
 * of its buffer or a thread. `slice` would not do: for a Node Buffer it returns a view.
 */
import { badArgument, requireArray } from './arguments.ts';
import { isBytes, isBytesOf, lengthOfBytes } from './bytes.ts';
import { DecodeError, UsageError } from './errors.ts';
import { requireAtMost } from './json-structure.ts';
import { MAX_LIST } from './limits.ts';

declare const owned: unique symbol;

/**
 * A value in bytes that no other code can write to: copied from a caller's, or read from bytes that were copied. Functions
 * that take it do not copy it. It exists in types only. Callers never get such a value, only copies of it.
 */
export type Own<T> = T & { readonly [owned]: true };

function copyOf(bytes: Uint8Array, path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(bytes);
  } catch (cause) {
    throw new UsageError('usage/bad-option', 'expected a Uint8Array, got a detached one', { path, cause });
  }
}

/**
 * Copies bytes of any length, or up to a limit. Callers check the copy, including its length, and not the original.
 * @param most largest number of bytes
 * @throws UsageError for anything but bytes; DecodeError `decode/too-large`
 */
export function ownBytes(bytes: unknown, path: string, most = Number.POSITIVE_INFINITY): Uint8Array<ArrayBuffer> {
  if (!isBytes(bytes)) throw badArgument(path, 'a Uint8Array', bytes);
  requireAtMost(most, lengthOfBytes(bytes), path, ' bytes'); // before copying
  const own = copyOf(bytes, path);
  requireAtMost(most, own.length, path, ' bytes');
  return own;
}

/**
 * Copies bytes into the `at`-th place of a buffer for values of one length. Allocates nothing.
 * @returns `undefined`, with nothing written, for a value with a different length: the caller makes the error
 */
export function ownPart(bytes: unknown, length: number, whole: Uint8Array, at: number): Uint8Array | undefined {
  if (!isBytesOf(length, bytes)) return undefined;
  const own = new Uint8Array(whole.buffer, whole.byteOffset + length * at, length);
  try {
    own.set(bytes);
  } catch {
    return undefined; // shared memory that grew during the copy
  }
  return own;
}

/** Copies exactly `length` bytes. @throws UsageError for anything else */
export function ownBytesOf(length: number, bytes: unknown, path: string): Uint8Array<ArrayBuffer> {
  const own = isBytes(bytes) ? copyOf(bytes, path) : undefined;
  if (own?.length === length) return own;
  throw badArgument(path, `a Uint8Array of ${length} bytes`, own ?? bytes);
}

/**
 * Copies the elements of an array, reading each once.
 * @param most largest number of elements; the default is more than any call needs
 * @throws UsageError for anything but an array; DecodeError `decode/too-large`
 */
export function ownList<T>(list: readonly T[], path: string, most = MAX_LIST): T[] {
  requireArray(list, path);
  const { length } = list;
  if (!(length <= most)) throw new DecodeError('decode/too-large', `expected at most ${most}, got ${length}`, { path });
  const own: T[] = [];
  for (let at = 0; at < length; at++) own.push(list[at]!);
  return own;
}
