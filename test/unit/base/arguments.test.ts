import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { describeValue, requireInteger, requireOptions, requireSeconds } from '../../../src/base/arguments.ts';
import { revoked } from '../../helpers/odd-values.ts';

const KNOWN = ['requireBoundId', 'acceptClaimed', 'evidence', 'ring'];
const refused = (options: unknown, elsewhere?: Record<string, string>) => {
  try {
    requireOptions(options, KNOWN, 'options', elsewhere);
  } catch (error) {
    return error as { code: string; path: string; message: string; hint: string };
  }
  throw new Error('was not refused');
};

describe('options', () => {
  it('that are known and have a value are fine, however few', () => {
    requireOptions({}, KNOWN);
    requireOptions({ requireBoundId: false, evidence: null }, KNOWN);
  });

  it.each([
    ['requireBoundID', 'requireBoundId'],
    ['require-bound-id', 'requireBoundId'],
    ['RequireBoundId', 'requireBoundId'],
    ['requireBoundIds', 'requireBoundId'],
    ['acceptclaim', 'acceptClaimed'],
    ['evidance', 'evidence'],
  ])('%s is unknown, and close to %s', (key, meant) => {
    const error = refused({ [key]: true });
    expect(error).toMatchObject({ code: 'usage/bad-option', path: `options.${key}` });
    expect(error.message).toBe(`options.${key}: unknown option; did you mean ${meant}?`);
  });

  it.each(['policy', 'quux', 'x', '', '__proto__x', 'a'.repeat(100_000)])(
    '%.20s is unknown and close to none',
    (key) => {
      const error = refused({ [key]: true });
      expect(error.message).not.toContain('did you mean');
      expect(error.hint).toBe('known are requireBoundId, acceptClaimed, evidence, ring');
    },
  );

  it('of another place are named with that place', () => {
    expect(refused({ header: {} }, { header: 'write evidence: { header }' }).hint).toBe('write evidence: { header }');
  });

  it.each([
    ['inherited', Object.create({ requireBoundId: true })],
    ['inherited from an object without a prototype', Object.create(Object.create(null, { ring: { value: 1 } }))],
    ['a class of its own', new (class Options {})()],
    ['a Map', new Map([['requireBoundId', true]])],
    ['a Set', new Set()],
    ['a WeakMap', new WeakMap()],
    ['a Date', new Date(0)],
    ['an Error', new Error('x')],
    ['a RegExp', /x/],
    ['a wrapped string', Object('')],
    ['an ArrayBuffer', new ArrayBuffer(2)],
    ['a DataView', new DataView(new ArrayBuffer(2))],
    ['Headers', new Headers()],
    ['a proxy that was revoked', revoked({})],
  ])('are a plain object: %s is none', (_, value) => {
    expect(refused(value)).toMatchObject({ code: 'usage/bad-option', path: 'options' });
  });

  it('are plain without a prototype, and in another realm', () => {
    const ring = {};
    expect(requireOptions(Object.assign(Object.create(null), { ring }), KNOWN)).toEqual({ ring });
    expect(requireOptions(runInNewContext('({ acceptClaimed: false })'), KNOWN)).toEqual({ acceptClaimed: false });
    expect(refused(runInNewContext('new Map()'))).toMatchObject({ code: 'usage/bad-option' });
  });

  it('count where they are not enumerable, and are read once', () => {
    expect(refused(Object.defineProperty({}, 'requireBoundID', { value: true })).path).toBe('options.requireBoundID');
    let reads = 0;
    const counting = Object.defineProperty({}, 'acceptClaimed', { get: () => ++reads });
    expect(requireOptions(counting, KNOWN)).toEqual({ acceptClaimed: 1 });
  });

  it.each([true, false])('are never found on a prototype, enumerable %s', (enumerable) => {
    const polluted = { value: true, enumerable, configurable: true, writable: true };
    Object.defineProperty(Object.prototype, 'acceptClaimed', polluted);
    let own: { readonly acceptClaimed?: boolean };
    try {
      own = requireOptions({}, KNOWN);
    } finally {
      delete (Object.prototype as { acceptClaimed?: boolean }).acceptClaimed;
    }
    expect(own.acceptClaimed).toBeUndefined();
  });

  it('that are undefined are a slip of whoever meant to ask for more', () => {
    expect(refused({ requireBoundId: undefined })).toMatchObject({
      code: 'usage/bad-option',
      path: 'options.requireBoundId',
      hint: 'leave the option out for its default',
    });
    requireOptions({ ring: undefined }, KNOWN); // asks for nothing
  });

  it.each([[null], [[]], ['strict'], [true], [5n], [() => {}], [new Uint8Array(2)], [Promise.resolve({})]])(
    'are an object and nothing else: %s',
    (value) => {
      expect(refused(value)).toMatchObject({ code: 'usage/bad-option', path: 'options' });
    },
  );
});

describe('an argument', () => {
  it('is named whatever it is: revoked, throwing, of a length that it does not have, of a million digits', () => {
    const throwing = new Proxy(
      {},
      {
        has() {
          throw new Error('mine');
        },
      },
    );
    const long = Object.defineProperty(new Uint8Array(3), 'length', { value: 2 ** 40 });
    expect(
      [revoked({}), revoked(() => {}), throwing, long, 10n ** 100_000n, new Uint8Array(2)].map(describeValue),
    ).toEqual(['a revoked proxy', 'a revoked proxy', 'an odd object', '3 bytes', 'a huge bigint', '2 bytes']);
  });

  it('that is one of our own objects is called by its name, a promise is to be awaited', () => {
    const words = (value: unknown) => {
      const { message, hint } = refused(value);
      return [message, hint].join('; ');
    };
    expect(words(Promise.resolve({}))).toContain('got a promise; await it first');
    expect(words([1, 2])).toContain('got an array of 2');
    expect(words('secret')).toContain('got a string of 6 characters');
    expect(words('secret')).not.toContain('secret');
  });

  it('is a whole number between its bounds', () => {
    expect([requireInteger(0, 'n', 0, 9), requireInteger(9, 'n', 0, 9)]).toEqual([0, 9]);
    for (const value of [-1, 10, 1.5, Number.NaN, '5', 5n, undefined, null]) {
      expect(() => requireInteger(value, 'n', 0, 9)).toThrow(
        expect.objectContaining({ code: 'usage/bad-option', path: 'n' }),
      );
    }
  });

  it('is a time in seconds, not in milliseconds', () => {
    expect(requireSeconds(1_775_775_496.5, 'now')).toBe(1_775_775_496.5);
    expect(() => requireSeconds(Date.now(), 'now')).toThrow(
      expect.objectContaining({ hint: 'Date.now() / 1000 gives it' }),
    );
  });
});
