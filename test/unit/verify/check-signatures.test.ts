import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { copySignatureList } from '../../../src/core/block/signature-list.ts';
import { signedMessage } from '../../../src/core/message/signed-message.ts';
import { nodeIdShort } from '../../../src/core/validators/node-id-short.ts';
import { checkSignatures } from '../../../src/core/verify/check-signatures.ts';
import { verifyOwn } from '../../../src/core/verify/verifier.ts';
import { corrupted, entryOf, makeSignedSet, withEntries } from '../../helpers/make-block.ts';
import { makeSet, makeSigner, makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([50n, 30n, 15n, 5n]);
const validators = makeSet(signers);
const stranger = makeSigner('stranger', 1n);

describe.each(['ordinary', 'simplex'] as const)('the coverage of a set of kind %s', (kind) => {
  const signed = makeSignedSet(kind, signers);
  const [e0, e1, e2] = signed.signatures as [never, never, never];
  const foreign = entryOf(stranger, signedMessage(signed));

  it('states each entry with its weight, the sum, and who is missing', () => {
    const coverage = checkSignatures(withEntries(signed, [e1, corrupted(e0), foreign, e2]), validators);
    expect(coverage.signatures.map(({ index, outcome, weight }) => [index, outcome, weight])).toEqual([
      [0, 'valid', 30n],
      [1, 'bad-signature', 50n],
      [2, 'unknown-signer', 0n],
      [3, 'valid', 15n],
    ]);
    expect(coverage).toMatchObject({ kind, signedWeight: 45n, totalWeight: 100n });
    expect(coverage.missing.map(encodeHex)).toEqual([encodeHex(nodeIdShort(signers[3]!.publicKey))]);
  });

  it('marks every entry of a repeated signer, good or bad, and counts none of them', () => {
    const coverage = checkSignatures(withEntries(signed, [e0, e1, corrupted(e0), e0]), validators);
    expect(coverage.signatures.map(({ outcome }) => outcome)).toEqual([
      'duplicate-signer',
      'valid',
      'duplicate-signer',
      'duplicate-signer',
    ]);
    expect(coverage.signedWeight).toBe(30n);
  });

  it('leaves an unknown id unknown however often it occurs', () => {
    const coverage = checkSignatures(withEntries(signed, [foreign, foreign]), validators);
    expect(coverage.signatures.map(({ outcome }) => outcome)).toEqual(['unknown-signer', 'unknown-signer']);
  });

  it('asks the engine once for all, and never about unknown or repeated signers', () => {
    const asked: number[][] = [];
    const ring = {
      verify(_: Uint8Array, keyIndexes: readonly number[]) {
        asked.push([...keyIndexes]);
        return keyIndexes.map(() => true);
      },
      close() {},
    };
    checkSignatures(withEntries(signed, [e0, foreign, e1, e2, e2]), validators, { ring });
    expect(asked).toEqual([[0, 1]]);
  });

  it('takes nothing but true from an engine for valid', () => {
    const ring = { verify: () => [1, 'true', {}, undefined] as unknown as boolean[], close() {} };
    expect(checkSignatures(signed, validators, { ring }).signedWeight).toBe(0n);
  });
});

describe('a list that a caller can write to', () => {
  it('does not compile where signatures are checked without a copy', () => {
    const [set, validators] = [makeSignedSet('ordinary', makeSigners([1n])), makeSet(makeSigners([1n]))];
    // @ts-expect-error only a list that was copied or read here may be kept
    const report = verifyOwn(set, validators);
    expect(report.verdict).toEqual(verifyOwn(copySignatureList(set), validators).verdict);
  });
});

describe('how to check', () => {
  it.each([
    ['ring', {}],
    ['ring', { verify: 5 }],
    ['ring', 'openssl'],
  ])('is refused where it is none: %s', (name, value) => {
    expect(() => checkSignatures(makeSignedSet('ordinary', signers), validators, { [name]: value })).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path: name }),
    );
  });
});
