/** Which of the heads that servers name is gone for, and whether this machine's clock is believed beside theirs. */
import { describe, expect, it } from 'vitest';
import { MAX_CLOCK_SKEW_SECONDS } from '../../../src/base/limits.ts';
import { chooseTarget, requireClock, type ServerHead } from '../../../src/lite/heads.ts';

/** What a server says; who says it is of no matter here. */
const said = (seqno: number, now?: number) =>
  ({ head: { last: { seqno }, ...(now === undefined ? {} : { now }) } }) as unknown as ServerHead;

describe('the head to go for', () => {
  const heads = [said(7), said(9), said(3), said(8)];

  it('is the newest that as many servers as are wanted say they know', () => {
    const chosen = [1, 2, 3, 4].map((k) => chooseTarget(heads, k).head.last.seqno);
    expect(chosen).toEqual([9, 8, 7, 3]);
  });

  it('is the oldest where there are fewer servers than are wanted', () => {
    expect(chooseTarget(heads, 5).head.last.seqno).toBe(3);
  });
});

describe('this machine’s clock', () => {
  const at = 1_700_000_000;
  const skew = MAX_CLOCK_SKEW_SECONDS;
  const refused = (heads: readonly ServerHead[], now: number) =>
    expect(() => requireClock(heads, now)).toThrow(expect.objectContaining({ code: 'source/clock' }));

  it('may be off by as much as is allowed, either way, and no more', () => {
    for (const sign of [-1, 1]) {
      requireClock([said(1, at)], at + sign * skew);
      refused([said(1, at)], at + sign * (skew + 1));
    }
  });

  it('is compared with the middle one of the servers’, so that no single one moves it', () => {
    const heads = [said(1, at + 9 * skew), said(1, at), said(1, at - 9 * skew), said(1)];
    requireClock(heads, at);
    refused(heads, at + 2 * skew);
    requireClock([said(1, 0), said(1, at + 1), said(1, at)], at);
  });

  it('is believed where no server says what time it is', () => {
    requireClock([said(1)], at);
  });
});
