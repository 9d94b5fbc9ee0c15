import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/core/base/errors.ts';
import { pickPolicy, resolvePolicy } from '../../../src/core/verify/policy.ts';

describe('a policy', () => {
  it('is by default the node’s: more than 2/3, any defect rejects', () => {
    expect(resolvePolicy()).toEqual({
      onDefect: 'reject',
      threshold: { num: 2n, den: 3n },
      acceptClaimed: false,
      acceptUnbound: false,
      requireBoundId: false,
      requireProvenSet: false,
      requireHeader: false,
    });
  });

  it.each([
    [2n, 3n],
    [4n, 6n],
    [3n, 4n],
    [99n, 100n],
  ])('may ask for more than %d/%d', (num, den) => {
    expect(resolvePolicy({ threshold: { num, den } }).threshold).toEqual({ num, den });
  });

  it.each([
    [1n, 2n],
    [666666n, 1000000n],
    [1n, 1n],
    [3n, 2n],
    [0n, 1n],
    [2n, 0n],
    [-2n, -3n],
    [-3n, -4n],
    [0n, 0n],
  ])('may never let %d/%d be enough, nor ask for the impossible', (num, den) => {
    expect(() => resolvePolicy({ threshold: { num, den } })).toThrow(
      expect.objectContaining({ code: 'usage/bad-policy', path: 'threshold' }),
    );
  });

  it('is picked out among other options as it is, checked or not', () => {
    const policy = { onDefect: 'ignore', acceptUnbound: true } as const;
    expect(pickPolicy({ ...policy, expect: 1, context: {} } as never)).toEqual(policy);
  });

  it('has no other words for onDefect, and refuses what is no boolean rather than guess', () => {
    expect(() => resolvePolicy({ onDefect: 'accept' as never })).toThrow(
      expect.objectContaining({ code: 'usage/bad-policy', path: 'onDefect' }),
    );
    for (const value of ['true', 1, null]) {
      for (const name of ['acceptClaimed', 'acceptUnbound', 'requireBoundId', 'requireProvenSet', 'requireHeader']) {
        expect(() => resolvePolicy({ [name]: value })).toThrow(
          expect.objectContaining({ code: 'usage/bad-policy', path: name }),
        );
      }
    }
    for (const threshold of [
      { num: 2, den: 3 },
      { num: 2, den: 3n },
      { num: 2n, den: 3 },
      { num: 2n },
      '2/3',
      0.7,
      null,
      { numerator: 3n, denominator: 4n },
    ]) {
      expect(() => resolvePolicy({ threshold: threshold as never })).toThrow(UsageError);
    }
  });

  it.each([
    [{ acceptUnbound: true, requireBoundId: true }, 'acceptUnbound'],
    [{ acceptClaimed: true, requireProvenSet: true }, 'acceptClaimed'],
  ])('that contradicts itself is refused: %o', (policy, path) => {
    expect(() => resolvePolicy(policy)).toThrow(expect.objectContaining({ code: 'usage/bad-policy', path }));
  });
});
