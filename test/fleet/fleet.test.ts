/**
 * A fleet over a real Redis: workers are killed and join, Redis is lost once with all it holds, and the ledger is that of one
 * process. `npm run test:fleet`; without redis-server it is skipped, loudly, and in CI it fails.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Worker } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditOptions, resolveAudit } from '../../src/app/audit/audit-options.ts';
import { auditRange } from '../../src/app/audit/audit-range.ts';
import { auditFiles } from '../../src/app/audit/file-source.ts';
import { packPart } from '../../src/app/audit/fleet/packed-part.ts';
import { connectRedis, openQueue, requireRedis, sharedPace } from '../../src/app/audit/fleet/redis.ts';
import type { AuditPlan } from '../../src/app/audit/ledger-lines.ts';
import { checkpointToJson, validatorSetAt } from '../../src/core/chain/checkpoint.ts';
import { auditChain, httpChain, scratch, text, writeFolder } from '../helpers/audit-chain.ts';
import { countingEngine } from '../helpers/counting-engine.ts';
import { LiteChain } from '../helpers/lite-chain.ts';
import { startOf } from '../helpers/networks.ts';
import { handMade } from '../helpers/recorded-ledgers.ts';
import { hasRedis, type RunningRedis, startRedis } from '../helpers/redis.ts';
import { type RunningCli, runCli, startCli } from '../helpers/run-cli.ts';
import { startStandIn } from '../helpers/stand-in.ts';
import { ROOT } from '../helpers/vectors.ts';

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

const HEAD = resolveAudit({
  ...{ from: 1, to: 1, checkpoint: startOf(chain) },
  blocks: { name: 'none', bindsIds: true, open: () => Promise.reject(new Error('not asked')) },
}).head;
const words = (command: string, ...more: string[]) => ['audit', command, '--redis', redis.url, ...more];
const enqueue = (out: string, queue: string, to: number, ...more: string[]) =>
  words(
    'enqueue',
    ...['--queue', queue, '--from', '1', '--to', String(to), '--out', out, '--quiet'],
    ...trust(more),
    ...more,
  );
const trust = (more: readonly string[]) => (more.includes('--checkpoint') ? [] : ['--checkpoint', checkpoint]);
const worker = (queue: string, ...more: string[]) =>
  words('worker', ...['--queue', queue, '--lock', '1'], ...trust(more), ...more);

/** The ledger of a part, packed, as whoever makes it likes it. */
async function made(from: number, to: number, more: Partial<AuditOptions> = {}): Promise<string> {
  const out = place.next();
  const trusted = 'validators' in more ? {} : { checkpoint: startOf(chain) };
  const common = { from, to, ...trusted, blocks: auditFiles(folder), engine: countingEngine(), out };
  const rows = auditRange({ ...common, ...more });
  while ((await rows.next()).done !== true);
  return await packPart(text(out));
}

/** A worker of somebody else. */
const forger = (queue: string, result: (head: AuditPlan) => unknown) =>
  new Worker(queue, async ({ data }) => result(data.head), { connection: { url: redis.url }, name: 'forger' });

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
    expect(stdout).toContain('399 final, 0 not final, 1 not fetched');
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
    expect(other.stderr).toContain('of a different audit');
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
      expect((await runCli(enqueue(out, 'rate', 60, '--part-blocks', '10', '--require-bound-id'))).code).toBe(4);
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

  it('leaves jobs of others alone, and takes nothing that is no ledger of its part, naming the worker', async () => {
    const queue = await openQueue({ redis: redis.url, queue: 'others' });
    const head = { ...HEAD, from: 1, to: 20 };
    const strange = [null, 7, 'job', [], { head: { from: 1 } }, { head, maxFailures: -1 }];
    try {
      const all = [...strange, { head: { ...head, to: 4_000_000_000 }, maxFailures: 10 }];
      const jobs = await Promise.all(all.map((data) => queue.add('theirs', data)));
      const out = place.next();
      const started = startCli(worker('others', '--from-files', folder));
      const { code, stderr } = await runCli(enqueue(out, 'others', 20, '--part-blocks', '10'));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const { id } of jobs) {
        await expect.poll(async () => (await queue.getJob(id!))?.failedReason).toMatch(/expected a part of an audit/);
      }
      started.child.kill('SIGKILL');
      await started.ended;
      const ledger = text(out);
      for (const result of [7, 'garbage', await packPart('garbage'), await packPart(ledger)]) {
        await queue.obliterate({ force: true });
        const theirs = forger('others', () => result);
        const forged = place.next();
        const refused = await runCli(enqueue(forged, 'others', 20, '--part-blocks', '10', '--json'));
        await theirs.close(true);
        expect(refused.code).toBe(2);
        const lines = refused.stderr.trim().split('\n');
        expect(lines).toHaveLength(4);
        for (const line of lines.slice(0, 3))
          expect(JSON.parse(line).message).toMatch(/blocks 1 to 10 by worker forger are rejected/);
        const { code: why, message } = JSON.parse(lines[3]!);
        expect(why).toMatch(/^audit\/(?:queue|ledger|plan)$/);
        expect(message).toMatch(/^blocks 1 to 10 by worker forger: /);
        expect(existsSync(forged)).toBe(false);
      }
    } finally {
      await queue.close();
    }
  }, 60_000);

  it('takes no other policy, trust or range than its own, and goes on with a worker that has the same', async () => {
    const thin = validatorSetAt(startOf(chain));
    const wrong: readonly ((head: AuditPlan) => Promise<string>)[] = [
      ({ from, to }) => made(from, to, { threshold: { num: 3n, den: 4n } }),
      ({ from, to }) => made(from, to, { acceptUnbound: true }),
      ({ from, to }) => made(from, to, { signEvery: 5 }),
      ({ from, to }) => made(from, to, { whole: { from: 1, to: 999 } }),
      ({ from, to }) => made(from, to, { validators: thin }),
      ({ from, to }) => made(from, to - 1),
    ];
    for (const [n, make] of wrong.entries()) {
      const queue = `policy-${n}`;
      const theirs = forger(queue, make);
      const out = place.next();
      const refused = await runCli(enqueue(out, queue, 9, '--threshold', '2/3'));
      await theirs.close(true);
      expect(refused.code, String(n)).toBe(2);
      expect(refused.stderr).toMatch(/worker forger: made for another audit: [\w.]+ is .*, expected /);
      expect(existsSync(out)).toBe(false);
      if (n > 0) continue;
      const right = startCli(worker(queue, '--from-files', folder));
      expect(await runCli(enqueue(out, queue, 9))).toMatchObject({ code: 0, stderr: '' });
      right.child.kill('SIGKILL');
    }
  }, 120_000);

  it('has nothing of a part in its ledger that contradicts the rows before it, nor members that the format does not have', async () => {
    const [ours, theirs] = await Promise.all([made(1, 10), made(11, 20)]);
    const linesOf = (packed: string): Line[] =>
      gunzipSync(Buffer.from(packed, 'base64'))
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
    type Line = { type: string; block: Record<string, unknown> };
    const rootHash = linesOf(ours).find(({ block }) => block?.seqno === 5)!.block.rootHash;
    const more = linesOf(ours).map((line) => (line.type === 'audit' ? line : { ...line, more: 'x'.repeat(1000) }));
    const torn = linesOf(theirs).map((line) => {
      if (line.block?.seqno === 12) return { ...line, block: { ...line.block, fileHash: '7'.repeat(64) } };
      return line.block?.seqno === 20 ? { ...line, block: { ...line.block, rootHash } } : line;
    });
    const forged = forger('torn', ({ from }) => packPart(handMade(from === 1 ? more : torn)));
    const out = place.next();
    const args = enqueue(out, 'torn', 20, '--part-blocks', '10');
    const refused = await runCli(args);
    await forged.close(true);
    expect(refused.code).toBe(3);
    expect(refused.stderr.match(/blocks 11 to 20 by worker forger are rejected/g)).toHaveLength(3);
    expect(refused.stderr).toContain('blocks 11 to 20 by worker forger: block 20 has the root hash of an earlier row');
    const whole = gunzipSync(Buffer.from(await made(1, 20), 'base64')).toString();
    expect(text(out)).toHaveLength(whole.indexOf('\n', whole.indexOf('"seqno":10,"rootHash"')) + 1);
    expect(whole.startsWith(text(out))).toBe(true);
    const right = startCli(worker('torn', '--from-files', folder));
    expect(await runCli(args)).toMatchObject({ code: 0, stderr: '' });
    right.child.kill('SIGKILL');
    expect(text(out) === whole).toBe(true);
  }, 60_000);

  it('asks again for blocks that could not be fetched when a part that follows them contradicts the ledger', async () => {
    const blocks = auditFiles(writeFolder(chain, place.next('gap'), { unsigned: [10] }));
    type Line = { type: string; block: Record<string, unknown> };
    const lines = gunzipSync(Buffer.from(await made(11, 20), 'base64'))
      .toString()
      .trimEnd()
      .split('\n');
    const ours = gunzipSync(Buffer.from(await made(5, 5), 'base64'))
      .toString()
      .trimEnd()
      .split('\n');
    const { rootHash } = (JSON.parse(ours.at(-1)!) as Line).block;
    const torn = lines.map((text) => {
      const line = JSON.parse(text) as Line;
      return line.block?.seqno === 20 ? { ...line, block: { ...line.block, rootHash } } : line;
    });
    let forgeries = 0;
    const one = forger('gap', ({ from, to }) => {
      if (from !== 11 || forgeries > 0) return made(from, to, { blocks });
      forgeries += 1;
      return packPart(handMade(torn));
    });
    const out = place.next();
    const { code, stderr } = await runCli(enqueue(out, 'gap', 30, '--part-blocks', '10'));
    await one.close(true);
    expect(stderr.match(/are rejected and handed out again/g)).toHaveLength(1);
    expect(code).toBe(3); // block 10 is not there
    expect(text(out)).toBe(gunzipSync(Buffer.from(await made(1, 30, { blocks }), 'base64')).toString());
  }, 60_000);

  it('begins anew whatever an earlier run left in the queue: bad ledgers, and failures of an outage', async () => {
    const out = place.next();
    const args = (queue: string, ...more: string[]) => enqueue(out, queue, 30, '--part-blocks', '10', ...more);
    const queue = await openQueue({ redis: redis.url, queue: 'left' });
    const single = await made(1, 30);
    const isWhole = async () => (await packPart(text(out))) === single;
    try {
      const first = startCli(args('left'));
      await expect.poll(() => queue.getWaitingCount(), { timeout: 20_000 }).toBe(3);
      first.child.kill('SIGKILL');
      await first.ended;
      const bomb = gzipSync(Buffer.alloc(1 << 28, '\n')).toString('base64');
      const theirs = forger('left', ({ from }) => (from === 1 ? bomb : made(from, from + 9, { signEvery: 5 })));
      await expect.poll(() => queue.getCompletedCount(), { timeout: 20_000 }).toBe(3);
      await theirs.close(true);
      const right = startCli(worker('left', '--from-files', folder));
      expect(await runCli(args('left'))).toMatchObject({ code: 0, stderr: '' });
      right.child.kill('SIGKILL');
      expect(await isWhole()).toBe(true);
    } finally {
      await queue.close();
    }
    rmSync(out);
    const poorly = writeFolder(chain, place.next('outage'), { unsigned: [3, 6, 9, 13, 16, 19, 23, 26, 29] });
    const poor = startCli(worker('outage', '--from-files', poorly));
    const stopped = await runCli(args('outage', '--max-failures', '4'));
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toContain('more than 4 blocks could not be fetched, now block 16: source/missing');
    poor.child.kill('SIGKILL');
    await poor.ended;
    const right = startCli(worker('outage', '--from-files', folder));
    const { stdout, stderr } = await runCli(args('outage', '--max-failures', '4'));
    right.child.kill('SIGKILL');
    expect(stderr).toBe('');
    expect(stdout).toContain('26 final, 0 not final, 4 not fetched');
    const alone = place.next();
    const common = {
      from: 1,
      to: 30,
      checkpoint: startOf(chain),
      maxFailures: 4,
      engine: countingEngine(),
      out: alone,
    };
    const run = async (blocks: string) => {
      const rows = auditRange({ ...common, blocks: auditFiles(blocks) });
      while ((await rows.next()).done !== true);
    };
    await expect(run(poorly)).rejects.toMatchObject({ code: 'source/missing' });
    await run(folder);
    expect(text(out) === text(alone)).toBe(true);
  }, 120_000);

  it('is left by a worker that believes somebody else, and what it was given goes to another', async () => {
    const other = place.next('other.json');
    writeFileSync(other, JSON.stringify(checkpointToJson(startOf(new LiteChain({ length: 2, name: 'other' })))));
    const out = place.next();
    const wrong = startCli(worker('trust', '--from-files', folder, '--checkpoint', other));
    const ledger = startCli(enqueue(out, 'trust', 20, '--part-blocks', '10'));
    const { code, stderr } = await wrong.ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /this worker cannot do its part of the audit: trust[\w.]* is .*\nhint: run the worker with the --validators/,
    );
    const right = startCli(worker('trust', '--from-files', folder));
    const ended = await ledger.ended;
    right.child.kill('SIGKILL');
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/^ton-finality: blocks 1 to 10 by worker \S+:\d+ are rejected and handed out again: /);
  }, 60_000);

  it('has workers that write no file, so that no signal leaves one behind', async () => {
    const folders = place.next('temporary');
    mkdirSync(folders);
    const { child, ended } = startCli(worker('folders', '--from-files', folder), { env: { TMPDIR: folders } });
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, readdirSync(folders).length);
    }, 5);
    expect((await runCli(enqueue(place.next(), 'folders', 40, '--part-blocks', '5'))).code).toBe(0);
    clearInterval(watch);
    child.kill('SIGKILL');
    await ended;
    expect([most, readdirSync(folders)]).toEqual([0, []]);
  }, 60_000);

  it('has workers whose results are JSON too, with --json', async () => {
    const running = startCli(worker('json', '--from-files', folder, '--idle', '2', '--json'));
    expect((await runCli(enqueue(place.next(), 'json', 40, '--part-blocks', '20'))).code).toBe(0);
    const { code, stdout, stderr } = await running.ended;
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, schema: 'ton-finality/audit-worker@1', parts: 2 });
    const events = stderr.trim().split('\n');
    expect(events.map((line) => JSON.parse(line).code)).toEqual(['part-done', 'part-done']);
  }, 60_000);

  it('works for users of Redis that may touch nothing but the queue, as the documentation has them', async () => {
    const rule = /^ACL SETUSER .*$/m.exec(readFileSync(join(ROOT, 'docs/audits.md'), 'utf8'))![0];
    const admin = await connectRedis(redis.url);
    const [, , ...words] = rule.replace('>PASSWORD', '>secret').split(' ');
    await admin.call('ACL', 'SETUSER', ...words);
    await admin.set('theirs', 'x');
    const url = redis.url.replace('//', `//${words[0]}:secret@`);
    const limited = await connectRedis(url);
    await expect(limited.get('theirs')).rejects.toThrow('NOPERM');
    await expect(limited.flushall()).rejects.toThrow('NOPERM');
    const as = (args: string[]) => args.map((word) => (word === redis.url ? url : word));
    const out = place.next();
    const standIn = await startStandIn({ chain: httpChain(chain) });
    const source = ['--base-url', `${standIn.origin}/api/v2`, '--rate', '100'];
    const working = startCli(as(worker('ton-finality-audit', ...source)));
    const { code, stderr } = await runCli(as(enqueue(out, 'ton-finality-audit', 9, '--require-bound-id')));
    const status = await runCli(as(['audit', 'status', '--redis', redis.url]));
    working.child.kill('SIGKILL');
    await standIn.close();
    for (const one of [admin, limited]) one.disconnect();
    expect({ code, stderr }).toEqual({ code: 4, stderr: '' });
    expect(status.stdout).toMatch(/^1 workers; /);
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
