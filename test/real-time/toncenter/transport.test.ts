import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { BODY_LIMITS } from '../../../src/core/base/limits.ts';
import type { ToncenterOptions } from '../../../src/net/toncenter/toncenter-options.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { toncenterV3 } from '../../../src/net/toncenter/toncenter-v3.ts';
import { type RawReply, type RawServer, startRawServer } from '../../helpers/raw-server.ts';
import { selfSigned } from '../../helpers/self-signed.ts';
import { ROOT, readVector } from '../../helpers/vectors.ts';

const INFO = JSON.stringify(readVector('http/v2-getMasterchainInfo-python-41579322.json'));
const HEAD = 41579322;
const OPTS = { requestsPerSecond: Number.POSITIVE_INFINITY, retries: 0, timeoutMs: 2000, deadlineMs: 4000 } as const;

const servers: { close(): unknown }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A raw server that gives these replies in turn, the last one for ever. */
async function serve(...replies: readonly RawReply[]): Promise<RawServer> {
  let asked = 0;
  const server = await startRawServer(() => replies[Math.min(asked++, replies.length - 1)]!);
  servers.push(server);
  return server;
}

function reply(
  status: string,
  headers: readonly string[],
  body: Uint8Array,
  after: RawReply['after'] = 'keep',
): RawReply {
  return { pieces: [Buffer.from(`${[`HTTP/1.1 ${status}`, ...headers].join('\r\n')}\r\n\r\n`), body], after };
}

function whole(body: Uint8Array | string, ...headers: readonly string[]): RawReply {
  const bytes = Buffer.from(body);
  return reply('200 OK', [`content-length: ${bytes.length}`, ...headers], bytes);
}

const v2 = (server: { readonly origin: string }, opts: Partial<ToncenterOptions> = {}) =>
  toncenterV2({ baseUrl: `${server.origin}/api/v2`, ...OPTS, ...opts });

async function failureOf(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.then(
    (value) => value,
    (error: unknown) => error,
  );
  if (!(error instanceof SourceError)) throw new Error(`expected a SourceError, got ${String(error)}`);
  return error;
}

async function closed(server: RawServer): Promise<void> {
  await expect.poll(() => server.open(), { timeout: 2000 }).toBe(0);
}

describe('a compressed body', () => {
  it.each([
    ['gzip', gzipSync(INFO)],
    ['x-gzip', gzipSync(INFO)],
    ['GZIP', gzipSync(INFO)],
    ['deflate', deflateSync(INFO)],
    ['deflate', deflateRawSync(INFO)],
    ['br', brotliCompressSync(INFO)],
    ['gzip, gzip', gzipSync(gzipSync(INFO))],
    ['deflate, br', brotliCompressSync(deflateSync(INFO))],
    ['identity', Buffer.from(INFO)],
  ])('is unpacked: %s', async (encoding, body) => {
    const server = await serve(whole(body, `content-encoding: ${encoding}`));
    expect(await v2(server).latestSeqno()).toBe(HEAD);
  });

  it('may not be packed more than twice, which is told and not tried again', async () => {
    let body: Uint8Array = Buffer.from(INFO);
    for (let i = 0; i < 6; i++) body = gzipSync(body);
    const server = await serve(whole(body, `content-encoding: ${Array(6).fill('gzip').join(', ')}`));
    const error = await failureOf(v2(server, { retries: 3 }).latestSeqno());
    expect(error).toMatchObject({ code: 'source/malformed', attempts: 1 });
    expect(error.message).toContain('at most 2 content encodings, got 6');
  });

  it('that is cut within six layers of gzip ends in an error, not in the end of the process', async () => {
    let body: Uint8Array = Buffer.from(INFO);
    for (let i = 0; i < 6; i++) body = gzipSync(body);
    const head = [`content-length: ${body.length}`, `content-encoding: ${Array(6).fill('gzip').join(', ')}`];
    const server = await serve(reply('200 OK', head, body.subarray(0, body.length >> 1), 'reset'));
    expect((await failureOf(v2(server).latestSeqno())).code).toMatch(/^source\/(malformed|upstream)$/);
    await closed(server);
  });

  it('in an unknown encoding is refused by its name', async () => {
    const server = await serve(whole(INFO, 'content-encoding: zstd'));
    expect((await failureOf(v2(server).latestSeqno())).message).toContain('got the content encoding "zstd"');
  });

  it('that was cut before it was packed, or is not packed at all, is a broken connection', async () => {
    const server = await serve(whole(gzipSync(INFO).subarray(0, 40), 'content-encoding: gzip'));
    expect(await failureOf(v2(server).latestSeqno())).toMatchObject({ code: 'source/upstream', retryable: true });
    const plain = await serve(whole(INFO, 'content-encoding: br'));
    expect(await failureOf(v2(plain).latestSeqno())).toMatchObject({ code: 'source/upstream' });
  });

  it.each([1, 2])('that swells beyond the cap is refused, packed %d times', async (times) => {
    const bomb = gzipSync(Buffer.alloc(BODY_LIMITS.block.maxBytes + 1));
    const body = times === 1 ? bomb : gzipSync(bomb);
    const server = await serve(whole(body, `content-encoding: ${Array(times).fill('gzip').join(', ')}`));
    expect((await failureOf(v2(server).latestSeqno())).code).toBe('source/too-large');
  });
});

describe('a connection', () => {
  it.each(['204 No Content', '205 Reset Content', '304 Not Modified'])(
    'is not left behind by a %s with a body that does not end',
    async (status) => {
      const server = await serve(reply(status, ['content-length: 1000'], Buffer.from('x')));
      for (let i = 0; i < 3; i++) expect(await failureOf(v2(server).latestSeqno())).toBeInstanceOf(SourceError);
      await closed(server);
    },
  );

  it.each([
    ['a redirect', reply('302 Found', ['location: /elsewhere', 'content-length: 9'], Buffer.from('x'))],
    ['a body that hangs', reply('200 OK', ['content-length: 1000'], Buffer.from('{'))],
    ['a body that is too large', reply('200 OK', ['content-length: 9999999'], Buffer.alloc(1_100_000, 0x20))],
    ['headers that never end', { pieces: [Buffer.from('HTTP/1.1 200 OK\r\nx: ')], after: 'keep' } as RawReply],
    ['no answer at all', { pieces: [], after: 'hang' } as RawReply],
    ['no HTTP', { pieces: [Buffer.from('SSH-2.0-OpenSSH\r\n')], after: 'keep' } as RawReply],
  ])('is closed after %s', async (_, answer) => {
    const server = await serve(answer);
    expect(await failureOf(v2(server, { timeoutMs: 300 }).latestSeqno())).toBeInstanceOf(SourceError);
    await closed(server);
  });

  it('serves one question after the other while all goes well', async () => {
    const server = await serve(whole(INFO));
    const source = v2(server);
    for (let i = 0; i < 5; i++) expect(await source.latestSeqno()).toBe(HEAD);
    expect(server.accepted()).toBe(1);
  });

  it('is closed when the caller stops', async () => {
    const server = await serve({ pieces: [], after: 'hang' });
    const stop = new AbortController();
    const asked = failureOf(v2(server).latestSeqno({ signal: stop.signal }));
    await expect.poll(() => server.open(), { timeout: 60_000 }).toBe(1);
    stop.abort();
    expect(await asked).toMatchObject({ code: 'source/aborted' });
    await closed(server);
  });

  it('that ends within a body whose length nobody told is tried again', async () => {
    const cut = reply('200 OK', [], Buffer.from(INFO.slice(0, 100)), 'end');
    const server = await serve(cut, whole(INFO));
    expect(await v2(server, { retries: 1 }).latestSeqno()).toBe(HEAD);
    expect(await failureOf(v2(await serve(cut)).latestSeqno())).toMatchObject({
      code: 'source/upstream',
      message: expect.stringContaining('the connection ended within the body'),
    });
  });

  it('ends a whole body whose length nobody told', async () => {
    expect(await v2(await serve(reply('200 OK', [], Buffer.from(INFO), 'end'))).latestSeqno()).toBe(HEAD);
  });
});

it('a signal that stays for all questions gathers no listener for each', async () => {
  const server = await serve(whole(INFO));
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const { signal } = new AbortController();
  const source = v2(server);
  await Promise.all(Array.from({ length: 40 }, () => source.latestSeqno({ signal })));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

describe('the structure of a body', () => {
  const rows = (count: number) => `[${Array(count).fill('{}').join(',')}]`;

  it.each([
    [
      'v3 rows',
      (origin: string) => toncenterV3({ baseUrl: origin, ...OPTS }).masterchainBlockShardState(5),
      'blocks[0].workchain',
    ],
    ['v2 shards', (origin: string) => v2({ origin }).shards(5), 'result.shards[0].workchain'],
    ['v2 signatures', (origin: string) => v2({ origin }).signatures(5), 'result.signatures'],
  ])('is refused at the first bad element, not after all of them: %s', async (_, ask, path) => {
    const body =
      path === 'result.signatures'
        ? `{"ok":true,"result":{"@type":"blocks.blockSignatures","signatures":${rows(30_000)}}}`
        : path.startsWith('blocks')
          ? `{"blocks":${rows(30_000)}}`
          : `{"ok":true,"result":{"shards":${rows(30_000)}}}`;
    const error = await failureOf(ask((await serve(whole(body))).origin));
    expect(error).toMatchObject({ code: 'source/malformed' });
    expect(error.message).toContain(path);
  });

  it('may have so many values', async () => {
    const body = `{"ok":true,"result":${rows(70_000)}}`;
    const error = await failureOf(v2(await serve(whole(body))).latestSeqno());
    expect(error.message).toContain('expected at most 65536 values of JSON');
  });

  it('may be so deep', async () => {
    const body = `{"ok":true,"result":${'['.repeat(100)}${']'.repeat(100)}}`;
    expect((await failureOf(v2(await serve(whole(body))).latestSeqno())).message).toContain(
      'expected at most 64 levels',
    );
  });
});

describe('options', () => {
  it.each([
    ['timeoutMs', Number.NaN],
    ['timeoutMs', Number.POSITIVE_INFINITY],
    ['timeoutMs', 1e9],
    ['deadlineMs', Number.POSITIVE_INFINITY],
    ['deadlineMs', 1e12],
    ['retries', 1.5],
    ['retries', Number.POSITIVE_INFINITY],
    ['retries', 1e6],
    ['maxBodyBytes', 1e12],
    ['maxBodyBytes', 1.5],
    ['maxBodyBytes', Number.NaN],
  ])('of absurd size are refused: %s = %d', (name, value) => {
    expect(() => toncenterV2({ baseUrl: 'https://node.example', [name]: value })).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path: name }) as Error,
    );
  });
});

async function askOnce(baseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<Record<string, unknown>> {
  const script = join(ROOT, 'build', 'test', 'helpers', 'ask-once.js');
  const { stdout } = await promisify(execFile)(process.execPath, [script, baseUrl], {
    env: { PATH: process.env.PATH ?? '', ...env },
    timeout: 120_000,
  });
  return JSON.parse(stdout) as Record<string, unknown>; // what the script prints
}

describe('TLS', () => {
  async function secure() {
    const { key, cert } = selfSigned();
    const server = createHttpsServer({ key, cert }, (_, response) => response.end(INFO));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push({ close: () => server.close() });
    return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, cert };
  }

  it('that nobody vouches for is not tried again, and the hint names the way out', async () => {
    const { origin } = await secure();
    const error = await failureOf(v2({ origin }, { retries: 3 }).latestSeqno());
    expect(error).toMatchObject({ code: 'source/tls', attempts: 1, retryable: false });
    expect(error.hint).toContain('NODE_EXTRA_CA_CERTS');
  });

  it('with a CA of the user’s own works', async () => {
    const { origin, cert } = await secure();
    const folder = mkdtempSync(join(tmpdir(), 'ca-'));
    writeFileSync(join(folder, 'ca.pem'), cert);
    expect(await askOnce(`${origin}/api/v2`, { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })).toEqual({ head: HEAD });
    rmSync(folder, { recursive: true });
  });

  it('to a port that speaks plain HTTP is no broken connection', async () => {
    const plain = createHttpServer((_, response) => response.end(INFO));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    servers.push({ close: () => plain.close() });
    const { port } = plain.address() as AddressInfo;
    expect(await failureOf(v2({ origin: `https://127.0.0.1:${port}` }).latestSeqno())).toMatchObject({
      code: 'source/tls',
    });
  });
});

describe('a proxy of the environment', () => {
  async function proxied() {
    const target = await serve(whole(INFO));
    const seen: string[] = [];
    const proxy = createHttpServer((request, response) => {
      seen.push(`GET ${request.url}`);
      httpRequest(request.url ?? '', (answer) => answer.pipe(response)).end();
    });
    proxy.on('connect', (request, socket) => {
      seen.push(`CONNECT ${request.url}`);
      const [host, port] = (request.url ?? '').split(':');
      const up = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        up.pipe(socket).pipe(up);
      });
      for (const end of [up, socket]) end.on('error', () => up.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    servers.push({ close: () => proxy.close() });
    return { target, seen, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  }

  it.each(['HTTP_PROXY', 'http_proxy'])('is gone through: %s', async (name) => {
    const { target, seen, url } = await proxied();
    expect(await askOnce(`${target.origin}/api/v2`, { [name]: url })).toEqual({ head: HEAD });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toContain(`127.0.0.1:${target.port}`);
  });

  it('is left aside for what NO_PROXY names', async () => {
    const { target, seen, url } = await proxied();
    const env = { HTTP_PROXY: url, NO_PROXY: 'example.com,127.0.0.1' };
    expect(await askOnce(`${target.origin}/api/v2`, env)).toEqual({ head: HEAD });
    expect(seen).toEqual([]);
  });

  it('that is not there is a failed connection', async () => {
    const { target } = await proxied();
    const env = { HTTP_PROXY: 'http://127.0.0.1:1' };
    expect(await askOnce(`${target.origin}/api/v2`, env)).toMatchObject({ code: 'source/upstream', attempts: 2 });
  });
});
