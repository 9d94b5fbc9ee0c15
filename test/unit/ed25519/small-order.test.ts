import { Point } from '@noble/ed25519';
import { describe, expect, it } from 'vitest';
import { hasCanonicalY, isSmallOrder } from '../../../src/core/ed25519/small-order.ts';
import { fromHex, readEd25519Vectors } from '../../helpers/vectors.ts';

const P = 2n ** 255n - 19n;

function littleEndian(value: bigint, sign: 0 | 1): Uint8Array {
  return fromHex(value.toString(16).padStart(64, '0').match(/../g)!.reverse().join('')).map((byte, at) =>
    at === 31 ? byte | (sign << 7) : byte,
  );
}

describe('a small-order encoding', () => {
  const encodings = new Set(readEd25519Vectors('zip215').map(({ public_key }) => public_key));

  it('is one of the 14 that decode to a point of order 1, 2, 4 or 8', () => {
    expect(encodings.size).toBe(14);
    for (const hex of encodings) {
      expect(isSmallOrder(fromHex(hex))).toBe(true);
      expect(Point.fromBytes(fromHex(hex), true).isSmallOrder()).toBe(true);
    }
  });

  it('is no other key of the public suites', () => {
    for (const { public_key } of readEd25519Vectors('wycheproof').filter((v) => v.public_key.length === 64)) {
      expect(isSmallOrder(fromHex(public_key))).toBe(encodings.has(public_key));
    }
  });
});

describe('y', () => {
  it('is canonical exactly below p, whatever the sign of x', () => {
    for (const sign of [0, 1] as const) {
      for (const y of [0n, 1n, P - 2n, P - 1n, 2n ** 254n, P - 2n ** 8n, P - 2n ** 240n]) {
        expect(hasCanonicalY(littleEndian(y, sign))).toBe(true);
      }
      for (const y of [P, P + 1n, P + 18n]) expect(hasCanonicalY(littleEndian(y, sign))).toBe(false);
    }
  });
});
