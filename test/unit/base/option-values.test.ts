/** The values of options: absent, or of their type and in their range; anything else is named. */
import { describe, expect, it } from 'vitest';
import { requireEngine, requireNumber, requireSignal, requireType } from '../../../src/core/base/option-values.ts';
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
    for (const value of [null, 1, {}, { open: 1 }, [], () => 1, Object.assign(() => 1, { open: () => 1 })]) {
      expect(messageOf(() => requireEngine(value))).toContain('usage/bad-option engine: expected an engine, got ');
    }
  });
});
