/** `--out FILE`: the result whole or not at all, and only ever in place of a plain file. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MAINNET } from '../../../src/chain.ts';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { type CliResult, runCli as runProcess } from '../../helpers/run-cli.ts';
import { ORDINARY_CASE, ROOT, readVectorBytes, SIMPLEX_CASE } from '../../helpers/vectors.ts';
import { runCli } from '../../helpers/warm-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'ton-finality-out-'));
afterAll(() => rmSync(folder, { recursive: true }));
let made = 0;
/** A name in a folder of its own, so that what else is left there is seen. */
function fresh(): string {
  const own = join(folder, String(made++));
  mkdirSync(own);
  return join(own, 'out.json');
}

const NOW = ['--now', '1744900000'];
const verifyWords = (out: string, from = ORDINARY_CASE) => [
  ...['verify', `vectors/${from}/signatures.json`, '--validators', `vectors/${from}/validators.json`],
  ...[`--out=${out}`, ...NOW],
];
const initWords = (out: string) => [
  ...['checkpoint', 'init', '--key-block', 'vectors/real/mainnet-2025-04/block-46897112/config-proof.boc'],
  ...['--root-hash', encodeHex(MAINNET.initBlock.rootHash), '--file-hash', encodeHex(MAINNET.initBlock.fileHash)],
  `--out=${out}`,
];
const COMMANDS = [
  ['verify', verifyWords],
  ['checkpoint init', initWords],
] as const;

/** All in one process, in this order. */
async function runAll(lines: readonly (readonly string[])[]): Promise<readonly CliResult[]> {
  const results: CliResult[] = [];
  for (const words of lines) results.push(await runCli(words));
  return results;
}

/** A device of our own; `undefined` where there is none to be had. Whoever could replace /dev/null must not come near it. */
function makeDevice(): string | undefined {
  const device = fresh();
  if (spawnSync('mknod', [device, 'c', '1', '3']).status === 0) return device;
  return process.getuid?.() === 0 ? undefined : '/dev/null';
}

describe.each(COMMANDS)('%s --out', (command, wordsFor) => {
  it('makes a new file, as private as the user asks for', async () => {
    const out = fresh();
    expect((await runProcess(wordsFor(out))).code).toBe(0);
    expect(statSync(out).mode & 0o777).toBe(0o644 & ~process.umask());
    expect(readdirSync(join(out, '..'))).toEqual(['out.json']);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toHaveProperty('schema');
  });

  it('replaces a file and keeps its mode, of a checkpoint without the right of others to write', async () => {
    const kept = command === 'verify' ? 0o777 : 0o755;
    const modes = [0o600, 0o640, 0o664, 0o777];
    const files = modes.map((mode) => {
      const out = fresh();
      writeFileSync(out, 'old');
      chmodSync(out, mode);
      return out;
    });
    await runAll(files.map((out) => wordsFor(out)));
    for (const [at, out] of files.entries()) {
      expect(statSync(out).mode & 0o777).toBe(modes[at]! & kept);
      expect(readFileSync(out, 'utf8')).toMatch(/^\{\n/);
      expect(readdirSync(join(out, '..'))).toEqual(['out.json']);
    }
  });

  it.skipIf(process.platform === 'win32')(
    'never replaces a link, a pipe, a socket, a directory or a device',
    async () => {
      const target = fresh();
      writeFileSync(target, 'precious');
      const link = fresh();
      symlinkSync(target, link);
      const dangling = fresh();
      symlinkSync(join(folder, 'nowhere'), dangling);
      const loop = fresh();
      symlinkSync(loop, loop);
      const pipe = fresh();
      expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
      const socket = fresh();
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(socket, resolve));
      const device = makeDevice();
      const refused = {
        [link]: 'a symbolic link',
        [dangling]: 'a symbolic link',
        [loop]: 'a symbolic link',
        [pipe]: 'a pipe',
        [socket]: 'a socket',
        [folder]: 'a directory',
        ...(device === undefined ? {} : { [device]: 'a device' }),
      };
      const runs = await runAll(Object.keys(refused).map((out) => wordsFor(out)));
      for (const [at, [out, kind]] of Object.entries(refused).entries()) {
        expect(runs[at]).toMatchObject({ code: 2, stdout: '' });
        expect(runs[at]?.stderr).toContain(`${out}: expected a plain file to write to, got ${kind}`);
      }
      server.close();
      expect(readFileSync(target, 'utf8')).toBe('precious');
      expect(readlinkSync(link)).toBe(target);
      expect(existsSync(join(folder, 'nowhere'))).toBe(false);
      expect(lstatSync(pipe).isFIFO()).toBe(true);
      if (device !== undefined) expect(lstatSync(device).isCharacterDevice()).toBe(true);
      for (const out of [link, pipe]) expect(readdirSync(join(out, '..'))).toEqual(['out.json']);
    },
  );

  it('refuses a place that is none', async () => {
    const places = [
      '',
      '-',
      join(folder, 'missing', 'out.json'),
      'package.json/out.json',
      join(folder, 'x'.repeat(300)),
      'a\0b',
      `${folder}/new/`,
    ];
    for (const [at, { code, stdout, stderr }] of (await runAll(places.map((out) => wordsFor(out)))).entries()) {
      expect({ at, code, stdout }).toEqual({ at, code: 2, stdout: '' });
      expect(stderr).toMatch(
        /cannot be written \(E\w+\)|expected (FILE, got nothing|the name of a file)|does not exist/,
      );
    }
    expect(readdirSync(folder).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  it('is whole whenever it is there, however many write it', async () => {
    const out = fresh();
    let running = true;
    const runs = Promise.all(Array.from({ length: 4 }, () => runProcess(wordsFor(out)))).finally(() => {
      running = false;
    });
    while (running) {
      if (existsSync(out)) JSON.parse(readFileSync(out, 'utf8'));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect((await runs).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(readdirSync(join(out, '..'))).toEqual(['out.json']);
  });
});

describe('a result of verify', () => {
  it('does not take the place of a file that is read, by whatever name', async () => {
    const block = 'vectors/real/mainnet-2026-04-simplex/block-59379986';
    const place = mkdtempSync(join(tmpdir(), 'ton-finality-inputs-'));
    const [signatures, validators] = ['signatures.json', 'validators.json'].map((name) => join(place, name));
    copyFileSync(join(ROOT, block, 'signatures.json'), signatures!);
    copyFileSync(join(ROOT, block, 'validators.json'), validators!);
    for (const out of [signatures!, validators!, join(place, '.', 'validators.json')]) {
      const { code, stderr } = await runCli(['verify', signatures!, '--validators', validators!, '--out', out]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('one of the files that are read') });
    }
    expect(readFileSync(validators!)).toEqual(readFileSync(join(ROOT, block, 'validators.json')));
    rmSync(place, { recursive: true });
  });
});

describe('verify --out', () => {
  it('writes what --json prints, says the verdict beside it, and leaves the exit code to the verdict', async () => {
    const [plain, both, notFinal, undecided] = [fresh(), fresh(), fresh(), fresh()];
    const wrongEpoch = 'real/testnet-2025-02/block-27683981-wrong-epoch';
    const few = join(folder, 'few.json');
    const answer = JSON.parse(new TextDecoder().decode(readVectorBytes(`${ORDINARY_CASE}/signatures.json`))) as {
      result: { signatures: unknown[] };
    };
    answer.result.signatures.length = 10;
    writeFileSync(few, JSON.stringify(answer));
    const runs = await runAll([
      verifyWords(plain),
      [...verifyWords(both), '--json'],
      ['verify', few, ...verifyWords(notFinal).slice(2)],
      verifyWords(undecided, wrongEpoch),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 1, 4]);
    expect(runs[0]?.stdout).toMatch(/^FINAL/);
    expect(readFileSync(both, 'utf8')).toBe(runs[1]?.stdout);
    expect(readFileSync(plain, 'utf8')).toBe(runs[1]?.stdout);
    const status = (file: string) =>
      (JSON.parse(readFileSync(file, 'utf8')) as { verdict: { status: string } }).verdict.status;
    expect([plain, notFinal, undecided].map(status)).toEqual(['final', 'insufficient', 'undecided']);
  });

  it('leaves the file of an earlier run alone when there is no verdict', async () => {
    const out = fresh();
    writeFileSync(out, 'earlier');
    expect((await runCli(['verify', 'nothing', ...verifyWords(out).slice(2)])).code).toBe(2);
    expect(readFileSync(out, 'utf8')).toBe('earlier');
  });
});

describe('the run member', () => {
  it('names the program, the time and every input with its hash', async () => {
    const header = `vectors/${SIMPLEX_CASE}/dest-proof.boc`;
    const { stdout } = await runCli([...verifyWords(fresh(), SIMPLEX_CASE), '--block', header, '--json']);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const input = (name: string) => ({ name, sha256: createHash('sha256').update(readFileSync(name)).digest('hex') });
    expect((JSON.parse(stdout) as { run: unknown }).run).toEqual({
      tool: 'ton-finality',
      version,
      judgedAt: 1744900000,
      inputs: [`vectors/${SIMPLEX_CASE}/validators.json`, header, `vectors/${SIMPLEX_CASE}/signatures.json`].map(input),
    });
  });

  it('tells standard input by that name, and the time of this machine without --now', async () => {
    const signatures = readVectorBytes(`${ORDINARY_CASE}/signatures.json`);
    const before = Math.floor(Date.now() / 1000);
    const words = ['verify', '-', '--validators', `vectors/${ORDINARY_CASE}/validators.json`, '--json'];
    const { stdout } = await runCli(words, { stdin: signatures });
    const { judgedAt, inputs } = (JSON.parse(stdout) as { run: { judgedAt: number; inputs: unknown[] } }).run;
    expect(inputs[1]).toEqual({
      name: 'standard input',
      sha256: createHash('sha256').update(signatures).digest('hex'),
    });
    expect(judgedAt).toBeGreaterThanOrEqual(before);
    expect(judgedAt).toBeLessThanOrEqual(Date.now() / 1000);
  });
});
