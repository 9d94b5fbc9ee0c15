/**
 * A fleet over a real Redis: workers are killed and join, Redis is lost once with all it holds, and the ledger is that of one
 * process. `npm run test:fleet`; without redis-server it is skipped, loudly, and in CI it fails.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { Worker } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditFiles } from '../../src/audit/files.ts';
import { sharedPace } from '../../src/audit/fleet/pace.ts';
import { packPart, partId } from '../../src/audit/fleet/part.ts';
import { connectRedis, openQueue, requireRedis } from '../../src/audit/fleet/redis.ts';
import { auditRange } from '../../src/audit/run.ts';
import { checkpointToJson } from '../../src/chain/checkpoint.ts';
import { auditChain, countingEngine, httpChain, scratch, startOf, text, writeFolder } from '../helpers/audit-chain.ts';
import { hasRedis, type RunningRedis, startRedis } from '../helpers/redis.ts';
import { type RunningCli, runCli, startCli } from '../helpers/run-cli.ts';
import { startStandIn } from '../helpers/stand-in.ts';

const canRun = hasRedis();
if (!canRun) {
  const words = 'redis-server is missing: apt-get update && apt-get install -y --no-install-recommends redis-server';
  if (process.env.CI === 'true') throw new Error(words);
  process.stderr.write(`\n*** SKIPPED: the fleet. ${words}\n\n`);
}

const place = scratch();
const chain = auditChain(400);
const checkpoint = place.next('checkpoint.json');
let folder: string;
let redis: RunningRedis;
beforeAll(async () => {
  if (!canRun) return;
  folder = writeFolder(chain, place.next('blocks'), { unsigned: [123] });
  writeFileSync(checkpoint, JSON.stringify(checkpointToJson(startOf(chain))));
  redis = await startRedis();
}, 60_000);
afterAll(async () => {
  await redis?.stop();
  place.remove();
});

const PLAN = { from: 1, to: 20, signEvery: 1, threshold: '2/3', acceptUnbound: false, maxFailures: 10 };
const words = (command: string, ...more: string[]) => ['audit', command, '--redis', redis.url, ...more];
const enqueue = (out: string, queue: string, to: number, ...more: string[]) =>
  words('enqueue', ...['--queue', queue, '--from', '1', '--to', String(to), '--out', out, '--quiet', ...more]);
const worker = (queue: string, ...more: string[]) =>
  words('worker', ...['--queue', queue, '--checkpoint', checkpoint, '--lock', '1', ...more]);

describe.skipIf(!canRun)('a fleet', () => {
  it('gives the ledger of one process though workers are killed, and Redis is lost once with all it holds', async () => {
    const single = place.next();
    const rows = auditRange({
      from: 1,
      to: 400,
      checkpoint: startOf(chain),
      blocks: auditFiles(folder),
      engine: countingEngine(),
      out: single,
    });
    while ((await rows.next()).done !== true);
    const out = place.next();
    const workers = new Set<RunningCli>();
    const join = () => {
      const one = startCli(worker('killed', '--from-files', folder));
      workers.add(one);
      void one.ended.then(() => workers.delete(one));
    };
    for (let n = 0; n < 4; n++) join();
    const ledger = startCli(enqueue(out, 'killed', 400, '--part-blocks', '10'));
    let isOver = false;
    void ledger.ended.then(() => {
      isOver = true;
    });
    let kills = 0;
    for (let turn = 0; !isOver; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      if (isOver || turn > 60) break;
      if (turn === 2) await redis.restart();
      const [oldest] = workers;
      if (oldest === undefined || turn % 2 === 1) continue;
      oldest.child.kill('SIGKILL');
      kills += 1;
      join();
    }
    const { code, stdout, stderr } = await ledger.ended;
    for (const one of workers) one.child.kill('SIGKILL');
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(stdout).toContain('399 final, 0 not, 1 could not be had');
    expect(text(out) === text(single)).toBe(true);
    expect(kills).toBeGreaterThan(0);
  }, 180_000);

  it('goes on with a ledger that was cut in the middle of a part, and tells how it stands', async () => {
    const out = place.next();
    const first = startCli(enqueue(out, 'cut', 60, '--part-blocks', '20'));
    const status = async () => JSON.parse((await runCli(words('status', '--queue', 'cut', '--json'))).stdout);
    await expect.poll(status, { timeout: 20_000, interval: 500 }).toMatchObject({ waiting: 3, workers: 0 });
    first.child.kill('SIGKILL');
    await first.ended;
    const working = startCli(worker('cut', '--from-files', folder));
    expect((await runCli(enqueue(out, 'cut', 60, '--part-blocks', '20'))).code).toBe(0);
    const whole = text(out);
    writeFileSync(out, whole.slice(0, Math.floor(whole.length * 0.45)));
    const again = await runCli(enqueue(out, 'cut', 60, '--part-blocks', '20'));
    expect(again.code, again.stderr).toBe(0);
    expect(text(out) === whole).toBe(true);
    const other = await runCli(enqueue(out, 'cut', 61, '--part-blocks', '20'));
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toContain('of another audit');
    working.child.kill('SIGTERM');
    expect((await working.ended).code).toBe(143);
  }, 120_000);

  it('asks a server no faster with three workers than one may, and the ledger is that of one process', async () => {
    const standIn = await startStandIn({ chain: httpChain(chain) });
    const started: RunningCli[] = [];
    try {
      const source = ['--base-url', `${standIn.origin}/api/v2`, '--rate', '20'];
      const out = place.next();
      for (let n = 0; n < 3; n++) started.push(startCli(worker('rate', ...source)));
      expect((await runCli(enqueue(out, 'rate', 60, '--part-blocks', '10'))).code).toBe(4);
      const times = standIn.seen.map(({ atMs }) => atMs);
      const seconds = (times.at(-1)! - times[0]!) / 1000;
      expect(times.length).toBeGreaterThan(60);
      expect((times.length - 1) / seconds).toBeLessThan(21);
      const single = place.next();
      const trust = ['--checkpoint', checkpoint, '--from', '1', '--to', '60', '--out', single, '--quiet'];
      expect((await runCli(['audit', ...trust, ...source.slice(0, 2), '--rate', '1000'])).code).toBe(4);
      expect(text(out) === text(single)).toBe(true);
    } finally {
      for (const { child } of started) child.kill('SIGKILL');
      await standIn.close();
    }
  }, 120_000);

  it('leaves jobs of others alone, and takes nothing from one that bears the name of a part', async () => {
    const queue = await openQueue({ redis: redis.url, queue: 'others' });
    try {
      const strange = [null, 7, 'job', [], { from: 1 }, { ...PLAN, threshold: 'x/y' }, { ...PLAN, to: 4_000_000_000 }];
      const jobs = await Promise.all(strange.map((data) => queue.add('theirs', data)));
      const out = place.next();
      const started = startCli(worker('others', '--from-files', folder));
      const { code, stderr } = await runCli(enqueue(out, 'others', 20, '--part-blocks', '10'));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const { id } of jobs) {
        await expect.poll(async () => (await queue.getJob(id!))?.failedReason).toMatch(/expected a part of an audit/);
      }
      started.child.kill('SIGKILL');
      await started.ended;
      // Somebody hands in a result of his own under the name of our part.
      const plan = { ...PLAN, to: 20 };
      for (const result of [7, 'garbage', await packPart('garbage'), await packPart(text(out))]) {
        const id = partId(plan, { ...plan, to: 10 });
        await queue.obliterate({ force: true });
        await queue.add('part', plan, { jobId: id });
        const forger = new Worker('others', async () => result, { connection: { url: redis.url } });
        const forged = place.next();
        const refused = await runCli(enqueue(forged, 'others', 20, '--part-blocks', '10', '--json'));
        await forger.close(true);
        expect(refused.code).toBe(2);
        expect(JSON.parse(refused.stderr).code).toMatch(/^audit\/(?:queue|ledger)$/);
        expect(existsSync(forged)).toBe(false);
      }
    } finally {
      await queue.close();
    }
  }, 60_000);

  it('says so where no Redis answers, one that is none, or one with another password, and shows no password', async () => {
    const talker = createServer((socket) => {
      socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    await new Promise<void>((resolve) => talker.listen(0, '127.0.0.1', resolve));
    const silent = createServer((socket) => socket.on('error', () => {}).unref());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const portOf = (server: typeof talker) => (server.address() as AddressInfo).port; // they listen on ports
    const said = (port: number | string, ms = 1500) => requireRedis(`redis://me:secret@127.0.0.1:${port}`, ms);
    const gone = portOf(talker);
    try {
      await expect(said(gone)).rejects.toMatchObject({ code: 'source/upstream' });
      await expect(said(portOf(silent))).rejects.toMatchObject({ code: 'source/upstream' });
      const error = await said(new URL(redis.url).port).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'source/auth' });
      expect(String(error)).not.toContain('secret');
      await requireRedis(redis.url, 1500);
    } finally {
      talker.close();
      silent.close();
    }
    const error = await said(gone).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'source/upstream', message: expect.stringContaining('ECONNREFUSED') });
    expect(String(error)).not.toContain('secret');
  }, 30_000);

  it('lets all who share a pace have one turn after the other, and rest together', async () => {
    const [one, two] = [await connectRedis(redis.url), await connectRedis(redis.url)];
    try {
      const paces = [sharedPace(one, 'test', 50), sharedPace(two, 'test', 50)];
      const { signal } = new AbortController();
      const startMs = performance.now();
      await Promise.all(Array.from({ length: 20 }, (_, n) => paces[n % 2]!.run(async () => {}, signal)));
      expect(performance.now() - startMs).toBeGreaterThan(19 * 20 - 5);
      paces[0]!.rest!(300);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const restMs = performance.now();
      await paces[1]!.run(async () => {}, signal);
      expect(performance.now() - restMs).toBeGreaterThan(200);
      const leaving = new AbortController();
      paces[0]!.rest!(60_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const waiting = paces[1]!.run(async () => {}, leaving.signal);
      leaving.abort(new Error('left'));
      await expect(waiting).rejects.toThrow('left');
    } finally {
      one.disconnect();
      two.disconnect();
    }
  });
});
