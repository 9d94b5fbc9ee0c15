import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inflateRaw } from '../../../src/ed25519/inflate.ts';
import { seededRandom } from '../../helpers/edge-signatures.ts';

const random = seededRandom(5);
/** Something with repetition near and far, as code has. */
const data = Uint8Array.from({ length: 50_000 }, (_, n) =>
  n % 3 === 0 ? Math.floor(random() * 12) : n % 7 === 0 ? (n >> 8) & 255 : 65,
);
const deflated = new Uint8Array(deflateRawSync(data, { level: 9 }));

describe('inflating', () => {
  it('gives back what was deflated, whole or its beginning', () => {
    expect(inflateRaw(deflated, data.length)).toEqual(data);
    for (const wanted of [0, 1, 1000, 49_999]) expect(inflateRaw(deflated, wanted)).toEqual(data.slice(0, wanted));
  });

  it('throws on data that ends early, asks for more than there is, or is something else', () => {
    for (const damaged of [deflated.slice(0, -10), deflated.slice(0, 1), new Uint8Array()]) {
      expect(() => inflateRaw(damaged, data.length)).toThrow(RangeError);
    }
    expect(() => inflateRaw(deflated, data.length + 1)).toThrow(RangeError);
    expect(() => inflateRaw(new Uint8Array(100).fill(255), 10)).toThrow(RangeError);
  });
});
