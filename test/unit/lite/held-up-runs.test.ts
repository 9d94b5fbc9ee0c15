/** Runs that one server holds up: by one failure where it alone knows the newest block, or by a lie that takes long. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SourceError, type SourceErrorCode } from '../../../src/core/base/errors.ts';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import { connectLite, type LiteServerClient } from '../../../src/net/lite/client.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import { LiteChain, type LiteChainOptions } from '../../helpers/lite-chain.ts';
import { startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';
import { oneOffEngine } from '../../helpers/one-off-engine.ts';

const BLOCK_SECONDS = 3;
const engine = oneOffEngine;
const started: { close(): unknown }[] = [];
const realImmediate = setImmediate;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));
afterEach(async () => {
  vi.useRealTimers();
  for (const one of started.splice(0).reverse()) await one.close();
});

/** A chain that goes on with the clock. @returns also its height so many blocks ago */
function goingOn(options: Partial<LiteChainOptions> = {}) {
  const firstUtime = Math.floor(Date.now() / 1000) - 2 - BLOCK_SECONDS * 69;
  const chain = new LiteChain({ length: 160, keyEvery: 20, blockSeconds: BLOCK_SECONDS, firstUtime, ...options });
  const height = (lag: number) => Math.floor((Date.now() / 1000 - firstUtime) / BLOCK_SECONDS) + 1 - lag;
  return { chain, height };
}

async function serve(chain: LiteChain, height: () => number): Promise<LiteServerClient> {
  const standIn = await startLiteStandIn({
    answer: (asked) => {
      chain.head = height();
      return chain.answer(asked);
    },
  });
  const client = connectLite(standIn.server, { deadlineMs: 60_000 });
  started.push(standIn, client);
  return client;
}

/** Lets virtual time go by while real sockets work. @returns the result, and the milliseconds that it took */
async function passing<T>(work: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  let isOver = false;
  const startMs = performance.now();
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => {}); // it is awaited below
  while (!isOver) {
    for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => realImmediate(resolve));
    await vi.advanceTimersByTimeAsync(100);
  }
  return { value: await over, ms: performance.now() - startMs };
}

const FAILURES: readonly SourceErrorCode[] = ['source/rate-limited', 'source/upstream', 'source/timeout'];

it.each(FAILURES)(
  'one failure (%s) of the only server with a new head does not end a run beside one that lags',
  async (code) => {
    const { chain, height } = goingOn();
    const newest = await serve(chain, () => height(0));
    const lagging = await serve(chain, () => height(30));
    let questions = 0;
    const failing: LiteServerClient = {
      ...newest,
      blockProof: async (...args) => {
        if (questions++ > 0) return await newest.blockProof(...args);
        if (code === 'source/timeout') await wait(args[2]?.deadlineMs ?? 0);
        throw new SourceError(code, 'it failed once', { endpoint: newest.name });
      },
    };
    const { value, ms } = await passing(syncCheckpoint([failing, lagging], startOf(chain), { engine }));
    expect(value.verdict).toEqual({ status: 'final' });
    expect(value.tip.seqno).toBeGreaterThanOrEqual(70);
    expect(ms).toBeLessThan(15_000);
  },
);

it('a server that names a block late, and fails late to prove it, again and again, holds a run up for half a minute', async () => {
  const { chain, height } = goingOn();
  const honest = await serve(chain, () => height(0));
  const real = await serve(chain, () => height(0));
  const madeUp = await serve(
    new LiteChain({ length: 160, keyEvery: 1000, name: 'made up', blockSeconds: 3 }),
    () => 160,
  );
  const tries = new Map<BlockIdExt, number>();
  const liar: LiteServerClient = {
    ...real,
    lookup: async (seqno, options) => {
      await wait(9_900);
      return await madeUp.lookup(seqno as number, { ...options, deadlineMs: 5_000 });
    },
    blockProof: async (from) => {
      await wait(9_900);
      const before = tries.get(from) ?? 0;
      tries.set(from, before + 1);
      throw new SourceError(before < 2 ? 'source/server' : 'source/other-chain', 'no', { endpoint: real.name });
    },
  };
  const { value, ms } = await passing(syncCheckpoint([honest, liar], startOf(chain), { engine }));
  expect(value.verdict).toEqual({ status: 'final' });
  expect(value.witnesses.contradicts.map(({ source }) => source)).toEqual([real.name]);
  expect(ms).toBeLessThan(45_000);
});

it('a slow server that gave no proof is asked again in a later round, with all the time that a question has', async () => {
  const { chain, height } = goingOn();
  const startMs = performance.now();
  const of = (server: LiteServerClient, ms: number, isUp: () => boolean): LiteServerClient => ({
    ...server,
    blockProof: async (...args) => {
      const deadlineMs = args[2]?.deadlineMs ?? 0;
      await wait(Math.min(ms, deadlineMs));
      if (isUp() && ms < deadlineMs) return await server.blockProof(...args);
      throw new SourceError('source/timeout', 'no proof in time', { endpoint: server.name });
    },
  });
  const slow = of(await serve(chain, () => height(0)), 4_500, () => performance.now() - startMs > 15_000);
  const never = of(await serve(chain, () => height(0)), 1e6, () => false);
  const { value } = await passing(syncCheckpoint([slow, never], startOf(chain), { engine }));
  expect(value.verdict).toEqual({ status: 'final' });
});
