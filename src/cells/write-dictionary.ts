/** The one form that the node gives a dictionary, every label in its shortest spelling: made, and looked for. */
import type { Cell } from './cell.ts';
import { readLabelHead } from './dictionary.ts';
import { CellBuilder, type NewCell } from './new-cell.ts';
import { Slice } from './slice.ts';

/** Writes a value behind its label. */
export type StoreValue = (builder: CellBuilder) => void;

function bitsOf(key: number, keyBits: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => Math.floor(key / 2 ** (keyBits - 1 - k)) % 2);
}

type Spelling = 'same' | 'long' | 'short';

/**
 * How a label is spelled.
 * @param isSame whether its bits are all the same
 * @param sizeBits bits that hold the length of any label here
 * Source: ton `crypto/vm/dict.cpp`, append_dict_label and append_dict_label_same.
 */
function spellingOf(length: number, isSame: boolean, sizeBits: number): Spelling {
  if (isSame && length > 1 && sizeBits < 2 * length - 1) return 'same';
  return sizeBits < length ? 'long' : 'short';
}

function storeLabel(builder: CellBuilder, label: readonly number[], keyBits: number): void {
  const { length } = label;
  const sizeBits = 32 - Math.clz32(keyBits);
  const spelling = spellingOf(
    length,
    label.every((bit) => bit === label[0]),
    sizeBits,
  );
  if (spelling === 'same') {
    builder.uint(0b11, 2).uint(label[0]!, 1).uint(length, sizeBits);
    return;
  }
  if (spelling === 'long') builder.uint(0b10, 2).uint(length, sizeBits);
  else {
    builder.uint(0, 1);
    for (let k = 0; k < length; k++) builder.uint(1, 1);
    builder.uint(0, 1);
  }
  for (const bit of label) builder.uint(bit, 1);
}

/**
 * The root of a Hashmap with unsigned keys of up to 32 bits.
 * @param entries at least one, by strictly rising keys below 2^keyBits
 */
export function buildDictionary(
  entries: readonly (readonly [key: number, store: StoreValue])[],
  keyBits: number,
): NewCell {
  const builder = new CellBuilder();
  const [first, last] = [entries[0]!, entries.at(-1)!];
  const [from, to] = [
    bitsOf(first[0] % 2 ** keyBits, keyBits, keyBits),
    bitsOf(last[0] % 2 ** keyBits, keyBits, keyBits),
  ];
  // Keys rise, so what the first and the last have in common all have.
  let common = 0;
  while (common < keyBits && from[common] === to[common]) common++;
  storeLabel(builder, from.slice(0, common), keyBits);
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
 * Whether a dictionary that was read has this form: nothing but the spelling of its labels is left open.
 * @param root of a Hashmap whose entries were listed, so that its size is known to be bounded
 * @param keyBits 1 to 32
 */
export function hasShortestLabels(root: Cell, keyBits: number): boolean {
  const pending = [{ cell: root, left: keyBits }];
  for (let top = pending.pop(); top !== undefined; top = pending.pop()) {
    const { cell, left } = top;
    const node = new Slice(cell, 'label');
    const { length, repeated } = readLabelHead(node, left);
    const bits = repeated === undefined ? node.uint(length) : 0;
    const isSame = repeated !== undefined || bits === 0 || bits === 2 ** length - 1;
    const head = new Slice(cell, 'label');
    const spelling = HEADS[head.bitsLeft < 2 ? 0 : head.uint(2)];
    if (spelling !== spellingOf(length, isSame, 32 - Math.clz32(left))) return false;
    if (length === left) continue;
    for (let k = 0; k < 2; k++) pending.push({ cell: node.ref(), left: left - length - 1 });
  }
  return true;
}
