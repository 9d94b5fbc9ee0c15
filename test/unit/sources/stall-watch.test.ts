import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FollowOptions, readFollowOptions } from '../../../src/net/follow/follow-options.ts';
import { createStallWatch, type FollowStall } from '../../../src/net/follow/stall-watch.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch(opts: Partial<FollowOptions> = {}) {
  const told: FollowStall[] = [];
  const settings = readFollowOptions({
    validators: makeSet(makeSigners([1n])),
    onStall: (stall) => void told.push(stall),
    ...opts,
  });
  const stalls = createStallWatch('server', settings);
  /** What the head is, looked at every second. */
  const see = async (seconds: number, said: number, isWaiting = true) => {
    for (let at = 0; at < seconds; at++) {
      await vi.advanceTimersByTimeAsync(1000);
      stalls.saw(said, isWaiting);
    }
  };
  return { stalls, told, see };
}

describe('a head that stands still', () => {
  it('is told after 10 s, then after 20, 40 and 80, and ends the run after 10 minutes', async () => {
    const { told, see } = watch();
    await see(1, 100);
    await see(599, 100);
    expect(told.map(({ forMs }) => forMs / 1000)).toEqual([10, 20, 40, 80, 160, 320]);
    expect(told[0]).toEqual({ head: 100, said: 100, forMs: 10_000 });
    await expect(see(1, 100)).rejects.toThrow('server: no block after 100 for 600 s, its head is 100');
  });

  it('is told at once where it is far before the first block that is wanted', () => {
    const { stalls, told } = watch();
    stalls.saw(100, false);
    stalls.begin(201);
    expect(told).toEqual([]);
    stalls.begin(202);
    expect(told).toEqual([{ head: 100, said: 100, forMs: 0 }]);
  });

  it('begins anew with each block', async () => {
    const { told, see } = watch({ stallAfterMs: 3000 });
    for (const head of [100, 101, 102]) await see(5, head);
    expect(told.map(({ head }) => head)).toEqual([100, 101, 102]);
  });

  it('is none while there are blocks left to report, or the caller takes time over one', async () => {
    const { told, see, stalls } = watch();
    await see(1000, 100, false);
    stalls.resume();
    await see(9, 100);
    expect(told).toEqual([]);
  });
});

describe('a head that goes back', () => {
  it('is told once for each head, but not by a block or two', async () => {
    const { told, see } = watch();
    await see(1, 100);
    for (const said of [98, 97, 97, 50, 99, 50]) await see(1, said);
    expect(told.map(({ said }) => said)).toEqual([97, 50, 50]);
    expect(told.every(({ head }) => head === 100)).toBe(true);
  });

  it('is not gone back when the high one was wrong', async () => {
    const { told, see, stalls } = watch();
    await see(1, 2_000_000_000);
    stalls.correct(100);
    await see(5, 100);
    expect(told).toEqual([]);
  });
});
