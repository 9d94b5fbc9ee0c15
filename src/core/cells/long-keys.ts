/**
 * Walks through dictionaries whose keys are byte strings: accounts (256 bits) and logical times (64 bits). The rules of
 * `dictionary.ts` hold.
 */
import { ownMembers } from '../base/present.ts';
import type { Cell } from './cell.ts';
import { bitsOf, CHUNK_BITS, noExtra, readLabelHead, type SkipExtra } from './dictionary.ts';
import { Slice } from './slice.ts';

/** Options of a walk through a dictionary. */
export interface WalkOrder {
  /** Start with the highest key. */
  readonly reverse?: boolean;
  /** The first wanted key. Branches that only contain keys before it are not opened and may be pruned. */
  readonly from?: Uint8Array | undefined;
  /** A longer walk throws. Cells can be shared, so the size of a bag does not limit the walk. */
  readonly maxEntries: number;
  readonly skipExtra?: SkipExtra;
  /** As for `lookupBytes`. */
  readonly rootTail?: number;
}

/** Whether every key that starts with these bits comes before `from`. */
function isBefore(prefix: Uint8Array, bits: number, { from, reverse = false }: WalkOrder): boolean {
  if (from === undefined) return false;
  for (let at = 0; at < bits; at += CHUNK_BITS) {
    const count = Math.min(CHUNK_BITS, bits - at);
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
 * Visits entries of a Hashmap in the order of keys. Cells are opened only when they are needed.
 * @param visit gets a copy of the key and the entry's slice, positioned at the extra, and reads the whole entry; false
 * ends the walk
 * @returns whether the walk reached the end of the dictionary
 * @throws TrustError `trust/pruned` when the proof leaves out a cell of the path
 */
export function walkEntries(
  root: Slice,
  keyBytes: number,
  order: WalkOrder,
  visit: (key: Uint8Array, entry: Slice) => boolean,
): boolean {
  const { reverse = false, maxEntries, skipExtra = noExtra, rootTail = 0 } = ownMembers(order);
  const keyBits = keyBytes * 8;
  // The stack holds at most as many forks as the key has bits.
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
      const count = Math.min(CHUNK_BITS, length - done);
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
