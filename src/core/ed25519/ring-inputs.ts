/**
 * Copies of what a caller hands to an engine. R is hashed and then compared, and a length is checked and then relied on. No
 * thread may write between the two. Every element is read once.
 */

import { badArgument } from '../base/arguments.ts';
import { SIGNATURE_BYTES } from '../base/limits.ts';
import { ownElement, ownList, ownPart } from '../base/own-bytes.ts';

/** Copies that were made here: an engine that hands them on to another one has them copied no second time. */
const ownKeys = new WeakSet<readonly Uint8Array[]>();

/** Keys of any length: whether one is a key is the ring's business. @throws UsageError for anything but bytes */
export function copyKeys(publicKeys: readonly Uint8Array[]): readonly Uint8Array[] {
  if (ownKeys.has(publicKeys)) return publicKeys;
  const own = ownList(publicKeys, 'publicKeys');
  for (let at = 0; at < own.length; at++) own[at] = ownElement(own[at], 'publicKeys', at);
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
  /** As many as indexes, each of 64 bytes; `undefined` where one is missing or of another length, which is never valid. */
  readonly signatures: readonly (Uint8Array | undefined)[];
}

/** @throws UsageError for anything but bytes and numbers */
export function copyInputs(
  message: Uint8Array,
  keyIndexes: readonly number[],
  signatures: readonly Uint8Array[],
): RingInputs {
  const indexes = copyIndexes(keyIndexes);
  const given = ownList(signatures, 'signatures');
  // One piece of memory for all of them, and no more than was given.
  const whole = new Uint8Array(SIGNATURE_BYTES * Math.min(indexes.length, given.length));
  const copies: (Uint8Array | undefined)[] = [];
  for (let at = 0; at < indexes.length; at++) {
    const signature = given[at];
    const own = ownPart(signature, SIGNATURE_BYTES, whole, at);
    if (own === undefined && signature !== undefined) ownElement(signature, 'signatures', at); // throws if it is not bytes
    copies.push(own);
  }
  return { message: ownElement(message, 'message'), keyIndexes: indexes, signatures: copies };
}
