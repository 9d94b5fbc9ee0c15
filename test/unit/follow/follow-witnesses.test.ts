/** A follower over any sources compares its blocks with other servers: one in turn, or as many as have to agree. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { followBlocks } from '../../../src/net/follow/follow-blocks.ts';
import type { FollowOptions } from '../../../src/net/follow/follow-options.ts';
import { verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import type { BlockSource } from '../../../src/net/sources/block-source.ts';
import { ForkError } from '../../../src/net/sources/fork-error.ts';
import type { LiveWarning } from '../../../src/net/sources/witness-report.ts';
import { makeSignedSet, toAnswer } from '../../helpers/make-block.ts';
import { makeSigners } from '../../helpers/make-validators.ts';

beforeEach(() => void vi.useFakeTimers().setTimerTickMode('nextTimerAsync'));
afterEach(() => void vi.useRealTimers());

const NOW = 1_800_000_000;
const signers = makeSigners([1n, 1n, 1n, 1n]);
const strangers = makeSigners([1n, 1n, 1n, 1n], 'strangers');
const validators = createValidatorSet(
  signers.map(({ publicKey, weight }) => ({ publicKey, weight })),
  { utimeUntil: NOW },
);

type Say = 'truth' | 'fork' | 'other' | 'hang' | 'none';

function server(name: string, say: (seqno: number) => Say = () => 'truth', kind: 'simplex' | 'ordinary' = 'simplex') {
  const asked: number[] = [];
  const source: BlockSource & { asked: number[] } = {
    name,
    asked,
    latestSeqno: async () => 9,
    async signatures(seqno, opts) {
      asked.push(seqno);
      const said = say(seqno);
      if (said === 'none') throw new SourceError('source/upstream', `${name}: down`, { endpoint: name });
      if (said === 'hang')
        return await new Promise((_, reject) => {
          opts?.signal?.addEventListener('abort', () => reject(new SourceError('source/aborted', 'stopped')));
        });
      // The block of another chain has the hashes of another number, and its own signatures.
      const signatures = makeSignedSet(kind, said === 'other' ? strangers : signers, seqno, said === 'truth' ? 0 : 1);
      return { signatures, source: name, body: new TextEncoder().encode(JSON.stringify(toAnswer(signatures))) };
    },
  };
  return source;
}

async function follow(source: BlockSource, to: number, opts: Partial<FollowOptions>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { coverage, verdict } of followBlocks(source, {
    validators,
    from: 1,
    clock: () => NOW,
    prefetch: 1,
    ...opts,
  })) {
    expect(verdict.status).toBe('final');
    seen.push(coverage.blockId.seqno);
    await new Promise((resolve) => setImmediate(resolve)); // what is asked beside gets its answer
    if (coverage.blockId.seqno === to) break;
  }
  return seen;
}

describe('a follower with other servers', () => {
  it('asks one of them about each block, in turn, never the one that gave it, and waits for none', async () => {
    const source = server('a');
    const others = [source, server('b'), server('c')];
    expect(await follow(source, 6, { others })).toEqual([1, 2, 3, 4, 5, 6]);
    expect(source.asked).toEqual([1, 2, 3, 4, 5, 6]);
    const [b, c] = [others[1]!.asked, others[2]!.asked];
    expect([...b, ...c].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(Math.abs(b.length - c.length)).toBeLessThan(2);
    expect(await follow(server('a'), 6, { others: [server('hangs', () => 'hang')] })).toHaveLength(6);
  });

  it('waits at the end for what one of them says of the last block', async () => {
    for (const slow of [0, 20]) {
      const fork = server('b', (seqno) => (seqno < 3 ? 'truth' : 'fork'));
      const late: BlockSource = {
        ...fork,
        async signatures(seqno, opts) {
          await new Promise((resolve) => setTimeout(resolve, slow));
          return await fork.signatures(seqno, opts);
        },
      };
      const error = await follow(server('a'), 3, { others: [late] }).catch((e) => e);
      expect(error).toBeInstanceOf(ForkError);
      expect((error as ForkError).message).toContain('two certified blocks 3');
    }
  });

  it('says once of a server that it names other blocks', async () => {
    const warnings: LiveWarning[] = [];
    const onWarning = (warning: LiveWarning) => void warnings.push(warning);
    await follow(server('a'), 6, { others: [server('liar', () => 'other')], onWarning });
    expect(warnings).toEqual([expect.objectContaining({ code: 'contradicted', servers: ['liar'] })]);
  });

  it('ends at a fork, with evidence', async () => {
    const error = await follow(server('a'), 9, {
      others: [server('b', (seqno) => (seqno < 3 ? 'truth' : 'fork'))],
    }).catch((e) => e);
    expect(error).toBeInstanceOf(ForkError);
    expect(verifyForkEvidence((error as ForkError).evidence)).toMatchObject({ seqno: 3, totalWeight: 4n });
  });
});

it.each<[string, Say, number, number | undefined]>([
  ['fails from then on', 'none', 9, undefined],
  ['does not answer any more', 'hang', 9, undefined],
  ['names no newer block', 'truth', 3, undefined],
  ['fails from then on, where another one has to agree', 'none', 9, 1],
])('ends at a fork as soon as it is shown, though the server %s', async (_, later, head, witnesses) => {
  const fork = server('b', (seqno) => (seqno < 3 ? 'truth' : 'fork'));
  const late: BlockSource = {
    ...fork,
    async signatures(seqno, opts) {
      if (seqno === 3) await new Promise((resolve) => setTimeout(resolve, 3_000));
      return await fork.signatures(seqno, opts);
    },
  };
  const source = { ...server('a', (seqno) => (seqno < 4 ? 'truth' : later)), latestSeqno: async () => head };
  const others = [late, ...(witnesses === undefined ? [] : [server('c')])];
  const startMs = performance.now();
  const error = await follow(source, 9, { others, maxOutageMs: 60_000, ...(witnesses && { witnesses }) }).catch(
    (e) => e,
  );
  expect(error).toBeInstanceOf(ForkError);
  expect(performance.now() - startMs).toBeLessThan(6_000);
});

it('ends in doubt, not at a fork, where the machine slept past the stakes in the comparison', async () => {
  let now = NOW;
  const liar = server('b', () => {
    now = NOW + 86_400 * 30;
    return 'fork';
  });
  await expect(
    follow(server('a'), 8, { others: [liar], clock: () => now, acceptStaleStart: true }),
  ).rejects.toMatchObject({ code: 'trust/stale-start' });
});

it('ends in doubt where the clock is ahead for a moment, in which a fork looks like old keys', async () => {
  let isAhead = false;
  const liar = server('b', (seqno) => {
    isAhead = seqno === 3;
    return isAhead ? 'fork' : 'truth';
  });
  const clock = () => {
    const seconds = NOW + (isAhead ? 86_400 * 30 : 0);
    isAhead = false;
    return seconds;
  };
  const run = follow(server('a'), 8, { others: [liar], clock });
  await expect(run).rejects.toMatchObject({ code: 'trust/stale-start' });
});

it('ends in doubt where the set is past its stakes, and signed two blocks of one number', async () => {
  const old = createValidatorSet(
    signers.map(({ publicKey, weight }) => ({ publicKey, weight })),
    { utimeUntil: NOW - 86_400 * 30 },
  );
  const warnings: LiveWarning[] = [];
  const liar = server('b', (seqno) => (seqno < 3 ? 'truth' : 'fork'));
  const onWarning = (warning: LiveWarning) => void warnings.push(warning);
  // Nothing waits for the others, or one has to agree, as c does.
  for (const terms of [{ others: [liar] }, { others: [liar, server('c')], witnesses: 1 }]) {
    await expect(
      follow(server('a'), 8, { validators: old, acceptStaleStart: true, ...terms, onWarning }),
    ).rejects.toMatchObject({
      code: 'trust/stale-start',
      message: expect.stringMatching(/contradicted: b showed a different block [3-5], /),
    });
  }
  expect(warnings[0]).toMatchObject({ code: 'old-keys', servers: ['b'] });
});

it('ends in doubt where nothing proves which of two signed blocks has a number', async () => {
  const liar = server('b', (seqno) => (seqno < 3 ? 'truth' : 'fork'), 'ordinary');
  const run = follow(server('a', undefined, 'ordinary'), 8, { acceptUnbound: true, others: [liar] });
  await expect(run).rejects.toMatchObject({
    code: 'trust/too-few-witnesses',
    message: expect.stringMatching(/contradicted: b showed a different block 3, and nothing proves which/),
  });
});

describe('a follower that needs witnesses', () => {
  it('hands out a block once as many name it, whichever they are', async () => {
    const down = server('down', () => 'none');
    const others = [down, server('b'), server('c')];
    expect(await follow(server('a'), 3, { others, witnesses: 2 })).toEqual([1, 2, 3]);
  });

  it('holds it back until then, tells why, and ends in doubt at last', async () => {
    const told: string[] = [];
    const run = follow(server('a'), 3, {
      others: [server('down', () => 'none'), server('liar', () => 'other')],
      strict: true,
      maxOutageMs: 300,
      stallAfterMs: 100,
      onStall: ({ code }) => void told.push(code),
    });
    await expect(run).rejects.toMatchObject({ code: 'trust/too-few-witnesses' });
    expect(told).toContain('too-few-witnesses');
  });

  it('asks the others beside one that is slow, at once the next time, and hears it all the same', async () => {
    const fork = server('slow', (seqno) => (seqno === 1 ? 'fork' : 'truth'));
    const slow: BlockSource = {
      ...fork,
      async signatures(seqno, opts) {
        await new Promise((resolve) => setTimeout(resolve, 5_000));
        return await fork.signatures(seqno, opts);
      },
    };
    const c = server('c');
    const tookMs: number[] = [];
    let startMs = performance.now();
    const run = (async () => {
      const opts = { validators, from: 1, clock: () => NOW, others: [slow, c], strict: true } as const;
      for await (const { coverage } of followBlocks(server('a'), opts)) {
        tookMs.push(performance.now() - startMs);
        if (coverage.blockId.seqno === 4) await new Promise((resolve) => setTimeout(resolve, 5_000));
        startMs = performance.now();
      }
    })();
    await expect(run).rejects.toThrow('two certified blocks 1');
    expect(tookMs).toEqual([1000, 0, 0, 0]);
    expect(c.asked).toEqual([1, 2, 3, 4]);
  });

  it('waits a moment at the end for one that is still asked', async () => {
    const fork = server('slow', () => 'fork');
    const slow: BlockSource = {
      ...fork,
      async signatures(seqno, opts) {
        await new Promise((resolve) => setTimeout(resolve, 1_900));
        return await fork.signatures(seqno, opts);
      },
    };
    const opts = { validators, from: 1, clock: () => NOW, others: [slow, server('c')], strict: true } as const;
    const run = (async () => {
      for await (const _ of followBlocks(server('a'), opts)) break;
    })();
    await expect(run).rejects.toThrow('two certified blocks 1');
  });

  it('goes on when a server comes back', async () => {
    let asked = 0;
    const others = [server('b', () => (asked++ < 2 ? 'none' : 'truth'))];
    expect(await follow(server('a'), 2, { others, strict: true })).toEqual([1, 2]);
  });

  it('has to have them', () => {
    for (const opts of [{ witnesses: 1 }, { strict: true }, { others: [server('a')], witnesses: 2 }]) {
      expect(() => followBlocks(server('a'), { validators, ...opts })).toThrow(
        expect.objectContaining({ code: 'usage/bad-option', path: 'witnesses' }),
      );
    }
  });
});
