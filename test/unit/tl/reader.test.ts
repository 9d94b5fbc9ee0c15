import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/core/base/errors.ts';
import { readTlBytes } from '../../../src/core/tl/bytes.ts';
import { TlReader } from '../../../src/core/tl/reader.ts';
import { fromHex } from '../../helpers/vectors.ts';

const reader = (hex: string) => new TlReader(fromHex(hex), 'thing');

describe('TlReader', () => {
  it('reads integers little-endian and in the sign asked for', () => {
    const r = reader('ffffffff' + 'ffffffff' + '0000000000000080');
    expect([r.int32(), r.uint32(), r.int64()]).toEqual([-1, 0xffffffff, -0x8000000000000000n]);
    r.end();
  });

  it.each([new Uint8Array(32), Buffer.alloc(32)])('copies what it hands out', (bytes) => {
    const read = new TlReader(bytes, 'thing').int256();
    bytes[0] = 1;
    expect(read[0]).toBe(0);
  });

  it('reads a view into a larger buffer from where the view begins', () => {
    expect(new TlReader(fromHex('0102000000').subarray(1), 'thing').uint32()).toBe(2);
  });

  it.each([
    ['short data', '0102', (r: TlReader) => r.uint32(), 'byte 0: expected 4 more bytes, got 2'],
    ['trailing bytes', '01', (r: TlReader) => r.end(), 'byte 0: expected the end, got 1 trailing bytes'],
    ['a length byte of ff', 'ff000000', (r: TlReader) => readTlBytes(r, 9), 'a length byte of ff'],
    [
      'a long form for a short length',
      'fe050000aabbccddee000000',
      (r: TlReader) => readTlBytes(r, 9),
      'long form for a length of 5',
    ],
    ['non-zero padding', '01aa0100', (r: TlReader) => readTlBytes(r, 9), 'byte 2: non-zero padding'],
    ['missing padding', '01aa00', (r: TlReader) => readTlBytes(r, 9), 'expected 1 more bytes, got 0'],
    [
      'more bytes than the caller will hold',
      '04aabbccdd000000',
      (r: TlReader) => readTlBytes(r, 3),
      'expected at most 3 bytes, got 4',
    ],
    [
      'another constructor',
      '00000000',
      (r: TlReader) => r.constructorId('x.y', 1, 2),
      'expected x.y, got constructor 00000000',
    ],
  ])('refuses %s with code decode/tl and the path', (_, hex, read, message) => {
    expect(() => read(reader(hex))).toThrow(
      expect.objectContaining({ code: 'decode/tl', path: 'thing', message: expect.stringContaining(message) }),
    );
    expect(() => read(reader(hex))).toThrow(DecodeError);
  });
});
