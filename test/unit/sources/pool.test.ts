import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { firstOf } from '../../../src/net/sources/first-of.ts';
import { quorumOf } from '../../../src/net/sources/quorum-of.ts';
import type { HealthChange, ServerEvent } from '../../../src/net/sources/server-events.ts';
import { failing, fakeSource, signed } from '../../helpers/fake-source.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets time pass until it is there, and no longer. */
async function soon<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  for (await vi.advanceTimersByTimeAsync(0); !isOver; ) await vi.advanceTimersToNextTimerAsync();
  return await work;
}
/** In steps of 10 ms: an answer takes one at least. */
const elapsed = (start: number) => Math.floor((performance.now() - start) / 10) * 10;
const hanging = { afterMs: 1e9 };
const calls = (...sources: { readonly calls: readonly string[] }[]) => sources.map((source) => source.calls.length);

describe('a server that failed', () => {
  it('is asked after the others from then on, so that the next question goes to a healthy one at once', async () => {
    const [a, b] = [fakeSource('a', { give: failing('source/upstream') }), fakeSource('b')];
    const source = firstOf([a, b]);
    for (const seqno of [5, 6, 7]) expect((await soon(source.signatures(seqno))).signatures).toEqual(signed(seqno));
    expect(calls(a, b)).toEqual([1, 3]);
  });

  it('is probed after a second, then two, four, up to a minute, and not more often', async () => {
    const [a, b] = [fakeSource('a', { give: failing('source/upstream') }), fakeSource('b')];
    const source = firstOf([a, b]);
    const probes: number[] = [];
    const start = performance.now();
    for (let known = 0; performance.now() - start < 200_000; ) {
      await soon(source.signatures(5));
      if (a.calls.length > known) probes.push(Math.round((performance.now() - start) / 1000));
      known = a.calls.length;
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(probes).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  });

  it('is in its old place again once a probe was answered', async () => {
    let isWell = false;
    const a = fakeSource('a', { give: (seqno) => (isWell ? signed(seqno) : failing('source/upstream')()) });
    const b = fakeSource('b');
    const source = firstOf([a, b]);
    await soon(source.signatures(5));
    isWell = true;
    await vi.advanceTimersByTimeAsync(1000);
    for (let count = 0; count < 3; count++) await soon(source.signatures(5));
    expect(calls(a, b)).toEqual([4, 1]);
  });

  it('is probed by its head while no question needs it, and told as up once that is good', async () => {
    const states: unknown[] = [];
    let isWell = true;
    let head = 5;
    const answer = (well: boolean) => (well ? head++ : failing('source/upstream')());
    const a = fakeSource('a', { head: () => answer(isWell) });
    const b = fakeSource('b', { head: () => answer(performance.now() > 15_000) });
    const source = firstOf([a, b], { onHealth: ({ server, to }) => states.push([server, to]) });
    const looks = async (untilMs: number) => {
      for (; performance.now() < untilMs; await vi.advanceTimersByTimeAsync(1000)) await soon(source.latestSeqno());
    };
    isWell = false;
    await expect(soon(source.latestSeqno())).rejects.toThrow('upstream');
    isWell = true;
    await looks(14_000);
    expect(states.splice(0)).toEqual([
      ['a', 'down'],
      ['b', 'down'],
      ['a', 'up'],
    ]);
    await looks(25_000);
    expect(states).toEqual([['b', 'up']]);
  });

  it('is still asked where nobody is healthy', async () => {
    const give = failing('source/upstream');
    const sources = [fakeSource('a', { give }), fakeSource('b', { give })];
    const source = firstOf(sources);
    for (let count = 0; count < 3; count++)
      await expect(soon(source.signatures(5))).rejects.toThrow('none of 2 servers');
    expect(calls(...sources)).toEqual([3, 3]);
  });

  it('is not well again by an answer to what it was asked before', async () => {
    const a = fakeSource('a', { afterMs: () => (a.calls.length > 1 ? 50 : 10) });
    const b = fakeSource('b');
    const source = firstOf([a, b]);
    const [first, second] = [source.signatures(5), source.signatures(6)];
    (await soon(first)).blame!();
    await soon(second);
    await soon(source.signatures(7));
    expect(b.calls).toEqual(['signatures 7']);
  });

  it('counts by a clock that nobody sets', async () => {
    const [a, b] = [fakeSource('a', { give: failing('source/upstream') }), fakeSource('b')];
    const source = firstOf([a, b]);
    await soon(source.signatures(5));
    vi.setSystemTime(Date.now() - 86_400_000);
    await vi.advanceTimersByTimeAsync(1000);
    await soon(source.signatures(5));
    expect(a.calls).toHaveLength(2);
  });
});

describe('a server that hangs', () => {
  it('keeps a question waiting for a second, and the next ones not at all', async () => {
    const [a, b] = [fakeSource('a', hanging), fakeSource('b')];
    const source = firstOf([a, b]);
    const start = performance.now();
    await soon(source.signatures(5));
    expect(elapsed(start)).toBe(1000);
    await soon(source.signatures(6));
    expect(elapsed(start)).toBe(1000);
    expect(a.stopped).toEqual(['signatures 5']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('delays the question that probes it by 300 ms', async () => {
    const [a, b] = [fakeSource('a', hanging), fakeSource('b')];
    const source = firstOf([a, b]);
    await soon(source.signatures(5));
    await vi.advanceTimersByTimeAsync(1000);
    const start = performance.now();
    await soon(source.signatures(6));
    expect(elapsed(start)).toBe(300);
  });

  it('does not keep a block back that the others have in a moment', async () => {
    const start = performance.now();
    const give = (seqno: number) => (elapsed(start) < 700 ? failing('source/not-ready')() : signed(seqno));
    const [a, b] = [fakeSource('a', { give }), fakeSource('b', hanging)];
    expect((await soon(firstOf([a, b]).signatures(5))).signatures).toEqual(signed(5));
    expect(elapsed(start)).toBe(1000);
    expect(calls(a, b)).toEqual([3, 1]);
  });

  it('lets the others be asked three times, and has ten seconds then', async () => {
    for (const [afterMs, code] of [
      [8_000, undefined],
      [12_000, 'source/not-ready'],
    ] as const) {
      const start = performance.now();
      const late = ['a', 'b'].map((name) => fakeSource(name, { give: failing('source/not-ready') }));
      const asked = soon(firstOf([...late, fakeSource('c', { afterMs })]).signatures(5));
      if (code === undefined) expect((await asked).signatures).toEqual(signed(5));
      else await expect(asked).rejects.toMatchObject({ code });
      expect(elapsed(start)).toBe(code === undefined ? 8_000 : 11_000);
      expect(calls(...late)).toEqual([3, 3]);
    }
  });

  it('is not waited for while it rests, after it left a block open that it named and that others do not have', async () => {
    const late = fakeSource('a', { head: 5, give: failing('source/not-ready') });
    const open = fakeSource('b', { head: 9 });
    const hangs = { ...open, signatures: fakeSource('b', hanging).signatures };
    const source = firstOf([late, hangs], { stallMs: 1 });
    expect(await soon(source.latestSeqno())).toBe(5);
    await vi.advanceTimersByTimeAsync(10);
    expect(await soon(source.latestSeqno())).toBe(9);
    const took: number[] = [];
    for (const restMs of [0, 0, 5000, 0, 5000, 5000]) {
      await vi.advanceTimersByTimeAsync(restMs);
      const start = performance.now();
      await expect(soon(source.signatures(6))).rejects.toMatchObject({ code: 'source/not-ready' });
      took.push(elapsed(start));
    }
    // It is not waited for during 5 s, then during 10 s; and then for 3 s. A server that may have recovered has 0.3 s alone.
    expect(took).toEqual([12_000, 1500, 4300, 1500, 800, 4300]);
  });

  it('is no longer waited for by questions whose other servers are still asked again, once one question has shown that it hangs', async () => {
    const late = fakeSource('a', { head: 5, give: failing('source/not-ready') });
    const open = fakeSource('b', { head: 99 });
    const source = firstOf([late, { ...open, signatures: fakeSource('b', hanging).signatures }], { stallMs: 1 });
    await soon(source.latestSeqno());
    await vi.advanceTimersByTimeAsync(10);
    await soon(source.latestSeqno());
    const start = performance.now();
    const ends: number[] = [];
    for (const atMs of [0, 5000, 11_800, 11_950]) {
      await vi.advanceTimersByTimeAsync(Math.max(0, atMs - (performance.now() - start)));
      source.signatures(6 + atMs).catch(() => ends.push(elapsed(start)));
    }
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ends).toEqual([12_000, 13_300, 13_450, 17_000]);
  });

  it('does not keep a question open for ever where a late server hangs when it is asked again', async () => {
    let asked = 0;
    const late = fakeSource('a', { give: failing('source/not-ready'), afterMs: () => (asked++ === 0 ? 0 : 1e9) });
    const slow = fakeSource('b', { give: failing('source/upstream'), afterMs: 1200 });
    const start = performance.now();
    await expect(soon(firstOf([late, slow]).signatures(5))).rejects.toMatchObject({ code: 'source/upstream' });
    expect(elapsed(start)).toBe(11_200);
  });

  it('does not put behind who gave the block when it was asked again', async () => {
    const changes: HealthChange[] = [];
    let asked = 0;
    const give = (seqno: number) => (asked++ % 2 === 0 ? failing('source/not-ready')() : signed(seqno));
    const late = fakeSource('a', { give });
    const source = firstOf([fakeSource('b', hanging), late], { onHealth: (one) => changes.push(one) });
    for (const seqno of [5, 6]) expect((await soon(source.signatures(seqno))).signatures).toEqual(signed(seqno));
    expect(changes.filter(({ server }) => server === 'a')).toEqual([]);
  });

  it('is waited for as long as before once it has given a block', async () => {
    let isWell = false;
    const late = fakeSource('a', { head: 5, give: failing('source/not-ready') });
    const slow = fakeSource('b', { head: 9 });
    const often = fakeSource('b', { afterMs: () => (isWell ? 400 : 1e9) });
    const source = firstOf([late, { ...slow, signatures: often.signatures }], { stallMs: 1 });
    await soon(source.latestSeqno());
    await vi.advanceTimersByTimeAsync(10);
    await soon(source.latestSeqno());
    await expect(soon(source.signatures(6))).rejects.toMatchObject({ code: 'source/not-ready' });
    isWell = true;
    expect((await soon(source.signatures(6))).signatures).toEqual(signed(6));
    isWell = false;
    const start = performance.now();
    await expect(soon(source.signatures(7))).rejects.toMatchObject({ code: 'source/not-ready' });
    expect(elapsed(start)).toBeGreaterThan(10_000);
  });

  it('does not keep a question open for ever between two that say in turns that they have nothing', async () => {
    const start = performance.now();
    const sources = [1000, 1700].map((afterMs) =>
      fakeSource(`${afterMs}`, { give: failing('source/not-ready'), afterMs }),
    );
    const asked = firstOf(sources, { patienceMs: 50 }).signatures(5);
    asked.catch(() => {});
    await vi.advanceTimersByTimeAsync(5000);
    await expect(soon(asked)).rejects.toMatchObject({ code: 'source/not-ready' });
    expect(elapsed(start)).toBe(5000);
    expect(calls(...sources)).toEqual([2, 1]);
  });

  it('is waited for when patience is endless', async () => {
    const [a, b] = [fakeSource('a', { afterMs: 20_000 }), fakeSource('b')];
    await soon(firstOf([a, b], { patienceMs: Number.POSITIVE_INFINITY }).signatures(5));
    expect(calls(a, b)).toEqual([1, 0]);
  });

  it('does not delay the heads of a quorum more than once in a while', async () => {
    const sources = [fakeSource('a'), fakeSource('b'), fakeSource('c', hanging)];
    const quorum = quorumOf(sources, 2);
    const took = [];
    for (let count = 0; count < 3; count++) {
      const start = performance.now();
      await soon(quorum.latestSeqno());
      took.push(elapsed(start));
    }
    expect(took).toEqual([500, 0, 0]);
  });
});

describe('the head', () => {
  it('of a server that stands still is compared with the others, and the one ahead wins', async () => {
    const [a, b] = [fakeSource('a', { head: 5 }), fakeSource('b', { head: 8 })];
    const source = firstOf([a, b]);
    expect(await soon(source.latestSeqno())).toBe(5);
    await vi.advanceTimersByTimeAsync(4000);
    expect(await soon(source.latestSeqno())).toBe(5);
    await vi.advanceTimersByTimeAsync(2000);
    expect([await soon(source.latestSeqno()), await soon(source.latestSeqno())]).toEqual([8, 8]);
    await soon(source.signatures(8));
    expect(a.calls).not.toContain('signatures 8');
  });

  it('of a server that stood still and goes on gives it back its old place', async () => {
    let head = 5;
    const [a, b] = [fakeSource('a', { head: () => head }), fakeSource('b', { head: 8 })];
    const source = firstOf([a, b]);
    await soon(source.latestSeqno());
    await vi.advanceTimersByTimeAsync(6000);
    expect(await soon(source.latestSeqno())).toBe(8);
    await soon(source.signatures(8));
    head = 9;
    await vi.advanceTimersByTimeAsync(1000);
    expect(await soon(source.latestSeqno())).toBe(9);
    for (const seqno of [8, 9]) expect(await soon(source.signatures(seqno))).toMatchObject({ source: 'a' });
  });

  it('that nobody waits for any more puts no server behind', async () => {
    const changes: HealthChange[] = [];
    const sources = [fakeSource('a'), fakeSource('b', { head: failing('source/not-ready') }), fakeSource('c', hanging)];
    const source = firstOf(sources, { onHealth: (change) => changes.push(change) });
    await soon(source.latestSeqno());
    await vi.advanceTimersByTimeAsync(6000);
    const stop = new AbortController();
    const stopped = expect(source.latestSeqno({ signal: stop.signal })).rejects.toMatchObject({
      code: 'source/aborted',
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(calls(...sources)).toEqual([2, 1, 1]);
    stop.abort();
    await stopped;
    await vi.advanceTimersByTimeAsync(1000);
    expect(changes).toEqual([]);
  });

  it('that went back is compared at once, however long it would be waited for', async () => {
    for (const patienceMs of [300, 1000]) {
      let head = 100;
      const [a, b] = [fakeSource('a', { head: () => head }), fakeSource('b', { head: 101 })];
      const source = firstOf([a, b], { patienceMs });
      expect(await soon(source.latestSeqno())).toBe(100);
      head = 50;
      expect(await soon(source.latestSeqno())).toBe(101);
    }
  });

  it('may differ by a block or two behind one address', async () => {
    let head = 100;
    const [a, b] = [fakeSource('a', { head: () => head }), fakeSource('b', { head: 101 })];
    const source = firstOf([a, b]);
    await soon(source.latestSeqno());
    head = 98;
    expect(await soon(source.latestSeqno())).toBe(98);
    expect(b.calls).toEqual([]);
  });

  it('is told all the same when the chain itself stands, and the others are left alone for a while', async () => {
    const sources = [fakeSource('a'), fakeSource('b')];
    const source = firstOf(sources, { stallMs: 1000 });
    for (let count = 0; count < 10; count++) {
      expect(await soon(source.latestSeqno())).toBe(5);
      await vi.advanceTimersByTimeAsync(300);
    }
    expect(calls(...sources)).toEqual([10, 2]);
  });

  it('of one that boasts does not put the honest ones in the wrong', async () => {
    let head = 100;
    const changes: HealthChange[] = [];
    const sources = [fakeSource('a', { head: () => head++ }), fakeSource('b', { head: 2_000_000_000 })];
    const source = firstOf(sources, { onHealth: (change) => changes.push(change) });
    const said: number[] = [];
    for (let count = 0; count < 3; count++) {
      said.push(await soon(source.latestSeqno()));
      await vi.advanceTimersByTimeAsync(4000);
    }
    expect([said, calls(...sources)]).toEqual([
      [100, 101, 102],
      [3, 1],
    ]);
    expect(await soon(source.latestSeqno())).toBe(2_000_000_000);
    expect(await soon(source.signatures(103))).toMatchObject({ source: 'a' });
    expect(changes).toEqual([]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 40, 1.5, -1])('that is %s is a failure', async (odd) => {
    let head = 100;
    for (const isFirst of [true, false]) {
      const [good, bad] = [fakeSource('good', { head: () => ++head }), fakeSource('odd', { head: odd })];
      const source = firstOf(isFirst ? [good, bad] : [bad, good]);
      for (let count = 0; count < 4; count++) {
        expect(await soon(source.latestSeqno())).toBe(head);
        await vi.advanceTimersByTimeAsync(5000);
      }
      expect(bad.calls.length).toBeGreaterThan(1);
    }
    const three = [fakeSource('a', { head: 7 }), fakeSource('b', { head: 7 }), fakeSource('odd', { head: odd })];
    expect(await soon(quorumOf(three, 2).latestSeqno())).toBe(7);
    await expect(soon(quorumOf(three.slice(1), 2).latestSeqno())).rejects.toMatchObject({ code: 'source/malformed' });
  });

  it('that is made up puts no server behind, and counts no more once its server lacked that block three times', async () => {
    const changes: HealthChange[] = [];
    const give = (seqno: number) => (seqno > 100 ? failing('source/not-ready')() : signed(seqno));
    const [a, b] = [fakeSource('a', { head: 100, give }), fakeSource('b', { head: 2_000_000_000, give })];
    const source = firstOf([a, b], { onHealth: (change) => changes.push(change) });
    await soon(source.latestSeqno());
    await vi.advanceTimersByTimeAsync(6000);
    for (let count = 0; count < 3; count++) {
      expect(await soon(source.latestSeqno())).toBe(2_000_000_000);
      await expect(soon(source.signatures(101))).rejects.toMatchObject({ code: 'source/not-ready' });
    }
    for (const seqno of [99, 100]) await soon(source.signatures(seqno));
    expect(await soon(source.latestSeqno())).toBe(100);
    expect(changes).toEqual([]);
  });

  it('of one that did not have its block in time is believed again once it gives it', async () => {
    let newest = 100;
    const give = (seqno: number) => (seqno > newest ? failing('source/not-ready')() : signed(seqno));
    const a = fakeSource('a', { head: 101, give });
    const source = firstOf([a, fakeSource('b', { head: 100, give })]);
    await soon(source.latestSeqno());
    for (let count = 0; count < 3; count++) await soon(source.signatures(101)).catch(() => {});
    expect(await soon(source.latestSeqno())).toBe(100);
    newest = 101;
    await vi.advanceTimersByTimeAsync(1000);
    await soon(source.signatures(101));
    expect(await soon(source.latestSeqno())).toBe(101);
  });

  it('of a hanging server is not waited for when the only other one stands still', async () => {
    const source = firstOf([fakeSource('a'), fakeSource('b', hanging)], { stallMs: 10 });
    await soon(source.latestSeqno());
    await vi.advanceTimersByTimeAsync(10);
    const start = performance.now();
    expect(await soon(source.latestSeqno())).toBe(5);
    expect(elapsed(start)).toBe(500);
  });

  it('of a slow server is heard after some looks when the only other one stands still', async () => {
    const source = firstOf([fakeSource('a'), fakeSource('b', { head: 9, afterMs: 900 })], { stallMs: 10 });
    const heads: number[] = [];
    for (let look = 0; look < 5; look++) {
      heads.push(await soon(source.latestSeqno()));
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(heads).toEqual([5, 5, 9, 9, 9]);
  });

  it.each([
    ['stands still', 0],
    ['moves slowly', 1],
  ])(
    'of a server that failed to give its own head counts again after a while where the only other one %s',
    async (_, step) => {
      let isWell = false;
      let other = 5;
      const well = fakeSource('b', {
        head: 99,
        give: (seqno) => (isWell ? signed(seqno) : failing('source/not-ready')()),
      });
      const head = () => {
        other += step;
        return other;
      };
      const source = firstOf([well, fakeSource('a', { head, give: failing('source/not-ready') })]);
      const look = async () => {
        await vi.advanceTimersByTimeAsync(1000);
        return await soon(source.latestSeqno());
      };
      expect(await look()).toBe(99);
      for (let count = 0; count < 3; count++) await expect(soon(source.signatures(99))).rejects.toThrow();
      isWell = true;
      const isHeard: boolean[] = [];
      for (let count = 0; count < 7; count++) isHeard.push((await look()) === 99);
      expect(isHeard).toEqual([false, false, false, false, true, true, true]);
      expect((await soon(source.signatures(99))).signatures).toEqual(signed(99));
    },
  );
});

describe('what is told', () => {
  it('is every question to a server with its outcome, and every change of health', async () => {
    const events: ServerEvent[] = [];
    const changes: HealthChange[] = [];
    const observers = {
      onServer: (one: ServerEvent) => events.push(one),
      onHealth: (one: HealthChange) => changes.push(one),
    };
    let isWell = false;
    const a = fakeSource('a', { afterMs: 7, give: (seqno) => (isWell ? signed(seqno) : failing('source/upstream')()) });
    const source = firstOf([a, fakeSource('b', { afterMs: 3 })], observers);
    await soon(source.signatures(5));
    isWell = true;
    await vi.advanceTimersByTimeAsync(1000);
    await soon(source.signatures(5));
    expect(events).toEqual([
      { server: 'a', operation: 'signatures', outcome: 'source/upstream', latencyMs: 7, attempts: 2 },
      { server: 'b', operation: 'signatures', outcome: 'ok', latencyMs: 3, attempts: 1 },
      { server: 'a', operation: 'signatures', outcome: 'ok', latencyMs: 7, attempts: 1 },
    ]);
    expect(changes).toMatchObject([
      { server: 'a', from: 'up', to: 'down', probeInMs: 1000, error: { code: 'source/upstream' } },
      { server: 'a', from: 'down', to: 'up', probeInMs: 0 },
    ]);
  });

  it('names the observer that throws', async () => {
    const broken = () => {
      throw new Error('no space left');
    };
    const named = (path: string) => ({
      code: 'usage/callback',
      path,
      message: `${path}: the callback threw: no space left`,
    });
    const sources = [fakeSource('a', { give: failing('source/upstream') }), fakeSource('b')];
    await expect(soon(firstOf(sources, { onServer: broken }).signatures(5))).rejects.toMatchObject(named('onServer'));
    await expect(soon(firstOf(sources, { onHealth: broken }).signatures(5))).rejects.toMatchObject(named('onHealth'));
    await expect(soon(quorumOf(sources, 1, { onServer: broken }).latestSeqno())).rejects.toMatchObject(
      named('onServer'),
    );
  });

  it('does not end the process when an observer is async and fails', async () => {
    const onServer = async () => {
      throw new Error('nobody sees this');
    };
    expect((await soon(firstOf([fakeSource('a')], { onServer }).signatures(5))).signatures).toEqual(signed(5));
  });

  it.each([
    [1, 2, true],
    [2, 4, true],
    [2, 3, false],
    [1, 1, false],
  ])('%d of %d can split: %s', (need, count, canSplit) => {
    const { warnings = [] } = quorumOf(
      Array.from({ length: count }, (_, at) => fakeSource(String(at))),
      need,
    );
    expect(warnings.map(({ code }) => code)).toEqual(canSplit ? ['split-quorum'] : []);
  });
});

describe('an answer with bad signatures', () => {
  it('is asked of those who gave none of them, one after the other, and those to blame are asked last', async () => {
    const sources = ['a', 'b', 'c'].map((name) => fakeSource(name));
    const source = firstOf(sources);
    const refused = [await soon(source.signatures(5))];
    for (const name of ['b', 'c']) {
      const next = await soon(refused.at(-1)!.another!());
      expect(next).toMatchObject({ source: name });
      refused.push(next!);
    }
    expect(await soon(refused.at(-1)!.another!())).toBeUndefined();
    for (const one of refused.slice(0, 2)) one.blame!();
    expect(await soon(source.signatures(6))).toMatchObject({ source: 'c' });
  });

  it('is an error while the others cannot be asked', async () => {
    const source = firstOf([fakeSource('a'), fakeSource('b', { give: failing('source/upstream') })]);
    const first = await soon(source.signatures(5));
    await expect(soon(first.another!())).rejects.toBeInstanceOf(SourceError);
  });

  it('is asked of whoever was not waited for in a quorum, if it is about the same block', async () => {
    const sources = [fakeSource('a'), fakeSource('b'), fakeSource('c', { afterMs: 5 })];
    const quorum = quorumOf(sources, 2);
    const first = await soon(quorum.signatures(5));
    const second = await soon(first.another!());
    expect(await soon(second!.another!())).toMatchObject({ source: 'c', signatures: signed(5) });
  });
});

it('a source that is heard in the background has three seconds, however long a head may stay the same', async () => {
  const silent = fakeSource('b', hanging);
  const source = firstOf([fakeSource('a'), silent], { stallMs: 60_000 });
  await vi.advanceTimersByTimeAsync(60_000);
  await soon(source.latestSeqno());
  await vi.advanceTimersByTimeAsync(2900);
  expect([silent.calls, silent.stopped]).toEqual([['latest'], []]);
  await vi.advanceTimersByTimeAsync(100);
  expect(silent.stopped).toEqual(['latest']);
});

it('an error of a program in a source that is heard in the background is thrown once, by a later question', async () => {
  let isBroken = true;
  let head = 5;
  const broken = fakeSource('b', {
    head: () => {
      if (!isBroken) return head;
      isBroken = false;
      throw new TypeError('broken');
    },
  });
  const source = firstOf([fakeSource('a', { head: () => head++ }), broken]);
  const later = async () => {
    await vi.advanceTimersByTimeAsync(5000);
    return await soon(source.latestSeqno());
  };
  expect(await later()).toBe(5);
  await expect(later()).rejects.toThrow('broken');
  expect([await later(), await later()]).toEqual([7, 8]);
});

it('a question waits for its own turn before another server is asked, as far as the source knows', async () => {
  const busy = { ...fakeSource('a'), waitMs: () => 5000 };
  const free = fakeSource('b');
  const source = firstOf([busy, free]);
  await soon(source.signatures(5));
  expect(calls(busy, free)).toEqual([0, 1]);
  expect(source.waitMs!()).toBe(0);
});

it.each([
  ['patienceMs', 0],
  ['patienceMs', Number.NaN],
  ['stallMs', -1],
  ['onServer', 'log'],
  ['staggerMs', 5],
])('%s of %s is no option of a source in order', (path, value) => {
  expect(() => firstOf([fakeSource('a')], { [path]: value })).toThrow(
    expect.objectContaining({ code: 'usage/bad-option', path }) as Error,
  );
});
