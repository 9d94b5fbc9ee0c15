import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { DecodeError, ValidatorSetError } from '../../../src/core/base/errors.ts';
import { parseValidatorSet } from '../../../src/core/validators/from-json.ts';
import { makeSigners } from '../../helpers/make-validators.ts';
import { readVector, SIMPLEX_CASE } from '../../helpers/vectors.ts';

const keys = makeSigners([1n, 1n, 1n]).map(({ publicKey }) => encodeHex(publicKey)) as [string, string, string];
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
const entry = (i: number, weight: unknown = '5') => ({ public_key: keys[i], weight });

describe('the list form', () => {
  it('counts only the first `main` validators', () => {
    const set = parseValidatorSet(readVector(`${SIMPLEX_CASE}/validators.json`));
    expect(set.validators).toHaveLength(100);
    expect(set.totalWeight).toBe(474460508260789386n);
    expect(set.utimeUntil).toBe(1775783688);
  });

  it('takes keys in hex or base64, an ADNL address and the shuffle flag', () => {
    const json = {
      main: 2,
      shuffle_mc_validators: true,
      validators: [
        { ...entry(0), public_key: base64(keys[0]) },
        { ...entry(1), public_key: keys[1].toUpperCase(), adnl_addr: keys[2] },
      ],
    };
    const set = parseValidatorSet(json);
    expect(set.validators.map((v) => encodeHex(v.publicKey))).toEqual(keys.slice(0, 2));
    expect(set).toMatchObject({ shuffle: true, provenance: { kind: 'given' } });
    expect(encodeHex(set.validators[1]!.adnlAddr!)).toBe(keys[2]);
    expect(set.validators[0]!.adnlAddr).toBeUndefined();
  });

  it('takes from its caller what the JSON does not say, and refuses what it contradicts', () => {
    const json = { main: 1, utime_until: 5, shuffle_mc_validators: false, validators: [entry(0)] };
    const claimed = { kind: 'claimed', source: 'a server' } as const;
    expect(parseValidatorSet(json, { provenance: claimed, utimeUntil: 5 })).toMatchObject({
      provenance: claimed,
      utimeUntil: 5,
      shuffle: false,
    });
    expect(parseValidatorSet({ [keys[0]]: '1' }, { utimeUntil: 7, shuffle: true })).toMatchObject({
      utimeUntil: 7,
      shuffle: true,
    });
    for (const other of [{ utimeUntil: 6 }, { shuffle: true }]) {
      expect(() => parseValidatorSet(json, other)).toThrow(
        expect.objectContaining({ code: 'usage/bad-option', path: Object.keys(other)[0] }),
      );
    }
  });

  it.each([
    ['no main', 'validators/bad-main', { validators: [entry(0)] }],
    ['main above the list', 'validators/bad-main', { main: 2, validators: [entry(0)] }],
    ['main zero', 'validators/bad-main', { main: 0, validators: [entry(0)] }],
    ['a fractional main', 'validators/bad-main', { main: 0.5, validators: [entry(0)] }],
    ['one key twice', 'validators/repeated-key', { main: 2, validators: [entry(0), entry(0)] }],
    [
      'one key in two spellings',
      'validators/repeated-key',
      { main: 2, validators: [entry(0), { ...entry(0), public_key: base64(keys[0]) }] },
    ],
    ['a zero weight', 'validators/zero-weight', { main: 1, validators: [entry(0, '0')] }],
    ['a short key', 'validators/bad-key', { main: 1, validators: [{ ...entry(0), public_key: keys[0].slice(2) }] }],
    ['a weight above 2^64', 'decode/range', { main: 1, validators: [entry(0, '18446744073709551616')] }],
    ['a weight that JSON has already rounded', 'decode/range', { main: 1, validators: [entry(0, 2 ** 60)] }],
    ['a fractional weight', 'decode/range', { main: 1, validators: [entry(0, 1.5)] }],
    ['a weight in hex', 'decode/shape', { main: 1, validators: [entry(0, '0x10')] }],
    ['a negative weight', 'decode/shape', { main: 1, validators: [entry(0, '-1')] }],
    [
      'a total above 2^61',
      'validators/weight-overflow',
      { main: 2, validators: [entry(0, String(2n ** 61n)), entry(1, 1)] },
    ],
    ['a total that is not the length', 'decode/range', { main: 1, total: 2, validators: [entry(0)] }],
    ['a total weight that is not the sum', 'decode/range', { main: 1, total_weight: '6', validators: [entry(0)] }],
    ['too many entries', 'decode/too-large', { main: 1, validators: Array(65536).fill({}) }],
    ['a weight with a leading zero', 'decode/shape', { main: 1, validators: [entry(0, '05')] }],
    ['a weight of minus zero', 'decode/shape', { main: 1, validators: [entry(0, '-0')] }],
    ['a zero weight beyond main', 'validators/zero-weight', { main: 1, validators: [entry(0), entry(1, '0')] }],
    [
      'a total above 2^61 beyond main',
      'validators/weight-overflow',
      { main: 1, validators: [entry(0), entry(1, String(2n ** 61n))] },
    ],
    ['a main that is an object', 'validators/bad-main', { main: { toString: 1 }, validators: [entry(0)] }],
    ['a total that is an object', 'decode/range', { main: 1, total: { toString: 1 }, validators: [entry(0)] }],
    ['an answer of a server', 'decode/shape', { ok: true, result: {} }],
    ['an empty list', 'validators/bad-main', { main: 1, validators: [] }],
    ['a list that is none', 'decode/shape', { main: 1, validators: {} }],
  ])('is refused for %s', (_, code, json) => {
    expect(() => parseValidatorSet(json)).toThrow(expect.objectContaining({ code }));
  });
});

describe('the key map', () => {
  it('takes every key it lists, in hex or base64, with weights as text or small numbers', () => {
    const set = parseValidatorSet({ [keys[0]]: '1152921504606846976', [base64(keys[1])]: 7 });
    expect(set.totalWeight).toBe(1152921504606846983n);
  });

  it.each([
    ['one key in hex and in base64', 'validators/repeated-key', { [keys[0]]: 1, [base64(keys[0])]: 1 }],
    ['one key in two cases', 'validators/repeated-key', { [keys[0]]: 1, [keys[0].toUpperCase()]: 1 }],
    ['no key', 'validators/empty', {}],
    ['a word where a key goes', 'validators/bad-key', { threshold: 1 }],
    ['too many keys', 'decode/too-large', Object.fromEntries(Array.from({ length: 65536 }, (_, i) => [i, 1]))],
    ['an object where a weight goes', 'decode/shape', { [keys[0]]: {} }],
    ['an unsafe number', 'decode/range', { [keys[0]]: 2 ** 60 }],
  ])('is refused for %s', (_, code, json) => {
    expect(() => parseValidatorSet(json)).toThrow(expect.objectContaining({ code }));
  });
});

it.each([null, 3, 'x', [], undefined])('anything but an object is refused: %j', (json) => {
  expect(() => parseValidatorSet(json)).toThrow(expect.objectContaining({ code: 'decode/shape' }));
});

it('arbitrary JSON gives a set, a DecodeError or a ValidatorSetError, and nothing else', () => {
  const listLike = fc.record({
    main: fc.jsonValue(),
    validators: fc.array(fc.record({ public_key: fc.jsonValue(), weight: fc.jsonValue() })),
  });
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), listLike), (json) => {
      try {
        parseValidatorSet(json);
      } catch (error) {
        return error instanceof DecodeError || error instanceof ValidatorSetError;
      }
      return true;
    }),
  );
});
