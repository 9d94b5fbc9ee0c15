/** A follower keeps up with the best server, whichever servers are named before it. Time is virtual. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SignatureList } from '../../../src/core/block/signature-list.ts';
import type { Ed25519Engine } from '../../../src/core/ed25519/engine.ts';
import { opensslEngine } from '../../../src/core/ed25519/openssl.ts';
import { followBlocks } from '../../../src/net/follow/follow-blocks.ts';
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
type Made = ReturnType<typeof server>;
const ahead = (blocks: number, name = 'ahead') => server(name, behind(-blocks), 5);
const hanging = (one: Made): Made => ({ ...one, signatures: fakeSource(one.name, { afterMs: 1e9 }).signatures });
const empty = (one: Made): Made => ({ ...one, signatures: async (seqno) => noSignatures(seqno, one.name) });
const late = (one: Made): Made => ({
  ...one,
  signatures: fakeSource(one.name, { afterMs: 5, give: failing('source/not-ready') }).signatures,
});
const eleven = (make: (name: string) => Made) => Array.from({ length: 11 }, (_, at) => make(`liar ${at}`));
const noSignatures = (seqno: number, source: string) => ({
  signatures: { ...signed(seqno), signatures: [] },
  source,
});
const hangs = () => hanging(ghost());
const lies = () => empty(ghost());

const checked = new Map<string, boolean>();
/** The same blocks are followed again and again: each signature is checked once. */
const engine: Ed25519Engine = {
  name: opensslEngine.name,
  open(publicKeys) {
    const ring = opensslEngine.open(publicKeys);
    return {
      verify: (message, keyIndexes, signatures) =>
        signatures.map((signature, at) => {
          const index = keyIndexes[at]!;
          const key = Buffer.concat([publicKeys[index]!, message, signature]).toString('latin1');
          const known = checked.get(key) ?? ring.verify(message, [index], [signature])[0]!;
          checked.set(key, known);
          return known;
        }),
      close: () => ring.close(),
    };
  },
};

interface Followed {
  /** The most blocks behind the chain in the second half. */
  readonly most: number;
  /** The longest time between two blocks, and the longest one in the second half. */
  readonly gapMs: number;
  readonly lateGapMs: number;
  readonly changes: number;
  readonly stalls: number;
}

/** Follows for a minute, or longer. */
async function follow(servers: readonly Made[], seconds = 60): Promise<Followed> {
  await vi.advanceTimersByTimeAsync(FIRST * BLOCK_MS - performance.now());
  const stop = new AbortController();
  const options = {
    validators: makeSet(signers, { utimeUntil: 4_000_000_000 }),
    acceptUnbound: true,
    engine,
    from: FIRST,
    signal: stop.signal,
    onStall: () => void stalls++,
  };
  const start = performance.now();
  const halfMs = seconds * 500;
  let [last, lastMs, most, gapMs, lateGapMs, changes, stalls] = [0, start, 0, 0, 0, 0, 0];
  const source = firstOf(servers, { onHealth: () => void changes++ });
  const run = (async () => {
    for await (const { coverage, verdict } of followBlocks(source, options)) {
      expect(verdict).toMatchObject({ status: 'final' });
      last = coverage.blockId.seqno;
      const nowMs = performance.now();
      gapMs = Math.max(gapMs, nowMs - lastMs);
      if (nowMs - start > halfMs) lateGapMs = Math.max(lateGapMs, nowMs - lastMs);
      lastMs = nowMs;
    }
  })();
  for (let step = 1; step <= seconds * 2; step++) {
    await vi.advanceTimersByTimeAsync(500);
    if (step > seconds) most = Math.max(most, chain() - last);
  }
  stop.abort();
  await run;
  return { most, gapMs, lateGapMs, changes, stalls };
}

it.each([
  ['a server at half the pace', () => [half('a'), good()], 3],
  ['a server that stays 50 blocks behind', () => [server('a', behind(50)), good()], 3],
  ['two slow servers', () => [half('a'), server('b', behind(30)), good()], 3],
  ['a server at half the pace and one that hangs', () => [half('a'), fakeSource('b', { afterMs: 1e9 }), good()], 3],
  ['a server at half the pace, itself slow to answer,', () => [half('a'), good(900)], 10],
  ['a server at half the pace, itself very slow to answer,', () => [half('a'), good(2000)], 30],
  ['a server at half the pace, beside one with heads that are made up,', () => [half('a'), ghost(), good()], 4],
  ['a server at half the pace, beside one that hangs at what it made up,', () => [half('a'), hangs(), good()], 10],
  ['a server at half the pace, beside one that lies about what it made up,', () => [half('a'), lies(), good()], 4],
] as const)('the best server is kept up with after %s', async (_, servers, most) => {
  expect((await follow(servers())).most).toBeLessThanOrEqual(most);
});

it('the heads of the other servers are asked for every five seconds', async () => {
  const others = [server('b', behind(1)), server('c', behind(10))];
  expect((await follow([good(), ...others])).most).toBeLessThanOrEqual(2);
  for (const { calls } of others) expect(calls).toEqual(Array.from({ length: 11 }, () => 'latest'));
});

it.each([
  ['names 3 blocks more and hangs', () => [hanging(ahead(3))], 20],
  ['names 10 blocks more and hangs', () => [hanging(ahead(10))], 20],
  ['names 101 blocks more and hangs', () => [hanging(ahead(101))], 20],
  ['names a block that never comes and hangs', () => [hangs()], 20],
  ['names 101 blocks more and gives no valid signatures', () => [empty(ahead(101))], 150],
  ['names 101 blocks more and does not have them yet', () => [late(ahead(101))], 20],
  ['is one of eleven that give no valid signatures', () => eleven((name) => empty(ahead(101, name))), 20],
] as const)('a good server is followed as before beside one that %s', async (_, liars, most) => {
  const servers = [good(), ...liars()];
  const followed = await follow(servers, 120);
  expect(followed.most).toBeLessThanOrEqual(5);
  expect(followed.gapMs).toBeLessThanOrEqual(2500);
  expect(followed.lateGapMs).toBeLessThanOrEqual(2500);
  expect(followed.changes).toBeLessThanOrEqual(most);
  expect(followed.stalls).toBe(0);
  expect(servers[0]!.calls.length).toBeLessThan(2000);
});

const hangingEleven = (more: number) => eleven((name) => hanging(ahead(more, name)));
it.each([
  ['3 blocks more', () => [good(), ...hangingEleven(3)]],
  ['3 blocks more, and come first,', () => [...hangingEleven(3), good()]],
  ['101 blocks more', () => [good(), ...hangingEleven(101)]],
  ['101 blocks more, and come first,', () => [...hangingEleven(101), good()]],
] as const)(
  'eleven servers that name %s and hang hold a good server up for four seconds at most',
  async (_, servers) => {
    expect((await follow(servers(), 120)).lateGapMs).toBeLessThanOrEqual(4000);
  },
);

it('a server whose head goes back for a while holds no follower back, before another server gave a block', async () => {
  const back = server('back', () => chain() - (performance.now() % 30_000 > 20_000 ? 100 : 0));
  expect((await follow([back, good()])).gapMs).toBeLessThanOrEqual(1000);
});

it('five slow servers with heads that they cannot prove hold a slow good server up for eleven seconds at most', async () => {
  const slow = (afterMs: number, blocks: number, give: (seqno: number) => SignatureList) =>
    fakeSource(`${afterMs} ms`, { head: behind(-blocks), afterMs, give });
  const unsigned = (seqno: number): SignatureList => ({ ...signed(seqno), signatures: [] });
  const liars = [
    slow(1500, 2_000_000_000, unsigned),
    slow(4000, 3, failing('source/not-ready')),
    slow(2500, 200, failing('source/upstream')),
    slow(300, 8, failing('source/not-ready')),
    slow(6000, 8, unsigned),
  ];
  expect((await follow([...liars, good(900)], 120)).most * BLOCK_MS).toBeLessThanOrEqual(11_000);
});
