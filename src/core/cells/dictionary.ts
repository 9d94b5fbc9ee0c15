/**
 * Reads the dictionaries of TL-B: Hashmap, HashmapE and their augmented forms, with keys of up to 32 bits
 * (`long-keys.ts` reads longer ones). A lookup follows one path, and a listing visits every node. Both throw if they
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

interface Label {
  readonly length: number;
  readonly bits: number;
}

/** The head of a label: the number of its bits, and their value if all bits are equal and stored once. */
export interface LabelHead {
  readonly length: number;
  /** `undefined`: the bits follow in the cell. */
  readonly repeated: 0 | 1 | undefined;
}

/** Number of bits that hold the numbers 0 to `max`. */
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
 * @param root a slice that begins with the root's label; in `validators#11` the label is in the middle of a cell
 * @param key an unsigned number below 2^keyBits; a negative key is taken modulo 2^32
 * @param skipExtra for augmented dictionaries
 * @returns the value, from after the label (and the extra) to the end of its cell, or `undefined` if the key is not in
 * the dictionary
 * @throws TrustError `trust/pruned` when the proof leaves out a cell of the path
 */
export function lookup(root: Slice, keyBits: number, key: number, skipExtra: SkipExtra = noExtra): Slice | undefined {
  let node = root;
  let left = keyBits;
  // Every round uses at least one bit of the key.
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
    const label = readLabel(node, top.left);
    const left = top.left - label.length;
    // Arithmetic instead of a shift: a shift by 32 bits does nothing.
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
