/** A follower keeps up with the best server, whichever servers are named before it. Time is virtual. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followBlocks } from '../../../src/net/follow/follow.ts';
import { firstOf } from '../../../src/net/sources/first-of.ts';
import { failing, fakeSource, signed, signers } from '../../helpers/fake-source.ts';
import { makeSet } from '../../helpers/make-validators.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FIRST = 1000;
const BLOCK_MS = 400;
const behind = (blocks: number) => () => Math.floor(performance.now() / BLOCK_MS) - blocks;
const chain = behind(0);

/** A server that names `head`, and gives the blocks of the chain up to there. */
const server = (name: string, head: () => number, afterMs = 40) =>
  fakeSource(name, {
    head,
    afterMs,
    give: (seqno) => (seqno > Math.min(head(), chain()) ? failing('source/not-ready')() : signed(seqno)),
  });
const half = (name: string) => server(name, () => FIRST + Math.floor((chain() - FIRST) / 2));
const good = (afterMs?: number) => server('good', chain, afterMs);
const ghost = () => server('ghost', () => 2_000_000_000, 5);
const hangs = () => ({ ...ghost(), signatures: fakeSource('ghost', { afterMs: 1e9 }).signatures });
const lies = () => ({
  ...ghost(),
  signatures: async (seqno: number) => ({
    signatures: { ...signed(seqno), signatures: [] },
    source: 'ghost',
  }),
});

/** Follows for a minute. @returns the most blocks behind the chain in its second half */
async function follow(...servers: ReturnType<typeof server>[]): Promise<number> {
  await vi.advanceTimersByTimeAsync(FIRST * BLOCK_MS - performance.now());
  const stop = new AbortController();
  const options = {
    validators: makeSet(signers, { utimeUntil: 4_000_000_000 }),
    acceptUnbound: true,
    from: FIRST,
    signal: stop.signal,
  };
  let last = 0;
  const run = (async () => {
    for await (const { coverage, verdict } of followBlocks(firstOf(servers), options)) {
      expect(verdict).toMatchObject({ status: 'final' });
      last = coverage.blockId.seqno;
    }
  })();
  let most = 0;
  for (let half = 0; half < 2; half++) {
    for (let step = 0; step < 60; step++) {
      await vi.advanceTimersByTimeAsync(500);
      if (half === 1) most = Math.max(most, chain() - last);
    }
  }
  stop.abort();
  await run;
  return most;
}

it.each([
  ['a server at half the pace', () => [half('a'), good()], 3],
  ['a server that stays 50 blocks behind', () => [server('a', behind(50)), good()], 3],
  ['two slow servers', () => [half('a'), server('b', behind(30)), good()], 3],
  ['a server at half the pace and one that hangs', () => [half('a'), fakeSource('b', { afterMs: 1e9 }), good()], 3],
  ['a server at half the pace, itself slow to answer,', () => [half('a'), good(900)], 10],
  ['a server at half the pace, beside one with heads that are made up,', () => [half('a'), ghost(), good()], 4],
  ['a server at half the pace, beside one that hangs at what it made up,', () => [half('a'), hangs(), good()], 10],
  ['a server at half the pace, beside one that lies about what it made up,', () => [half('a'), lies(), good()], 4],
] as const)('the best server is kept up with after %s', async (_, servers, most) => {
  expect(await follow(...servers())).toBeLessThanOrEqual(most);
});

it('the heads of the other servers are asked for every five seconds', async () => {
  const others = [server('b', behind(1)), server('c', behind(10))];
  expect(await follow(good(), ...others)).toBeLessThanOrEqual(2);
  for (const { calls } of others) expect(calls).toEqual(Array.from({ length: 11 }, () => 'latest'));
});
