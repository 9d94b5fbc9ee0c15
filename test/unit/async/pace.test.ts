import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPace } from '../../../src/net/async/pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;
const INFINITE = Number.POSITIVE_INFINITY;

function startsIn(pace: ReturnType<typeof createPace>, count: number, takesMs = 0): number[] {
  const begin = performance.now();
  const starts: number[] = [];
  for (let at = 0; at < count; at++) {
    void pace.run(async () => {
      starts.push(Math.round(performance.now() - begin));
      await new Promise((resolve) => setTimeout(resolve, takesMs));
    }, never);
  }
  return starts;
}

describe('a pace', () => {
  it('spreads starts evenly, however many there are', async () => {
    const starts = startsIn(createPace({ requestsPerSecond: 10, concurrency: 4 }), 5);
    await vi.advanceTimersByTimeAsync(1000);
    expect(starts).toEqual([0, 100, 200, 300, 400]);
  });

  it('has no more at a time than it may', async () => {
    const starts = startsIn(createPace({ requestsPerSecond: INFINITE, concurrency: 2 }), 5, 50);
    await vi.advanceTimersByTimeAsync(1000);
    expect(starts).toEqual([0, 0, 50, 50, 100]);
  });

  it.each([-86_400_000, 86_400_000])(
    'neither stalls nor bursts when the clock of the machine steps by %d ms',
    async (step) => {
      const starts = startsIn(createPace({ requestsPerSecond: 10, concurrency: 4 }), 4);
      await vi.advanceTimersByTimeAsync(150);
      vi.setSystemTime(Date.now() + step);
      await vi.advanceTimersByTimeAsync(1000);
      expect(starts).toEqual([0, 100, 200, 300]);
    },
  );

  it('rests as long as it is told, and says how long that is', async () => {
    const pace = createPace({ requestsPerSecond: 10, concurrency: 1 });
    pace.rest!(500);
    pace.rest!(100);
    expect([pace.restMs!(), pace.waitMs!()]).toEqual([500, 500]);
    const starts = startsIn(pace, 2);
    expect(pace.waitMs!()).toBe(700);
    await vi.advanceTimersByTimeAsync(1000);
    expect(starts).toEqual([500, 600]);
    expect(pace.restMs!()).toBe(0);
  });

  it('lets go of what is stopped before its turn, and of its timer', async () => {
    const pace = createPace({ requestsPerSecond: 1, concurrency: 1 });
    const stop = new AbortController();
    const work = [never, stop.signal, stop.signal].map((signal) => pace.run(async () => 'done', signal));
    const ends = Promise.allSettled(work);
    await vi.advanceTimersByTimeAsync(10);
    stop.abort(new Error('enough'));
    expect((await ends).map((end) => ('value' in end ? end.value : end.reason.message))).toEqual([
      'done',
      'enough',
      'enough',
    ]);
    expect(vi.getTimerCount()).toBe(0);
    await expect(pace.run(async () => 'done', AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives a place back when a task ends, fails or is stopped, whether it listens or not', async () => {
    const pace = createPace({ requestsPerSecond: INFINITE, concurrency: 1 });
    const stop = new AbortController();
    const ends = Promise.allSettled([
      pace.run(() => new Promise(() => {}), stop.signal),
      pace.run(() => Promise.reject(new Error('failed')), never),
      pace.run(() => {
        throw new Error('threw');
      }, never),
      pace.run(async () => 'done', never),
    ]);
    stop.abort(new Error('stopped'));
    expect((await ends).map((end) => ('value' in end ? end.value : end.reason.message))).toEqual([
      'stopped',
      'failed',
      'threw',
      'done',
    ]);
  });

  it.each([
    [{ requestsPerSecond: 0, concurrency: 1 }, 'requestsPerSecond'],
    [{ requestsPerSecond: 1, concurrency: 0 }, 'concurrency'],
    [{ requestsPerSecond: 1, concurrency: 1, burst: 5 }, 'burst'],
  ])('that makes no sense is refused: %j', (opts, path) => {
    expect(() => createPace(opts)).toThrow(expect.objectContaining({ path }) as Error);
  });
});
