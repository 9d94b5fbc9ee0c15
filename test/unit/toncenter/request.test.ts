import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { readRetryAfter } from '../../../src/net/toncenter/attempt.ts';
import type { RecordedAnswer, ToncenterOptions } from '../../../src/net/toncenter/toncenter-options.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { toncenterV3 } from '../../../src/net/toncenter/toncenter-v3.ts';
import { type StandIn, startStandIn } from '../../helpers/stand-in.ts';
import { readAnswer, readVector, SIMPLEX_CASE } from '../../helpers/vectors.ts';

const SEQNO = 3082200;
const INFO_FILE = 'http/v2-getMasterchainInfo-python-41579322.json';
const INFO = JSON.stringify(readVector(INFO_FILE));
const FAST = { requestsPerSecond: Number.POSITIVE_INFINITY } as const;

async function failureOf(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof SourceError)) throw new Error(`expected a SourceError, got ${String(error)}`);
  return error;
}

/** A fetch that gives these replies in turn, the last one for ever, and remembers what it was asked. */
function scripted(...replies: (() => Response | Promise<Response>)[]) {
  const asked: { url: string; init: RequestInit; at: number }[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    asked.push({ url: String(input), init, at: Date.now() });
    return await replies[Math.min(asked.length, replies.length) - 1]!();
  };
  return { fetch, asked };
}

const ok = () => new Response(INFO);
const status = (code: number, body = '', headers: Record<string, string> = {}) => {
  return () => new Response(body, { status: code, headers });
};
const BUSY = JSON.stringify({ ok: false, result: 'Ratelimit exceed', code: 429 });
const source = (opts: Partial<ToncenterOptions>) =>
  toncenterV2({ baseUrl: 'https://node.example/api/v2', ...FAST, ...opts });

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn({ latest: SEQNO });
});
afterAll(() => standIn.close());

describe('a server whose answers are larger than what can be read of them', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());
  const padded = (bytes: number) => {
    const body = Buffer.from(`${' '.repeat(bytes)}${INFO}`);
    return () => new Response(body);
  };
  const times = async (server: ReturnType<typeof toncenterV2>, count: number) => {
    for (let time = 0; time < count; time++) await server.latestSeqno().catch(() => {});
  };

  it('is not asked once it has cost its part, says so, and has its part again in ten minutes', async () => {
    const { fetch, asked } = scripted(padded(1_000_000));
    const server = source({ fetch });
    await times(server, 40);
    // 16 MiB, of which one answer has to be left; 128 KiB of an answer that can be read are free.
    expect(asked).toHaveLength(19);
    const error = await failureOf(server.latestSeqno());
    expect(error).toMatchObject({ code: 'source/budget', attempts: 0, hint: expect.stringContaining('exclude') });
    expect(error.message).toContain('answers of this server have 15.8 MiB more than could be read, at most 16.0 MiB');
    vi.advanceTimersByTime(600_000);
    await times(server, 40);
    expect(asked).toHaveLength(2 * 19);
  });

  it('pays for what is over the cap, and for what cannot be read, whatever its size', async () => {
    for (const reply of [padded(2_000_000), status(200, 'x'.repeat(1_048_000)), status(502, 'x'.repeat(1_048_000))]) {
      const { fetch, asked } = scripted(reply);
      await times(source({ fetch, retries: 0 }), 40);
      expect(asked).toHaveLength(16);
    }
  });

  it('is asked for ever where each answer can be read and is as large as that of many validators', async () => {
    const { fetch, asked } = scripted(padded(125_000));
    await times(source({ fetch }), 300);
    expect(asked).toHaveLength(300);
  });
});

describe('one request', () => {
  it('is a GET of the method name under the whole base URL, with the key in a header', async () => {
    const { fetch, asked } = scripted(ok);
    const apiKey = 'a-secret-key';
    await source({ baseUrl: 'https://node.example/rest/v2/?net=main', apiKey, fetch }).latestSeqno();
    expect(asked[0]?.url).toBe('https://node.example/rest/v2/getMasterchainInfo?net=main');
    expect(asked[0]?.init).toMatchObject({ method: 'GET', redirect: 'manual', headers: { 'X-API-Key': apiKey } });
  });

  it('gives typed values, and the bytes they came from', async () => {
    const server = toncenterV2({ baseUrl: `${standIn.origin}/api/v2`, ...FAST });
    const answer = await server.signatures(SEQNO);
    expect(parseSignatureList(JSON.parse(Buffer.from(answer.body!).toString()))).toEqual(answer.signatures);
    expect([answer.source, Object.isFrozen(answer)]).toEqual([server.name, true]);
    expect((await server.header(SEQNO)).catchainSeqno).toBe(48620);
  });

  it.each([{ apiKey: 'a-secret-key' }, {}, { baseUrl: 'http://10.0.0.1', allowHttp: true }])(
    'is not followed elsewhere, with a key or without: %j',
    async (opts) => {
      const moved = () => Response.redirect('https://elsewhere.example/', 302);
      const { fetch, asked } = scripted(moved);
      const error = await failureOf(source({ ...opts, fetch }).latestSeqno());
      expect(error).toMatchObject({ code: 'source/malformed', status: 302, attempts: 1, retryable: false });
      expect(error.message).toContain('the server redirects');
      expect(error.hint).toContain('as the base URL');
      expect(asked).toHaveLength(1);
      expect(asked[0]?.init.redirect).toBe('manual');
    },
  );

  it('that a fetch followed elsewhere all the same is refused', async () => {
    const redirected = () => Object.defineProperties(new Response(INFO), { redirected: { value: true } });
    expect((await failureOf(source({ fetch: scripted(redirected).fetch }).latestSeqno())).code).toBe(
      'source/malformed',
    );
  });

  it('whose fetch ignores its signal ends at its deadline all the same', async () => {
    const never = () => new Promise<Response>(() => {});
    const error = await failureOf(
      source({ fetch: scripted(never).fetch, deadlineMs: 60, timeoutMs: 40 }).latestSeqno(),
    );
    expect(error.code).toBe('source/timeout');
  });

  it('whose body never ends ends at its deadline, and lets go of the body', async () => {
    let cancelled = false;
    const stalled = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{"ok":')),
          cancel: () => {
            cancelled = true;
          },
        }),
      );
    const { fetch } = scripted(stalled);
    expect((await failureOf(source({ fetch, timeoutMs: 30, retries: 0 }).latestSeqno())).code).toBe('source/timeout');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(cancelled).toBe(true);
  });

  it('is stopped by the caller, before, during and between attempts', async () => {
    const before = AbortSignal.abort();
    expect((await failureOf(source({ fetch: scripted(ok).fetch }).latestSeqno({ signal: before }))).code).toBe(
      'source/aborted',
    );
    for (const reply of [() => new Promise<Response>(() => {}), status(429, BUSY)]) {
      const stop = new AbortController();
      const { fetch, asked } = scripted(reply);
      const work = failureOf(source({ fetch }).latestSeqno({ signal: stop.signal }));
      setTimeout(() => stop.abort(), 30);
      expect((await work).code).toBe('source/aborted');
      expect(asked).toHaveLength(1);
    }
  });

  it('is read by what it says, not by its content type', async () => {
    const { fetch } = scripted(() => new Response(INFO, { headers: { 'content-type': 'text/html' } }));
    expect(await source({ fetch }).latestSeqno()).toBe(41579322);
  });

  it('of a runtime without streams is read and capped too', async () => {
    const bare = (text: string) => () =>
      ({ status: 200, headers: new Headers(), text: async () => text }) as unknown as Response; // what such a fetch gives
    expect(await source({ fetch: scripted(bare(INFO)).fetch }).latestSeqno()).toBe(41579322);
    const capped = source({ fetch: scripted(bare(INFO)).fetch, maxBodyBytes: 100 });
    expect((await failureOf(capped.latestSeqno())).code).toBe('source/too-large');
  });

  it('about another block is refused with what was asked and what came', async () => {
    const body = JSON.stringify(readVector('http/v2-getMasterchainBlockSignatures-ordinary-41089440.json'));
    const { fetch } = scripted(() => new Response(body));
    const error = await failureOf(source({ fetch }).signatures(41089441));
    expect(error).toMatchObject({ code: 'source/wrong-block', attempts: 1, retryable: false });
    expect(error.message).toContain('asked for block (-1,8000000000000000,41089441)');
    expect(Buffer.from(error.body!).toString()).toBe(body);
    expect(Object.keys(error)).not.toContain('body');
  });

  it('about a block of a shard is about another block', async () => {
    const answer = readVector<{ result: { id: { workchain: number } } }>(
      'http/v2-getMasterchainBlockSignatures-ordinary-41089440.json',
    );
    answer.result.id.workchain = 0;
    const { fetch } = scripted(() => new Response(JSON.stringify(answer)));
    expect((await failureOf(source({ fetch }).signatures(41089440))).code).toBe('source/wrong-block');
  });

  it.each([0, -1, 1.5, 2 ** 31, Number.NaN])('for seqno %d is never sent', async (seqno) => {
    const { fetch, asked } = scripted(ok);
    const wrong = { name: 'UsageError', code: 'usage/bad-option', path: 'seqno' };
    await expect(source({ fetch }).signatures(seqno)).rejects.toMatchObject(wrong);
    const v3 = toncenterV3({ baseUrl: 'https://node.example/api/v3', fetch });
    await expect(v3.masterchainBlockShardState(seqno)).rejects.toMatchObject(wrong);
    expect(asked).toEqual([]);
  });

  const SHARD = { workchain: 0, shard: -(2n ** 63n) };
  const BLOCK = { ...SHARD, seqno: 5 };
  type V2 = ReturnType<typeof toncenterV2>;
  // What JavaScript callers can pass, whatever the types say.
  const any = (value: unknown) => value as never;

  it.each<[string, string, (server: V2) => Promise<unknown>]>([
    ['a workchain that is none', 'workchain', (v2) => v2.blockHeader({ ...BLOCK, workchain: Number.NaN })],
    ['a workchain of 33 bits', 'workchain', (v2) => v2.shardBlockProof({ ...BLOCK, workchain: 2 ** 31 })],
    ['half a workchain', 'workchain', (v2) => v2.lookupBlock({ ...SHARD, workchain: 0.5 }, { seqno: 5 })],
    ['a shard as uint64', 'shard', (v2) => v2.blockHeader({ ...BLOCK, shard: 2n ** 63n })],
    ['shard 0', 'shard', (v2) => v2.lookupBlock({ ...SHARD, shard: 0n }, { seqno: 5 })],
    ['a shard as number', 'shard', (v2) => v2.shardBlockProof({ ...BLOCK, shard: any(-(2 ** 63)) })],
    ['seqno 0', 'seqno', (v2) => v2.header(0)],
    ['half a seqno', 'seqno', (v2) => v2.blockHeader({ ...BLOCK, seqno: 0.5 })],
    ['seqno 0 to look up', 'seqno', (v2) => v2.lookupBlock(SHARD, { seqno: 0 })],
    ['fromSeqno 0', 'fromSeqno', (v2) => v2.shardBlockProof(BLOCK, { fromSeqno: 0 })],
    ['lt 0', 'lt', (v2) => v2.lookupBlock(SHARD, { lt: 0n })],
    ['lt of 64 bits', 'lt', (v2) => v2.lookupBlock(SHARD, { lt: 2n ** 63n })],
    ['lt as number', 'lt', (v2) => v2.lookupBlock(SHARD, { lt: any(5) })],
    ['no time', 'unixtime', (v2) => v2.lookupBlock(SHARD, { unixtime: Number.NaN })],
    ['a time in milliseconds', 'unixtime', (v2) => v2.lookupBlock(SHARD, { unixtime: 1_700_000_000_000 })],
    ['two things to look up by', 'by', (v2) => v2.lookupBlock(SHARD, { seqno: 5, lt: 5n })],
    ['nothing to look up by', 'by', (v2) => v2.lookupBlock(SHARD, any({}))],
    ['something else to look up by', 'by', (v2) => v2.lookupBlock(SHARD, any({ hash: 'x' }))],
    ['half a parameter', 'param', (v2) => v2.configParam(0.5, 5)],
    ['no parameter', 'param', (v2) => v2.configParam(Number.NaN, 5)],
    ['a whole config of seqno 0', 'seqno', (v2) => v2.configAll(0)],
    ['shards of seqno 0', 'seqno', (v2) => v2.shards(0)],
  ])('with %s is never sent', async (_, path, ask) => {
    const { fetch, asked } = scripted(ok);
    await expect(ask(source({ fetch }))).rejects.toMatchObject({ name: 'UsageError', code: 'usage/bad-option', path });
    expect(asked).toEqual([]);
  });

  it('is told to whoever records answers, errors too', async () => {
    const answers: RecordedAnswer[] = [];
    const { fetch } = scripted(status(503, '{"ok":false,"error":"x"}'));
    await failureOf(source({ fetch, retries: 0, onAnswer: (answer) => answers.push(answer) }).latestSeqno());
    expect(answers).toMatchObject([{ operation: 'getMasterchainInfo', status: 503 }]);
  });

  it('is a fault of the program, and no SourceError, when the recorder throws', async () => {
    const onAnswer = () => {
      throw new TypeError('disk full');
    };
    await expect(source({ fetch: scripted(ok).fetch, onAnswer }).latestSeqno()).rejects.toThrow('disk full');
  });
});

describe('trying again', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Runs the question with a clock of its own and tells how it ended and after how many seconds. */
  async function run(opts: Partial<ToncenterOptions>, question = (s: ReturnType<typeof source>) => s.latestSeqno()) {
    const start = Date.now();
    let ms = -1;
    const work = question(source(opts)).then(
      (value) => value,
      (error: unknown) => error as SourceError, // the tests below look at its class
    );
    void work.then(() => {
      ms = Date.now() - start;
    });
    await vi.advanceTimersByTimeAsync(3_600_000);
    return { end: await work, ms };
  }

  it('happens for what may pass, with full jitter, at most four times in all', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { fetch, asked } = scripted(status(502, '<html>'));
    const { end, ms } = await run({ fetch });
    expect(end).toMatchObject({ code: 'source/upstream', attempts: 4, retryable: true });
    expect(asked.map(({ at }) => at - asked[0]!.at)).toEqual([0, 250, 750, 1750]);
    expect(ms).toBe(1750);
    random.mockRestore();
  });

  it('ends with the value as soon as there is one', async () => {
    const broken = () => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    };
    const { fetch, asked } = scripted(broken, status(504), ok);
    expect((await run({ fetch })).end).toBe(41579322);
    expect(asked).toHaveLength(3);
  });

  it('waits 1.1 seconds after a rate limit without a key, and less with one', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const keyless = scripted(status(429, BUSY), ok);
    await run({ fetch: keyless.fetch });
    expect(keyless.asked[1]!.at - keyless.asked[0]!.at).toBe(1100);
    const keyed = scripted(status(429, BUSY), ok);
    await run({ fetch: keyed.fetch, apiKey: 'a-secret-key' });
    expect(keyed.asked[1]!.at - keyed.asked[0]!.at).toBe(0);
    vi.restoreAllMocks();
  });

  it('waits as long as Retry-After says', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { fetch, asked } = scripted(status(429, BUSY, { 'retry-after': '7' }), ok);
    await run({ fetch });
    expect(asked[1]!.at - asked[0]!.at).toBe(7000);
    vi.restoreAllMocks();
  });

  it('is given up at once when Retry-After is beyond the deadline', async () => {
    const { fetch, asked } = scripted(status(429, BUSY, { 'retry-after': '3600' }));
    const { end, ms } = await run({ fetch });
    expect(end).toMatchObject({ code: 'source/rate-limited', attempts: 1, retryAfterMs: 3_600_000 });
    expect([asked.length, ms]).toEqual([1, 0]);
  });

  it.each([
    [400, 'source/bad-request'],
    [401, 'source/auth'],
    [422, 'source/bad-request'],
  ])('never happens for HTTP %d', async (code, expected) => {
    const { fetch, asked } = scripted(status(code, '{"ok":false,"error":"no"}'));
    expect((await run({ fetch })).end).toMatchObject({ code: expected, attempts: 1, retryable: false });
    expect(asked).toHaveLength(1);
  });

  it.each([
    [500, '{"ok":false,"error":"got invalid proof chain"}', 'source/server'],
    [500, '{"ok":false,"error":"LITE_SERVER_NOTREADY"}', 'source/not-ready'],
  ])('happens once for HTTP %d %s', async (code, body, expected) => {
    const { fetch, asked } = scripted(status(code, body));
    expect((await run({ fetch })).end).toMatchObject({ code: expected, attempts: 2 });
    expect(asked).toHaveLength(2);
  });

  it.each([
    [500, '{"detail":"LITE_SERVER_NOTREADY: block is not applied"}', 'source/not-ready', 'LITE_SERVER_NOTREADY'],
    [500, '{"message":"too many requests"}', 'source/rate-limited', 'too many requests'],
    [503, '{"message":"no healthy upstream"}', 'source/upstream', 'no healthy upstream'],
    [422, '{"detail":"seqno must be above 0"}', 'source/bad-request', 'seqno must be above 0'],
    [200, '{"message":"please come back later"}', 'source/server', 'please come back later'],
    [200, '{"ok":true,"message":"please come back later"}', 'source/server', 'please come back later'],
  ])('goes by the words under message or detail, and keeps them: HTTP %d %s', async (code, body, expected, words) => {
    const { end } = await run({ fetch: scripted(status(code, body)).fetch });
    expect(end).toMatchObject({ code: expected, serverText: expect.stringContaining(words) });
  });

  it('goes on until the deadline for a block that is waited for', async () => {
    const notReady = status(500, '{"ok":false,"error":"LITE_SERVER_NOTREADY"}');
    const waiting = scripted(notReady);
    const { end, ms } = await run({ fetch: waiting.fetch }, (s) => s.latestSeqno({ waitForBlock: true }));
    expect(end).toMatchObject({ code: 'source/not-ready' });
    expect(ms).toBeGreaterThan(28_000);
    expect(ms).toBeLessThanOrEqual(30_000);
    expect(waiting.asked.length).toBeGreaterThan(18);
    const ready = scripted(notReady, notReady, notReady, ok);
    expect((await run({ fetch: ready.fetch }, (s) => s.latestSeqno({ waitForBlock: true }))).end).toBe(41579322);
  });

  it('ends at the deadline though every attempt has time of its own', async () => {
    const never = () => new Promise<Response>(() => {});
    const { fetch, asked } = scripted(never);
    const { end, ms } = await run({ fetch, deadlineMs: 20_000, timeoutMs: 15_000, retries: 9 });
    expect(end).toMatchObject({ code: 'source/timeout' });
    expect(asked).toHaveLength(2);
    expect(ms).toBeLessThanOrEqual(20_000);
  });

  it('leaves no timer behind', async () => {
    await run({ fetch: scripted(status(503), ok).fetch });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the pace', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function startsOf(opts: Partial<ToncenterOptions>, count: number): Promise<number[]> {
    const { fetch, asked } = scripted(ok);
    const server = toncenterV2({ baseUrl: 'https://node.example/api/v2', deadlineMs: 120_000, ...opts, fetch });
    const work = Promise.all(Array.from({ length: count }, () => server.latestSeqno()));
    await vi.advanceTimersByTimeAsync(120_000);
    await work;
    return asked.map(({ at }) => at - asked[0]!.at);
  }

  it('is one request a second without a key', async () => {
    expect(await startsOf({}, 4)).toEqual([0, 1000, 2000, 3000]);
  });

  it('is ten requests a second with a key, evenly spread', async () => {
    expect(await startsOf({ apiKey: 'a-secret-key' }, 4)).toEqual([0, 100, 200, 300]);
  });

  it('is what the caller says', async () => {
    expect(await startsOf({ requestsPerSecond: 0.5 }, 3)).toEqual([0, 2000, 4000]);
  });

  it.each([
    ['requestsPerSecond', 0],
    ['requestsPerSecond', Number.NaN],
    ['concurrency', 0],
    ['timeoutMs', 0],
    ['deadlineMs', -1],
    ['retries', -1],
    ['maxBodyBytes', 0],
  ])('and the other limits must make sense: %s %d does not', (path, value) => {
    const make = () => toncenterV2({ baseUrl: 'https://node.example', [path]: value });
    expect(make).toThrow(expect.objectContaining({ code: 'usage/bad-option', path }) as Error);
  });

  it('without any limit waits for nothing', async () => {
    const unlimited = { requestsPerSecond: Number.POSITIVE_INFINITY, concurrency: Number.POSITIVE_INFINITY };
    expect(await startsOf(unlimited, 3)).toEqual([0, 0, 0]);
  });

  it.each([
    ['a key', { apiKey: 'a-secret-key', requestsPerSecond: 1000 }, 2],
    ['no limit', FAST, 2],
    ['no key', {}, 1],
    ['a number of its own', { ...FAST, concurrency: 3 }, 3],
  ] as const)('has, with %s, so many questions in flight at most', async (_, opts, expected) => {
    let inFlight = 0;
    let most = 0;
    const fetch = async () => {
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 5000));
      inFlight -= 1;
      return ok();
    };
    const server = toncenterV2({ baseUrl: 'https://node.example/api/v2', deadlineMs: 120_000, ...opts, fetch });
    const work = Promise.all(Array.from({ length: 9 }, () => server.latestSeqno()));
    await vi.advanceTimersByTimeAsync(120_000);
    await work;
    expect(most).toBe(expected);
  });

  it('counts the waiting against the deadline', async () => {
    const { fetch } = scripted(ok);
    const server = toncenterV2({ baseUrl: 'https://node.example/api/v2', fetch, deadlineMs: 1500 });
    const work = Promise.allSettled([server.latestSeqno(), server.latestSeqno(), server.latestSeqno()]);
    await vi.advanceTimersByTimeAsync(10_000);
    const last = (await work)[2] as PromiseRejectedResult; // the third turn comes after 2 seconds
    expect(last.reason).toMatchObject({ code: 'source/timeout' });
    expect(String(last.reason.message)).toContain('rate limit allowed no request');
  });
});

describe('a retry that never came to its turn', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('ends with what the attempt before it found', async () => {
    const { fetch, asked } = scripted(status(502, '<html>'));
    const work = failureOf(source({ fetch, requestsPerSecond: 0.5, deadlineMs: 1500 }).latestSeqno());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await work).toMatchObject({ code: 'source/upstream', status: 502, attempts: 1 });
    expect(asked).toHaveLength(1);
    const stop = new AbortController();
    const stopped = failureOf(source({ fetch, requestsPerSecond: 0.5 }).latestSeqno({ signal: stop.signal }));
    await vi.advanceTimersByTimeAsync(1500);
    stop.abort();
    expect((await stopped).code).toBe('source/aborted');
  });
});

describe('the head of a server', () => {
  it.each([0, -1, 2 ** 31, 2 ** 32 - 1, -(2 ** 31)])('of seqno %d is no block', async (seqno) => {
    const info = structuredClone(readVector<{ result: { last: { seqno: number } } }>(INFO_FILE));
    info.result.last.seqno = seqno;
    const error = await failureOf(source({ fetch: scripted(() => Response.json(info)).fetch }).latestSeqno());
    expect(error).toMatchObject({ code: 'source/malformed', endpoint: 'https://node.example/api/v2' });
    expect(error.message).toContain('result.last.seqno: expected 1 to 2147483647');
  });

  it('may be the last block there can be', async () => {
    const info = structuredClone(readVector<{ result: { last: { seqno: number } } }>(INFO_FILE));
    info.result.last.seqno = 2 ** 31 - 1;
    expect(await source({ fetch: scripted(() => Response.json(info)).fetch }).latestSeqno()).toBe(2 ** 31 - 1);
  });
});

describe('a simplex answer', () => {
  const SIMPLEX_SEQNO = 59379986;
  type Answer = { result: { candidate: string } };
  const answerWith = (change: (candidate: Buffer) => Buffer) => {
    const answer = structuredClone(readAnswer(SIMPLEX_CASE)) as unknown as Answer;
    answer.result.candidate = change(Buffer.from(answer.result.candidate, 'base64')).toString('base64');
    return scripted(() => Response.json(answer)).fetch;
  };
  const flipped = (at: number) => (candidate: Buffer) => {
    candidate[at]! ^= 1;
    return candidate;
  };

  it.each([
    ['unreadable', flipped(0), 'source/malformed'],
    ['longer than it may be', (candidate: Buffer) => Buffer.concat([candidate, Buffer.alloc(4)]), 'source/malformed'],
    ['of another block', flipped(30), 'source/wrong-block'],
  ])('with a candidate that is %s is laid at the door of its server', async (_, change, code) => {
    const error = await failureOf(source({ fetch: answerWith(change) }).signatures(SIMPLEX_SEQNO));
    expect(error).toMatchObject({ code, endpoint: 'https://node.example/api/v2', attempts: 1 });
  });

  it('as it was recorded is handed on', async () => {
    expect(await source({ fetch: answerWith((same) => same) }).signatures(SIMPLEX_SEQNO)).toMatchObject({
      signatures: parseSignatureList(readAnswer(SIMPLEX_CASE)),
    });
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    ['3', 3000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Thu, 01 Jan 2026 10:00:00 GMT', 3_600_000],
    ['999999999', 3_600_000],
    ['Wed, 31 Dec 2025 23:59:59 GMT', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('%j is %d ms', (value, ms) => {
    expect(readRetryAfter(value, now)).toBe(ms);
  });
});
