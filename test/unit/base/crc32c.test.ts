import { describe, expect, it } from 'vitest';
import { crc32c } from '../../../src/core/base/crc32c.ts';

describe('CRC-32C', () => {
  it('gives the check value of the catalogue and the examples of RFC 3720, appendix B.4', () => {
    expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
    expect(crc32c(Uint8Array.from({ length: 32 }, (_, at) => at))).toBe(0x46dd794e);
    expect(crc32c(new Uint8Array(0))).toBe(0);
  });

  it('covers exactly the part it is asked for', () => {
    const text = new TextEncoder().encode('xx123456789yy');
    expect(crc32c(text, 2, 11)).toBe(0xe3069283);
  });
});
