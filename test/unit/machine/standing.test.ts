import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isResting,
  NEW_STANDING,
  REST_RULES,
  type RestRule,
  restMs,
  type Seen,
  type Standing,
  standingAfter,
  withTime,
} from '../../../src/net/machine/standing.ts';
import { share } from '../../helpers/share.ts';

const RULE: RestRule = { firstMs: 10, longestMs: 100, forgiving: 'one' };
const QUICK: RestRule = { ...RULE, forgiving: 'all' };

const failed: Seen = { kind: 'failed', fault: 'down' };
const answeredAt = (askedAtMs: number): Seen => ({ kind: 'answered', askedAtMs });

/** What is seen one after the other, each at its time. */
const seenBy = (rule: RestRule, ...seen: readonly (readonly [nowMs: number, seen: Seen])[]): Standing =>
  seen.reduce((standing, [nowMs, one]) => standingAfter(standing, one, nowMs, rule), NEW_STANDING);

describe('a rest', () => {
  it('takes twice as long each time, up to the longest', () => {
    expect([0, 1, 2, 3, 4, 5, 2000].map((times) => restMs(times, RULE))).toEqual([10, 20, 40, 80, 100, 100, 100]);
  });

  it('of lite servers takes 30 s to 600 s, over HTTP 1 s to 60 s', () => {
    expect(REST_RULES).toEqual({
      lite: { firstMs: 30_000, longestMs: 600_000, forgiving: 'one' },
      http: { firstMs: 1000, longestMs: 60_000, forgiving: 'all' },
    });
  });

  it('begins with a failure, and is over at its very end', () => {
    const standing = seenBy(RULE, [1000, failed]);
    expect(standing).toMatchObject({ fault: 'down', failures: 1, failedAtMs: 1000, restsUntilMs: 1010, isOut: false });
    expect([1000, 1009, 1010].map((nowMs) => isResting(standing, nowMs))).toEqual([true, true, false]);
    expect(isResting(NEW_STANDING, 0)).toBe(false);
  });

  it('is no shorter for another fault', () => {
    const standing = seenBy(RULE, [0, failed], [0, failed], [0, failed], [1, { kind: 'in-vain' }]);
    expect(standing).toMatchObject({ failures: 3, inVain: 1, restsUntilMs: 40 });
  });

  it('for blocks named in vain grows by itself, and is as at first once one is proven', () => {
    const vain: Seen = { kind: 'in-vain' };
    const twice = seenBy(RULE, [0, vain], [100, vain]);
    expect(twice).toMatchObject({ inVain: 2, restsUntilMs: 120, failures: 0, fault: undefined });
    const believed = standingAfter(twice, { kind: 'proven' }, 200, RULE);
    expect(believed).toEqual({ ...twice, inVain: 0 });
    expect(standingAfter(believed, vain, 200, RULE).restsUntilMs).toBe(210);
  });

  it('ends, with one failure less, where another server was at fault', () => {
    const twice = seenBy(RULE, [0, failed], [100, failed], [101, { kind: 'excused' }]);
    expect(twice).toMatchObject({ fault: undefined, failures: 1, restsUntilMs: Number.NEGATIVE_INFINITY });
    expect(seenBy(RULE, [0, { kind: 'excused' }])).toEqual(NEW_STANDING);
  });

  it.each(['slow', 'behind', 'down'] as const)('says why: %s', (fault) => {
    expect(seenBy(RULE, [0, failed], [1, { kind: 'failed', fault }]).fault).toBe(fault);
  });

  it('goes on as long as the last one when a probe is sent', () => {
    const standing = seenBy(QUICK, [0, failed], [0, failed], [20, { kind: 'probed' }]);
    expect(standing).toMatchObject({ failures: 2, restsUntilMs: 40, fault: 'down', failedAtMs: 0 });
    expect(seenBy(QUICK, [5, { kind: 'probed' }]).restsUntilMs).toBe(15);
  });
});

describe('a good answer', () => {
  it('makes up for one failure, and the rest goes on', () => {
    const standing = seenBy(RULE, [0, failed], [0, failed], [1, answeredAt(1)]);
    expect(standing).toMatchObject({ failures: 1, restsUntilMs: 20, fault: undefined });
    expect(seenBy(RULE, [0, answeredAt(0)]).failures).toBe(0);
  });

  it('ends the rest where it makes up for all', () => {
    const standing = seenBy(QUICK, [0, failed], [0, failed], [40, answeredAt(39)]);
    expect(standing).toMatchObject({ failures: 2, fault: undefined });
    expect(isResting(standing, Number.MIN_SAFE_INTEGER)).toBe(false);
  });

  it('has failures forgotten once twice the last rest has passed', () => {
    expect(seenBy(QUICK, [5, failed], [5, failed], [45, answeredAt(45)]).failures).toBe(2);
    expect(seenBy(QUICK, [5, failed], [5, failed], [46, answeredAt(46)]).failures).toBe(0);
  });

  it.each([RULE, QUICK])('to what was asked before a failure says nothing: $forgiving', (rule) => {
    const standing = seenBy(rule, [5, failed]);
    expect(standingAfter(standing, answeredAt(4), 6, rule)).toEqual(standing);
    expect(standingAfter(standing, answeredAt(5), 6, rule).fault).toBeUndefined();
  });
});

it('a server that was not asked yet is in no trouble, rests for no time and is slower than any other', () => {
  const never = Number.NEGATIVE_INFINITY;
  const none = { isOut: false, fault: undefined, failures: 0, inVain: 0, failedAtMs: never, restsUntilMs: never };
  expect(NEW_STANDING).toEqual({ ...none, tookMs: Number.POSITIVE_INFINITY });
});

it('the time of a question counts half, and the first one whole', () => {
  expect(NEW_STANDING.tookMs).toBe(Number.POSITIVE_INFINITY);
  const once = withTime(NEW_STANDING, 100);
  expect(once).toEqual({ ...NEW_STANDING, tookMs: 100 });
  expect(withTime(once, 50).tookMs).toBe(75);
});

describe('whatever is seen', () => {
  const seen: fc.Arbitrary<Seen> = fc.oneof(
    fc.record({ kind: fc.constant('answered' as const), askedAtMs: fc.nat(1000) }),
    fc.record({ kind: fc.constant('failed' as const), fault: fc.constantFrom('down', 'slow', 'behind') }),
    fc.record({ kind: fc.constantFrom('lied', 'in-vain', 'proven', 'probed', 'excused') }),
  );
  const rule = fc.constantFrom(RULE, QUICK);

  it('a server that lied stays out, no rest is longer than the longest, and no count is below 0', () => {
    fc.assert(
      fc.property(rule, fc.array(fc.tuple(fc.nat(20), seen), { maxLength: 40 }), (rule, events) => {
        let standing = NEW_STANDING;
        let nowMs = 0;
        for (const [ms, one] of events) {
          nowMs += ms;
          const before = standing;
          standing = standingAfter(before, one, nowMs, rule);
          expect(standing.isOut).toBe(before.isOut || one.kind === 'lied');
          expect(Math.min(standing.failures, standing.inVain)).toBeGreaterThanOrEqual(0);
          expect(standing.restsUntilMs).toBeLessThanOrEqual(nowMs + rule.longestMs);
          const isShorter = standing.restsUntilMs < before.restsUntilMs;
          const mayShorten = one.kind === 'excused' || (rule.forgiving === 'all' && one.kind === 'answered');
          expect(isShorter && !mayShorten).toBe(false);
        }
      }),
      { numRuns: share(100, 300) },
    );
  });
});
