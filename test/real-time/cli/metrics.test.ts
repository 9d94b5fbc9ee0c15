/** `--metrics`: what a monitor reads of a run, and that nothing but reading is possible. */

import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkLedger } from '../../../src/app/audit/read-ledger.ts';
import { readMetricsOption, serveMetrics } from '../../../src/app/cli/output/metrics.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteFlags, writeZerostateCheckpoint } from '../../helpers/lite-cli.ts';
import { type LiteStandIn, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { runCli, startCli } from '../../helpers/run-cli.ts';
import { ROOT } from '../../helpers/vectors.ts';

let folder: string;
let standIn: LiteStandIn | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-metrics-'));
});
afterEach(async () => {
  await standIn?.close();
  standIn = undefined;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const get = async (url: string, method = 'GET') => {
  const response = await fetch(url, { method });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

const counted = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((one) => one.startsWith(`${line} `))
      ?.slice(line.length + 1),
  );

describe('--metrics', () => {
  it('counts blocks and questions of a follower while it runs, and says that it lives', async () => {
    const chain = new LiteChain({ length: 12 });
    standIn = await startLiteStandIn({ answer: (asked) => chain.answer(asked) });
    const words = ['follow', '--checkpoint', writeZerostateCheckpoint(folder, chain), ...liteFlags(standIn)];
    const { child, ended } = startCli([...words, '--sign-every-seconds', '0', '--from', '3', '--metrics', '0']);
    let said = '';
    const url = await new Promise<string>((resolve) => {
      child.stderr!.on('data', (text: string) => {
        said += text;
        const found = /metrics at (http:\S+)\/metrics\n/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    await expect
      .poll(async () => JSON.parse((await get(`${url}/healthz`)).text).lastBlock, { timeout: 60_000 })
      .toBe(12);
    const { status, type, text } = await get(`${url}/metrics`);
    expect(status).toBe(200);
    expect(type).toContain('text/plain; version=0.0.4');
    expect(counted(text, 'ton_finality_blocks_total{outcome="final"}')).toBe(10);
    expect(counted(text, 'ton_finality_blocks_total{outcome="undecided"}')).toBe(0);
    expect(counted(text, 'ton_finality_last_block')).toBe(12);
    expect(text).toMatch(
      /ton_finality_server_questions_total\{server="lite:[^"]*",operation="[^"]+",outcome="ok"\} [1-9]/,
    );
    expect(text).toMatch(/ton_finality_server_seconds_bucket\{le="0.01",/);
    expect(text).toMatch(/process_resident_memory_bytes [1-9]/);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(143);
  });

  it('serves reading only, of two names', async () => {
    const metrics = await serveMetrics('127.0.0.1', 0, 'test', '0');
    try {
      expect((await get(`${metrics.url}/`)).status).toBe(404);
      expect((await get(`${metrics.url}/metrics/../../etc`)).status).toBe(404);
      expect((await get(`${metrics.url}/metrics`, 'POST')).status).toBe(405);
      expect((await get(`${metrics.url}/metrics`, 'HEAD')).text).toBe('');
      expect(JSON.parse((await get(`${metrics.url}/healthz`)).text)).toMatchObject({ status: 'ok', lastBlock: null });
    } finally {
      metrics.close();
    }
  });

  it('answers beside clients that do not end their question, and one that asks and does not read', async () => {
    const metrics = await serveMetrics('127.0.0.1', 0, 'test', '0');
    const { port } = new URL(metrics.url);
    const sockets: Socket[] = [];
    const dial = async (text: string) => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      await new Promise<void>((resolve) => socket.write(text, () => resolve()));
      return socket;
    };
    try {
      for (let n = 0; n < 40; n++) await dial('GET /healthz HTTP/1.1\r\nHost: x\r\nX: ');
      expect((await get(`${metrics.url}/healthz`)).status).toBe(200);
      const question = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n';
      const greedy = await dial(question.repeat(1000));
      let bytes = 0;
      const closed = new Promise((resolve) => greedy.on('close', resolve));
      greedy.on('data', (chunk) => {
        bytes += chunk.length;
      });
      await closed;
      const one = (await get(`${metrics.url}/metrics`)).text.length;
      expect(bytes).toBeLessThan(2 * one + 2000);
    } finally {
      for (const socket of sockets) socket.destroy();
      metrics.close();
    }
  });

  it('is asked by addresses and local names only, which no page of a stranger can have', async () => {
    const metrics = await serveMetrics('127.0.0.1', 0, 'test', '0');
    const status = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = { headers: { host }, agent: false };
        request(`${metrics.url}/metrics`, options, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    try {
      const own = [
        '127.0.0.1:9',
        '[::1]:9',
        '10.0.0.7',
        'localhost:9',
        'auditor:9464',
        'auditor.fleet.svc.cluster.local',
      ];
      for (const host of own) expect(await status(host), host).toBe(200);
      for (const host of ['example.org', 'example.org:9464', '127.0.0.1.example.org', 'localhost.example.org']) {
        expect(await status(host), host).toBe(421);
      }
    } finally {
      metrics.close();
    }
  });

  it('is not healthy when nothing moves, but for a worker that waits', async () => {
    const clock = vi.spyOn(performance, 'now');
    const startMs = performance.now();
    const at = (seconds: number) => clock.mockReturnValue(startMs + 1000 * seconds);
    at(0);
    const [audit, worker] = await Promise.all(
      ['audit', 'audit worker'].map((command) => serveMetrics('127.0.0.1', 0, command, '0')),
    );
    const health = async ({ url }: { readonly url: string }) => {
      const { status, text } = await get(`${url}/healthz`);
      return [status, JSON.parse(text).status];
    };
    try {
      at(299);
      expect(await health(audit!)).toEqual([200, 'ok']);
      at(301);
      expect(await health(audit!)).toEqual([503, 'stalled']);
      expect(await health(worker!)).toEqual([200, 'ok']);
      audit!.block({ seqno: 1, outcome: 'final' });
      expect(await health(audit!)).toEqual([200, 'ok']);
      at(602);
      expect(await health(audit!)).toEqual([503, 'stalled']);
    } finally {
      clock.mockRestore();
      audit!.close();
      worker!.close();
    }
  });

  it('tells rows of an audit, the thinnest margin, and how servers do', async () => {
    const metrics = await serveMetrics('127.0.0.1', 0, 'test', '0');
    try {
      await checkLedger(join(ROOT, 'vectors/audit/mixed.ndjson'), (line) => {
        if (line.type === 'block' || line.type === 'failure') metrics.row(line);
      });
      metrics.onHealth({ server: 'https://a/', from: 'up', to: 'down', probeInMs: 10 });
      metrics.onServer({
        server: 'https://a/',
        operation: 'x',
        outcome: 'source/timeout',
        latencyMs: 2000,
        attempts: 4,
      });
      const { text } = await get(`${metrics.url}/metrics`);
      const outcomes = { final: 33, insufficient: 1, rejected: 2, undecided: 1, failed: 3 };
      for (const [outcome, count] of Object.entries(outcomes)) {
        expect(counted(text, `ton_finality_blocks_total{outcome="${outcome}"}`)).toBe(count);
      }
      expect(counted(text, 'ton_finality_least_margin_ratio')).toBeCloseTo(18 / 106, 6);
      expect(counted(text, 'ton_finality_server_state{server="https://a/",state="down"}')).toBe(1);
      expect(counted(text, 'ton_finality_server_state{server="https://a/",state="up"}')).toBe(0);
      expect(counted(text, 'ton_finality_server_attempts_total{server="https://a/"}')).toBe(4);
    } finally {
      metrics.close();
    }
  });

  it('takes a port, or a host and a port, and nothing else', async () => {
    expect(readMetricsOption('9100')).toEqual({ host: '127.0.0.1', port: 9100 });
    expect(readMetricsOption('0.0.0.0:9100')).toEqual({ host: '0.0.0.0', port: 9100 });
    expect(readMetricsOption('[::1]:9100')).toEqual({ host: '::1', port: 9100 });
    for (const text of ['', 'x', '65536', '-1', ':9100', 'a b:1', '9100/metrics']) {
      expect(() => readMetricsOption(text), text).toThrow(expect.objectContaining({ path: '--metrics' }));
    }
  });

  it('refuses a port that is taken, before it begins', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const chain = new LiteChain({ length: 2 });
    standIn = await startLiteStandIn({ answer: (asked) => chain.answer(asked) });
    const words = ['follow', '--checkpoint', writeZerostateCheckpoint(folder, chain), ...liteFlags(standIn)];
    const { code, stderr } = await runCli([...words, '--metrics', String(port)]);
    taken.close();
    expect(code).toBe(2);
    expect(stderr).toContain('EADDRINUSE');
  });
});
