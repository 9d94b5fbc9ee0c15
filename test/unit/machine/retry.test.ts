/** One rule for asking again, whichever kind of server it is. */
import { describe, expect, it } from 'vitest';
import { SourceError, type SourceErrorCode } from '../../../src/core/base/errors.ts';
import { backoffMs, grownMs, type RetryPolicy, retryDelay } from '../../../src/net/machine/retry.ts';

const POLICY: RetryPolicy = { retries: 3, waitForBlock: false, rateLimitWaitMs: 1100 };
const failed = (code: SourceErrorCode, attempts: number, more = {}) =>
  new SourceError(code, 'x', { attempts, ...more });
const delayOf = (code: SourceErrorCode, attempts: number, policy: Partial<RetryPolicy> = {}, leftMs = 1e9) =>
  retryDelay(failed(code, attempts), { ...POLICY, ...policy }, leftMs, 0.5);

describe('the wait before another try', () => {
  it.each(['source/upstream', 'source/timeout'] as const)('doubles with each try after %s, up to 8 s', (code) => {
    expect([1, 2, 3].map((tries) => delayOf(code, tries))).toEqual([250, 500, 1000]);
    expect(delayOf(code, 9, { retries: 10 })).toBe(4000);
    expect(delayOf(code, 4)).toBeUndefined();
  });

  it('leaves a server that counts alone for twice as long each time', () => {
    expect([1, 2, 3].map((tries) => delayOf('source/rate-limited', tries))).toEqual([1100, 2200, 4400]);
    expect(delayOf('source/rate-limited', 1, { rateLimitWaitMs: 0 })).toBe(250);
  });

  it('is what the server asked for, where that is longer', () => {
    expect(retryDelay(failed('source/rate-limited', 1, { retryAfterMs: 7000 }), POLICY, 1e9, 0.5)).toBe(7000);
    expect(retryDelay(failed('source/rate-limited', 1, { retryAfterMs: 7 }), POLICY, 1e9, 0.5)).toBe(1100);
  });

  it.each(['source/not-ready', 'source/server'] as const)('comes once after %s', (code) => {
    expect([1, 2].map((tries) => delayOf(code, tries))).toEqual([250, undefined]);
    expect(delayOf(code, 1, { retries: 0 })).toBeUndefined();
  });

  it('comes in steps of a second or so for a block that is waited for', () => {
    expect([1, 50].map((tries) => delayOf('source/not-ready', tries, { waitForBlock: true }))).toEqual([1250, 1250]);
    expect(delayOf('source/server', 2, { waitForBlock: true })).toBeUndefined();
  });

  it.each(['source/malformed', 'source/auth', 'source/bad-request', 'source/aborted', 'source/disagree'] as const)(
    'does not come after %s, which another try does not mend',
    (code) => {
      expect(delayOf(code, 1)).toBeUndefined();
    },
  );

  it('does not come where it would end at the deadline or after it', () => {
    expect(delayOf('source/upstream', 1, {}, 250)).toBeUndefined();
    expect(delayOf('source/upstream', 1, {}, 251)).toBe(250);
  });
});

it('a pause doubles with each failure, up to a cap', () => {
  expect([0, 1, 2, 3, 4, 5].map((times) => grownMs(500, 8000, times))).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
  expect([0, 1, 2].map((times) => grownMs(400, 700, times, 1.5))).toEqual([400, 600, 700]);
});

it('a pause is a number however often a try failed', () => {
  expect(grownMs(500, 8000, 1e9)).toBe(8000);
  expect(grownMs(0, 8000, 1e9)).toBe(0);
});

it('a pause before what failed is drawn between half of it and all of it', () => {
  expect([0, 0.5, 1].map((chance) => backoffMs(500, 8000, 1, chance))).toEqual([500, 750, 1000]);
  expect([0, 1].map((chance) => backoffMs(400, 1000, 1, chance, 1.5))).toEqual([300, 600]);
});
