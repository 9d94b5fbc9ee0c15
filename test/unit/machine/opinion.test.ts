/** What one server's words about a block come to. */
import { describe, expect, it } from 'vitest';
import { opinionOfFailure, opinionOfSignatures } from '../../../src/net/machine/agreement.ts';

describe('a server that failed', () => {
  it('is behind where it does not have the block yet', () => {
    expect(opinionOfFailure('source/not-ready')).toBe('behind');
  });

  it.each(['source/timeout', 'source/rate-limited', 'source/upstream', 'source/malformed'] as const)(
    'is silent after %s, which is no lie',
    (code) => {
      expect(opinionOfFailure(code)).toBe('silent');
    },
  );
});

describe('signatures under another block of the same number', () => {
  const good = { areEnough: true, bindNumber: true, areForged: false };

  it('are a fork where enough of the set signed, the number too, and that of ours is proven', () => {
    expect(opinionOfSignatures(good, true)).toBe('forked');
  });

  it.each([
    ['too few signed', { ...good, areEnough: false }, true],
    ['they cover hashes alone', { ...good, bindNumber: false }, true],
    ['the number of ours is not proven', good, false],
  ])('contradict, and prove nothing, where %s', (_, other, isBound) => {
    expect(opinionOfSignatures(other, isBound)).toBe('contradicts');
  });

  it('refute the server where they are forged, whatever else they are', () => {
    for (const isBound of [true, false]) {
      expect(opinionOfSignatures({ ...good, areForged: true }, isBound)).toBe('refuted');
      expect(opinionOfSignatures({ areEnough: false, bindNumber: false, areForged: true }, isBound)).toBe('refuted');
    }
  });
});
