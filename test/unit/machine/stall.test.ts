/** When a run that hands out nothing says why, which why, and what of heads is news. */
import { describe, expect, it } from 'vitest';
import {
  isFarBehind,
  isOutage,
  leftMs,
  SILENT_MS,
  type StallInputs,
  sawHead,
  stallCode,
  toldAt,
} from '../../../src/net/machine/stall.ts';

describe('a silence', () => {
  it('is told after ten seconds, twenty, forty and so on', () => {
    let quiet = { sinceMs: 500, dueMs: SILENT_MS };
    const told: number[] = [];
    for (let nowMs = 500; nowMs <= 200_500; nowMs += 100) {
      if (leftMs(quiet, nowMs) > 0) continue;
      told.push(nowMs - 500);
      quiet = toldAt(quiet, nowMs);
    }
    expect(told).toEqual([10_000, 20_000, 40_000, 80_000, 160_000]);
  });

  it('that was told late is not told again at once', () => {
    const quiet = toldAt({ sinceMs: 0, dueMs: 10_000 }, 45_000);
    expect(quiet).toEqual({ sinceMs: 0, dueMs: 80_000 });
    expect(toldAt({ sinceMs: 0, dueMs: 10_000 }, 40_000).dueMs).toBe(80_000);
    expect(toldAt({ sinceMs: 30_000, dueMs: 10_000 }, 45_000).dueMs).toBe(20_000);
  });

  it('that was told before its time is told when it is due all the same', () => {
    expect(toldAt({ sinceMs: 0, dueMs: 10_000 }, 9_999)).toEqual({ sinceMs: 0, dueMs: 10_000 });
  });
});

it('patience is over once no block was proven for as long as the caller allows', () => {
  expect([999, 1000, 1001].map((stuckMs) => isOutage(stuckMs, 1000))).toEqual([false, true, true]);
});

describe('the reason why there is nothing to hand out', () => {
  const standing = { head: 500, said: 500, isAnswered: true, isClimbing: false, areFew: false };
  const codeOf = (over: Partial<StallInputs>) => stallCode({ ...standing, ...over });

  it('is that no server answers, whatever servers said before', () => {
    for (const said of [0, 500, 600])
      expect(codeOf({ said, isAnswered: false, isClimbing: true, areFew: true })).toBe('no-server');
  });

  it('is that too few servers agree where a block is proven', () => {
    expect(codeOf({ said: 501, areFew: true, isClimbing: true })).toBe('too-few-witnesses');
  });

  it('is a newer block without a proof, or with one on the way to it', () => {
    expect(codeOf({ said: 501 })).toBe('not-proven');
    expect(codeOf({ said: 501, isClimbing: true })).toBe('catching-up');
  });

  it('is that no server names a newer block, or that all of them are a hundred blocks behind', () => {
    expect([500, 499, 400, 399].map((said) => codeOf({ said, isClimbing: true }))).toEqual([
      ...['head-stands', 'head-stands', 'head-stands'],
      'behind-state',
    ]);
    expect([isFarBehind(400, 500), isFarBehind(399, 500)]).toEqual([false, true]);
  });
});

describe('a head', () => {
  const start = { said: 0, head: 0, highest: 0 };
  const sayAll = (...heads: number[]) => {
    let seen = start;
    return heads.map((said) => {
      const { seen: after, ...news } = sawHead(seen, said);
      seen = after;
      return { ...after, ...news };
    });
  };

  it('moves where it is higher than any before, one that was taken back among them', () => {
    expect(sayAll(5, 5, 6, 4, 6).map(({ moved }) => moved)).toEqual([true, false, true, false, false]);
    const { moved, seen } = sawHead({ said: 5, head: 5, highest: 100 }, 99);
    expect([moved, seen]).toEqual([false, { said: 99, head: 99, highest: 100 }]);
  });

  it('goes back by more than a block or two, which is news once for each', () => {
    const told = sayAll(100, 98, 97, 97, 50, 99, 50);
    expect(told.filter(({ wentBack }) => wentBack).map(({ said }) => said)).toEqual([97, 50, 50]);
    expect(told.map(({ head }) => head)).toEqual(told.map(() => 100));
  });
});
