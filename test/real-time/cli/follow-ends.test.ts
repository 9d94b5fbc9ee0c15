/** How `follow` ends, and what is in its state then: real processes and real pipes, where the end is not its own. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { formatBlockId, parseBlockId } from '../../../src/core/block/block-id.ts';
import { checkpointFromKeyBlock, checkpointToJson } from '../../../src/core/chain/checkpoint.ts';
import { LiteChain, type LiteChainOptions } from '../../helpers/lite-chain.ts';
import { liteFlags, writeZerostateCheckpoint } from '../../helpers/lite-cli.ts';
import { type LiteStandIn, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { configProof } from '../../helpers/make-chain.ts';
import { ROOT } from '../../helpers/vectors.ts';
import { runCli } from '../../helpers/warm-cli.ts';
import { watchProcess } from '../../helpers/watch-process.ts';

const COMMAND = join(ROOT, 'build/bundle/app/cli/cli.js');

let folder: string;
const started: LiteStandIn[] = [];
const children: ChildProcess[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-follow-ends-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const one of started.splice(0)) await one.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function flagsOf(chain: { answer: LiteChain['answer'] }): Promise<string[]> {
  const standIn = await startLiteStandIn({ answer: (asked) => chain.answer(asked) });
  started.push(standIn);
  return liteFlags(standIn);
}

async function wordsFor(chain: LiteChain, state: string, ...more: string[]): Promise<string[]> {
  const checkpoint = writeZerostateCheckpoint(folder, chain);
  const servers = await flagsOf(chain);
  return ['follow', '--checkpoint', checkpoint, ...servers, '--state', state, '--sign-every-seconds', '0', ...more];
}

const watch = (program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const run = watchProcess(program, words, folder, env);
  children.push(run.child);
  return run;
};

const afterOf = (state: string): number => parseBlockId(JSON.parse(readFileSync(state, 'utf8')).after).seqno;
const seqnosIn = (stdout: string): number[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => parseBlockId(line.split(' ')[0]!).seqno);

describe('the reader of follow goes away', () => {
  it('ends it quietly before the state moves, so that the next run prints what was not read', async () => {
    const chain = new LiteChain({ length: 20 });
    chain.head = 12;
    const state = join(folder, 'reader.json');
    const words = await wordsFor(chain, state);
    const script = `"$0" "$@" | head -n 1; echo "code \${PIPESTATUS[0]}"`;
    const run = watch('bash', ['-c', script, process.execPath, COMMAND, ...words, '--from', '12']);
    const ahead = setInterval(() => {
      if (run.said.stdout.includes('12):')) chain.head = Math.min(20, chain.head + 1);
    }, 50);
    expect(await run.ended).toBe(0);
    clearInterval(ahead);
    expect(run.said).toEqual({
      stdout: expect.stringMatching(/^\(-1,8000000000000000,12\):.*\ncode 0\n$/),
      stderr: '',
    });
    expect(afterOf(state)).toBe(12);
    chain.head = 20;
    const next = await runCli([...words, '--to', '20']);
    expect(next.code, next.stderr).toBe(0);
    expect(seqnosIn(next.stdout)).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
  });
});

describe('the reader of follow is killed', () => {
  it('ends it as quietly, with its state where the reader was or after what lay in the pipe', async () => {
    const chain = new LiteChain({ length: 40 });
    chain.head = 12;
    const state = join(folder, 'reader-killed.json');
    const words = await wordsFor(chain, state, '--from', '12');
    const script = `"$0" "$@" | { echo $BASHPID > reader.pid; exec cat; }; echo "code \${PIPESTATUS[0]}"`;
    const run = watch('bash', ['-c', script, process.execPath, COMMAND, ...words]);
    await run.until(() => run.said.stdout.includes(formatBlockId(chain.id(12))));
    process.kill(Number(readFileSync(join(folder, 'reader.pid'), 'utf8')), 'SIGKILL');
    const ahead = setInterval(() => {
      chain.head = Math.min(40, chain.head + 1);
    }, 100);
    await run.ended;
    clearInterval(ahead);
    expect(run.said.stdout).toBe(`${formatBlockId(chain.id(12))} 40 of 40\ncode 0\n`);
    expect(run.said.stderr).not.toContain('ton-finality');
    expect(afterOf(state)).toBe(12);
  });
});

describe('follow has nothing to print', () => {
  it('says why on standard error after ten seconds, no terminal needed, as text and as JSON', async () => {
    const chain = new LiteChain({ length: 12 });
    const words = (name: string, ...more: string[]) => wordsFor(chain, join(folder, name), '--from', '12', ...more);
    const text = watch(process.execPath, [COMMAND, ...(await words('silent.json'))]);
    const json = watch(process.execPath, [COMMAND, ...(await words('silent-too.json', '--json'))]);
    await Promise.all([text, json].map((run) => run.until(() => run.said.stderr.includes('\n'))));
    expect(text.said.stderr).toMatch(
      /^ton-finality: no new block for 1\d s: servers name 12 as the newest, and block 12 is proven\n$/,
    );
    const schema = JSON.parse(readFileSync(join(ROOT, 'schemas/event-1.json'), 'utf8')) as object;
    const event = JSON.parse(json.said.stderr);
    expect(new Ajv2020({ strict: true }).compile(schema)(event)).toBe(true);
    expect(event).toMatchObject({ code: 'head-stands', head: 12, said: 12, seconds: expect.any(Number) });
  });
});

describe('a state and a checkpoint that contradict each other', () => {
  const pin = (chain: LiteChain, seqno: number): string => {
    const path = join(folder, `pinned-${seqno}.json`);
    const checkpoint = checkpointFromKeyBlock(configProof(chain.blocks.get(seqno)!), chain.id(seqno));
    writeFileSync(path, JSON.stringify(checkpointToJson(checkpoint)));
    return path;
  };

  it('refuses a state that began at another block than the checkpoint, and says what to do', async () => {
    const firstUtime = Math.floor(Date.now() / 1000) - 40;
    const fork = new LiteChain({ length: 24, firstUtime, name: 'two', forkAt: 12 });
    const chain = new LiteChain({ length: 34, firstUtime, name: 'two' });
    const state = join(folder, 'other-chain.json');
    const run = await runCli(await wordsFor(fork, state, '--from', '20', '--to', '24'));
    expect(run.code, run.stderr).toBe(0);
    const words = await wordsFor(chain, state);
    words[words.indexOf('--checkpoint') + 1] = pin(chain, 30);
    const refused = await runCli(words);
    expect(refused.code).toBe(2);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toMatch(
      /--state: trust in the state began at block .*,0\)(?:.|\n)*\nhint: to start at the checkpoint/,
    );
    expect(afterOf(state)).toBe(24);
  });
});

describe('follow goes on from validators whose stakes are free again', () => {
  const DAY = 86_400;
  /** Moves the clock of a process by what a file says, in seconds. */
  const preload = `data:text/javascript,${encodeURIComponent(`
    import { readFileSync } from 'node:fs';
    const { now } = Date;
    Date.now = () => now() + 1000 * Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
  `)}`;

  /** Stopped after block 14 and continued when a week is over, by when other servers may have taken the place of the first. */
  async function sleeper(name: string, servers: number, changed: Partial<LiteChainOptions> = {}) {
    const firstUtime = Math.floor(Date.now() / 1000) - 14;
    const options = { length: 40, firstUtime, electedSeconds: DAY, name };
    const evening = new LiteChain(options);
    const dawn = new LiteChain({ ...options, ...changed });
    evening.head = 14;
    let serving = evening;
    const clock = join(folder, `${name}.clock`);
    writeFileSync(clock, '0');
    const state = join(folder, `${name}.json`);
    const words = await wordsFor(evening, state, '--from', '13', '--to', '40');
    words.splice(words.indexOf('--lite'), 2);
    for (let at = 0; at < servers; at++) words.push(...(await flagsOf({ answer: (asked) => serving.answer(asked) })));
    const run = watch(process.execPath, ['--import', preload, COMMAND, ...words], { CLOCK_FILE: clock });
    await run.until(() => run.said.stdout.includes(formatBlockId(evening.id(14))));
    run.child.kill('SIGSTOP');
    writeFileSync(clock, String(7 * DAY));
    serving = dawn;
    serving.clockSkew = 7 * DAY;
    run.child.kill('SIGCONT');
    return { run, state };
  }

  it('after a week of sleep, and prints nothing that old keys alone sign: it says what can be done', async () => {
    const { run, state } = await sleeper('slept', 2, { forkAt: 15 });
    expect(await run.ended, run.said.stderr).toBe(4);
    expect(seqnosIn(run.said.stdout)).toEqual([13, 14]);
    expect(run.said.stderr).toMatch(
      /stale-set: .*the trusted validators, of key block 10, can have withdrawn their stakes\nhint: .*more servers.*newer key block.*--accept-stale-start/,
    );
    expect(afterOf(state)).toBe(14);
  });

  it('after a week of sleep, and marks each block where two other servers agree', async () => {
    const { run } = await sleeper('slept-too', 3);
    expect(await run.ended, run.said.stderr).toBe(0);
    expect(seqnosIn(run.said.stdout)).toEqual(Array.from({ length: 28 }, (_, at) => 13 + at));
    const marked = run.said.stdout.split('\n').filter((line) => line.endsWith(' stale start'));
    expect(seqnosIn(marked.join('\n'))).toEqual(Array.from({ length: 26 }, (_, at) => 15 + at));
    expect(run.said.stderr).toMatch(/^ton-finality: stale-set: .* agree\n$/);
  });

  it('beside a forger that has their keys: neither wins, both histories are kept, and leaving it out goes on', async () => {
    const firstUtime = Math.floor(Date.now() / 1000) - 20 * DAY;
    const options = { length: 40, firstUtime, blockSeconds: (20 * DAY) / 40, electedSeconds: DAY, name: 'forger' };
    const chain = new LiteChain(options);
    const forger = await flagsOf(new LiteChain({ ...options, forkAt: 8 }));
    const honest = [await flagsOf(chain), await flagsOf(chain)].flat();
    const words = ['follow', '--checkpoint', writeZerostateCheckpoint(folder, chain), ...forger, ...honest];
    const both = join(folder, 'both.json');
    const run = await runCli([...words, '--evidence', both]);
    expect(run.code, run.stderr).toBe(4);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(`wrote the fork evidence to ${both}`);
    expect(run.stderr).toMatch(
      /\n.*contradicted: .* named a different block.*\nhint: .*--without SERVER.*newer key block/,
    );
    const [host, port] = forger[1]!.split(':');
    const more = ['--without', `${host}:${port}`, ...(await flagsOf(chain)), '--to', '40'];
    const without = await runCli([...words, ...more]);
    expect(without.code, without.stderr).toBe(0);
    expect(without.stdout).toBe(`${formatBlockId(chain.id(40))} 40 of 40 key block stale start\n`);
  });
});

describe('follow is killed', () => {
  it('prints nothing again that it printed more than a moment before', async () => {
    const chain = new LiteChain({ length: 30 });
    const state = join(folder, 'killed.json');
    const words = await wordsFor(chain, state);
    const run = watch(process.execPath, [COMMAND, ...words, '--from', '5']);
    await run.until(() => run.said.stdout.includes(formatBlockId(chain.id(30))));
    // The whole batch is noted by itself, with no next block to wait for.
    for (let tries = 0; tries < 200; tries++) {
      try {
        if (afterOf(state) === 30) break;
      } catch {
        // not there yet
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    run.child.kill('SIGKILL');
    await run.ended;
    expect(afterOf(state)).toBe(30);
  });
});
