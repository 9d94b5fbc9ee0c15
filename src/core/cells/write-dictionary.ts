/**
 * Writes and checks the canonical form of a dictionary, in which the node writes every label in its shortest spelling.
 */
import type { Cell } from './cell.ts';
import { readLabelHead } from './dictionary.ts';
import { CellBuilder, type NewCell } from './new-cell.ts';
import { Slice } from './slice.ts';

/** Writes a value after its label. */
export type StoreValue = (builder: CellBuilder) => void;

type Spelling = 'same' | 'long' | 'short';

/**
 * Returns the shortest spelling of a label.
 * @param isSame whether all of its bits are equal
 * @param sizeBits number of bits that hold the length of any label here Source: ton `crypto/vm/dict.cpp`,
 * append_dict_label and append_dict_label_same.
 */
function spellingOf(length: number, isSame: boolean, sizeBits: number): Spelling {
  if (isSame && length > 1 && sizeBits < 2 * length - 1) return 'same';
  return sizeBits < length ? 'long' : 'short';
}

/** Writes a label. @param label as a number of `length` bits */
function storeLabel(builder: CellBuilder, label: number, length: number, keyBits: number): void {
  const sizeBits = 32 - Math.clz32(keyBits);
  const spelling = spellingOf(length, isSame(label, length), sizeBits);
  if (spelling === 'same') builder.uint(0b110 | (label % 2), 3).uint(length, sizeBits);
  else if (spelling === 'long') builder.uint(0b10, 2).uint(length, sizeBits).uint(label, length);
  // A zero, the length in ones, and a zero; a label in this spelling has at most six bits.
  else builder.uint(2 ** (length + 1) - 2, length + 2).uint(label, length);
}

/** Whether the bits of a label are all equal. */
function isSame(label: number, length: number): boolean {
  return label === 0 || label === 2 ** length - 1;
}

/**
 * Writes the root of a Hashmap with unsigned keys of up to 32 bits.
 * @param entries at least one, by strictly rising keys below 2^keyBits
 */
export function buildDictionary(
  entries: readonly (readonly [key: number, store: StoreValue])[],
  keyBits: number,
): NewCell {
  const builder = new CellBuilder();
  const [first, last] = [entries[0]!, entries.at(-1)!];
  // Keys rise, so a prefix of the first and the last key is a prefix of all. The nodes above contain the bits above
  // `keyBits`.
  const differing = ((first[0] ^ last[0]) >>> 0) % 2 ** keyBits;
  const common = keyBits - (32 - Math.clz32(differing));
  const label = Math.floor((first[0] % 2 ** keyBits) / 2 ** (keyBits - common));
  storeLabel(builder, label, common, keyBits);
  if (common === keyBits) {
    first[1](builder);
    return builder.build();
  }
  const left = keyBits - common - 1;
  const split = entries.findIndex(([key]) => Math.floor(key / 2 ** left) % 2 === 1);
  builder.ref(buildDictionary(entries.slice(0, split), left));
  return builder.ref(buildDictionary(entries.slice(split), left)).build();
}

const HEADS: readonly Spelling[] = ['short', 'short', 'long', 'same'];

/**
 * Whether a dictionary that was read has the canonical form. Only the spelling of its labels remains to be checked.
 * @param root of a Hashmap whose entries were listed, so that its size is limited
 * @param keyBits 1 to 32
 */
export function hasShortestLabels(root: Cell, keyBits: number): boolean {
  const pending = [{ cell: root, left: keyBits }];
  for (let top = pending.pop(); top !== undefined; top = pending.pop()) {
    const { cell, left } = top;
    const node = new Slice(cell, 'label');
    const { length, repeated } = readLabelHead(node, left);
    const bits = repeated === undefined ? node.uint(length) : 0;
    const head = new Slice(cell, 'label');
    const spelling = HEADS[head.bitsLeft < 2 ? 0 : head.uint(2)];
    if (spelling !== spellingOf(length, repeated !== undefined || isSame(bits, length), 32 - Math.clz32(left)))
      return false;
    if (length === left) continue;
    for (let k = 0; k < 2; k++) pending.push({ cell: node.ref(), left: left - length - 1 });
  }
  return true;
}
