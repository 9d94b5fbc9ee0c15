/** Makes a dictionary in the one form that the node gives it: every label in its shortest spelling. */
import { CellBuilder, type NewCell } from './new-cell.ts';

/** Writes a value behind its label. */
export type StoreValue = (builder: CellBuilder) => void;

function bitsOf(key: number, keyBits: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => Math.floor(key / 2 ** (keyBits - 1 - k)) % 2);
}

/** Source: ton `crypto/vm/dict.cpp`, append_dict_label and append_dict_label_same. */
function storeLabel(builder: CellBuilder, label: readonly number[], keyBits: number): void {
  const { length } = label;
  const sizeBits = 32 - Math.clz32(keyBits);
  const same = length > 1 && label.every((bit) => bit === label[0]);
  if (same && sizeBits < 2 * length - 1) {
    builder.uint(0b11, 2).uint(label[0]!, 1).uint(length, sizeBits);
    return;
  }
  if (sizeBits < length) builder.uint(0b10, 2).uint(length, sizeBits);
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
