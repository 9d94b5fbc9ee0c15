import { describe, expect, it, type TestContext } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { followBlocks } from '../../../src/net/follow/follow-blocks.ts';
import type { FollowStall } from '../../../src/net/follow/stall-reports.ts';
import type { BlockSource } from '../../../src/net/sources/block-source.ts';
import { firstOf } from '../../../src/net/sources/first-of.ts';
import type { HealthChange } from '../../../src/net/sources/server-events.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { disorder, followFigures } from '../../helpers/follow-figures.ts';
import { FAILING_MOODS, type Mood, startLivingChain, startLivingServer } from '../../helpers/living-chain.ts';
import { makeSignedSet } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

async function chainWith({ onTestFinished }: TestContext, moods: readonly Mood[], msPerBlock = 60) {
  const chain = startLivingChain(msPerBlock);
  const started = await Promise.all(moods.map((mood) => startLivingServer(chain, mood)));
  onTestFinished(async () => {
    await Promise.all(started.map((server) => server.close()));
  });
  const sources = started.map(({ baseUrl }) => toncenterV2({ baseUrl, requestsPerSecond: Number.POSITIVE_INFINITY }));
  return { chain, servers: started, sources };
}

// They mostly wait for blocks, so they do it together.
describe.concurrent('a chain followed through a healthy second server', () => {
  it.for(FAILING_MOODS)(
    'is reported block for block, final and in order, while the first one is %s',
    async (mood, test) => {
      const { chain, sources, servers } = await chainWith(test, [mood, 'well']);
      const [bad] = servers;
      const source = firstOf(sources, { stallMs: 1000 });
      const begunMs = performance.now();
      const { seqnos, verdicts } = await followFigures(chain, source, (so) => so.seqnos.length === 40);
      const seconds = (performance.now() - begunMs) / 1000; // ten times as many on a busy machine, with as many more probes
      expect(disorder(seqnos, chain.first)).toEqual([]);
      expect(verdicts).toEqual({ final: 40 });
      // Where it can be told, the first server is soon asked no more than a probe now and then. One that boasts is not.
      if (mood !== 'boasting') expect(bad!.asked).toBeLessThan(24 + 2 * seconds);
    },
  );

  it('with little patience is the same', async (test) => {
    const { chain, sources } = await chainWith(test, ['hanging', 'well', 'closed']);
    const { seqnos } = await followFigures(
      chain,
      firstOf(sources, { patienceMs: 300 }),
      (so) => so.seqnos.length === 30,
    );
    expect(disorder(seqnos, chain.first)).toEqual([]);
  });

  it.for(['boasting', 'inventing'] as const)(
    'begins at the head there is, and skips to no other, while the first one is %s',
    async (mood, test) => {
      const { chain, sources } = await chainWith(test, [mood, 'well']);
      const source = firstOf(sources);
      const followed = { validators: chain.validators, pollMs: 10 };
      for await (const { coverage, verdict } of followBlocks(source, followed)) {
        expect(verdict.status).toBe('final');
        expect(coverage.blockId.seqno).toBeLessThanOrEqual(chain.head());
        break;
      }
      const figures = await followFigures(chain, source, (so) => so.seqnos.length === 3, { sample: true, pollMs: 10 });
      expect(figures.verdicts).toEqual({ final: 3 });
    },
  );

  it('puts no server behind for a head that the other one made up, while the chain stands', async (test) => {
    const { chain, sources, servers } = await chainWith(test, ['well', 'boasting']);
    const stood = servers[0]!.become('frozen');
    const changes: HealthChange[] = [];
    const source = firstOf(sources, { stallMs: 50, onHealth: (change) => void changes.push(change) });
    await stood;
    const stop = new AbortController();
    const ended = followFigures(chain, source, () => false, { from: 2_000_000, signal: stop.signal, pollMs: 10 });
    while (servers[1]!.asked < 20) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();
    await ended;
    expect(changes).toEqual([]);
  });

  it('goes back to the first one when that is well again', async (test) => {
    const { chain, sources, servers } = await chainWith(test, ['closed', 'well']);
    const changes: string[] = [];
    const onHealth = ({ server, to }: HealthChange) => void (server === sources[0]!.name && changes.push(to));
    let before = 0;
    const { seqnos } = await followFigures(chain, firstOf(sources, { onHealth }), ({ seqnos }) => {
      if (seqnos.length === 30) void servers[0]!.become('well');
      if (changes.at(-1) === 'up' && before === 0) before = seqnos.length;
      return before > 0 && seqnos.length >= before + 10 && servers[0]!.asked > 5;
    });
    expect(disorder(seqnos, chain.first)).toEqual([]);
    expect(servers[0]!.asked).toBeGreaterThan(5);
  });
});

it.concurrent('a witness that is silent holds up one block for a second, and no block after it', async (test) => {
  const { chain, sources } = await chainWith(test, ['well', 'hanging', 'well']);
  const begunMs = performance.now();
  const opts = { others: sources, strict: true, onTrouble: (error: SourceError) => expect.unreachable(error.message) };
  const { seqnos } = await followFigures(chain, sources[0]!, (so) => so.seqnos.length === 30, opts);
  expect(disorder(seqnos, chain.first)).toEqual([]);
  expect(performance.now() - begunMs).toBeLessThan(8_000); // a question to the silent one takes ten seconds
});

it.concurrent('a server is asked three times for a block that it does not have, while another one is silent', async (test) => {
  const { chain, servers } = await chainWith(test, ['well', 'hanging']);
  const sources = servers.map(({ baseUrl }) => toncenterV2({ baseUrl, retries: 0, requestsPerSecond: 1000 }));
  const asked = firstOf(sources, { patienceMs: 100 }).signatures(chain.first + 1_000_000, { deadlineMs: 4_000 });
  await expect(asked).rejects.toBeInstanceOf(SourceError);
  expect(servers[0]!.asked).toBe(3);
});

describe.concurrent('slow answers', () => {
  it.for([1, 3, 8])('do not make a follower slow: %d are asked for at a time, and no more', async (prefetch, test) => {
    const { chain, sources } = await chainWith(test, ['well'], 1);
    const [server] = sources;
    let [running, most] = [0, 0];
    const counted = {
      ...server!,
      signatures: async (seqno: number, opts?: object) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 20));
        return await server!.signatures(seqno, opts).finally(() => running--);
      },
    };
    await followFigures(chain, counted, (so) => so.seqnos.length === 40, { prefetch });
    expect(most).toBe(prefetch);
  });

  it('are not asked for early where the source says that they would only wait', async (test) => {
    const { chain, sources } = await chainWith(test, ['well'], 1);
    const asked: number[] = [];
    const paced = {
      ...sources[0]!,
      waitMs: () => 5000,
      signatures: (seqno: number, opts?: object) => {
        asked.push(seqno);
        return sources[0]!.signatures(seqno, opts);
      },
    };
    const { seqnos } = await followFigures(chain, paced, (so) => so.seqnos.length === 5);
    expect(asked).toEqual(seqnos);
  });
});

describe.concurrent('one server alone', () => {
  it('that forges is reported so; that has strangers sign is too, where the set is one for all', async (test) => {
    for (const [mood, expected] of [
      ['forging', { rejected: 3 }],
      ['strangers', { undecided: 3 }],
    ] as const) {
      const { chain, sources } = await chainWith(test, [mood]);
      const { verdicts } = await followFigures(chain, sources[0]!, (so) => so.seqnos.length === 3);
      expect(verdicts).toEqual(expected);
    }
  });

  it('that throttles is left alone for as long as it says, by its own clock', async (test) => {
    const { chain, sources, servers } = await chainWith(test, ['well']);
    const [server] = servers;
    server!.clockOffMs = 3_600_000;
    const figures = await followFigures(chain, sources[0]!, ({ seqnos }) => {
      if (seqnos.length === 5) {
        void server!.become('throttling');
        setTimeout(() => void server!.become('well'), 500);
      }
      return seqnos.length === 30;
    });
    expect(disorder(figures.seqnos, chain.first)).toEqual([]);
    // Up to eight were on their way when it began; nobody asked in the second after.
    expect(server!.asked).toBeLessThan(30 + 40);
  });

  it('that freezes is told, and ends the run at last', async (test) => {
    const { chain, sources, servers } = await chainWith(test, ['well']);
    const stalls: number[] = [];
    const run = followFigures(
      chain,
      sources[0]!,
      ({ seqnos }) => {
        if (seqnos.length === 5) void servers[0]!.become('frozen');
        return false;
      },
      { pollMs: 10, stallAfterMs: 200, maxOutageMs: 1000, onStall: ({ forMs }) => void stalls.push(forMs) },
    );
    const error: SourceError = await run.then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect(error).toMatchObject({ code: 'source/not-ready' });
    expect(error.message).toMatch(/no block after \d+ for \d+ s/);
    expect(stalls.length).toBeGreaterThan(0);
  });

  it('whose head goes back is told once for each head, and waited for', async (test) => {
    const { chain, sources, servers } = await chainWith(test, ['well']);
    const stalls: FollowStall[] = [];
    const onStall = (stall: FollowStall) => {
      stalls.push(stall);
      void servers[0]!.become('well');
    };
    const { seqnos } = await followFigures(
      chain,
      sources[0]!,
      ({ seqnos }) => {
        if (seqnos.length === 10) void servers[0]!.become('rewound');
        return seqnos.length >= 20 && stalls.length > 0;
      },
      { pollMs: 10, onStall, stallAfterMs: 60_000 },
    );
    expect(disorder(seqnos, chain.first)).toEqual([]);
    expect(stalls).toHaveLength(1);
    expect(stalls[0]!.said).toBe(chain.first);
    expect(stalls[0]!.head).toBeGreaterThan(chain.first + 5);
  });
});

it('a head that is one ahead of what there is, again and again, is told and ends the run like one that stands', async () => {
  const signers = makeSigners([1n, 1n, 1n, 1n]);
  const block = makeSignedSet('simplex', signers, 1000);
  const stalls: number[] = [];
  let asked = 0;
  const source: BlockSource = {
    name: 'a head to and fro',
    latestSeqno: async () => 1000 + (asked++ % 2),
    async signatures(seqno) {
      if (seqno === 1000) return { signatures: block, source: 'a head to and fro' };
      throw new SourceError('source/not-ready', 'not yet');
    },
  };
  const seen: number[] = [];
  const following = followBlocks(source, {
    validators: makeSet(signers),
    ...{ pollMs: 10, stallAfterMs: 100, maxOutageMs: 600 },
    onStall: ({ forMs }) => void stalls.push(forMs),
  });
  const run = (async () => {
    for await (const { coverage } of following) seen.push(coverage.blockId.seqno);
  })();
  await expect(run).rejects.toMatchObject({
    code: 'source/not-ready',
    message: expect.stringMatching(/no block after|not yet/), // whichever it is at when its patience ends
  });
  expect(seen).toEqual([1000]);
  expect(stalls.length).toBeGreaterThan(0);
});
