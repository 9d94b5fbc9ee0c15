/**
 * Dictionaries whose keys are byte strings: accounts (256 bits) and logical times (64). The same rules as in
 * `dictionary.ts`: a pruned cell in the way throws, so "not in the dictionary" is only ever said of a path that is there.
 */
import { ownMembers } from '../base/present.ts';
import type { Cell } from './cell.ts';
import { noExtra, readLabelHead, type SkipExtra } from './dictionary.ts';
import { Slice } from './slice.ts';

/** Bits that are compared or copied at a time. */
const CHUNK = 24;

/** `count` bits of a key from bit `at` on, 0 to 24 of them. */
function bitsOf(key: Uint8Array, at: number, count: number): number {
  let value = 0;
  // At most four bytes hold 24 bits that start anywhere; the top byte is masked, so nothing passes 2^31.
  const first = at >> 3;
  const last = (at + count - 1) >> 3;
  for (let k = first; k <= last; k++) value = value * 256 + (key[k]! & (k === first ? 0xff >>> (at & 7) : 0xff));
  return count === 0 ? 0 : value >>> (7 - ((at + count - 1) & 7));
}

/** Reads a label and says whether it is a prefix of what is left of the key. */
function labelMatches(node: Slice, key: Uint8Array, at: number, length: number, repeated: 0 | 1 | undefined): boolean {
  for (let done = 0; done < length; ) {
    const count = Math.min(CHUNK, length - done);
    const got = repeated === undefined ? node.uint(count) : repeated * (2 ** count - 1);
    if (got !== bitsOf(key, at + done, count)) return false;
    done += count;
  }
  return true;
}

/**
 * Looks up one key in a Hashmap (not HashmapE).
 * @param root a slice that stands at the root's label
 * @param key as long as the keys of the dictionary
 * @param skipExtra for augmented dictionaries; the extra of the entry itself is left to the caller
 * @param rootTail references that follow the dictionary in the cell of its root; where the root is the entry they are
 * left to the caller, who then gets `root` itself back
 * @returns the entry, from after the label to the end of its cell, or `undefined` if the key is not in the dictionary
 * @throws TrustError `trust/pruned` when the path to the key is not there
 */
export function lookupBytes(
  root: Slice,
  key: Uint8Array,
  skipExtra: SkipExtra = noExtra,
  rootTail = 0,
): Slice | undefined {
  const keyBits = key.length * 8;
  let node = root;
  // Every turn takes at least one bit of the key.
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

/** How to walk. */
export interface WalkOrder {
  /** From the highest key down. */
  readonly reverse?: boolean;
  /** The first key that is wanted; what can only hold keys before it is not opened, and may be pruned. */
  readonly from?: Uint8Array | undefined;
  /** A walk that would pass this ends in an error: cells can be shared, so the shape of a dictionary bounds nothing. */
  readonly maxEntries: number;
  readonly skipExtra?: SkipExtra;
  /** As for `lookupBytes`. */
  readonly rootTail?: number;
}

/** Whether every key that starts with these bits comes before `from`. */
function isBefore(prefix: Uint8Array, bits: number, { from, reverse = false }: WalkOrder): boolean {
  if (from === undefined) return false;
  for (let at = 0; at < bits; at += CHUNK) {
    const count = Math.min(CHUNK, bits - at);
    const [a, b] = [bitsOf(prefix, at, count), bitsOf(from, at, count)];
    if (a !== b) return a < b !== reverse;
  }
  return false;
}

function setBits(key: Uint8Array, at: number, value: number, count: number): void {
  for (let k = 0; k < count; k++) {
    if ((value >>> (count - 1 - k)) & 1) key[(at + k) >> 3]! |= 0x80 >>> ((at + k) & 7);
  }
}

/**
 * Visits entries of a Hashmap in the order of keys, opening nothing before it is needed.
 * @param visit gets the key (its own copy) and the entry's slice, at its extra, and reads all of it; false ends the walk
 * @returns whether the walk came to the end of the dictionary
 * @throws TrustError `trust/pruned` when a cell on the way is not there
 */
export function walkEntries(
  root: Slice,
  keyBytes: number,
  order: WalkOrder,
  visit: (key: Uint8Array, entry: Slice) => boolean,
): boolean {
  const { reverse = false, maxEntries, skipExtra = noExtra, rootTail = 0 } = ownMembers(order);
  const keyBits = keyBytes * 8;
  // Forks on the stack are at most as many as the key has bits.
  const stack: { cell: Cell | Slice; prefix: Uint8Array; at: number }[] = [
    { cell: root, prefix: new Uint8Array(keyBytes), at: 0 },
  ];
  let entries = 0;
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { prefix } = top;
    if (isBefore(prefix, top.at, order)) continue;
    const node = top.cell instanceof Slice ? top.cell : new Slice(top.cell, root.path);
    const { length, repeated } = readLabelHead(node, keyBits - top.at);
    for (let done = 0; done < length; ) {
      const count = Math.min(CHUNK, length - done);
      setBits(prefix, top.at + done, repeated === undefined ? node.uint(count) : repeated * (2 ** count - 1), count);
      done += count;
    }
    const at = top.at + length;
    if (isBefore(prefix, at, order)) continue;
    if (at === keyBits) {
      if (++entries > maxEntries) throw root.error(`expected at most ${maxEntries} entries`);
      if (!visit(prefix, node)) return false;
      continue;
    }
    const zero = { cell: node.ref(), prefix: prefix.slice(), at: at + 1 };
    const one = { cell: node.ref(), prefix: prefix.slice(), at: at + 1 };
    setBits(one.prefix, at, 1, 1);
    skipExtra(node);
    if (node === root) node.skipRefs(rootTail);
    node.end();
    stack.push(...(reverse ? [zero, one] : [one, zero]));
  }
  return true;
}
