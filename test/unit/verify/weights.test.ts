import { describe, expect, it } from 'vitest';
import { MAX_SIGNATURE_ENTRIES } from '../../../src/core/base/limits.ts';
import { nodeIdShort } from '../../../src/core/validators/node-id-short.ts';
import { signerIndex } from '../../../src/core/validators/signer-index.ts';
import { checkSignatures } from '../../../src/core/verify/check-signatures.ts';
import { attributeEntries } from '../../../src/core/verify/weights.ts';
import { makeSignedSet, withEntries } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([50n, 30n, 20n]);
const validators = makeSet(signers);
const set = makeSignedSet('ordinary', signers);
const [first, second] = set.signatures as [(typeof set.signatures)[0], (typeof set.signatures)[0]];

describe('a repeated signer', () => {
  it.each([2, 3, 255, 256, 257, 65_535, 65_536, 65_537])('is found however often it occurs: %d times', (times) => {
    const { outcomes } = attributeEntries(
      [...Array.from({ length: times }, () => first), second],
      signerIndex(validators),
    );
    expect(outcomes.slice(0, times).every((outcome) => outcome === 'duplicate-signer')).toBe(true);
    expect(outcomes[times]).toBeUndefined();
  });

  it('adds no weight at the cap of entries, and beyond it the set is refused', () => {
    const many = (count: number) =>
      withEntries(
        set,
        Array.from({ length: count }, () => first),
      );
    expect(checkSignatures(many(MAX_SIGNATURE_ENTRIES), validators).signedWeight).toBe(0n);
    expect(() => checkSignatures(many(MAX_SIGNATURE_ENTRIES + 1), validators)).toThrow(
      expect.objectContaining({ code: 'decode/too-large', path: 'signatures' }),
    );
  });
});

describe('an entry', () => {
  it('with the first bytes of a validator’s id and others after them is of nobody', () => {
    const id = nodeIdShort(signers[0]!.publicKey);
    const forged = id.map((byte, at) => (at === 31 ? byte ^ 1 : byte));
    expect(signerIndex(validators).find(forged)).toBeUndefined();
    expect(signerIndex(validators).find(id)).toBe(0);
  });
});
