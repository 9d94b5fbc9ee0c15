/**
 * Bytes that a caller hands in, as a copy that nobody else can write to: not through the array it was made from, not
 * through another view of its buffer, not from another thread. `slice` is not that: of a Node Buffer it is a view.
 */
import { badArgument } from './arguments.ts';
import { isBytes } from './bytes.ts';
import { DecodeError, UsageError } from './errors.ts';

/**
 * A copy; whatever is to be checked, its length included, is checked of the copy.
 * @param most bytes that will be held
 * @throws UsageError for anything but bytes; DecodeError `decode/too-large`
 */
export function ownBytes(bytes: unknown, path: string, most = 2 ** 32): Uint8Array<ArrayBuffer> {
  if (!isBytes(bytes)) throw badArgument(path, 'a Uint8Array', bytes);
  requireAtMost(most, bytes.length, path); // before the copy is made; what it says is not relied on
  let own: Uint8Array<ArrayBuffer>;
  try {
    own = new Uint8Array(bytes);
  } catch (cause) {
    throw new UsageError('usage/bad-option', 'expected a Uint8Array, got one whose memory was handed away', {
      path,
      cause,
    });
  }
  requireAtMost(most, own.length, path);
  return own;
}

function requireAtMost(most: number, length: number, path: string): void {
  if (length > most) {
    throw new DecodeError('decode/too-large', `expected at most ${most} bytes, got ${length}`, { path });
  }
}

/** A copy of exactly `length` bytes. @throws UsageError for anything else */
export function ownBytesOf(length: number, bytes: unknown, path: string): Uint8Array<ArrayBuffer> {
  const wanted = `a Uint8Array of ${length} bytes`;
  if (!isBytes(bytes)) throw badArgument(path, wanted, bytes);
  const own = ownBytes(bytes, path);
  if (own.length === length) return own;
  throw badArgument(path, wanted, own);
}

/**
 * The elements of an array, each read once.
 * @throws UsageError for anything but an array; DecodeError `decode/too-large`
 */
export function ownList(list: unknown, path: string, most = 2 ** 32): unknown[] {
  if (!Array.isArray(list)) throw badArgument(path, 'an array', list);
  const { length } = list;
  if (!(length <= most)) throw new DecodeError('decode/too-large', `expected at most ${most}, got ${length}`, { path });
  const own: unknown[] = [];
  for (let at = 0; at < length; at++) own.push(list[at]);
  return own;
}
