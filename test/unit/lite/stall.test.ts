/** What the library tells of a run over lite servers that has no result yet. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepCheckpoint, writeCheckpoint } from '../../../src/app/files/checkpoint-file.ts';
import { SourceError } from '../../../src/core/base/errors.ts';
import type { Signal } from '../../../src/core/base/runtime-types.ts';
import { referenceEngine } from '../../../src/core/ed25519/reference.ts';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { proveOlderBlock } from '../../../src/net/lite/prove.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import type { SyncStall } from '../../../src/net/lite/sync-options.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteServers } from '../../helpers/lite-servers.ts';

const serve = liteServers();
const chain = new LiteChain({ length: 27, hasStates: true });

/** A server that says nothing until the question is stopped. */
const silent = (
  over: Partial<Record<'masterchainInfo' | 'lookup' | 'blockProof', (...args: never) => unknown>> = {},
) => {
  const wait = (...args: readonly unknown[]) =>
    new Promise((_, reject) => {
      const { signal } = args.at(-1) as { signal: Signal };
      const stop = () => reject(new SourceError('source/aborted', 'stopped'));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop);
    });
  return {
    name: 'lite://silent',
    server: { publicKey: new Uint8Array(32), host: '127.0.0.1', port: 1 },
    masterchainInfo: wait,
    lookup: wait,
    blockProof: wait,
    close() {},
    ...over,
  } as unknown as LiteServerClient;
};
const settled = async () => {
  for (let at = 0; at < 50; at++) await Promise.resolve();
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a run over lite servers that has no result', () => {
  it('says why after ten seconds, twenty and forty, and nothing once it is over', async () => {
    const told: SyncStall[] = [];
    const head = { last: chain.id(27), now: 0, zerostate: chain.zerostateId };
    let answer: (value: unknown) => void = () => {};
    const masterchainInfo = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const stop = new AbortController();
    const onStall = (stall: SyncStall) => void told.push(stall);
    const opts = { signal: stop.signal, onStall, engine: referenceEngine };
    const run = syncCheckpoint([silent({ masterchainInfo })], chain.id(10), opts);
    run.catch(() => {});
    await vi.advanceTimersByTimeAsync(9_900);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    answer({ claimed: head, tl: new Uint8Array(4) });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(told.map(({ code, head, said, forMs }) => [code, head, said, Math.floor(forMs / 1000)])).toEqual([
      ['no-server', 10, 10, 10],
      ['not-proven', 10, 27, 20],
      ['not-proven', 10, 27, 40],
    ]);
    stop.abort();
    await expect(run).rejects.toMatchObject({ code: 'source/aborted' });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(told).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends where the callback throws, with that', async () => {
    const onStall = () => {
      throw new Error('a full disk');
    };
    const run = syncCheckpoint([silent()], chain.id(10), { onStall, engine: referenceEngine });
    const caught = run.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_100);
    expect(await caught).toMatchObject({ code: 'usage/callback', path: 'onStall' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is told of a checkpoint that is kept as well', async () => {
    vi.useRealTimers();
    const { client } = await serve((asked) => chain.answer(asked));
    const { checkpoint } = await syncCheckpoint([client], chain.zerostateId, { maxHeadAgeSeconds: 3600 });
    const folder = mkdtempSync(join(tmpdir(), 'ton-finality-stall-'));
    try {
      const file = join(folder, 'checkpoint.json');
      writeCheckpoint(file, checkpoint);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      const stop = new AbortController();
      const told: SyncStall[] = [];
      const onStall = (stall: SyncStall) => void told.push(stall);
      const one = silent();
      let run: Promise<void> | undefined;
      await new Promise<void>((resolve) => {
        const masterchainInfo: LiteServerClient['masterchainInfo'] = (...given) => {
          resolve();
          return one.masterchainInfo(...given);
        };
        run = keepCheckpoint(file, [{ ...one, masterchainInfo }], { onStall, signal: stop.signal });
      });
      await vi.advanceTimersByTimeAsync(10_100);
      expect(told).toMatchObject([{ code: 'no-server' }]);
      stop.abort();
      await run;
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is told of the proof of an older block as well', async () => {
    vi.useRealTimers();
    const { client } = await serve((asked) => chain.answer(asked));
    const head = await syncCheckpoint([client], chain.zerostateId, { maxHeadAgeSeconds: 3600 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const told: SyncStall[] = [];
    let answer: (value: unknown) => void = () => {};
    const lookup = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const stop = new AbortController();
    const opts = { signal: stop.signal, onStall: (stall: SyncStall) => void told.push(stall) };
    const run = proveOlderBlock([silent({ lookup })], head, 18, opts);
    run.catch(() => {});
    await vi.advanceTimersByTimeAsync(10_100);
    answer({ id: chain.id(18), tl: new Uint8Array(4) });
    await settled();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told).toMatchObject([
      { code: 'no-server', head: 27, said: 27 },
      { code: 'not-proven', head: 27, said: 27 },
    ]);
    stop.abort();
    await expect(run).rejects.toMatchObject({ code: 'source/aborted' });
    expect(vi.getTimerCount()).toBe(0);
    const wrong = proveOlderBlock([silent()], head, 18, { onStall: 5 } as never);
    await expect(wrong).rejects.toMatchObject({ code: 'usage/bad-option', path: 'onStall' });
  });
});
