import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AskedBefore,
  answeredAgain,
  askedAgain,
  type Cost,
  costAfter,
  costProven,
  type Length,
  leftOf,
  NO_COST,
  shareOf,
  timesLeft,
} from '../../../src/net/machine/budget.ts';

const MIB = 1_048_576;

describe('what servers may cost', () => {
  it.each([
    [1, 72],
    [2, 40],
    [4, 24],
    [64, 9],
  ])('is 64 MiB and 8 for each of %d, in equal parts of %d MiB', (servers, mib) => {
    expect(shareOf(servers)).toBe(mib * MIB);
  });

  it('is never more together than the budget of the run', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1024 }), (servers) => {
        const budget = (64 + 8 * servers) * MIB;
        expect(servers * shareOf(servers)).toBeLessThanOrEqual(budget);
        expect(servers * shareOf(servers)).toBeGreaterThan(budget - servers);
      }),
    );
  });

  it('grows with every answer, and stays for as long as a run takes', () => {
    const cost = costAfter(costAfter(NO_COST, 100, 5, 1000, 'run'), 50, 7, 1000, 'run');
    expect(cost).toEqual({ bytes: 150, atMs: 7 });
    expect(leftOf(cost, 1e9, 1000, 'run')).toBe(850);
    expect(leftOf({ bytes: 1001, atMs: 0 }, 0, 1000, 'run')).toBe(0);
  });

  it('is forgotten bit by bit of what has no end, a whole part in ten minutes', () => {
    const cost: Cost = { bytes: 1000, atMs: 60_000 };
    const left = (nowMs: number) => leftOf(cost, nowMs, 1000, 'lasting');
    expect([60_000, 120_000, 360_000, 660_000, 1e9].map(left)).toEqual([0, 100, 500, 1000, 1000]);
    expect(costAfter(cost, 10, 360_000, 1000, 'lasting')).toEqual({ bytes: 510, atMs: 360_000 });
  });

  it('is what answers have beyond 64 KiB a link that they prove', () => {
    const cost: Cost = { bytes: 300_000, atMs: 3 };
    expect(costProven(cost, 100_000, 2)).toEqual({ bytes: 200_000, atMs: 3 });
    expect(costProven(cost, 300_000, 2)).toEqual({ bytes: 300_000 - 131_072, atMs: 3 });
    expect(costProven(cost, 100_000, 0)).toEqual(cost);
    expect(costProven({ bytes: 10, atMs: 3 }, 100, 1)).toEqual({ bytes: 0, atMs: 3 });
  });
});

describe('one question to one server', () => {
  /** Sends a question, and takes its answers later. */
  const asking = (asked: AskedBefore | undefined, answers: number, nowMs: number, length: Length = 'run') =>
    answeredAgain(askedAgain(asked), { answers }, nowMs, length);

  it('may be answered three times in a run', () => {
    let asked: AskedBefore | undefined;
    const left = [];
    for (let time = 0; time < 4; time++) {
      left.push(timesLeft(asked, time, 'run'));
      asked = asking(asked, 1, time);
    }
    expect(left).toEqual([3, 2, 1, 0]);
    expect(asked).toEqual({ times: 4, atMs: 3, open: 0 });
    expect(timesLeft(asked, 1e12, 'run')).toBe(0);
    expect(timesLeft(asking(undefined, 2, 0), 0, 'run')).toBe(1);
  });

  it('counts as answered until it is known whether there was an answer', () => {
    const asked = askedAgain(undefined);
    expect(timesLeft(asked, 0, 'run')).toBe(2);
    expect(answeredAgain(asked, { answers: 0 }, 5, 'run')).toEqual({ times: 0, atMs: 0, open: 0 });
  });

  it('counts for as many answers as it may bring while it is open', () => {
    const asked = askedAgain(undefined, 2);
    expect(timesLeft(asked, 0, 'run')).toBe(1);
    const both = askedAgain(asked);
    expect(timesLeft(both, 0, 'run')).toBe(0);
    expect(answeredAgain(both, { answers: 1, most: 2 }, 5, 'run')).toEqual({ times: 1, atMs: 5, open: 1 });
  });

  it('may be asked anew, of what has no end, four seconds after the last answer', () => {
    const asked: AskedBefore = { times: 3, atMs: 1000, open: 0 };
    expect([4_999, 5_000].map((nowMs) => timesLeft(asked, nowMs, 'lasting'))).toEqual([0, 3]);
    expect(asking(asked, 1, 4_999, 'lasting')).toEqual({ times: 4, atMs: 4_999, open: 0 });
    expect(asking(asked, 1, 5_000, 'lasting')).toEqual({ times: 1, atMs: 5_000, open: 0 });
  });

  it('is not forgotten while it is open: a lost one adds no further answer, and late answers all count', () => {
    const lost = asking(undefined, 0, 10_000, 'lasting');
    expect(timesLeft(lost, 10_000, 'lasting')).toBe(3);
    const two = askedAgain(askedAgain(undefined));
    expect(timesLeft(two, 9_000, 'lasting')).toBe(1);
    const one = answeredAgain(two, { answers: 2 }, 9_000, 'lasting');
    expect(timesLeft(one, 9_000, 'lasting')).toBe(0);
    expect(answeredAgain(one, { answers: 1 }, 9_000, 'lasting')).toEqual({ times: 3, atMs: 9_000, open: 0 });
  });
});
