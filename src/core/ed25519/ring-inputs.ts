/**
 * Copies the arguments that a caller passes to an engine. R is hashed and later compared, and a length is checked and
 * later relied on, so other threads must not be able to write in between. Every element is read once.
 */

import { badArgument } from '../base/arguments.ts';
import { SIGNATURE_BYTES } from '../base/limits.ts';
import { ownBytes, ownList, ownPart } from '../base/own-bytes.ts';

/** Copies that were made here: an engine that passes them on to another engine does not copy them again. */
const ownKeys = new WeakSet<readonly Uint8Array[]>();

/**
 * Copies keys of any length; the ring decides which of them are valid keys. @throws UsageError for anything but bytes
 */
export function copyKeys(publicKeys: readonly Uint8Array[]): readonly Uint8Array[] {
  if (ownKeys.has(publicKeys)) return publicKeys;
  const own = ownList(publicKeys, 'publicKeys');
  for (let at = 0; at < own.length; at++) own[at] = ownBytes(own[at], `publicKeys[${at}]`);
  ownKeys.add(own);
  return own;
}

/** The key of each signature. @throws UsageError for anything but numbers; a number that is not an index means no key */
export function copyIndexes(keyIndexes: readonly number[]): readonly number[] {
  const own = ownList(keyIndexes, 'keyIndexes');
  for (let at = 0; at < own.length; at++) {
    if (typeof own[at] !== 'number') throw badArgument(`keyIndexes[${at}]`, 'a number', own[at]);
  }
  return own;
}

/** The arguments of one call of `KeyRing.verify`. */
export interface RingInputs {
  readonly message: Uint8Array;
  readonly keyIndexes: readonly number[];
  /**
   * As many as `keyIndexes`; `undefined` for a signature that is missing or does not have 64 bytes, which is never
   * valid.
   */
  readonly signatures: readonly (Uint8Array | undefined)[];
}

/** Copies the arguments. @throws UsageError for anything but bytes and numbers */
export function copyInputs(
  message: Uint8Array,
  keyIndexes: readonly number[],
  signatures: readonly Uint8Array[],
): RingInputs {
  const indexes = copyIndexes(keyIndexes);
  const given = ownList(signatures, 'signatures');
  // One buffer for all of them, no larger than what was given.
  const whole = new Uint8Array(SIGNATURE_BYTES * Math.min(indexes.length, given.length));
  const copies: (Uint8Array | undefined)[] = [];
  for (let at = 0; at < indexes.length; at++) {
    const signature = given[at];
    const own = ownPart(signature, SIGNATURE_BYTES, whole, at);
    if (own === undefined && signature !== undefined) ownBytes(signature, `signatures[${at}]`); // throws if it is not bytes
    copies.push(own);
  }
  return { message: ownBytes(message, 'message'), keyIndexes: indexes, signatures: copies };
}
