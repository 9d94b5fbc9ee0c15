/** Options by a table: names, types, ranges and defaults; anything else is named. */
import { describe, expect, it } from 'vitest';
import { badArgument } from '../../../src/core/base/arguments.ts';
import {
  abortSignal,
  asGiven,
  callback,
  engine,
  flag,
  number,
  optional,
  readOptions,
  requireEngine,
  requireNumber,
  requireSignal,
  requireType,
  seconds,
  text,
  whole,
} from '../../../src/core/base/options.ts';
import { referenceEngine } from '../../../src/core/ed25519/reference.ts';

const messageOf = (run: () => void) => {
  try {
    run();
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  }
  return 'taken';
};

describe('the value of an option', () => {
  it('may be absent', () => {
    requireType(undefined, 'function', 'x');
    requireNumber(undefined, 1, 2, 'x');
    requireSignal(undefined, 'x');
    requireEngine(undefined);
  });

  it('is of its type, and null is none', () => {
    const right = { function: () => 1, boolean: false, string: '', object: {} } as const;
    for (const type of ['function', 'boolean', 'string', 'object'] as const) {
      for (const [is, value] of Object.entries(right)) {
        const wanted = type === 'object' ? 'an object' : `a ${type}`;
        const said = messageOf(() => requireType(value, type, 'x'));
        if (is === type) expect(said).toBe('taken');
        else expect(said).toContain(`usage/bad-option x: expected ${wanted}, got `);
      }
      expect(messageOf(() => requireType(null, type, 'x'))).toMatch(/^usage.* got null$/);
    }
  });

  it('is a number in its range', () => {
    for (const value of [1, 1.5, 2]) requireNumber(value, 1, 2, 'x');
    for (const value of [0.9, 2.1, Number.NaN]) {
      expect(messageOf(() => requireNumber(value, 1, 2, 'x'))).toBe(
        `usage/bad-option x: expected 1 to 2, got ${value}`,
      );
    }
    const open = [0, Number.POSITIVE_INFINITY] as const;
    requireNumber(1e300, ...open, 'x');
    expect(messageOf(() => requireNumber(-1, ...open, 'x'))).toBe('usage/bad-option x: expected 0 or more, got -1');
    expect(messageOf(() => requireNumber(0, Number.MIN_VALUE, 9, 'x'))).toBe(
      'usage/bad-option x: expected a number above 0 to 9, got 0',
    );
    expect(messageOf(() => requireNumber(0, Number.MIN_VALUE, Number.POSITIVE_INFINITY, 'x'))).toBe(
      'usage/bad-option x: expected a number above 0, got 0',
    );
    for (const [value, name] of [
      ['1', 'a string of 1 characters'],
      [1n, 'the bigint 1'],
      [null, 'null'],
    ] as const) {
      expect(messageOf(() => requireNumber(value, 1, 2, 'x'))).toBe(`usage/bad-option x: expected 1 to 2, got ${name}`);
    }
  });

  it('is a signal, or something that does what one does', () => {
    requireSignal(new AbortController().signal, 'x');
    requireSignal({ aborted: false, reason: undefined, addEventListener() {} }, 'x');
    const odd = [null, 1, 'aborted', {}, { aborted: 1, reason: 1 }, { aborted: 1, addEventListener: 1 }];
    for (const value of [...odd, { reason: 1, addEventListener: 1 }, new AbortController()]) {
      expect(messageOf(() => requireSignal(value, 'x'))).toContain('usage/bad-option x: expected an AbortSignal, got ');
    }
  });

  it('is an engine', () => {
    requireEngine(referenceEngine);
    for (const value of [
      null,
      1,
      {},
      { open: 1 },
      { open: 1, name: 'x' },
      { open: () => 1 },
      [],
      () => 1,
      Object.assign(() => 1, { open: () => 1 }),
    ]) {
      expect(messageOf(() => requireEngine(value))).toContain('usage/bad-option engine: expected an engine, got ');
    }
  });
});

describe('options by a table', () => {
  interface Poll {
    readonly pollMs?: number;
    readonly sample?: boolean;
    readonly signal?: AbortSignal;
    readonly tries?: number;
    readonly onLag?: () => void;
    readonly hosts: readonly string[];
  }
  const hostsOf = (value: unknown, path: string): readonly string[] => {
    if (Array.isArray(value)) return [...value];
    throw badArgument(path, 'a list of hosts', value);
  };
  const read = (given: unknown, path = '') =>
    readOptions(
      given as Poll,
      path,
      {
        pollMs: number(0, 1000, 400),
        sample: flag(false),
        signal: abortSignal,
        tries: whole(1, 9),
        onLag: callback(),
        hosts: hostsOf,
      },
      { host: 'write hosts: [host]' },
    );
  const hosts = ['a'];

  it('have their defaults, and without one they are left out', () => {
    const options = read({ hosts });
    expect({ ...options }).toEqual({ pollMs: 400, sample: false, hosts });
    expect(Object.keys(options)).not.toContain('signal');
    expect(Object.getPrototypeOf(options)).toBeNull();
    const ms: number = options.pollMs; // it is there, says the compiler
    // @ts-expect-error it may be missing
    const tries: number = options.tries;
    expect([ms, tries]).toEqual([400, undefined]);
  });

  it('are those that were given, copied by their reader and read once', () => {
    let reads = 0;
    const onLag = () => {};
    const given = { hosts, sample: true, tries: 3, onLag };
    Object.defineProperty(given, 'pollMs', { get: () => ++reads });
    const options = read(given);
    expect({ ...options }).toEqual({ ...given, pollMs: 1 });
    expect(options.hosts).not.toBe(hosts);
    expect(reads).toBe(1);
  });

  it.each([
    [{ hosts, pollMs: '1' }, 'pollMs: expected 0 to 1000, got a string of 1 characters'],
    [{ hosts, sample: 1 }, 'sample: expected a boolean, got the number 1'],
    [{ hosts, sample: undefined }, 'sample: expected a value, got nothing'],
    [{ hosts, sample: null }, 'sample: expected a boolean, got null'],
    [{ hosts, signal: {} }, 'signal: expected an AbortSignal, got an object'],
    [{ hosts, tries: 1.5 }, 'tries: expected a whole number from 1 to 9, got the number 1.5'],
    [{ hosts, onLag: {} }, 'onLag: expected a function, got an object'],
    [{}, 'hosts: expected a list of hosts, got nothing'],
    [{ hosts, polMs: 1 }, 'polMs: unknown option; did you mean pollMs?'],
    [{ hosts, host: 'a' }, 'host: unknown option'],
    [{ ['__proto__']: 1, hosts }, '__proto__: unknown option'],
    [new Map(), 'options: expected a plain object with options, got an object'],
  ])('%o is refused by name', (given, message) => {
    expect(messageOf(() => read(given))).toBe(`usage/bad-option ${message}`);
  });

  it('are named where they are', () => {
    expect(messageOf(() => read({ hosts, sample: 1 }, 'poll'))).toContain(' poll.sample: ');
  });

  it('are never found on a prototype', () => {
    Object.defineProperty(Object.prototype, 'tries', { value: 5, configurable: true });
    try {
      expect(Object.hasOwn(read({ hosts }), 'tries')).toBe(false);
      expect(read({ hosts }).tries).toBeUndefined();
    } finally {
      delete (Object.prototype as { tries?: number }).tries;
    }
  });

  it('may be of any kind that has a reader', () => {
    interface All {
      readonly name?: string;
      readonly at?: number;
      readonly engine?: object;
      readonly id?: string;
      readonly any?: unknown;
    }
    const all = (given: unknown) =>
      readOptions(given as All, '', {
        name: text('x'),
        at: seconds(),
        engine,
        id: optional((id: string) => id.toUpperCase(), 'none'),
        any: asGiven,
      });
    expect({ ...all({}) }).toEqual({ name: 'x', id: 'none' });
    expect({ ...all({ id: 'a', any: 1, at: 5, engine: referenceEngine }) }).toEqual({
      name: 'x',
      id: 'A',
      any: 1,
      at: 5,
      engine: referenceEngine,
    });
    expect(messageOf(() => all({ at: Date.now() }))).toContain('at: expected a Unix time in seconds');
    expect(messageOf(() => all({ engine: {} }))).toContain('engine: expected an engine');
    expect(messageOf(() => all({ name: 1 }))).toContain('name: expected a string');
  });
});
