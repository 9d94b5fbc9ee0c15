import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPace } from '../../../src/net/async/pace.ts';
import type { ServerEvent } from '../../../src/net/sources/server-events.ts';
import { toncenterV2, toncenterV3 } from '../../../src/servers.ts';
import { readVector } from '../../helpers/vectors.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const INFO = readVector('http/v2-getMasterchainInfo-python-41579322.json');
const baseUrl = 'https://node.example/api/v2';
const ok = () => Response.json(INFO);
const refusal = (headers: Record<string, string>) => () =>
  Response.json({ ok: false, error: 'Ratelimit exceeded', code: 429 }, { status: 429, headers });

function scripted(...replies: (() => Response)[]) {
  const asked: number[] = [];
  const start = performance.now();
  const fetch = async () => {
    asked.push(Math.round(performance.now() - start));
    return replies[Math.min(asked.length, replies.length) - 1]!();
  };
  return { fetch, asked };
}

async function soon<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  for (await vi.advanceTimersByTimeAsync(0); !isOver; ) await vi.advanceTimersToNextTimerAsync();
  return await work;
}

describe('onServer of a server', () => {
  it('is told of each question with all its attempts, good or bad', async () => {
    const events: ServerEvent[] = [];
    const onServer = (event: ServerEvent) => void events.push(event);
    const broken = () => new Response('<html>', { status: 502 });
    const { fetch } = scripted(broken, broken, ok, () => Response.json({}), broken);
    const source = toncenterV2({ baseUrl, fetch, onServer, requestsPerSecond: Number.POSITIVE_INFINITY, retries: 2 });
    await soon(source.latestSeqno());
    await soon(source.signatures(5).catch(() => {}));
    await soon(source.header(5).catch(() => {}));
    expect(events.map(({ latencyMs: _, ...event }) => event)).toEqual([
      { server: baseUrl, operation: 'getMasterchainInfo', outcome: 'ok', attempts: 3 },
      { server: baseUrl, operation: 'getMasterchainBlockSignatures', outcome: 'source/malformed', attempts: 1 },
      { server: baseUrl, operation: 'getBlockHeader', outcome: 'source/upstream', attempts: 3 },
    ]);
    expect(events.every(({ latencyMs }) => latencyMs >= 0)).toBe(true);
  });

  it('of v3 too, and never shows a key', async () => {
    const events: ServerEvent[] = [];
    const source = toncenterV3({
      baseUrl: 'https://node.example/api/v3?api_key=k3y-0123456789',
      fetch: async () => new Response('k3y-0123456789', { status: 500 }),
      onServer: (event) => void events.push(event),
      retries: 0,
    });
    await soon(source.masterchainBlockShardState(5).catch(() => {}));
    expect(events).toMatchObject([{ server: 'https://node.example/api/v3', outcome: 'source/upstream' }]);
    expect(JSON.stringify(events)).not.toContain('k3y');
  });

  it('that throws ends the question, named', async () => {
    const onServer = () => {
      throw new Error('full');
    };
    const source = toncenterV2({ baseUrl, fetch: scripted(ok).fetch, onServer });
    await expect(soon(source.latestSeqno())).rejects.toMatchObject({ code: 'usage/callback', path: 'onServer' });
  });
});

describe('Retry-After', () => {
  const fast = { baseUrl, requestsPerSecond: Number.POSITIVE_INFINITY, retries: 0 } as const;

  it('is kept by the questions that come after, those of other sources with the same pace too', async () => {
    const { fetch, asked } = scripted(refusal({ 'retry-after': '5' }), ok);
    const pace = createPace({ requestsPerSecond: Number.POSITIVE_INFINITY, concurrency: 4 });
    const [one, other] = [toncenterV2({ ...fast, fetch, pace }), toncenterV2({ ...fast, fetch, pace })];
    await soon(one.latestSeqno().catch(() => {}));
    expect(Math.round(other.waitMs!())).toBe(5000);
    await soon(Promise.all([one.latestSeqno(), other.latestSeqno()]));
    expect(asked).toEqual([0, 5000, 5000]);
  });

  it('longer than the question may take is told at once, and nothing is sent', async () => {
    const { fetch, asked } = scripted(refusal({ 'retry-after': '100' }), ok);
    const source = toncenterV2({ ...fast, fetch });
    await soon(source.latestSeqno().catch(() => {}));
    await vi.advanceTimersByTimeAsync(40_000);
    await expect(soon(source.latestSeqno())).rejects.toMatchObject({
      code: 'source/rate-limited',
      attempts: 0,
      retryAfterMs: 60_000,
      message: `${baseUrl}: getMasterchainInfo: not asked: the server allows no request for 60 s more`,
    });
    expect(asked).toEqual([0]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await soon(source.latestSeqno())).toBe(41579322);
  });

  it.each([-7_200_000, 0, 7_200_000])('as a time is by the clock of the server, %d ms beside ours', async (offMs) => {
    const date = new Date(Date.now() + offMs).toUTCString();
    const later = new Date(Date.parse(date) + 3000).toUTCString();
    const { fetch, asked } = scripted(refusal({ 'retry-after': later, date }), ok);
    const source = toncenterV2({ ...fast, fetch, retries: 1 });
    await soon(source.latestSeqno());
    expect(asked).toEqual([0, 3000]);
  });
});
