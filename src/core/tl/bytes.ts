/** Reads TL `bytes` and vectors, the TL values whose length is in the data. */
import type { TlReader } from './reader.ts';

const LONG_FORM = 0xfe;

/**
 * Reads TL `bytes`: one length byte below 254, or fe and three bytes of length; the data; zeros up to a multiple of
 * four. Rejects a long form where the short one fits, and padding that is not zero, so that every value has one
 * spelling.
 * @param maxLength largest number of bytes that the caller accepts
 * @throws DecodeError `decode/tl`
 */
export function readTlBytes(reader: TlReader, maxLength: number): Uint8Array {
  const start = reader.offset;
  let length = reader.uint8();
  if (length > LONG_FORM) throw reader.error('a length byte of ff, which no TL value here needs', start);
  if (length === LONG_FORM) {
    length = reader.uint8() | (reader.uint8() << 8) | (reader.uint8() << 16);
    if (length < LONG_FORM) throw reader.error(`long form for a length of ${length}`, start);
  }
  if (length > maxLength) throw reader.error(`expected at most ${maxLength} bytes, got ${length}`, start);
  const data = reader.fixed(length);
  while ((reader.offset - start) % 4 !== 0) {
    if (reader.uint8() !== 0) throw reader.error('non-zero padding', reader.offset - 1);
  }
  return data;
}

/**
 * Reads a vector without constructor id: a count, then as many items.
 * @param name of the items, for an error
 * @throws DecodeError `decode/tl`
 */
export function readTlVector<T>(
  reader: TlReader,
  most: number,
  name: string,
  read: (tl: TlReader, index: number) => T,
): readonly T[] {
  const count = reader.uint32();
  if (count > most) throw reader.error(`expected at most ${most} ${name}, got ${count}`);
  return Object.freeze(Array.from({ length: count }, (_, index) => read(reader, index)));
}
