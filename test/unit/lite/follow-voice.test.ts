import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HeadStall, Voice } from '../../../src/net/lite/follow-voice.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function makeVoice(onStall: ((stall: HeadStall) => void) | undefined, maxOutageMs = 600_000) {
  const failures: unknown[] = [];
  const reason = () => ({ code: 'head-stands', head: 12, said: 11 }) as const;
  return {
    voice: new Voice({ onStall, maxOutageMs, reason, onFailure: (error) => void failures.push(error) }),
    failures,
  };
}

describe('the voice of a follower', () => {
  it('tells why after ten seconds without a block, after twenty, after forty', () => {
    const told: number[] = [];
    const { voice } = makeVoice(({ forMs, code, head, said }) => {
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

  it('says nothing while its caller has a block, and leaves no timer behind', () => {
    const told: HeadStall[] = [];
    const { voice } = makeVoice((stall) => void told.push(stall));
    voice.listen();
    voice.hush();
    vi.advanceTimersByTime(86_400_000);
    expect(told).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is patient with proofs that come, and not with a chain that stands', () => {
    const { voice } = makeVoice(undefined, 60_000);
    voice.listen();
    for (let minute = 0; minute < 10; minute++) {
      vi.advanceTimersByTime(59_000);
      voice.proved();
    }
    voice.requirePatience();
    vi.advanceTimersByTime(60_001);
    expect(() => voice.requirePatience()).toThrow(
      'no block after 12 for 60 s, the newest that a lite server names is 11',
    );
  });

  it('hands on what a callback throws', () => {
    const { voice, failures } = makeVoice(() => {
      throw new Error('oops');
    });
    voice.listen();
    vi.advanceTimersByTime(10_000);
    expect(failures).toMatchObject([{ code: 'usage/callback', path: 'onStall' }]);
    voice.hush();
  });
});
