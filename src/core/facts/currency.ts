/** Reads amounts from cells. Source: ton `crypto/block/block.tlb`, VarUInteger, Grams, CurrencyCollection. */
import { present } from '../base/present.ts';
import type { Cell } from '../cells/cell.ts';
import type { Slice } from '../cells/slice.ts';

/** An amount of TON and of other currencies. */
export interface Currency {
  /** In nanotons. */
  readonly grams: bigint;
  /** HashmapE 32 (VarUInteger 32): the root, if there are other currencies. */
  readonly other?: Cell;
}

/** var_uint$_ len:(#< n) value:(uint (len * 8)) = VarUInteger n. @param lengthBits bits that hold numbers below n */
export function readVarUint(slice: Slice, lengthBits: number): bigint {
  let value = 0n;
  for (let left = slice.uint(lengthBits); left > 0; left--) value = (value << 8n) | BigInt(slice.uint(8));
  return value;
}

/** nanograms$_ amount:(VarUInteger 16) = Grams; */
export function readGrams(slice: Slice): bigint {
  return readVarUint(slice, 4);
}

/** Maybe Grams. */
export function readMaybeGrams(slice: Slice): bigint | undefined {
  return slice.bit() ? readGrams(slice) : undefined;
}

/** currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection; */
export function readCurrency(slice: Slice): Currency {
  const grams = readGrams(slice);
  const other = slice.maybeRef();
  return Object.freeze({ grams, ...present({ other }) });
}
