/**
 * What lite servers cost: a cold start over 1 250 links, the transport alone, the first answer, ten minutes of following, a
 * server that comes back. The server is a process of its own on loopback. Asserts nothing; prints, and with `--save` keeps.
 *
 *   node build/bench/lite.js [cold slow transport first follow liars alone restart ...] [--seconds 600] [--save NAME]
 *
 * `liars` follows 12 servers of which 4 lie, `alone` 12 of which 11 do.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { decodeHex } from '../src/core/base/bytes.ts';
import { parseCheckpoint } from '../src/core/chain/checkpoint.ts';
import { connectLite, type LiteClientOptions, type LiteServerClient } from '../src/net/lite/client.ts';
import { followLite } from '../src/net/lite/follow-lite.ts';
import type { FollowLiteOptions } from '../src/net/lite/follow-lite-options.ts';
import { syncCheckpoint } from '../src/net/lite/sync.ts';
import { type OpenTransport, openTcp } from '../src/net/lite/tcp.ts';
import { ROOT } from '../test/helpers/vectors.ts';
import type { Ready } from './lite-server.ts';

const SLOW_MS = 1900;
const MS_PER_BLOCK = 400;
const COLD_FILE = join(tmpdir(), 'ton-finality-bench-cold.json');

type Figures = Readonly<Record<string, number | string | readonly number[]>>;

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const round = (value: number, digits = 2) => Number(value.toFixed(digits));
const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
const quantile = (values: readonly number[], q: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(q * values.length))]!;

async function startServer(words: readonly string[]): Promise<{ child: ChildProcess; told: Ready }> {
  const child = fork(here('lite-server.js'), [...words], { execArgv: ['--max-old-space-size=8000'] });
  const told = await new Promise<Ready>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Ready)); // the first thing it says
    child.once('exit', (code) => {
      reject(new Error(`the server ended with ${code}`));
      if (code !== null) process.exit(1); // by itself: what is measured is no more
    });
  });
  return { child, told };
}

function client(
  { port, publicKey }: Pick<Ready, 'port' | 'publicKey'>,
  opts: LiteClientOptions = {},
): LiteServerClient {
  return connectLite({ host: '127.0.0.1', port, publicKey: decodeHex(publicKey)! }, opts); // hex of our own
}

/** Wall and processor time, of this process alone, since it was made. */
function stopwatch() {
  const startMs = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const used = process.cpuUsage(cpu);
    return {
      wallSeconds: round((performance.now() - startMs) / 1000),
      cpuSeconds: round((used.user + used.system) / 1e6),
      peakRssMiB: round(process.resourceUsage().maxRSS / 1024, 0),
    };
  };
}

async function cold(told: Ready): Promise<Figures> {
  const lite = client(told);
  const read = stopwatch();
  const result = await syncCheckpoint([lite], parseCheckpoint(told.checkpoint), { maxHeadAgeSeconds: 1e9 });
  const figures = read();
  lite.close();
  if (result.verdict.status !== 'final' || result.links !== told.head) throw new Error(`${result.links} links`);
  return { ...figures, links: result.links, answers: result.answers, megabytes: round(result.bytes / 1e6) };
}

async function slow(told: Ready): Promise<Figures> {
  const figures = await cold(told);
  const networkSeconds = (told.proofs * SLOW_MS) / 1000;
  return { ...figures, networkSeconds, overNetwork: round(Number(figures.wallSeconds) / networkSeconds - 1, 4) };
}

async function transport(told: Ready): Promise<Figures> {
  const lite = client(told);
  const total = 500e6;
  let got = 0;
  await lite.time();
  const read = stopwatch();
  const worker = async () => {
    while (got < total) {
      const { length } = await lite.ask(Buffer.from('00000000', 'hex'));
      got += length; // the others have counted meanwhile
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  const figures = read();
  lite.close();
  const megabytes = got / 1e6;
  return {
    ...figures,
    megabytes: round(megabytes),
    megabytesPerSecond: round(megabytes / figures.wallSeconds, 0),
    megabytesPerCpuSecond: round(megabytes / figures.cpuSeconds, 0),
  };
}

async function first(told: Ready): Promise<Figures> {
  const times: number[] = [];
  for (let at = 0; at < 220; at++) {
    const lite = client(told);
    const startMs = performance.now();
    await lite.time();
    if (at >= 20) times.push(performance.now() - startMs);
    lite.close();
  }
  return { medianMs: round(quantile(times, 0.5)), p90Ms: round(quantile(times, 0.9)), connections: times.length };
}

/** TCP that counts what comes and goes. */
function counting(): { open: OpenTransport; bytes: () => number } {
  let bytes = 0;
  const open: OpenTransport = (to, events) => {
    const transport = openTcp(to, {
      ...events,
      onOpen: () => events.onOpen(),
      onClose: (why) => events.onClose(why),
      onData(data) {
        bytes += data.length;
        events.onData(data);
      },
    });
    return {
      ...transport,
      write(data) {
        bytes += data.length;
        transport.write(data);
      },
    };
  };
  return { open, bytes: () => bytes };
}

/** @param settleSeconds of the start, for which no delay is counted: the time in which the servers get to be known */
async function follow(told: Ready, seconds: number, settleSeconds: number): Promise<Figures> {
  const counter = counting();
  let requests = 0;
  const lites = told.servers.map((server) => client(server, { open: counter.open, onAnswer: () => void requests++ }));
  const seqnos: number[] = [];
  const delays: number[] = [];
  let troubles = 0;
  const out = new Set<string>();
  const read = stopwatch();
  const startMs = performance.now();
  let base: { bytes: number; requests: number; ms: number; seqno: number } | undefined;
  const watched = parseCheckpoint(told.checkpoint);
  const opts: FollowLiteOptions = {
    onTrouble: () => void troubles++,
    onWarning: ({ code, message }) => void (code === 'server-out' && out.add(message)),
  };
  for await (const { header, report } of followLite(lites, watched, opts)) {
    if (report.verdict.status !== 'final') throw new Error(`block ${header.seqno} is ${report.verdict.status}`);
    const bornMs = told.firstMs + (header.seqno - 1) * MS_PER_BLOCK;
    // The head is not waited for at the start, and what it takes to get there is no part of following.
    base ??= { bytes: counter.bytes(), requests, ms: performance.now(), seqno: header.seqno };
    seqnos.push(header.seqno);
    if (performance.now() - base.ms > settleSeconds * 1000) delays.push((Date.now() - bornMs) / 1000);
    if (performance.now() - startMs > seconds * 1000) break;
  }
  const { bytes, ms, requests: before, seqno } = base!; // there was one block or more
  const elapsed = (performance.now() - ms) / 1000;
  const wrong = seqnos.filter((one, at) => at > 0 && one !== seqnos[at - 1]! + 1).length;
  const figures = read();
  for (const lite of lites) lite.close();
  const followed = seqnos.at(-1)! - seqno;
  return {
    ...figures,
    blocks: seqnos.length,
    blocksPerSecond: round(followed / elapsed),
    gapsAndDuplicates: wrong,
    troubles,
    servers: lites.length,
    serversOut: out.size,
    kilobytesPerSecond: round((counter.bytes() - bytes) / 1000 / elapsed),
    requestsPerBlock: round((requests - before) / followed, 3),
    delaySeconds: [0.5, 0.9, 0.99, 1].map((q) => round(quantile(delays.slice(1), q))),
    proofBytes: told.proofBytes,
  };
}

async function restart(told: Ready, child: ChildProcess): Promise<Figures> {
  const lite = client(told);
  const stop = new AbortController();
  let backMs: number | undefined;
  let previous: number | undefined;
  let wrong = 0;
  const waited: number[] = [];
  const rests = [1000, 5000, 10_000, 20_000, 40_000];
  child.on('message', (message) => {
    if (message === 'back') backMs = performance.now();
  });
  let next = setTimeout(() => child.send(rests.shift()!), 6000);
  for await (const { header } of followLite([lite], parseCheckpoint(told.checkpoint), { signal: stop.signal })) {
    if (previous !== undefined && header.seqno !== previous + 1) wrong += 1;
    previous = header.seqno;
    if (backMs === undefined) continue;
    waited.push(round((performance.now() - backMs) / 1000));
    backMs = undefined;
    const rest = rests.shift();
    if (rest === undefined) break;
    next = setTimeout(() => child.send(rest), 7000);
  }
  clearTimeout(next);
  lite.close();
  return { secondsDown: [1, 5, 10, 20, 40], secondsToNextBlock: waited, gapsAndDuplicates: wrong };
}

const KINDS = ['cold', 'slow', 'transport', 'first', 'follow', 'liars', 'alone', 'restart'] as const;
type Kind = (typeof KINDS)[number];
const FOLLOWING: ReadonlySet<Kind> = new Set(['follow', 'liars', 'alone']);

async function measure(kind: Kind, seconds: number): Promise<Figures> {
  const words: Record<Kind, readonly string[]> = {
    cold: ['cold', COLD_FILE, '0'],
    slow: ['cold', COLD_FILE, String(SLOW_MS)],
    transport: ['transport'],
    first: ['transport'],
    follow: ['follow', String(seconds)],
    liars: ['follow', String(seconds), '8', '4'],
    alone: ['follow', String(seconds), '1', '11'],
    restart: ['follow', '240'],
  };
  const { child, told } = await startServer(words[kind]);
  try {
    switch (kind) {
      case 'cold':
        return await cold(told);
      case 'slow':
        return await slow(told);
      case 'transport':
        return await transport(told);
      case 'first':
        return await first(told);
      case 'follow':
      case 'liars':
        return await follow(told, seconds, 0);
      case 'alone':
        return await follow(told, seconds, 60);
      case 'restart':
        return await restart(told, child);
    }
  } finally {
    child.kill();
  }
}

/** Each in a fresh process, since the peak of memory is one of the figures. */
function measureApart(kind: Kind, seconds: number): Promise<Figures> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), ['--only', kind, '--seconds', String(seconds)]);
    let figures: Figures | undefined;
    child.on('message', (message) => {
      figures = message as Figures; // sent below
    });
    child.once('exit', (code) =>
      figures === undefined ? reject(new Error(`${kind}: exit ${code}`)) : resolve(figures),
    );
  });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, seconds: { type: 'string', default: '600' }, save: { type: 'string' } },
});
const seconds = Number(values.seconds);
if (values.only !== undefined) {
  process.send?.(await measure(values.only as Kind, seconds)); // by measureApart
} else {
  const kinds = positionals.length === 0 ? KINDS : KINDS.filter((kind) => positionals.includes(kind));
  const measured: Record<string, unknown> = {};
  for (const kind of kinds) {
    const figures = await measureApart(kind, seconds);
    const command = `node build/bench/lite.js ${kind}${FOLLOWING.has(kind) ? ` --seconds ${seconds}` : ''}`;
    measured[kind] = { command, ...figures, load: round(loadavg()[0]!) };
    console.log(kind, figures);
  }
  if (values.save !== undefined) {
    const file = join(ROOT, 'bench', 'results', `${values.save}.json`);
    let before: Record<string, unknown> = {};
    try {
      before = JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      // the first time
    }
    const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
    writeFileSync(file, `${JSON.stringify({ ...before, machine, ...measured }, null, 1)}\n`);
  }
}
