/**
 * What a lite server can do wrong, over a real connection: each ends in an error of the right class, closes the socket, and
 * leaves another server's questions alone. Numbers are those of the specification's table; waits run on fake clocks.
 */
import { createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_USELESS_BYTES, MAX_USELESS_FRAMES } from '../../../src/core/base/limits.ts';
import { connectLite, type LiteServerClient } from '../../../src/net/lite/client.ts';
import {
  answerMessage,
  type LitePeer,
  type LiteStandIn,
  type LiteStandInOptions,
  liteError,
  plainFrame,
  startLiteStandIn,
} from '../../helpers/lite-stand-in.ts';
import { tlBytes, u32 } from '../../helpers/tl-answers.ts';

const started: { close(): unknown }[] = [];
const rejections: unknown[] = [];
process.on('unhandledRejection', (error) => rejections.push(error));
afterEach(async () => {
  vi.useRealTimers();
  for (const one of started.splice(0).reverse()) await one.close();
  expect(rejections.splice(0)).toEqual([]);
});

/** Does something in place of an answer. */
function undefinedAfter(work: () => unknown): undefined {
  work();
  return undefined;
}

const TIME = Buffer.from('0d0053e9a3ac3062', 'hex');
const NOW = 0x6230aca3;

async function serve(
  over: Partial<LiteStandInOptions> = {},
): Promise<{ standIn: LiteStandIn; client: LiteServerClient }> {
  const standIn = await startLiteStandIn({ answer: () => TIME, ...over });
  const client = connectLite(standIn.server, { retries: 0 });
  started.push(standIn, client);
  return { standIn, client };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));
const realTimeout = globalThis.setTimeout;
/** A moment for the network, which knows no fake clock. */
const moment = () => new Promise((resolve) => realTimeout(resolve, 2));

/** Runs the fake clock, in steps of a fifth of a second, until the work is over. @returns the milliseconds that took */
async function onFakeClock<T>(work: () => Promise<T>): Promise<{ result: T | { error: unknown }; ms: number }> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const startMs = performance.now();
  let isOver = false;
  const ended = work()
    .catch((error: unknown) => ({ error }))
    .finally(() => {
      isOver = true;
    });
  for (let step = 0; step < 600 && !isOver; step++) {
    await moment();
    await vi.advanceTimersByTimeAsync(200);
  }
  const ms = performance.now() - startMs;
  vi.useRealTimers();
  return { result: await ended, ms };
}

function error(result: unknown): { code?: string; message?: string } {
  return (result as { error: { code?: string } }).error ?? {};
}

describe('1 a server that cannot be reached', () => {
  it('refuses the connection: upstream, at once', async () => {
    const { standIn, client } = await serve();
    await standIn.close();
    await expect(client.time()).rejects.toMatchObject({ code: 'source/upstream' });
  });

  it('lets no packet through: timeout after five seconds', async () => {
    const client = connectLite(
      { host: '127.0.0.1', port: 1, publicKey: (await serve()).standIn.publicKey },
      { retries: 0, open: () => ({ write() {}, close() {}, setBusy() {} }) },
    );
    started.push(client);
    const { result, ms } = await onFakeClock(() => client.time());
    expect(error(result)).toMatchObject({ code: 'source/timeout' });
    expect(ms).toBeGreaterThanOrEqual(5000);
    expect(ms).toBeLessThan(7000);
  });
});

describe('2 a server that closes', () => {
  it.each<[string, Partial<LiteStandInOptions>]>([
    ['after accepting', { accept: (socket) => void socket.destroy() }],
    ['after 255 bytes of the handshake', { accept: (socket) => void socket.once('data', () => socket.destroy()) }],
    [
      'after the empty frame',
      { welcome: ({ socket, encrypt }) => void socket.end(encrypt(plainFrame(Buffer.alloc(0)))) },
    ],
    ['instead of answering', { answer: ({ peer }) => undefinedAfter(() => peer.socket.destroy()) }],
  ])('%s: upstream', async (_, over) => {
    const { client, standIn } = await serve(over);
    await expect(client.time()).rejects.toMatchObject({ code: 'source/upstream' });
    expect(await standIn.connections()).toBe(0);
  });
});

describe('3 a server without the key', () => {
  it('says nothing after the handshake: timeout after five seconds, with a word on the key', async () => {
    const { client } = await serve({ accept: (socket) => void socket.resume() });
    const { result, ms } = await onFakeClock(() => client.time());
    expect(error(result)).toMatchObject({
      code: 'source/timeout',
      message: expect.stringContaining('has another key'),
    });
    expect(ms).toBeLessThan(7000);
  });

  it('closes, as real ones do: upstream, with a word on the key', async () => {
    const { standIn } = await serve();
    const other = (await serve()).standIn.publicKey;
    const client = connectLite({ ...standIn.server, publicKey: other }, { retries: 0 });
    started.push(client);
    await expect(client.time()).rejects.toMatchObject({
      code: 'source/upstream',
      message: expect.stringContaining('check the key'),
    });
  });
});

const raw = (bytes: Uint8Array) => (peer: LitePeer) => void peer.socket.write(peer.encrypt(bytes));
describe('4 a first frame that is none', () => {
  it.each<[string, (peer: LitePeer) => void]>([
    ['is not empty', (peer) => peer.send(Buffer.from('00', 'hex'))],
    ['has a length of 63', raw(u32(63))],
    ['has a length of 2^24 + 1', raw(u32(2 ** 24 + 1))],
    ['has a wrong checksum', raw(plainFrame(Buffer.alloc(0)).fill(0, 40))],
  ])('%s: malformed, closed', async (_, welcome) => {
    const { client, standIn } = await serve({ welcome });
    await expect(client.time()).rejects.toMatchObject({ code: 'source/malformed' });
    expect(await standIn.connections()).toBe(0);
  });

  it('is random bytes: never an answer', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const bytes = Buffer.alloc(200, 0).map((_, at) => (at * 31 + seed * 97) & 255);
      const { client } = await serve({ welcome: ({ socket }) => void socket.end(bytes) });
      await expect(client.time()).rejects.toMatchObject({
        // A key of its own makes other bytes of them each time: some begin with a length that is more than the question may take.
        code: expect.stringMatching(/^source\/(malformed|upstream|too-large)$/),
      });
    }
  });
});

describe('5 frames that were changed on the way', () => {
  it.each<[string, (message: Buffer) => Buffer]>([
    [
      'a byte is another one',
      (message) => plainFrame(message).map((byte, at) => (at === 50 ? byte ^ 1 : byte)) as Buffer,
    ],
    ['a byte is missing', (message) => Buffer.concat([plainFrame(message).subarray(1), Buffer.alloc(200)])],
    [
      'the checksum is of another frame',
      (message) => Buffer.concat([plainFrame(message).subarray(0, -32), plainFrame(TIME).subarray(-32)]),
    ],
  ])('%s: never an answer, and all questions of the connection end', async (_, change) => {
    const { client, standIn } = await serve({
      deliver: (peer, message) => void peer.socket.write(peer.encrypt(change(message))),
    });
    const questions = await Promise.allSettled([client.time(), client.time(), client.time()]);
    for (const question of questions) {
      expect(question).toMatchObject({ status: 'rejected', reason: { code: 'source/malformed' } });
    }
    expect(await standIn.connections()).toBe(0);
  });

  it('leaves the questions of another server alone', async () => {
    const bad = await serve({
      deliver: (peer, message) => void peer.socket.write(peer.encrypt(plainFrame(message).reverse())),
    });
    const good = await serve();
    const [failed, answered] = await Promise.allSettled([bad.client.time(), good.client.time()]);
    expect(failed.status).toBe('rejected');
    expect(answered).toMatchObject({ status: 'fulfilled', value: { claimed: { now: NOW } } });
  });
});

describe('6 answers that nobody waits for', () => {
  it('come twice, or for unknown questions: are ignored', async () => {
    const { client, standIn } = await serve({
      deliver(peer, message, { queryId }) {
        peer.send(answerMessage(Buffer.alloc(32, 7), TIME));
        peer.send(Buffer.alloc(0));
        peer.send(message);
        peer.send(message);
        expect(queryId).toHaveLength(32);
      },
    });
    for (let time = 0; time < 30; time++) expect((await client.time()).claimed.now).toBe(NOW);
    expect(standIn.accepted).toBe(1);
  });

  it.each<[string, Buffer]>([
    ['empty frames', Buffer.alloc(0)],
    ['pongs', Buffer.from('03fb69dc0000000000000000', 'hex')],
    ['unknown messages', Buffer.from('0102030405060708', 'hex')],
  ])(`flood: %s end the connection after ${MAX_USELESS_FRAMES}`, async (_, payload) => {
    let sent = 0;
    const { client, standIn } = await serve({
      answer({ peer }) {
        for (; sent < MAX_USELESS_FRAMES + 1; sent++) peer.send(payload);
        return undefined;
      },
    });
    await expect(client.time()).rejects.toMatchObject({ code: 'source/malformed' });
    expect(await standIn.connections()).toBe(0);
  });

  it('are large: the connection ends after a mebibyte', async () => {
    const { client } = await serve({
      answer({ peer }) {
        for (let part = 0; part < 3; part++)
          peer.send(answerMessage(Buffer.alloc(32, part), Buffer.alloc(MAX_USELESS_BYTES / 2)));
        return undefined;
      },
    });
    await expect(client.time()).rejects.toMatchObject({ code: 'source/malformed' });
  });
});

describe('7 answers that come oddly', () => {
  it('in one write with the first frame, in single bytes, among pongs: are all right', async () => {
    const { client } = await serve({
      async deliver(peer, message) {
        const pong = plainFrame(Buffer.from('03fb69dc0000000000000000', 'hex'));
        const bytes = peer.encrypt(Buffer.concat([pong, plainFrame(Buffer.alloc(0)), plainFrame(message)]));
        for (const byte of bytes) {
          peer.socket.write(Uint8Array.of(byte));
          if (byte % 16 === 0) await tick();
        }
      },
    });
    expect((await client.time()).claimed.now).toBe(NOW);
  });
});

describe('8 a server that stops, or drips', () => {
  it.each<[string, (peer: LitePeer, message: Buffer) => void]>([
    ['in the middle of a length', (peer) => void peer.socket.write(peer.encrypt(Buffer.from([80, 0])))],
    [
      'in the middle of a frame',
      (peer, message) => void peer.socket.write(peer.encrypt(plainFrame(message).subarray(0, 60))),
    ],
    ['after promising 2^24 bytes', (peer) => void peer.socket.write(peer.encrypt(u32(2 ** 24)))],
  ])('%s: timeout', async (_, deliver) => {
    const { client, standIn } = await serve({ deliver });
    const { result, ms } = await onFakeClock(() => client.time());
    expect(error(result)).toMatchObject({ code: 'source/timeout' });
    expect(ms).toBeLessThan(16_000);
    expect(await standIn.connections()).toBe(0);
  });

  it('gives a byte a second: timeout, by the rate', async () => {
    const { client } = await serve({
      deliver(peer, message) {
        const bytes = peer.encrypt(plainFrame(message));
        let at = 0;
        const timer = setInterval(() => {
          if (at < bytes.length && !peer.socket.destroyed) peer.socket.write(bytes.subarray(at, ++at));
          else clearInterval(timer);
        }, 1000);
      },
    });
    const { result, ms } = await onFakeClock(() => client.time());
    expect(error(result)).toMatchObject({ code: 'source/timeout' });
    expect(ms).toBeLessThan(16_000);
  });
});

describe('9 and 10 answers that cannot be read', () => {
  it.each<[string, Buffer]>([
    ['trailing bytes', Buffer.concat([TIME, Buffer.alloc(4)])],
    ['too few bytes', TIME.subarray(0, 6)],
    ['another answer', Buffer.from('e591045a', 'hex')],
    ['nothing', Buffer.alloc(0)],
    ['an error with text in the long form for a short one', Buffer.from('48e1a9bb00000000fe020000616200', 'hex')],
    ['an error with padding that is not zero', Buffer.from('48e1a9bb0000000001610001', 'hex')],
  ])('%s: malformed, and the connection is dropped', async (_, answer) => {
    const { client, standIn } = await serve({ answer: () => answer });
    await expect(client.time()).rejects.toMatchObject({ code: 'source/malformed' });
    expect(await standIn.connections()).toBe(0);
  });

  it('a count of 2^32 - 1: malformed, without memory for it', async () => {
    const { client } = await serve({
      answer: () => Buffer.concat([Buffer.from('0bc6266fffffffff', 'hex'), tlBytes(Buffer.alloc(0))]),
    });
    const account = { workchain: 0, address: new Uint8Array(32) };
    await expect(client.transactions(account, { lt: 1n, hash: new Uint8Array(32), count: 1 })).rejects.toMatchObject({
      code: 'source/malformed',
    });
  });

  it('an error with ten megabytes of text: cut to 500 characters', async () => {
    const { client } = await serve({ answer: () => liteError(0, '\u202e\u0007ab'.repeat(2_500_000)) });
    const caught = await client.time().catch((failure: unknown) => failure as { serverText: string; message: string });
    expect((caught as { serverText: string }).serverText.length).toBeLessThanOrEqual(501);
    expect((caught as { message: string }).message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it.each<[number, string, string]>([
    [651, 'block is not in db', 'source/not-ready'],
    [651, 'too big masterchain block seqno', 'source/not-ready'],
    [500, 'LITE_SERVER_NOTREADY: x', 'source/not-ready'],
    [500, 'LITE_SERVER_NOTFOUND: x', 'source/not-ready'],
    [652, 'timeout', 'source/server'],
    [-503, 'timeout', 'source/server'],
    [500, 'LITE_SERVER_TIMEOUT: x', 'source/server'],
    [-400, 'client knows block (-1,8000000000000000,7) newer than the reference masterchain block', 'source/not-ready'],
    [500, 'LITE_SERVER_UNKNOWN: block is newer than base', 'source/not-ready'],
    [500, 'LITE_SERVER_UNKNOWN: no handle for block', 'source/not-ready'],
    [500, 'LITE_SERVER_UNKNOWN: Cannot load handle', 'source/not-ready'],
    [-400, 'block is unknown from the perspective of reference block', 'source/other-chain'],
    [-400, 'something else', 'source/bad-request'],
    [0, 'cannot parse', 'source/bad-request'],
    [621, 'unknown query', 'source/bad-request'],
    [400, 'bad', 'source/bad-request'],
    [500, 'LITE_SERVER_INVALID_PARAMS: x', 'source/bad-request'],
    [429, 'too many requests', 'source/rate-limited'],
    [228, 'too many requests', 'source/rate-limited'],
    [502, 'bad gateway', 'source/server'],
    [410, 'gone', 'source/server'],
    [500, 'LITE_SERVER_UNKNOWN: x', 'source/server'],
  ])('error %d %s: %s', async (code, text, wanted) => {
    const { client } = await serve({ answer: () => liteError(code, text) });
    await expect(client.time()).rejects.toMatchObject({ code: wanted, serverCode: code, serverText: text });
  });

  it('a busy proxy: rate-limited', async () => {
    const { client } = await serve({ answer: () => Buffer.from('559c2e090000000000000000', 'hex') });
    await expect(client.time()).rejects.toMatchObject({ code: 'source/rate-limited' });
  });
});

describe('11 a connection that ends under questions', () => {
  it('is made again for those that may be tried again: nothing is lost or doubled', async () => {
    let drops = 0;
    const standIn = await startLiteStandIn({
      answer({ peer }) {
        if (drops < 2) {
          drops += 1;
          peer.socket.destroy();
          return undefined;
        }
        return TIME;
      },
    });
    const client = connectLite(standIn.server);
    started.push(standIn, client);
    const answers = await Promise.all([client.time(), client.time(), client.time(), client.time()]);
    expect(answers.map(({ claimed }) => claimed.now)).toEqual([NOW, NOW, NOW, NOW]);
    client.close();
    expect(await standIn.connections()).toBe(0);
  });

  it('is half open, without a pong for 15 seconds: timeout', async () => {
    const { client, standIn } = await serve({ answer: () => undefined, answersPings: false });
    const patient = connectLite(standIn.server, { retries: 0, timeoutMs: 60_000, deadlineMs: 60_000 });
    started.push(patient);
    const { result, ms } = await onFakeClock(() => patient.time());
    expect(error(result)).toMatchObject({
      code: 'source/timeout',
      message: expect.stringContaining('stopped answering'),
    });
    expect(ms).toBeLessThan(18_000);
    expect(standIn.pings).toBeGreaterThan(0);
    client.close();
  });

  it('stays, with pings, as long as somebody asks, and is closed when nobody has for 100 seconds', async () => {
    const { client, standIn } = await serve();
    await client.time();
    client.close();
    const { ms } = await onFakeClock(async () => {
      await client.time();
      while ((await countNow(standIn)) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(ms).toBeGreaterThanOrEqual(99_000);
    expect(ms).toBeLessThan(120_000); // the fake clock runs on while the real socket closes
    expect(standIn.pings).toBeGreaterThan(10);
  });
});

/** Connections open at this moment. */
async function countNow(standIn: LiteStandIn): Promise<number> {
  return standIn.open;
}

describe('16 a caller who stops', () => {
  it('before, while connecting, while waiting: aborted, each time, and nothing keeps the program alive', async () => {
    const blackHole = createServer((socket) => void socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => blackHole.listen(0, '127.0.0.1', resolve));
    const { port } = blackHole.address() as { port: number };
    const { standIn, client } = await serve({ answer: () => undefined });
    const connecting = connectLite({ ...standIn.server, port }, { retries: 0 });
    started.push(connecting);
    for (const [one, waitMs] of [
      [client, 0],
      [client, 30],
      [connecting, 0],
      [connecting, 30],
    ] as const) {
      const controller = new AbortController();
      const question = one.time({ signal: controller.signal });
      const expected = expect(question).rejects.toMatchObject({ code: 'source/aborted' });
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      controller.abort();
      await expected;
    }
    connecting.close();
    connecting.close();
    await new Promise<void>((resolve) => blackHole.close(() => resolve()));
  });
});
