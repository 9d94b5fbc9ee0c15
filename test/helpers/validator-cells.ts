/** Validator sets in cells, as told, also when that is nonsense. */
import { Dictionary } from '@ton/core';
import { beginCell, type CoreCell } from './cells.ts';

/** One validator in cells, as told. */
export interface Entry {
  key?: Buffer;
  weight?: bigint;
  adnl?: Buffer | undefined;
  tag?: number;
  keyTag?: number;
  trailing?: boolean;
}
export const keyOf = (index: number) => Buffer.alloc(32, index + 1);

export function descr(index: number, entry: Entry): CoreCell {
  const cell = beginCell()
    .storeUint(entry.tag ?? (entry.adnl === undefined ? 0x53 : 0x73), 8)
    .storeUint(entry.keyTag ?? 0x8e81278a, 32)
    .storeBuffer(entry.key ?? keyOf(index))
    .storeUint(entry.weight ?? 10n, 64);
  if (entry.adnl !== undefined) cell.storeBuffer(entry.adnl);
  if (entry.trailing) cell.storeBit(0);
  return cell.endCell();
}

export interface SetForm {
  tag?: number;
  total?: number;
  main?: number;
  totalWeight?: bigint;
  keys?: number[];
}

/** A validator set in cells, as told, also when that is nonsense. */
export function setCell(entries: Entry[], form: SetForm = {}): CoreCell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(16), {
    serialize: (cell: CoreCell, builder) => builder.storeSlice(cell.beginParse()),
    parse: () => beginCell().endCell(),
  });
  entries.forEach((entry, index) => {
    dictionary.set(form.keys?.[index] ?? index, descr(index, entry));
  });
  const tag = form.tag ?? 0x12;
  const cell = beginCell()
    .storeUint(tag, 8)
    .storeUint(1000, 32)
    .storeUint(2000, 32)
    .storeUint(form.total ?? entries.length, 16)
    .storeUint(form.main ?? entries.length, 16);
  if (tag === 0x11) return cell.storeDictDirect(dictionary).endCell();
  const sum = entries.reduce((total, entry) => total + (entry.weight ?? 10n), 0n);
  return cell
    .storeUint(form.totalWeight ?? sum % 2n ** 64n, 64)
    .storeDict(dictionary)
    .endCell();
}
