import { describe, expect, it } from 'vitest';
import { ValidatorSetError } from '../../../src/core/base/errors.ts';
import { nodeIdShort } from '../../../src/core/validators/node-id-short.ts';
import { signerIndex } from '../../../src/core/validators/signer-index.ts';
import {
  copyProvenance,
  copyValidators,
  createProvenSet,
  createValidatorSet,
  ownSet,
  type Validator,
} from '../../../src/core/validators/validator-set.ts';
import { makeBlockId, ORIGIN } from '../../helpers/make-block.ts';
import { makeSigner } from '../../helpers/make-validators.ts';

const a: Validator = makeSigner('a', 10n);
const b: Validator = makeSigner('b', 20n);

describe('a validator set', () => {
  it('is named by its kind in a line of text', () => {
    expect(`${createValidatorSet([a, b])}`).toBe('[object ValidatorSet]');
  });

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

  it('is shuffled, not shuffled, or does not say', () => {
    expect(createValidatorSet([a], { shuffle: false }).shuffle).toBe(false);
    expect(createValidatorSet([a])).not.toHaveProperty('shuffle');
    for (const shuffle of [1, 'true', null]) {
      expect(() => createValidatorSet([a], { shuffle: shuffle as never })).toThrow(
        expect.objectContaining({ code: 'usage/bad-option', path: 'shuffle' }),
      );
    }
  });

  it('that is proven keeps copies of the blocks that prove it, and hands out copies', () => {
    const keyBlock = { ...makeBlockId(5), rootHash: new Uint8Array(32).fill(1) };
    const { provenance } = createProvenSet(copyValidators([a]), { ...ORIGIN, keyBlock, anchor: makeBlockId(1) });
    const handedOut = copyProvenance(provenance);
    const before = JSON.stringify(provenance, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    keyBlock.rootHash.fill(2);
    if (handedOut.kind === 'proven') handedOut.keyBlock.rootHash.fill(3);
    expect(JSON.stringify(provenance, (_, value) => (typeof value === 'bigint' ? String(value) : value))).toBe(before);
  });

  it('is made of a list, and what is none is told what reads it', () => {
    for (const none of ['list', {}, { 0: a, length: 1 }]) {
      expect(() => createValidatorSet(none as never)).toThrow(
        expect.objectContaining({ path: 'validators', hint: 'parseValidatorSet reads JSON' }),
      );
    }
  });

  it('is refused with the place of what is wrong', () => {
    const pathOf = (list: unknown) => {
      try {
        createValidatorSet(list as never);
      } catch (error) {
        return (error as ValidatorSetError).path; // whatever is thrown: without a path it is undefined
      }
      return 'accepted';
    };
    expect(pathOf([a, { ...b, publicKey: new Uint8Array(31) }])).toBe('validators[1].publicKey');
    expect(pathOf([a, { ...b, adnlAddr: new Uint8Array(33) }])).toBe('validators[1].adnlAddr');
    expect(pathOf([a, { ...b, weight: 0n }])).toBe('validators[1].weight');
    expect(pathOf([a, { ...b, weight: 2n ** 61n }])).toBe('validators[1].weight');
    expect(pathOf([b, a, { ...a, weight: 5n }])).toBe('validators[2].publicKey');
    expect(pathOf('list')).toBe('validators');
    expect(pathOf({ 0: a, length: 1 })).toBe('validators');
  });

  it('refuses types that are a programmer’s mistake', () => {
    const badOption = expect.objectContaining({ code: 'usage/bad-option' });
    expect(() => createValidatorSet([{ ...a, publicKey: 'ab' as never }])).toThrow(badOption);
    expect(() => createValidatorSet([{ ...a, weight: 1 as never }])).toThrow(badOption);
    expect(() => createValidatorSet([null as never])).toThrow(badOption);
  });

  it('says of itself only what its maker may say: given or claimed, never proven, and no word of his own', () => {
    const provenance = (value: unknown) => () => createValidatorSet([a], { provenance: value as never });
    for (const [kind, hint] of [
      ['proven', 'validatorSetAt(checkpoint)'],
      ['Given', "expected { kind: 'given' }"],
      [undefined, "expected { kind: 'given' }"],
    ]) {
      for (const more of [{ keyBlock: {}, anchor: {} }, { source: 'a server' }]) {
        expect(provenance({ kind, ...more })).toThrow(
          expect.objectContaining({
            code: 'usage/bad-option',
            path: 'provenance',
            ...(kind === 'proven'
              ? {
                  message: expect.stringContaining('only if this library proved it'),
                  hint: expect.stringContaining(hint!),
                }
              : { message: expect.stringContaining(hint!) }),
          }),
        );
      }
    }
    expect(provenance({ kind: 'claimed' })).toThrow(expect.objectContaining({ path: 'provenance.source' }));
    expect(provenance('claimed')).toThrow(expect.objectContaining({ code: 'usage/bad-option' }));
    expect(createValidatorSet([a], { provenance: { kind: 'claimed', source: 's' } }).provenance.kind).toBe('claimed');
  });
});

describe('a validator set put together by hand', () => {
  it('keeps what it says of itself: when its time ends, and whether it is shuffled', () => {
    const made = createValidatorSet([a, b], { shuffle: true, utimeUntil: 5 });
    expect(ownSet({ ...made })).toEqual(made);
    const plain = createValidatorSet([a, b]);
    expect(ownSet({ ...plain })).toEqual(plain);
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
    expect(() => signerIndex({ ...honest, totalWeight: 3n })).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path: 'validators.totalWeight' }),
    );
    expect(() => signerIndex({ ...honest, validators: [a, a], totalWeight: 20n })).toThrow(ValidatorSetError);
    expect(signerIndex({ ...honest }).totalWeight).toBe(30n);
  });

  it('is that of a set, and what is none is told what makes one', () => {
    for (const none of [{}, { validators: [a, b] }, [a, b], null]) {
      expect(() => signerIndex(none as never)).toThrow(
        expect.objectContaining({
          code: 'usage/bad-option',
          path: 'validators',
          hint: expect.stringContaining('make one'),
        }),
      );
    }
  });

  it('of a set put together by hand is made anew, so that a change in place is seen', () => {
    const set = { ...createValidatorSet([a, b]) };
    expect(signerIndex(set).find(nodeIdShort(a.publicKey))).toBe(0);
    Object.assign(set, { validators: [b], totalWeight: b.weight });
    expect(signerIndex(set).find(nodeIdShort(a.publicKey))).toBeUndefined();
  });

  it('refuses a set that says it is proven and is not the very object that was', () => {
    const proven = createProvenSet(copyValidators([a]), {
      ...ORIGIN,
      keyBlock: makeBlockId(5),
      anchor: makeBlockId(1),
    });
    expect(signerIndex(proven).totalWeight).toBe(a.weight);
    const typed = expect.objectContaining({ code: 'usage/bad-option', path: 'validators.provenance' });
    for (const copy of [
      { ...proven },
      structuredClone(proven),
      { ...createValidatorSet([b]), provenance: proven.provenance },
    ]) {
      expect(() => signerIndex(copy)).toThrow(typed);
    }
  });
});
