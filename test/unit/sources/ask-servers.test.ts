/** How long servers are waited for that were asked one question. Time is virtual. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askServers } from '../../../src/net/sources/ask-servers.ts';
import { failing, fakeSource } from '../../helpers/fake-source.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  ['a later one', [2000, 300], 400],
  ['an earlier one', [300, 2000], 350],
])('the earliest end of a question counts, also after %s', async (_, waits, endMs) => {
  const left = [...waits];
  const stop = new AbortController();
  const answer = askServers<number>({
    sources: [fakeSource('a', { afterMs: 50 }), fakeSource('b', { afterMs: 100 }), fakeSource('c', { afterMs: 1e9 })],
    signal: stop.signal,
    heard: [],
    ask: (source) => source.latestSeqno({ signal: stop.signal }),
    onAnswer: () => left.shift(),
    onFailure: () => undefined,
  });
  let endedMs = 0;
  const start = performance.now();
  void answer.then(() => {
    endedMs = performance.now() - start;
  });
  await vi.advanceTimersByTimeAsync(3000);
  expect(Math.round(endedMs)).toBe(endMs);
  expect((await answer).slow.map(({ name }) => name)).toEqual(['c']);
  stop.abort();
  expect(vi.getTimerCount()).toBe(0);
});

it('a server that answers late is not waited for longer than the rest, where others were asked again', async () => {
  const stop = new AbortController();
  const late = fakeSource('late', { afterMs: 10, give: failing('source/not-ready') });
  let gone = 0;
  const start = performance.now();
  const answer = askServers({
    sources: [late, fakeSource('slow', { afterMs: 1700 }), fakeSource('c', { afterMs: 1e9 })],
    signal: stop.signal,
    heard: [],
    restMs: 500,
    ask: (source) => source.signatures(5, { signal: stop.signal }),
    onAnswer: () => undefined,
    onFailure: () => undefined,
  });
  void answer.then(() => {
    gone = performance.now() - start;
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(Math.round(gone)).toBe(2200);
  stop.abort();
});
