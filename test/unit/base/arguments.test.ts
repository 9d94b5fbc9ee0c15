import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { describeValue, memberOf, requireInteger, requireSeconds } from '../../../src/core/base/arguments.ts';
import { closest, requireOptions } from '../../../src/core/base/options.ts';
import { revoked } from '../../helpers/odd-values.ts';

const KNOWN = ['requireBoundId', 'acceptClaimed', 'context', 'ring'];
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
    requireOptions({ requireBoundId: false, context: null }, KNOWN);
  });

  it.each([
    ['requireBoundID', 'requireBoundId'],
    ['require-bound-id', 'requireBoundId'],
    ['RequireBoundId', 'requireBoundId'],
    ['requireBoundIds', 'requireBoundId'],
    ['acceptclaim', 'acceptClaimed'],
    ['contexxt', 'context'],
    ['evidence', 'context'],
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
      expect(error.hint).toBe('known are requireBoundId, acceptClaimed, context, ring');
    },
  );

  it('are close by up to three letters, and by less than half of what was written', () => {
    const hint = (key: string) => / did you mean (.*)\?/.exec(refused({ [key]: true }).message)?.[1];
    expect(['acceptClXXXed', 'acceptCXXXXed', 'ringXYZ', 'riXY', 'rXng'].map(hint)).toEqual([
      'acceptClaimed',
      undefined,
      'ring',
      undefined,
      'ring',
    ]);
  });

  it('are close where two letters next to each other are swapped', () => {
    const hint = (key: string) => / did you mean (.*)\?/.exec(refused({ [key]: true }).message)?.[1];
    expect(['rnig', 'irgn', 'gnir', 'contxet'].map(hint)).toEqual(['ring', undefined, undefined, 'context']);
  });

  it('are no closer where just one of two letters is found next to its place', () => {
    for (const other of ['caxyz12', 'bcxyz12']) expect(closest('abxyz12', [other, 'abxyz1'])).toBe('abxyz1');
    expect(closest('abxyz12', ['baxyz12', 'abxyz1'])).toBe('baxyz12');
  });

  it('are named where they are, and by what they are called', () => {
    const at = (...args: readonly unknown[]) => {
      try {
        requireOptions(...(args as [unknown, string[]]));
      } catch (error) {
        return (error as { path: string }).path;
      }
    };
    expect([at(5, KNOWN), at(5, KNOWN, 'context'), at(new Map(), KNOWN), at(new Map(), KNOWN, 'context')]).toEqual([
      'options',
      'context',
      'options',
      'context',
    ]);
    expect([at({ x: 1 }, KNOWN), at({ x: 1 }, KNOWN, 'context')]).toEqual(['x', 'context.x']);
  });

  it('that belong elsewhere are said to, and not compared with those that belong here', () => {
    const { message, hint } = refused({ rings: 1 }, { rings: 'give them to open' });
    expect([message, hint]).toEqual(['options.rings: unknown option', 'give them to open']);
    expect(refused({ rings: 1 }, {}).hint).toBe('known are requireBoundId, acceptClaimed, context, ring');
  });

  it('of another place are named with that place', () => {
    expect(refused({ header: {} }, { header: 'write context: { header }' }).hint).toBe('write context: { header }');
  });

  it.each([
    ['inherited', Object.create({ requireBoundId: true })],
    ['inherited from an object without a prototype', Object.create(Object.create(null, { ring: { value: 1 } }))],
    ['a class of its own', new (class Options {})()],
    ['a Map', new Map([['requireBoundId', true]])],
    ['one under an object that only looks like the prototype of all', Object.create({ isPrototypeOf() {} })],
    ['one under an object without a prototype', Object.create(Object.create(null))],
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

  it('that other libraries give by another name are answered with ours', () => {
    expect(() => requireOptions({ workers: 2 }, ['threads', 'workerUrl'])).toThrow(/did you mean threads\?/);
  });

  it('that are undefined are a slip of whoever meant to ask for more', () => {
    expect(refused({ requireBoundId: undefined })).toMatchObject({
      code: 'usage/bad-option',
      path: 'options.requireBoundId',
      hint: 'pass a value, or omit an optional one',
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

describe('a member that may be left out', () => {
  class One {
    get weight() {
      return 7;
    }
  }
  class Two extends One {}

  it('is read of an object, of one without a prototype, and of its class or that above', () => {
    expect(memberOf({ weight: 1 }, 'weight')).toBe(1);
    expect(memberOf(Object.assign(Object.create(null), { weight: 2 }), 'weight')).toBe(2);
    expect(memberOf(new One() as never, 'weight')).toBe(7);
    expect(memberOf(new Two() as never, 'weight')).toBe(7);
    expect(memberOf({}, 'weight')).toBeUndefined();
  });

  it('is not read of the prototype of all objects, of a function, or of one without a prototype', () => {
    Object.defineProperty(Object.prototype, 'weight', { value: 9, configurable: true });
    try {
      for (const value of [{}, { other: 1 }, Object.create({}), Object.create(null), []]) {
        expect(memberOf(value as never, 'weight')).toBeUndefined();
      }
      expect(memberOf(new Two() as never, 'weight')).toBe(7);
    } finally {
      delete (Object.prototype as { weight?: number }).weight;
    }
    expect(
      memberOf(
        Object.create(() => 1),
        'name',
      ),
    ).toBeUndefined();
    expect(memberOf(Object.create(Object.create(null, { weight: { value: 1 } })), 'weight')).toBeUndefined();
  });

  it('is looked for so far up, however many there are above', () => {
    const under = (depth: number) => {
      let value: object = { weight: 3 };
      for (let k = 0; k < depth; k++) value = Object.create(value);
      return memberOf(value as never, 'weight');
    };
    expect([under(15), under(16)]).toEqual([3, undefined]);
    const endless: object = new Proxy({}, { getPrototypeOf: () => endless });
    expect(memberOf(endless as never, 'weight')).toBeUndefined();
  });
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
    const most = 1n << 256n;
    expect([most, -most, most + 1n, -most - 1n, {}, () => 1, { ok: 1 }].map(describeValue)).toEqual([
      `the bigint ${most}`,
      `the bigint ${-most}`,
      'a huge bigint',
      'a huge bigint',
      'an object',
      'a function',
      'raw JSON',
    ]);
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
    expect(() => requireSeconds(Date.now(), 'now')).toThrow(expect.objectContaining({ hint: 'use Date.now() / 1000' }));
    expect([requireSeconds(0, 'now'), requireSeconds(1e11 - 1, 'now')]).toEqual([0, 1e11 - 1]);
    for (const value of [-1, -0.5, 1e11, '5', 5n, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => requireSeconds(value, 'now')).toThrow(expect.objectContaining({ path: 'now' }));
    }
  });
});
