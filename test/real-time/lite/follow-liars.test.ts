/** One liar beside honest servers, while a chain is followed: it neither wins, nor raises a false alarm, nor holds the run up. */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { TrustError } from '../../../src/core/base/errors.ts';
import { connectLite } from '../../../src/net/lite/client.ts';
import { type FollowedBlock, followLite } from '../../../src/net/lite/follow-lite.ts';
import type { FollowLiteOptions } from '../../../src/net/lite/follow-lite-options.ts';
import { verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import { ForkError } from '../../../src/net/lite/witnesses.ts';
import type { LiveWarning } from '../../../src/net/sources/witness-report.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteError, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';
import { oneOffEngine } from '../../helpers/one-off-engine.ts';

const started: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close();
});

type Answer = Parameters<typeof startLiteStandIn>[0]['answer'];

async function serve(answer: Answer) {
  const standIn = await startLiteStandIn({ answer });
  const client = connectLite(standIn.server);
  started.push(standIn, client);
  return client;
}

const fast = { signEverySeconds: 0, engine: oneOffEngine } as const;

/** Follows to a block. @returns the blocks, the error and the warnings of the run */
async function follow(
  clients: Parameters<typeof followLite>[0],
  start: Parameters<typeof followLite>[1],
  to: number,
  opts: FollowLiteOptions,
) {
  const blocks: FollowedBlock[] = [];
  const warnings: LiveWarning[] = [];
  const onWarning = (warning: LiveWarning) => void warnings.push(warning);
  let error: unknown;
  try {
    for await (const block of followLite(clients, start, { ...fast, onWarning, ...opts })) {
      blocks.push(block);
      if (block.header.seqno >= to) break;
    }
  } catch (caught) {
    error = caught;
  }
  return { blocks, warnings, error };
}

describe('a history of old keys without the block that a run resumes after', () => {
  const DAY = 86_400;
  /** A follower that stopped at block 12, and resumes 20 days later. The history of the liars parts at block 11. */
  async function resumed(
    honest: number,
    liars: number,
    lie: (fork: LiteChain, chain: LiteChain) => Answer,
    {
      sleepSeconds = 20 * DAY,
      to = 25,
      ...opts
    }: FollowLiteOptions & { readonly sleepSeconds?: number; readonly to?: number } = {},
  ) {
    const firstUtime = Math.floor(Date.now() / 1000) - 30 * DAY;
    const same = { firstUtime, electedSeconds: 1000, name: 'sleeper' };
    const chain = new LiteChain({ ...same, length: 30 });
    const fork = new LiteChain({ ...same, length: 26, forkAt: 11 });
    let nowSeconds = firstUtime + 12;
    const setTime = () => {
      chain.clockSkew = nowSeconds - Math.floor(Date.now() / 1000);
      fork.clockSkew = chain.clockSkew;
    };
    setTime();
    chain.head = 12;
    const servers = [];
    for (let at = 0; at < liars + honest; at++) {
      const lies = at < liars ? lie(fork, chain) : undefined;
      servers.push(
        await serve((asked) => (nowSeconds > firstUtime + 12 && lies ? lies : chain.answer.bind(chain))(asked)),
      );
    }
    const clock = () => nowSeconds;
    const before = await follow(servers, startOf(chain), 12, { from: 8, clock });
    const { header, checkpoint } = before.blocks.at(-1)!;
    nowSeconds = firstUtime + sleepSeconds;
    setTime();
    chain.head = 25;
    const after = { after: header.blockId, clock, maxOutageMs: 2_000, ...opts };
    return { chain, servers, ...(await follow(servers, checkpoint, to, after)) };
  }

  it('raises no false alarm: the run ends as contradicted, with evidence, the name of the server and what to do', async () => {
    const { servers, blocks, error, warnings } = await resumed(3, 1, (fork) => (asked) => fork.answer(asked));
    expect(error).toMatchObject({ code: 'trust/stale-start', path: 'checkpoint' });
    expect((error as TrustError).message).toContain(`contradicted: ${servers[0]!.name} named`);
    expect((error as TrustError).hint).toContain('--without SERVER');
    expect(blocks).toEqual([]);
    const { evidence, servers: named } = warnings.find(({ code }) => code === 'old-keys')!;
    expect(named).toEqual([servers[0]!.name]);
    expect(verifyForkEvidence(evidence).seqno).toBe(12);
  });

  it('does not stop a run whose other servers agree, where the liar says no more', async () => {
    const troubles: string[] = [];
    const onTrouble = ({ message }: Error) => void troubles.push(message);
    const lie = (fork: LiteChain, chain: LiteChain) => (asked: Parameters<Answer>[0]) => {
      if (troubles.length === 0) return fork.answer(asked);
      chain.head = 30; // the liar has named no block of this number
      return liteError(651, 'cannot load block');
    };
    const { chain, blocks, error } = await resumed(3, 1, lie, { to: 30, onTrouble });
    expect(troubles[0]).toContain('the server proves a history without block');
    expect(error).toBeUndefined();
    expect(blocks.map(({ header }) => header.blockId)).toEqual(
      Array.from({ length: 18 }, (_, at) => chain.id(13 + at)),
    );
  });

  it('ends the run as contradicted where no other server is left, and where the others name no newer block for too long', async () => {
    const alone = await resumed(0, 2, (fork) => (asked) => fork.answer(asked));
    expect(alone.error).toMatchObject({ code: 'trust/stale-start', path: 'checkpoint' });
    expect((alone.error as TrustError).message).toMatch(/contradicted: \S+, \S+ named/);
    const lie = (fork: LiteChain, chain: LiteChain) => (asked: Parameters<Answer>[0]) => {
      chain.head = 12;
      return fork.answer(asked);
    };
    const troubles: string[] = [];
    const onTrouble = ({ message }: Error) => void troubles.push(message);
    const standing = await resumed(2, 1, lie, { maxOutageMs: 1_500, onTrouble });
    expect(standing.error).toMatchObject({ code: 'trust/stale-start' });
    expect((standing.error as TrustError).message).toContain(`contradicted: ${standing.servers[0]!.name} named`);
    // Its head is not proven again, however often it is named.
    expect(troubles.filter((words) => words.includes('the server proves a history without block'))).toHaveLength(1);
  });

  it('stays a fork where the validators still have stakes', async () => {
    const { error, blocks } = await resumed(3, 1, (fork) => (asked) => fork.answer(asked), { sleepSeconds: 26 });
    expect(error).toBeInstanceOf(ForkError);
    expect(verifyForkEvidence((error as ForkError).evidence).seqno).toBe(12);
    expect(blocks).toEqual([]);
  });
});

describe('a fork whose proof comes after the comparison', () => {
  /** Follows two histories that part at block 14; the second server gives its proof when it is told to, or is asked to stop. */
  async function forked(opts: FollowLiteOptions, onBlock: (seqno: number, prove: () => void) => unknown) {
    const firstUtime = Math.floor(Date.now() / 1000) - 40;
    const chain = new LiteChain({ length: 40, firstUtime, name: 'forked' });
    const fork = new LiteChain({ length: 40, firstUtime, name: 'forked', forkAt: 14 });
    chain.head = 12;
    let current = chain;
    const turning = await serve((asked) => current.answer(asked));
    const real = await serve((asked) => chain.answer(asked));
    let prove = () => {};
    const told = new Promise<void>((resolve) => {
      prove = resolve;
    });
    const late: typeof real = {
      ...real,
      async blockProof(from, to, asked) {
        if (current === fork) await told;
        return await real.blockProof(from, to, { ...asked, deadlineMs: 5_000 });
      },
    };
    const seen: number[] = [];
    let error: unknown;
    try {
      const from = { ...fast, from: 9, ...opts };
      for await (const { header } of followLite([turning, late], startOf(chain), from)) {
        seen.push(header.seqno);
        if (header.seqno === 12) {
          current = fork;
          fork.head = 26;
          chain.head = 26;
        }
        if ((await onBlock(header.seqno, prove)) === 'leave') break;
        if (header.seqno === 26 && opts.to === undefined) break;
      }
    } catch (caught) {
      error = caught;
    }
    return { seen, error };
  }

  it('ends the run before the next block is handed out, and not after the last one of the same proof', async () => {
    const { seen, error } = await forked({}, async (seqno, prove) => {
      if (seqno !== 13) return;
      prove();
      await sleep(2_000); // longer than the signatures of our own side are waited for
    });
    expect(error).toBeInstanceOf(ForkError);
    expect(seen).toEqual([9, 10, 11, 12, 13]);
  });

  it('is told to a consumer that leaves its loop then', async () => {
    const { seen, error } = await forked({}, async (seqno, prove) => {
      if (seqno !== 13) return undefined;
      prove();
      await sleep(2_000);
      return 'leave';
    });
    expect(error).toBeInstanceOf(ForkError);
    expect(seen.at(-1)).toBe(13);
  });

  it('ends a run to a block, though that block is handed out already', async () => {
    const { seen, error } = await forked({ to: 26 }, (seqno, prove) => {
      if (seqno === 26) prove();
    });
    expect(error).toBeInstanceOf(ForkError);
    expect(verifyForkEvidence((error as ForkError).evidence).signedBoth.length).toBeGreaterThan(0);
    expect(seen.at(-1)).toBe(26);
  });
});

it('a run to a block ends after it, at once where no server names a different one', async () => {
  const chain = new LiteChain({ length: 18 });
  const servers = [await serve((asked) => chain.answer(asked)), await serve((asked) => chain.answer(asked))];
  const seen: number[] = [];
  const opts = { ...fast, from: 9, to: 15 };
  for await (const { header } of followLite(servers, startOf(chain), opts)) seen.push(header.seqno);
  expect(seen).toEqual([9, 10, 11, 12, 13, 14, 15]);
  for await (const { header } of followLite(servers, startOf(chain), { ...fast, to: 15 })) seen.push(header.seqno);
  expect(seen.slice(7)).toEqual([18]); // the head, where the run began
  const past = (more: FollowLiteOptions) => followLite(servers, startOf(chain), { ...fast, ...more }).next();
  await expect(past({ from: 9, to: 8 })).rejects.toMatchObject({ code: 'usage/bad-option', path: 'to' });
  await expect(past({ after: chain.id(9), to: 9 })).rejects.toMatchObject({ code: 'usage/bad-option', path: 'to' });
});
