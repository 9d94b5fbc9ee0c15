import { describe, expect, it } from 'vitest';
import { resolvePolicy } from '../../../src/verify/policy.ts';

describe('a policy', () => {
  it('is by default the node’s: more than 2/3, any defect rejects', () => {
    expect(resolvePolicy()).toEqual({
      onDefect: 'reject',
      threshold: { num: 2n, den: 3n },
      acceptClaimed: false,
      requireBoundId: false,
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
      expect.objectContaining({ code: 'usage/bad-policy' }),
    );
  });

  it('has no other words for onDefect, and refuses what is no boolean rather than guess', () => {
    expect(() => resolvePolicy({ onDefect: 'accept' as never })).toThrow(
      expect.objectContaining({ code: 'usage/bad-policy' }),
    );
    for (const value of ['true', 1, null]) {
      expect(() => resolvePolicy({ acceptClaimed: value as never })).toThrow(TypeError);
      expect(() => resolvePolicy({ requireBoundId: value as never })).toThrow(TypeError);
    }
    expect(() => resolvePolicy({ threshold: { num: 1, den: 1 } as never })).toThrow(TypeError);
  });
});
