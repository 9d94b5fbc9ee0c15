import { describe, expect, it } from 'vitest';
import { nodeIdShort } from '../../../src/core/validators/node-id-short.ts';
import { signerIndex } from '../../../src/core/validators/signer-index.ts';
import { createValidatorSet } from '../../../src/core/validators/validator-set.ts';

/** A key that ends in a number. Nobody checks a signature with it here. */
function keyOf(number: number): Uint8Array {
  const key = new Uint8Array(32);
  new DataView(key.buffer).setUint32(28, number);
  return key;
}
const setOf = (...numbers: readonly number[]) =>
  createValidatorSet(numbers.map((number) => ({ publicKey: keyOf(number), weight: BigInt(number) })));
/** Two keys, found by trying, whose node ids begin with the same four bytes. */
const ONE = 112_946;
const OTHER = 144_993;

describe('a signer', () => {
  it('is found by the whole node id, also where two members begin alike', () => {
    expect(nodeIdShort(keyOf(ONE)).slice(0, 4)).toEqual(nodeIdShort(keyOf(OTHER)).slice(0, 4));
    const index = signerIndex(setOf(7, ONE, OTHER));
    expect([7, ONE, OTHER].map((number) => index.find(nodeIdShort(keyOf(number))))).toEqual([0, 1, 2]);
    expect(index.weights).toEqual([7n, BigInt(ONE), BigInt(OTHER)]);
  });

  it('is unknown where only the beginning of its node id is that of a member', () => {
    for (const [member, stranger] of [
      [ONE, OTHER],
      [OTHER, ONE],
    ] as const) {
      const index = signerIndex(setOf(7, member));
      expect([index.find(nodeIdShort(keyOf(member))), index.find(nodeIdShort(keyOf(stranger)))]).toEqual([
        1,
        undefined,
      ]);
    }
  });

  it('is looked up in one index for each set', () => {
    const set = setOf(1, 2);
    expect(signerIndex(set)).toBe(signerIndex(set));
    expect(signerIndex(setOf(1, 2))).not.toBe(signerIndex(set));
  });
});
