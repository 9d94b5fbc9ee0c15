import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { type FollowStall, Voice, type VoiceOptions } from '../../../src/net/follow/stall-reports.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function makeVoice(onStall: VoiceOptions['onStall'], maxOutageMs = 600_000, more: Partial<VoiceOptions> = {}) {
  const reason = () => ({ code: 'head-stands', head: 12, said: 11 }) as const;
  return new Voice({ signal: undefined, onStall, maxOutageMs, reason, ...more });
}

describe('the voice of a follower', () => {
  it('tells why after ten seconds without a block, after twenty, after forty', () => {
    const told: number[] = [];
    const voice = makeVoice(({ forMs, code, head, said }) => {
      expect({ code, head, said }).toEqual({ code: 'head-stands', head: 12, said: 11 });
      told.push(Math.round(forMs / 1000));
    });
    voice.listen();
    vi.advanceTimersByTime(9_900);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(90_100);
    expect(told).toEqual([10, 20, 40, 80]);
    voice.listen(); // a block came
    vi.advanceTimersByTime(15_000);
    expect(told.slice(4)).toEqual([10]);
  });

  it('reports at once what comes at every look, and then after ten, twenty and forty seconds', () => {
    const told: number[] = [];
    const voice = makeVoice(() => void told.push(Math.round(performance.now() / 1000)));
    const startMs = performance.now();
    for (let second = 0; second < 100; second++) {
      voice.listen(); // a block came
      voice.say();
      vi.advanceTimersByTime(1000);
    }
    voice.hush();
    vi.advanceTimersByTime(3600 * 1000);
    voice.say();
    vi.advanceTimersByTime(10_000);
    voice.say();
    expect(told.map((at) => at - Math.round(startMs / 1000))).toEqual([0, 10, 30, 70, 3700, 3710]);
  });

  it('says nothing while its caller has a block, and leaves no timer behind', () => {
    const told: FollowStall[] = [];
    const voice = makeVoice((stall) => void told.push(stall));
    voice.listen();
    voice.hush();
    vi.advanceTimersByTime(86_400_000);
    expect(told).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  const late = new SourceError('source/timeout', 'late');

  it('is patient with failures while proofs come, and says how long there was none', () => {
    const voice = makeVoice(undefined, 60_000);
    voice.listen();
    for (let minute = 0; minute < 10; minute++) {
      vi.advanceTimersByTime(59_000);
      voice.proved();
    }
    vi.advanceTimersByTime(59_999);
    voice.requirePatience(late);
    expect([voice.stuckMs, voice.leftMs]).toEqual([59_999, 1]);
    vi.advanceTimersByTime(1);
    expect(() => voice.requirePatience(late)).toThrow(late);
    expect(voice.outage()).toMatchObject({
      code: 'source/not-ready',
      message: 'no block after 12 for 60 s; servers name 11 as the newest',
      hint: expect.stringContaining('other servers'),
    });
  });

  it('tells sooner where the caller wants that', () => {
    const told: number[] = [];
    const voice = makeVoice(({ forMs }) => void told.push(forMs), 1000, { stallAfterMs: 3000 });
    voice.listen();
    vi.advanceTimersByTime(2999);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(4000);
    expect(told).toEqual([3000, 6000]);
    voice.close();
  });

  it('has no patience where there is to be none', () => {
    const voice = makeVoice(undefined, 0);
    voice.listen();
    expect(() => voice.requirePatience(late)).toThrow(late);
  });

  it('hands on what a callback throws, which ends the run', () => {
    const voice = makeVoice(() => {
      throw new Error('oops');
    });
    voice.listen();
    voice.requireNoFault();
    vi.advanceTimersByTime(10_000);
    expect(voice.signal.aborted).toBe(true);
    expect(() => voice.requireNoFault()).toThrow(expect.objectContaining({ code: 'usage/callback', path: 'onStall' }));
    voice.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with the signal of the caller, and listens to it no longer than the run', () => {
    const stop = new AbortController();
    const [one, other] = [1, 2].map(() => makeVoice(undefined, 0, { signal: stop.signal }));
    one!.close();
    expect([one!.signal.aborted, other!.signal.aborted]).toEqual([true, false]);
    stop.abort();
    expect(other!.signal.aborted).toBe(true);
  });
});
