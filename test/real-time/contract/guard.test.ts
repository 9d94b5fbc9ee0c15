/** `container/guard.mjs` says no more than it knows: whatever fails in it is no verdict, and ends with 5, never with the 1 of a block that is not final. */
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardHere } from '../../helpers/guard-here.ts';
import { ROOT, SIMPLEX_CASE, VECTORS } from '../../helpers/vectors.ts';
import { runWarm } from '../../helpers/warm-cli.ts';

const GUARD = join(ROOT, 'container/guard.mjs');
const FINAL = {
  BLOCK: join(VECTORS, `${SIMPLEX_CASE}/signatures.json`),
  VALIDATORS: join(VECTORS, `${SIMPLEX_CASE}/validators.json`),
  STRICT: 'false',
  BASE_URL: '',
};

let folder: string;
let output: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'guard-'));
  output = join(folder, 'output');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Env = Readonly<Record<string, string>>;
const environment = (more: Env): NodeJS.ProcessEnv => {
  writeFileSync(output, '');
  return { ...process.env, GITHUB_OUTPUT: output, RUNNER_TEMP: folder, ...FINAL, ...more };
};
const outputs = () =>
  Object.fromEntries([...readFileSync(output, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, n, v]) => [n, v]));

function run(more: Env, { stdout = 'pipe' as 'pipe' | number } = {}) {
  return spawnSync(process.execPath, [GUARD], {
    cwd: ROOT,
    env: environment(more),
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'pipe'],
    timeout: 120_000,
  });
}

describe('the guard', () => {
  it('passes on a final block', () => {
    expect(run({}).status).toBe(0);
    expect(outputs()).toMatchObject({ verdict: 'final', report: expect.stringMatching(/report\.json$/) });
  });

  it.each(['--certificate', '--lite', '--config=x', '--json'])('reads a file that is named %s', async (name) => {
    copyFileSync(FINAL.BLOCK, join(folder, name));
    const env = environment({ BLOCK: name });
    const { code } = await guardHere(env, async ([, ...words]) => (await runWarm(words, { cwd: folder, env })).code);
    expect(code).toBe(0);
    expect(outputs()).toMatchObject({ verdict: 'final' });
  });

  it.each([
    ['no folder for its report', { RUNNER_TEMP: '/dev/null/none' }],
    ['a folder whose name would write outputs', { RUNNER_TEMP: 'made\nverdict=final\n/' }],
  ])('ends with 5 and no verdict with %s', (_, more) => {
    if (more.RUNNER_TEMP.startsWith('made')) {
      more.RUNNER_TEMP = join(folder, 'made\nverdict=final\nx');
      mkdirSync(more.RUNNER_TEMP);
    }
    const { status, stdout, stderr } = run(more);
    expect(status).toBe(5);
    expect(stdout).toMatch(/^::error title=ton-finality::no verdict$/m);
    expect(stderr).toBe('');
    expect(readFileSync(output, 'utf8')).not.toContain('verdict=final');
    expect(outputs()).toEqual({ verdict: 'error', report: '' });
  });

  it('ends with 5 where its outputs cannot be written', () => {
    const { status, stderr } = run({ GITHUB_OUTPUT: '/dev/full' });
    expect([status, stderr]).toEqual([5, '']);
  });

  it('ends with 5 where nothing can be said', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = run({}, { stdout: full });
    closeSync(full);
    expect([status, stderr]).toEqual([5, '']);
    expect(outputs()).toEqual({ verdict: 'error', report: '' });
  });

  describe('beside a command that says one thing and ends as another', () => {
    it.each([
      ['final', 0, 0, 'final'],
      ['insufficient', 1, 1, 'insufficient'],
      ['rejected', 1, 1, 'rejected'],
      ['undecided', 4, 4, 'undecided'],
      ['final', 1, 5, 'error'],
      ['final', 4, 5, 'error'],
      ['final', 3, 3, 'error'],
      ['rejected', 0, 5, 'error'],
      ['undecided', 1, 5, 'error'],
      ['final\nx', 0, 5, 'error'],
      ['', 0, 5, 'error'],
      ['', 1, 5, 'error'],
      ['', 2, 2, 'error'],
      ['', 130, 130, 'error'],
    ])('%j and %s is %d, %s', async (says, ends, wanted, verdict) => {
      const { code } = await guardHere(environment({}), async (words) => {
        const out = words.find((word) => word.startsWith('--out='))!.slice('--out='.length);
        if (says !== '') writeFileSync(out, JSON.stringify({ verdict: { status: says } }));
        return ends;
      });
      expect(code).toBe(wanted);
      const { verdict: told, report } = outputs();
      expect(told).toBe(verdict);
      expect(report === '').toBe(verdict === 'error');
    });
  });

  describe('while the command waits for a server', () => {
    let silent: Server;
    const sockets = new Set<Socket>();
    let asked: () => void;
    beforeAll(async () => {
      silent = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => {}).resume();
        socket.on('close', () => sockets.delete(socket));
        asked();
      });
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });

    async function waiting() {
      const { port } = silent.address() as { readonly port: number }; // it listens on a port
      const isAsked = new Promise<void>((resolve) => {
        asked = resolve;
      });
      const more = { BLOCK: '7', BASE_URL: `http://127.0.0.1:${port}/api/v2` };
      const child = spawn(process.execPath, [GUARD], { env: environment(more), stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
      await isAsked;
      return { child, ended };
    }

    it.each(['SIGINT', 'SIGTERM'] as const)('hands %s on, and leaves nobody behind', async (signal) => {
      const { child, ended } = await waiting();
      child.kill(signal);
      const code = await ended; // of its streams too, which the command holds
      expect(code).toBeGreaterThan(1);
      expect(code).not.toBe(4);
      await expect.poll(() => sockets.size, { timeout: 10_000 }).toBe(0);
      expect(outputs()).toEqual({ verdict: 'error', report: '' });
    });

    it('ends with 5 when the command is killed', async () => {
      const { child, ended } = await waiting();
      const command = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim());
      process.kill(command, 'SIGKILL');
      expect(await ended).toBe(5);
      expect(outputs()).toEqual({ verdict: 'error', report: '' });
    });
  });
});
