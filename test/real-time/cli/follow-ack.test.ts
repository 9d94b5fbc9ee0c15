/** What `follow --ack` and `--sync` promise of the state: real processes, killed at any moment. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { parseBlockId } from '../../../src/core/block/block-id.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteFlags, writeZerostateCheckpoint } from '../../helpers/lite-cli.ts';
import { type LiteStandIn, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import {
  type LivingChain,
  type LivingServer,
  startLivingChain,
  startLivingServer,
} from '../../helpers/living-chain.ts';
import { share } from '../../helpers/share.ts';
import { ROOT } from '../../helpers/vectors.ts';
import { runCli } from '../../helpers/warm-cli.ts';
import { watchProcess } from '../../helpers/watch-process.ts';

const COMMAND = join(ROOT, 'build/bundle/app/cli/cli.js');

let folder: string;
let chain: LiteChain;
let standIn: LiteStandIn;
const children: ChildProcess[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-follow-ack-'));
  chain = new LiteChain({ length: 60 });
  standIn = await startLiteStandIn({ answer: (asked) => chain.answer(asked) });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await standIn.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(words: readonly string[], node: readonly string[] = []) {
  const run = watchProcess(process.execPath, [...node, COMMAND, 'follow', ...words], folder);
  children.push(run.child);
  return run;
}

const lite = (state: string) => [
  ...['--checkpoint', writeZerostateCheckpoint(folder, chain), ...liteFlags(standIn)],
  ...['--state', state, '--sign-every-seconds', '0'],
];

/** Seqno after which a state goes on; that before its first block where it has none. */
function placeIn(state: string): number {
  const { after, from } = JSON.parse(readFileSync(state, 'utf8'));
  return after === undefined ? from - 1 : parseBlockId(after).seqno;
}

/** Whole lines only: the last one of a process that was killed may be cut. */
const seqnosIn = (stdout: string): number[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => parseBlockId(line.split(' ')[0]!).seqno);

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

async function untilPlaceIs(state: string, seqno: number): Promise<void> {
  while (placeIn(state) !== seqno) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('follow --ack', () => {
  it('moves the state by lines on standard input, and ends with it there', async () => {
    const state = join(folder, 'lines.json');
    const run = start([...lite(state), '--ack', '--from', '50']);
    await run.until(() => seqnosIn(run.said.stdout).includes(60));
    expect(placeIn(state)).toBe(49);
    run.child.stdin.write('53\n');
    await untilPlaceIs(state, 53);
    run.child.stdin.end('54\n55\n');
    expect(await run.ended, run.said.stderr).toBe(0);
    expect(run.said.stderr).toBe('ton-finality: standard input ended: 5 printed blocks are not acknowledged\n');
    expect(placeIn(state)).toBe(55);
    const next = start([...lite(state), '--ack', '--to', '60']);
    await next.until(() => seqnosIn(next.said.stdout).includes(60));
    next.child.stdin.write('60\n');
    expect(await next.ended, next.said.stderr).toBe(0);
    expect(seqnosIn(next.said.stdout)).toEqual(range(56, 60));
    expect(placeIn(state)).toBe(60);
  });

  it('ends with exit code 2 at a line that acknowledges nothing, and with its state before it', async () => {
    const state = join(folder, 'odd.json');
    const run = start([...lite(state), '--ack', '--from', '58', '--json']);
    await run.until(() => run.said.stdout.split('\n').length > 3);
    run.child.stdin.write('59\n61\n60\n');
    expect(await run.ended).toBe(2);
    expect(JSON.parse(run.said.stderr)).toMatchObject({
      code: 'usage/bad-option',
      path: 'standard input',
      message: expect.stringContaining('expected the number of a printed block, from 60 to 60, got 61'),
    });
    expect(placeIn(state)).toBe(59);
  });

  it('is refused without a state', async () => {
    const words = ['follow', '--checkpoint', writeZerostateCheckpoint(folder, chain), ...liteFlags(standIn), '--ack'];
    const { code, stderr } = await runCli(words);
    expect(code).toBe(2);
    expect(stderr).toContain('--ack: requires --state');
  });

  it('loses nothing and repeats nothing that was acknowledged, killed at any moment again and again', async () => {
    const state = join(folder, 'killed.json');
    const pause = () => new Promise((resolve) => setTimeout(resolve, 12 * Math.random()));
    const taken: number[] = [];
    let kills = 0;
    for (let place = 10, round = 0; place < 60; round++) {
      const run = start([...lite(state), '--ack', '--to', '60', ...(round === 0 ? ['--from', '11'] : [])]);
      let isRunning = true;
      const ended = run.ended.then((code) => {
        isRunning = false;
        return code;
      });
      run.child.stdin.on('error', () => {}); // it was killed
      const diesAfter = round < share(3, 5) ? 2 + Math.floor(8 * Math.random()) : Number.POSITIVE_INFINITY;
      let acknowledged = place;
      // It acknowledges what it took, some blocks alone and some together, and the follower dies between any two of these.
      for (let seen = 0, lines = 0; isRunning && acknowledged < 60; await pause()) {
        if (lines >= diesAfter) run.child.kill('SIGKILL');
        const seqnos = seqnosIn(run.said.stdout);
        if (seen === seqnos.length) continue;
        seen = Math.min(seqnos.length, seen + 1 + Math.floor(3 * Math.random()));
        for (const seqno of seqnos.slice(0, seen)) if (seqno > (taken.at(-1) ?? 10)) taken.push(seqno);
        acknowledged = seqnos[seen - 1]!;
        run.child.stdin.write(`${acknowledged}\n`, () => {});
        lines += 1;
      }
      if ((await ended) === null) kills += 1;
      const seqnos = seqnosIn(run.said.stdout);
      expect(seqnos, run.said.stderr).toEqual(range(place + 1, place + seqnos.length));
      const next = placeIn(state);
      expect(next).toBeGreaterThanOrEqual(place);
      expect(next).toBeLessThanOrEqual(acknowledged);
      place = next;
    }
    expect(taken).toEqual(range(11, 60));
    expect(kills).toBeGreaterThan(0);
  });

  function http({ validators }: LivingChain, { baseUrl }: LivingServer): readonly string[] {
    const keys = validators.validators.map(({ publicKey, weight }) => [encodeHex(publicKey), String(weight)]);
    const set = join(folder, 'set.json');
    writeFileSync(set, JSON.stringify(Object.fromEntries(keys)));
    return ['--base-url', baseUrl, '--rate', '1000', '--validators', set, '--valid-until', '4000000000'];
  }

  it('does the same over HTTP', async () => {
    const living = startLivingChain(20);
    const server = await startLivingServer(living);
    try {
      const state = join(folder, 'http.json');
      const words = http(living, server);
      const run = start([...words, '--state', state, '--ack', '--from', '1003']);
      await run.until(() => seqnosIn(run.said.stdout).includes(1006));
      expect(placeIn(state)).toBe(1002);
      run.child.stdin.end('1004\n');
      expect(await run.ended, run.said.stderr).toBe(0);
      expect(placeIn(state)).toBe(1004);
      const next = await runCli(['follow', ...words, '--state', state, '--to', '1006']);
      expect(next.code, next.stderr).toBe(0);
      expect(seqnosIn(next.stdout)).toEqual([1005, 1006]);
    } finally {
      await server.close();
    }
  });

  it('waits for the blocks before one that is not final, and only then prints that one and ends', async () => {
    const living = startLivingChain(20);
    const server = await startLivingServer(living);
    try {
      const state = join(folder, 'not-final.json');
      const run = start([...http(living, server), '--state', state, '--ack', '--from', '1003', '--json']);
      await run.until(() => run.said.stdout.includes('1006'));
      await server.become('forging');
      await run.until(() => run.said.stderr.includes('"not-final"'));
      const { seqno } = JSON.parse(run.said.stderr);
      expect(placeIn(state)).toBe(1002);
      run.child.stdin.on('error', () => {}); // it may have ended
      run.child.stdin.write(`${seqno - 1}\n`);
      expect(await run.ended, run.said.stderr).toBe(1);
      expect(placeIn(state)).toBe(seqno - 1);
      const lines = run.said.stdout.trimEnd().split('\n');
      expect(JSON.parse(lines.at(-1)!)).toMatchObject({ block: { seqno }, verdict: { status: 'rejected' } });
      expect(lines).toHaveLength(seqno - 1003 + 1);
    } finally {
      await server.close();
    }
  });
});

describe('follow --strict', () => {
  it('wants a second server, and no exception', async () => {
    const checkpoint = writeZerostateCheckpoint(folder, chain);
    const words = ['follow', '--checkpoint', checkpoint, ...liteFlags(standIn), '--strict'];
    const alone = await runCli(words);
    const excepted = await runCli([...words, '--accept-stale-start']);
    expect([alone.code, excepted.code]).toEqual([2, 2]);
    expect(alone.stderr).toContain('strict: expected a second server');
    expect(excepted.stderr).toContain('--strict: cannot be combined with --accept-stale-start');
    const second = await startLiteStandIn({ answer: (asked) => chain.answer(asked) });
    try {
      const both = await runCli([...words, ...liteFlags(second), '--to', '60']);
      expect(both.code, both.stderr).toBe(0);
      expect(seqnosIn(both.stdout)).toEqual([60]);
    } finally {
      await second.close();
    }
  });
});

describe('follow --sync', () => {
  /** Counts what is brought to disk: files, and the folders that name them. */
  const preload = `data:text/javascript,${encodeURIComponent(`
    import fs, { writeFileSync } from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { fsyncSync, fstatSync } = fs;
    const counts = { files: 0, folders: 0 };
    fs.fsyncSync = (handle) => {
      counts[fstatSync(handle).isDirectory() ? 'folders' : 'files'] += 1;
      fsyncSync(handle);
    };
    syncBuiltinESMExports();
    process.on('exit', () => writeFileSync('counts.json', JSON.stringify(counts)));
  `)}`;

  async function countsOf(state: string, ...more: string[]): Promise<{ files: number; folders: number }> {
    const run = start([...lite(join(folder, state)), '--from', '55', '--to', '60', ...more], ['--import', preload]);
    expect(await run.ended, run.said.stderr).toBe(0);
    expect(placeIn(join(folder, state))).toBe(60);
    return JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8'));
  }

  it('brings each note to disk, its bytes and its name; without it its bytes, so that it is never half of one', async () => {
    const without = await countsOf('plain.json');
    expect(without.files).toBeGreaterThanOrEqual(2);
    expect(without.folders).toBe(0);
    const through = await countsOf('through.json', '--sync');
    expect(through.files).toBeGreaterThanOrEqual(2);
    expect(through.folders).toBe(through.files);
  });
});
