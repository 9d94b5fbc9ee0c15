import { describe, expect, it } from 'vitest';
import { UsageError, ValidatorSetError } from '../../../src/base/errors.ts';
import { nodeIdShort } from '../../../src/validators/node-id-short.ts';
import { signerIndex } from '../../../src/validators/signer-index.ts';
import { createValidatorSet, type Validator } from '../../../src/validators/validator-set.ts';
import { makeSigner } from '../../helpers/make-validators.ts';

const a: Validator = makeSigner('a', 10n);
const b: Validator = makeSigner('b', 20n);

describe('a validator set', () => {
  it('sums the weights and is given by the caller unless said otherwise', () => {
    expect(createValidatorSet([a, b])).toMatchObject({ totalWeight: 30n, provenance: { kind: 'given' } });
  });

  it('is a frozen copy: editing the input later changes nothing', () => {
    const publicKey = a.publicKey.slice();
    const set = createValidatorSet([{ publicKey, weight: 1n }]);
    publicKey[0] = publicKey[0]! ^ 1;
    expect(set.validators[0]!.publicKey).toEqual(a.publicKey);
    expect([set, set.validators, set.validators[0]].every(Object.isFrozen)).toBe(true);
  });

  it('may weigh exactly 2^61', () => {
    expect(
      createValidatorSet([
        { ...a, weight: 2n ** 61n - 1n },
        { ...b, weight: 1n },
      ]).totalWeight,
    ).toBe(2n ** 61n);
  });

  it.each([
    ['an empty list', 'validators/empty', () => []],
    ['a zero weight', 'validators/zero-weight', () => [a, { ...b, weight: 0n }]],
    ['a negative weight', 'validators/zero-weight', () => [a, { ...b, weight: -1n }]],
    ['the same key twice', 'validators/repeated-key', () => [a, b, { ...a, weight: 5n }]],
    [
      'a total above 2^61',
      'validators/weight-overflow',
      () => [
        { ...a, weight: 2n ** 61n },
        { ...b, weight: 1n },
      ],
    ],
    ['a key of 31 bytes', 'validators/bad-key', () => [{ ...a, publicKey: a.publicKey.slice(1) }]],
    ['an ADNL address of 33 bytes', 'validators/bad-key', () => [{ ...a, adnlAddr: new Uint8Array(33) }]],
  ])('is refused for %s', (_, code, list) => {
    expect(() => createValidatorSet(list())).toThrow(ValidatorSetError);
    expect(() => createValidatorSet(list())).toThrow(expect.objectContaining({ code }));
  });

  it('refuses types that are a programmer’s mistake', () => {
    expect(() => createValidatorSet([{ ...a, publicKey: 'ab' as unknown as Uint8Array }])).toThrow(UsageError);
    expect(() => createValidatorSet([{ ...a, weight: 1 as unknown as bigint }])).toThrow(UsageError);
  });
});

describe('the signer index', () => {
  it('finds validators by node id and nobody else', () => {
    const index = signerIndex(createValidatorSet([a, b]));
    expect(index.find(nodeIdShort(b.publicKey))).toBe(1);
    expect(index.find(b.publicKey)).toBeUndefined();
    expect(index.find(new Uint8Array())).toBeUndefined();
  });

  it('checks a set put together by hand, so that a wrong total decides nothing', () => {
    const honest = createValidatorSet([a, b]);
    expect(() => signerIndex({ ...honest, totalWeight: 3n })).toThrow(UsageError);
    expect(() => signerIndex({ ...honest, validators: [a, a], totalWeight: 20n })).toThrow(ValidatorSetError);
    expect(signerIndex({ ...honest }).totalWeight).toBe(30n);
  });
});
