/**
 * Reads the dictionaries of TL-B: Hashmap, HashmapE and their augmented forms, keys of up to 32 bits (longer ones: `long-keys.ts`). A lookup walks
 * one path, a listing visits every node; both throw on a pruned cell in their way, so that "not in the dictionary" is
 * only ever said of a path that is wholly there. (Generic readers skip pruned branches, and a server could hide an
 * entry behind one.)
 *
 * Source: ton `crypto/block/block.tlb`, hm_edge, hmn_leaf, hmn_fork, hml_short, hml_long, hml_same;
 * `crypto/vm/dict.cpp`, LabelParser and AugmentedDictionary.
 */
import type { DecodeError } from '../base/errors.ts';
import { Slice } from './slice.ts';

/** What stands in every node of an augmented dictionary before the value. Reads exactly that. */
export type SkipExtra = (slice: Slice) => void;

export const noExtra: SkipExtra = () => {};

interface Label {
  readonly length: number;
  readonly bits: number;
}

/** A label up to its bits: how many there are, and their one value where it is said once for all. */
export interface LabelHead {
  readonly length: number;
  /** `undefined`: the bits stand in the cell, next. */
  readonly repeated: 0 | 1 | undefined;
}

/** Bits that hold the numbers 0 to `max`. */
function bitLength(max: number): number {
  return 32 - Math.clz32(max);
}

/** The lowest `bits` bits set, 0 to 32 of them. */
function ones(bits: number): number {
  return bits === 0 ? 0 : 0xffffffff >>> (32 - bits);
}

function tooLong(node: Slice, length: number, keyBits: number): DecodeError {
  return node.error(`label of ${length} bits where the key has ${keyBits} left`);
}

/**
 * hml_short$0 {m:#} {n:#} len:(Unary ~n) {n <= m} s:(n * Bit); hml_long$10 n:(#<= m) s:(n * Bit);
 * hml_same$11 v:Bit n:(#<= m)
 */
export function readLabelHead(node: Slice, keyBits: number): LabelHead {
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
  length = node.uint(bitLength(keyBits));
  if (length > keyBits) throw tooLong(node, length, keyBits);
  return { length, repeated };
}

function readLabel(node: Slice, keyBits: number): Label {
  const { length, repeated } = readLabelHead(node, keyBits);
  if (repeated === undefined) return { length, bits: node.uint(length) };
  return { length, bits: repeated === 1 ? ones(length) : 0 };
}

/** The top `count` of the low `keyBits` bits of a key. */
function topBits(key: number, keyBits: number, count: number): number {
  return count === 0 ? 0 : (key >>> (keyBits - count)) & ones(count);
}

/**
 * Looks up one key in a Hashmap (not HashmapE).
 * @param root a slice that stands at the root's label; in `validators#11` that is in the middle of a cell
 * @param key an unsigned number below 2^keyBits; a negative one is taken modulo 2^32
 * @param skipExtra for augmented dictionaries
 * @returns the value, from after the label (and the extra) to the end of its cell, or `undefined` if the key is not
 * in the dictionary
 * @throws TrustError `trust/pruned` when the path to the key is not there
 */
export function lookup(root: Slice, keyBits: number, key: number, skipExtra: SkipExtra = noExtra): Slice | undefined {
  let node = root;
  let left = keyBits;
  // Every turn takes at least one bit of the key.
  for (;;) {
    const label = readLabel(node, left);
    if (((label.bits ^ topBits(key, left, label.length)) & ones(label.length)) !== 0) return undefined;
    left -= label.length;
    if (left === 0) {
      skipExtra(node);
      return node;
    }
    left--;
    const right = ((key >>> left) & 1) !== 0;
    const zero = node.ref();
    const one = node.ref();
    skipExtra(node);
    node.end();
    node = new Slice(right ? one : zero, node.path);
  }
}

/**
 * Visits every entry of a Hashmap in the order of keys.
 * @param maxEntries a listing that would pass this ends in an error; the shape of a dictionary bounds nothing, since
 * cells can be shared
 * @param visit gets the key and the value's slice and reads all of it
 * @param below only keys below this are wanted: what can hold no such key is not opened, and may be pruned
 */
export function forEachEntry(
  root: Slice,
  keyBits: number,
  maxEntries: number,
  visit: (key: number, value: Slice) => void,
  below = 2 ** keyBits,
): void {
  // Forks on the stack are at most as many as the key has bits.
  const stack: { node: Slice; left: number; prefix: number }[] = [{ node: root, left: keyBits, prefix: 0 }];
  let entries = 0;
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { node } = top;
    const label = readLabel(node, top.left);
    const left = top.left - label.length;
    // Arithmetic instead of shifts: a shift by 32 would be none.
    const prefix = top.prefix * 2 ** label.length + label.bits;
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

/** hme_empty$0 / hme_root$1 root:^(Hashmap n X): the root to walk, or `undefined` when the dictionary is empty. */
export function readRoot(slice: Slice, name: string): Slice | undefined {
  return slice.bit() ? slice.refSlice(name) : undefined;
}
