/** What is opened for a question is closed when it ends, at whatever stage it is, behind a proxy too; and one question and try opens one connection. */
import { once } from 'node:events';
import { createServer, type Server, type Socket, Socket as SocketClass } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { startFullBacklog } from '../../helpers/full-backlog.ts';

const NAMES = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'];
let environment: NodeJS.ProcessEnv;
beforeEach(() => {
  environment = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));
  for (const name of NAMES) delete process.env[name];
});
const servers: Server[] = [];
const open = new Set<Socket>();
afterEach(() => {
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  for (const socket of open) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** For machines that are busy. */
const LONG = { timeout: 60_000 };

const OK = 'HTTP/1.1 200 OK\r\n\r\n';

/** What a proxy does with a connection. */
const PROXIES: Readonly<Record<string, (socket: Socket) => void>> = {
  'hangs up at once': (socket) => socket.destroy(),
  'resets at once': (socket) => socket.resetAndDestroy(),
  'hangs up after the CONNECT': (socket) => socket.once('data', () => socket.destroy()),
  'ends in order after the CONNECT': (socket) => socket.once('data', () => socket.end()),
  'hangs up within its answer': (socket) => socket.once('data', () => socket.end('HTTP/1.1 200')),
  'says no': (socket) => socket.once('data', () => socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n')),
  'wants a password': (socket) => socket.once('data', () => socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n')),
  'hangs up behind its answer': (socket) => socket.once('data', () => socket.end(OK)),
  'resets behind its answer': (socket) =>
    socket.once('data', () => socket.write(OK, () => setImmediate(() => socket.resetAndDestroy()))),
  'hangs up at the first byte in the tunnel': (socket) =>
    socket.once('data', () => socket.write(OK) && socket.once('data', () => socket.destroy())),
};
const SILENT: typeof PROXIES = {
  'says nothing': (socket) => socket.on('data', () => {}),
  'says nothing to the end of its answer': (socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n')),
  'says nothing in the tunnel': (socket) => socket.once('data', () => socket.write(OK) && socket.on('data', () => {})),
};

async function startProxy(act: (socket: Socket) => void): Promise<{ readonly url: string; accepted(): number }> {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted++;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    act(socket);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, accepted: () => accepted };
}

/** Sockets of this process, those still connecting among them. */
const sockets = () => process.getActiveResourcesInfo().filter((name) => /TCPSocket|TLS|Connect/.test(name)).length;

/** In turns, not in seconds: a connection that nothing gives up ends by a time limit of its own. */
async function expectNoMoreThan(before: number): Promise<void> {
  for (let turn = 0; turn < 100 && sockets() > before; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(sockets()).toBeLessThanOrEqual(before);
}

const targets = [
  ['http', 'http://192.0.2.1/api/v2'],
  ['https', 'https://192.0.2.1/api/v2'],
] as const;

async function failureOf(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.catch((one: unknown) => one);
  if (!(error instanceof SourceError)) throw new Error(`expected a SourceError, got ${String(error)}`);
  return error;
}

describe.each(targets)('behind a proxy, to a server over %s,', (scheme, baseUrl) => {
  const source = (url: string, timeoutMs: number, retries: number) => {
    process.env[`${scheme}_proxy`] = url;
    const pace = { requestsPerSecond: Number.POSITIVE_INFINITY };
    return toncenterV2({ baseUrl, allowHttp: true, timeoutMs, deadlineMs: 60_000, retries, ...pace });
  };

  it.each(Object.entries(PROXIES))('that %s, a question fails at once, with one connection a try', async (_, act) => {
    const { url, accepted } = await startProxy(act);
    const before = sockets();
    const asked = source(url, 60_000, 1);
    expect(await failureOf(asked.latestSeqno())).toMatchObject({ code: 'source/upstream', attempts: 2 });
    expect(accepted()).toBe(2);
    await expect.poll(() => open.size, LONG).toBe(0);
    await expect.poll(sockets, LONG).toBeLessThanOrEqual(before);
  });

  it.each(Object.entries(SILENT))(
    'that %s, a question ends with its time, and its connection with it',
    async (_, act) => {
      const { url, accepted } = await startProxy(act);
      const before = sockets();
      const asked = source(url, 60, 0);
      for (let time = 0; time < 3; time++) {
        expect(await failureOf(asked.latestSeqno())).toMatchObject({ code: 'source/timeout' });
      }
      expect(accepted()).toBeLessThanOrEqual(3);
      await expect.poll(() => open.size, LONG).toBe(0);
      await expect.poll(sockets, LONG).toBeLessThanOrEqual(before);
    },
  );

  it.each(['hangs up at once', 'says nothing'])('that %s, forty questions leave nothing', async (name) => {
    const { url, accepted } = await startProxy({ ...PROXIES, ...SILENT }[name]!);
    const before = sockets();
    const asked = source(url, 300, 0);
    await Promise.all(Array.from({ length: 40 }, () => failureOf(asked.latestSeqno())));
    expect(accepted()).toBeLessThanOrEqual(40);
    await expect.poll(() => open.size, LONG).toBe(0);
    await expect.poll(sockets, LONG).toBeLessThanOrEqual(before);
    expect(accepted()).toBeLessThanOrEqual(40);
  });
});

it.skipIf(process.platform !== 'linux')(
  'a connection that does not come to be is given up with its question',
  async () => {
    const { port, close } = await startFullBacklog();
    try {
      const before = sockets();
      for (const env of [undefined, 'http_proxy']) {
        if (env !== undefined) process.env[env] = `http://127.0.0.1:${port}`;
        const asked = toncenterV2({ baseUrl: `http://127.0.0.1:${port}/api/v2`, timeoutMs: 200, retries: 0 });
        expect(await failureOf(asked.latestSeqno())).toMatchObject({ code: 'source/timeout' });
        await expectNoMoreThan(before);
      }
      const stop = new AbortController();
      const asked = failureOf(
        toncenterV2({ baseUrl: `http://127.0.0.1:${port}/api/v2` }).latestSeqno({ signal: stop.signal }),
      );
      setTimeout(() => stop.abort(), 50);
      expect(await asked).toMatchObject({ code: 'source/aborted' });
      await expectNoMoreThan(before);
    } finally {
      close();
    }
  },
);

describe('a variable of the environment that names no proxy', () => {
  it.each([
    'garbage',
    'proxy.example:8080',
    'socks5://127.0.0.1:1080',
    'http://',
    'http://%zz@127.0.0.1:1',
    '://',
    ' ',
  ])('is named, and not what is in it: %j', (value) => {
    for (const name of ['http_proxy', 'HTTPS_PROXY']) {
      process.env[name] = value;
      const make = () => toncenterV2({ baseUrl: 'https://192.0.2.1/api/v2' });
      expect(make).toThrow(expect.objectContaining({ code: 'usage/bad-option', path: name }) as Error);
      expect(make).toThrow(/variable of the environment$/);
      delete process.env[name];
    }
  });

  it('is told where it comes later, and not tried again', async () => {
    const source = toncenterV2({ baseUrl: 'https://192.0.2.1/api/v2', retries: 3 });
    process.env.https_proxy = 'garbage';
    await expect(source.latestSeqno()).rejects.toMatchObject({ code: 'usage/bad-option', path: 'https_proxy' });
  });

  it('does not count where the lower-case name is empty', () => {
    Object.assign(process.env, { http_proxy: '', HTTP_PROXY: 'garbage', https_proxy: '' });
    expect(toncenterV2({ baseUrl: 'https://192.0.2.1/api/v2' }).name).toBe('https://192.0.2.1/api/v2');
  });
});

it('headers without end, each of a few bytes, cost little after the one that is too many', async () => {
  const flood = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n'), Buffer.from('X: a\r\n'.repeat(200_000))]);
  const { url } = await startProxy((socket) => socket.once('data', () => socket.write(flood)));
  const { read } = SocketClass.prototype;
  let bytes = 0;
  SocketClass.prototype.read = function (size) {
    const chunk = read.call(this, size);
    bytes += chunk?.length ?? 0;
    return chunk;
  };
  try {
    const asked = toncenterV2({ baseUrl: `${url}/api/v2`, retries: 0 });
    expect(await failureOf(asked.latestSeqno())).toMatchObject({ code: 'source/upstream' });
  } finally {
    SocketClass.prototype.read = read;
  }
  // Names and values of 16 KiB are 48 KiB of such lines.
  expect(bytes).toBeGreaterThan(48 * 1024);
  expect(bytes).toBeLessThan(56 * 1024);
});
