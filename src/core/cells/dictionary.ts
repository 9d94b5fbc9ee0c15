/**
 * Reads the dictionaries of TL-B: Hashmap, HashmapE and their augmented forms (`long-keys.ts` walks through those with
 * long keys). A lookup follows one path, and a listing visits every node. Both throw if they
 * meet a pruned cell, so "not in the dictionary" always means that the whole path was there. Readers that skip pruned
 * branches would let a server hide an entry.
 *
 * Source: ton `crypto/block/block.tlb`, hm_edge, hmn_leaf, hmn_fork, hml_short, hml_long, hml_same;
 * `crypto/vm/dict.cpp`, LabelParser and AugmentedDictionary.
 */
import type { DecodeError } from '../base/errors.ts';
import { Slice } from './slice.ts';

/** Reads the extra of a node of an augmented dictionary, which comes before the value. Reads exactly the extra. */
export type SkipExtra = (slice: Slice) => void;

export const noExtra: SkipExtra = () => {};

function tooLong(node: Slice, length: number, keyBits: number): DecodeError {
  return node.error(`label of ${length} bits where the key has ${keyBits} left`);
}

/**
 * hml_short$0 {m:#} {n:#} len:(Unary ~n) {n <= m} s:(n * Bit); hml_long$10 n:(#<= m) s:(n * Bit);
 * hml_same$11 v:Bit n:(#<= m)
 * @returns the number of its bits, and their value if all bits are equal and stored once; otherwise the bits follow
 */
export function readLabelHead(node: Slice, keyBits: number): { length: number; repeated: 0 | 1 | undefined } {
  let length = 0;
  if (!node.bit()) {
    while (node.bit()) {
      length++;
      if (length > keyBits) throw tooLong(node, length, keyBits);
    }
    return { length, repeated: undefined };
  }
  const same = node.bit();
  const repeated = same ? (node.bit() ? 1 : 0) : undefined;
  length = node.uint(32 - Math.clz32(keyBits));
  if (length > keyBits) throw tooLong(node, length, keyBits);
  return { length, repeated };
}

/** Number of bits that are compared or copied together. */
export const CHUNK_BITS = 24;

/** Reads `count` bits of a key from bit `at` on, 0 to 24 of them. */
export function bitsOf(key: Uint8Array, at: number, count: number): number {
  let value = 0;
  // 24 bits with any start lie in at most four bytes. The top byte is masked, so the number stays below 2^31.
  const first = at >> 3;
  const last = (at + count - 1) >> 3;
  for (let k = first; k <= last; k++) value = value * 256 + (key[k]! & (k === first ? 0xff >>> (at & 7) : 0xff));
  return count === 0 ? 0 : value >>> (7 - ((at + count - 1) & 7));
}

/** Reads a whole label and returns whether it is a prefix of the rest of the key. */
function labelMatches(node: Slice, key: Uint8Array, at: number, length: number, repeated: 0 | 1 | undefined): boolean {
  let isPrefix = true;
  for (let done = 0; done < length; ) {
    const count = Math.min(CHUNK_BITS, length - done);
    const got = repeated === undefined ? node.uint(count) : repeated * (2 ** count - 1);
    isPrefix &&= got === bitsOf(key, at + done, count);
    done += count;
  }
  return isPrefix;
}

/**
 * Looks up one key in a Hashmap (not HashmapE).
 * @param root a slice that begins with the root's label
 * @param key as long as the keys of the dictionary
 * @param skipExtra for augmented dictionaries; the caller reads the extra of the entry
 * @param rootTail number of references that follow the dictionary in the cell of the root. If the root is the entry,
 * the caller gets `root` back and reads them.
 * @param keyBits number of bits of `key` that are the key
 * @returns the entry, from after the label to the end of its cell, or `undefined` if the key is not in the dictionary
 * @throws TrustError `trust/pruned` when the proof leaves out a cell of the path
 */
export function lookupBytes(
  root: Slice,
  key: Uint8Array,
  skipExtra: SkipExtra = noExtra,
  rootTail = 0,
  keyBits = key.length * 8,
): Slice | undefined {
  let node = root;
  // Every round uses at least one bit of the key.
  for (let at = 0; ; ) {
    const { length, repeated } = readLabelHead(node, keyBits - at);
    if (!labelMatches(node, key, at, length, repeated)) return undefined;
    at += length;
    if (at === keyBits) return node;
    const right = bitsOf(key, at, 1) === 1;
    at++;
    const zero = node.ref();
    const one = node.ref();
    skipExtra(node);
    if (node === root) node.skipRefs(rootTail);
    node.end();
    node = new Slice(right ? one : zero, node.path);
  }
}

/**
 * Looks up a key of up to 32 bits.
 * @param root a slice that begins with the root's label; in `validators#11` the label is in the middle of a cell
 * @param key an unsigned number below 2^keyBits; a negative key is taken modulo 2^32
 * @param skipExtra for augmented dictionaries
 * @returns the value, from after the label (and the extra) to the end of its cell, or `undefined` if the key is not in
 * the dictionary
 * @throws TrustError `trust/pruned` when the proof leaves out a cell of the path
 */
export function lookup(root: Slice, keyBits: number, key: number, skipExtra: SkipExtra = noExtra): Slice | undefined {
  const bits = new Uint8Array(4);
  new DataView(bits.buffer).setUint32(0, key << (32 - keyBits));
  const entry = lookupBytes(root, bits, skipExtra, 0, keyBits);
  if (entry !== undefined) skipExtra(entry);
  return entry;
}

/**
 * Visits every entry of a Hashmap in the order of keys.
 * @param maxEntries a longer listing throws; the size of a bag limits nothing, since cells can be shared
 * @param visit gets the key and the slice of the value, and reads the whole value
 * @param below visits only keys below this one; branches without such keys are not opened and may be pruned
 */
export function forEachEntry(
  root: Slice,
  keyBits: number,
  maxEntries: number,
  visit: (key: number, value: Slice) => void,
  below = 2 ** keyBits,
): void {
  // The stack holds at most as many forks as the key has bits.
  const stack: { node: Slice; left: number; prefix: number }[] = [{ node: root, left: keyBits, prefix: 0 }];
  let entries = 0;
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { node } = top;
    const { length, repeated } = readLabelHead(node, top.left);
    const left = top.left - length;
    // Arithmetic instead of a shift: a shift by 32 bits does nothing.
    const bits = repeated === undefined ? node.uint(length) : repeated * (2 ** length - 1);
    const prefix = top.prefix * 2 ** length + bits;
    if (prefix * 2 ** left >= below) continue;
    if (left === 0) {
      if (++entries > maxEntries) throw root.error(`expected at most ${maxEntries} entries`);
      visit(prefix, node);
      continue;
    }
    const zero = node.ref();
    const one = node.ref();
    node.end();
    const right = prefix * 2 + 1;
    if (right * 2 ** (left - 1) < below) stack.push({ node: new Slice(one, node.path), left: left - 1, prefix: right });
    stack.push({ node: new Slice(zero, node.path), left: left - 1, prefix: right - 1 });
  }
}
