import { describe, expect, it } from 'vitest';
import { DecodeError, FinalityError, UsageError } from '../../../src/core/base/errors.ts';

describe('an error', () => {
  it('says where before what, and carries code, path, hint and cause apart', () => {
    const cause = new Error('inner');
    const error = new DecodeError('decode/length', 'expected 64 bytes, got 63', {
      path: 'a[3].b',
      hint: 'do it',
      cause,
    });
    expect(error.message).toBe('a[3].b: expected 64 bytes, got 63');
    expect(error).toMatchObject({ code: 'decode/length', path: 'a[3].b', hint: 'do it', cause, name: 'DecodeError' });
    expect(error).toBeInstanceOf(FinalityError);
  });

  it('carries nothing from outside that a terminal would act on, and is cut', () => {
    const error = new DecodeError('decode/shape', 'got \u001b[2J\u009b\u202eevil\u0007', { path: 'a\u001b[31mb' });
    expect(error.message).toBe('a [31mb: got  [2J evil ');
    expect(error.path).toBe('a [31mb');
    expect(new DecodeError('decode/shape', 'x'.repeat(1e6)).message.length).toBeLessThan(3000);
  });

  it('has neither path nor cause when there is none', () => {
    const error = new UsageError('usage/bad-policy', 'no');
    expect(error.message).toBe('no');
    expect(error.path).toBeUndefined();
    expect(Object.hasOwn(error, 'cause')).toBe(false);
  });
});
