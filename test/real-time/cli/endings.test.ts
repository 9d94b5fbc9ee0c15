/** How the command ends when it does not come to a verdict: by a signal, by a defect, or with nowhere to write to. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  constants as fs,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_SCHEMA } from '../../../src/app/cli/output/print.ts';
import { runCli, runCommand, startCli } from '../../helpers/run-cli.ts';
import { type StandIn, startStandIn } from '../../helpers/stand-in.ts';
import { ORDINARY_CASE, ROOT } from '../../helpers/vectors.ts';
import { runWarm } from '../../helpers/warm-cli.ts';

const VALIDATORS = `vectors/${ORDINARY_CASE}/validators.json`;
const SIGNATURES = `vectors/${ORDINARY_CASE}/signatures.json`;
const GOOD = ['verify', SIGNATURES, '--validators', VALIDATORS];
const SEQNO = '46920655';
const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

const [, version] = ERROR_SCHEMA.split('@');
const schema = JSON.parse(readFileSync(join(ROOT, `schemas/error-${version}.json`), 'utf8')) as object;
const fitsError = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

let standIn: StandIn;
let folder: string;
beforeAll(async () => {
  standIn = await startStandIn();
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-endings-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await standIn.close();
});

/** Waits until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A program loaded into the process of the command before it. */
const loading = (program: string) => ({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(program)}` });

function expectInternal(result: { code: number | null; stdout: string; stderr: string }, message: string): void {
  const error: unknown = JSON.parse(result.stderr);
  expect(fitsError(error), JSON.stringify(fitsError.errors)).toBe(true);
  expect(error).toMatchObject({ code: 'internal' });
  expect((error as { message: string }).message).toContain(message);
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 5, stdout: '' });
}

describe('a signal', () => {
  it.each(SIGNALS)('%s keeps what was saved, says so, and exits with %i', async (signal, code) => {
    const dir = join(folder, signal);
    standIn.chooseFault = (operation) => (operation === 'getBlockHeader' ? 'slow-headers' : undefined);
    const words = [
      'verify',
      SEQNO,
      '--base-url',
      `${standIn.origin}/api/v2`,
      '--rate',
      '1000',
      '--validators',
      VALIDATORS,
    ];
    const running = startCli([...words, '--save', dir]);
    const before = standIn.seen.length;
    await until(() => standIn.seen.slice(before).some(({ path }) => path.includes('getBlockHeader')));
    running.child.kill(signal);
    const ended = await running.ended;
    standIn.chooseFault = () => undefined;
    expect(ended).toMatchObject({ code, signal: null, stdout: '' });
    expect(ended.stderr).toBe(`ton-finality: saved 1 answer to ${dir}\n`);
    const [file] = readdirSync(dir);
    const again = await runWarm(['verify', join(dir, file!), '--validators', VALIDATORS]);
    expect(again.code).toBe(0);
  });

  it.each(SIGNALS)('%s ends a wait for standard input with %i', async (signal, code) => {
    const running = startCli(['verify', '-', '--validators', VALIDATORS], {
      stdin: 'open',
      env: loading(
        `process.on('newListener', (name) => name === '${signal}' && setTimeout(() => console.log('ready')))`,
      ),
    });
    await once(running.child.stdout!, 'data');
    running.child.kill(signal);
    expect(await running.ended).toMatchObject({ code, signal: null, stderr: '' });
  });

  it.runIf(process.platform === 'linux').each(SIGNALS)(
    '%s ends a wait for a pipe whose writer is silent, in a shell with %i',
    async (signal, code) => {
      const pipe = makePipe(signal);
      const running = startCli(['verify', SIGNATURES, '--validators', pipe]);
      let writer: number | undefined;
      await until(() => {
        writer = openWriter(pipe);
        return writer !== undefined;
      });
      await new Promise((resolve) => setTimeout(resolve, 200)); // until it reads
      running.child.kill(signal);
      const ended = await running.ended;
      closeSync(writer!); // it is there when the wait is over
      expect(ended.code ?? 128 + constants.signals[ended.signal!]).toBe(code);
    },
  );

  it.runIf(process.platform === 'linux')('ends a wait for a pipe that nobody writes to', async () => {
    const running = startCli(['verify', makePipe('nobody'), '--validators', VALIDATORS]);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    running.child.kill('SIGTERM');
    const ended = await running.ended;
    expect(ended.code ?? 128 + constants.signals[ended.signal!]).toBe(143);
  });
});

function makePipe(name: string): string {
  const pipe = join(folder, `${name}.pipe`);
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  return pipe;
}

/** `undefined` as long as nobody reads. */
function openWriter(pipe: string): number | undefined {
  try {
    return openSync(pipe, fs.O_WRONLY | fs.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

describe('a defect of the program', () => {
  /** Does something where the command has read its first file. */
  const afterReading = (action: string) =>
    `const { concat } = Buffer; Buffer.concat = (list) => { ${action}; return concat(list) }`;

  it.each([
    ['thrown by a command', afterReading(`throw new TypeError('broken')`), 'broken'],
    ['a stack that overflows', `Buffer.concat = function over() { return over() + 1 }`, 'call stack'],
    ['thrown to nobody', afterReading(`process.nextTick(() => { throw new Error('late') })`), 'late'],
    ['a promise that fails unseen', afterReading(`Promise.reject(new Error('unseen'))`), 'unseen'],
    ['thrown, and no error at all', afterReading('process.nextTick(() => { throw null })'), 'unknown failure'],
    ['a wait that never ends', 'process.stdout.write = () => true', 'stopped before its end'],
  ])('is 5, never 1: %s', async (_, program, message) => {
    expectInternal(await runCli([...GOOD, '--json'], { env: loading(program) }), message);
  });

  it('is told in one line without --json, and without anything that a terminal acts on', async () => {
    for (const action of [
      `throw Error('a\\nb\\u001b[2J')`,
      `process.nextTick(() => { throw Error('a\\nb\\u001b[2J') })`,
    ]) {
      const { code, stderr } = await runCli(GOOD, { env: loading(afterReading(action)) });
      expect({ code, stderr }).toEqual({ code: 5, stderr: 'ton-finality: internal error: a b [2J\n' });
    }
  });

  it.each([
    ['thrown by a command', (fault: string) => `throw ${fault}`],
    ['thrown to nobody', (fault: string) => `process.nextTick(() => { throw ${fault} })`],
  ])('is 2 where too few files may be open, which is no defect: %s', async (_, action) => {
    const fault = `Object.assign(Error('EMFILE: too many open files'), { code: 'EMFILE' })`;
    const program = afterReading(action(fault));
    expect(await runCli(GOOD, { env: loading(program) })).toMatchObject({
      code: 2,
      stderr: 'ton-finality: EMFILE: too many open files\nhint: allow more open files: ulimit -n 1024\n',
    });
    const { code, stderr } = await runCli([...GOOD, '--json'], { env: loading(program) });
    const json = JSON.parse(stderr) as object;
    expect(fitsError(json)).toBe(true);
    expect({ code, json }).toMatchObject({ code: 2, json: { code: 'usage/bad-option', hint: expect.any(String) } });
  });

  it.skipIf(process.platform === 'win32')('is 2 where a part of the program cannot be opened', () => {
    const words = ['verify', SEQNO, '--base-url', `${standIn.origin}/api/v2`, '--validators', VALIDATORS];
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', 'ulimit -n 20; exec "$@"', '-', process.execPath, join(ROOT, 'build/bundle/app/cli/cli.js'), ...words],
      { cwd: ROOT, encoding: 'utf8' },
    );
    // With so few some versions of Node do not come to the command.
    if (stderr.startsWith('ton-finality')) expect(status, stderr).toBe(2);
    else expect(status).not.toBe(0);
  });

  it('is 5 even where half of the program is missing', async () => {
    const lone = join(folder, 'lone');
    mkdirSync(lone);
    copyFileSync(join(ROOT, 'build/bundle/app/cli/cli.js'), join(lone, 'cli.mjs'));
    const child = spawn(process.execPath, [join(lone, 'cli.mjs'), '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [code] = (await once(child, 'close')) as [number]; // the exit code
    expectInternal({ code, stdout: '', stderr }, 'Cannot find module');
  });
});

/** Runs the command through a shell, which can redirect what Node cannot. */
function shell(line: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], { cwd: ROOT, encoding: 'utf8', timeout: 120_000 });
  return { code: status, stdout, stderr };
}

describe.runIf(process.platform === 'linux')('an output that cannot be written', () => {
  const command = `"${process.execPath}" build/bundle/app/cli/cli.js ${GOOD.join(' ')}`;

  it('is bad input when it is full: the verdict has not arrived', () => {
    for (const flag of ['', '--json', '--signers']) {
      const { code, stderr } = shell(`${command} ${flag} > /dev/full`);
      expect(stderr).toContain('standard output: cannot be written (ENOSPC)');
      expect(code).toBe(2);
    }
  });

  it('keeps the exit code of the verdict when the reader went away', () => {
    for (const flag of ['', '--json', '--signers']) {
      expect(shell(`(${command} ${flag}; echo "code $?" >&2) | true`)).toMatchObject({ stderr: 'code 0\n' });
    }
  });

  it('keeps the exit code when it is closed, or when only the notes are lost', () => {
    expect(shell(`${command} >&-`)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(shell(`${command} 2>/dev/full`).code).toBe(0);
    expect(shell(`"${process.execPath}" build/bundle/app/cli/cli.js nothing 2>/dev/full`).code).toBe(2);
    expect(shell(`"${process.execPath}" build/bundle/app/cli/cli.js nothing 2>&-`).code).toBe(2);
  });
});

describe('a strange input', () => {
  it('is bad input, never a crash', async () => {
    const files = ['.', '', 'package.json/x', 'x'.repeat(10_000), './--json', 'a\0b', '/dev/null', '/dev/zero'];
    const lines = files.flatMap((file) => [
      ['verify', file, '--validators', VALIDATORS],
      ['verify', SIGNATURES, `--validators=${file}`],
      ['verify', SIGNATURES, `--checkpoint=${file}`],
      [...GOOD, `--block=${file}`],
      ['validators', file],
      ['checkpoint', 'show', file],
    ]);
    const strange = [
      ['verify', '--'],
      ['verify', '-', '-'],
      ['verify', '--validators'],
      ['verify', '-x'],
      ['verify', '--__proto__'],
      ['checkpoint', '--json=1'],
      ['verify', '--no-json'],
    ];
    const all = [...lines, ...strange];
    const batch = await runCommand('build/test/helpers/cli-batch.js', JSON.stringify(all), {});
    const runs = JSON.parse(batch.stdout) as { code: number; stdout: string }[];
    for (const [at, { code, stdout }] of runs.entries())
      expect({ words: all[at], code, stdout }).toEqual({ words: all[at], code: 2, stdout: '' });
    expect(runs).toHaveLength(all.length);
  });
});
