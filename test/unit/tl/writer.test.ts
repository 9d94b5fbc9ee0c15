import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeHex, equalBytes } from '../../../src/core/base/bytes.ts';
import { readTlBytes } from '../../../src/core/tl/bytes.ts';
import { TlReader } from '../../../src/core/tl/reader.ts';
import { tlBytes, tlUint32, tlUint64 } from '../../../src/core/tl/writer.ts';

describe('the TL writer', () => {
  it('writes what the reader reads, and nothing is left over', () => {
    const boundary = fc.constantFrom(0, 1, 3, 253, 254, 255, 256, 70_000).map((n) => new Uint8Array(n).fill(7));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 600 }), boundary), (data) => {
        const written = tlBytes(data);
        const reader = new TlReader(written, '');
        const read = readTlBytes(reader, 1 << 20);
        reader.end();
        return written.length % 4 === 0 && equalBytes(read, data);
      }),
    );
  });

  it.each([
    [tlUint32(0xc50b6e70), '706e0bc5'],
    [tlUint64(0x8000000000000001n), '0100000000000080'],
    [tlBytes(new Uint8Array([0xaa])), '01aa0000'],
    [tlBytes(new Uint8Array(3)), '03000000'],
  ])('lays bytes as written down by hand: %#', (bytes, hex) => {
    expect(encodeHex(bytes)).toBe(hex);
  });
});
