/** `Dockerfile` and `action.yml`: held to strict rules, and their commands run here, without Docker and without a runner. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ACTION,
  ACTION_TEXT,
  INSTALL,
  type Outcome,
  runText,
  runVerify,
  VERIFY,
  verifyHere,
} from '../../helpers/action.ts';
import { copyOf, dockerInstructions, execForm, makeImage } from '../../helpers/dockerfile.ts';
import { ORDINARY_CASE, ROOT, readAnswer, SIMPLEX_CASE, VECTORS } from '../../helpers/vectors.ts';
import { runCli } from '../../helpers/warm-cli.ts';

const EXACT = /^[a-z]+:\d+\.\d+\.\d+-[a-z]+-slim$/;
const vector = (path: string) => join(VECTORS, path);
const SIGNATURES = vector(`${SIMPLEX_CASE}/signatures.json`);
const VALIDATORS = vector(`${SIMPLEX_CASE}/validators.json`);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipelines-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** An answer whose first signature is bad. */
function damaged(): string {
  const answer = readAnswer(SIMPLEX_CASE);
  answer.result.signatures[0]!.signature = answer.result.signatures[1]!.signature!;
  return file('damaged.json', JSON.stringify(answer));
}

/** An answer of too few signatures. */
function thin(): string {
  const answer = readAnswer(SIMPLEX_CASE);
  answer.result.signatures.splice(20);
  return file('thin.json', JSON.stringify(answer));
}

describe('the Dockerfile', () => {
  const instructions = dockerInstructions();
  const all = (name: string) => instructions.filter((one) => one.name === name).map(({ text }) => text);
  const last = instructions.at(-1)!.stage;
  const inLast = instructions.filter(({ stage }) => stage === last);

  it('has only instructions that are known, and none of those that hide what is fetched', () => {
    const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'LABEL', 'ENV', 'USER', 'ENTRYPOINT', 'CMD', 'HEALTHCHECK'];
    expect(instructions.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('starts each stage from an exact, slim version of Node', () => {
    const images = all('FROM').map((text) => text.replace(/ AS \w+$/, ''));
    expect(images.length).toBe(2);
    for (const image of images) expect(image).toMatch(EXACT);
    expect(new Set(images).size).toBe(1);
  });

  it('installs what the lock file names, and nothing else', () => {
    for (const text of all('RUN')) {
      for (const command of text.split(' && ')) expect(command).toMatch(/^npm (?:ci|cache clean)(?: --[a-z=-]+)*$/);
    }
  });

  it('does not run as root, and takes no more from the build than the program', () => {
    const names = inLast.map(({ name }) => name);
    expect(all('USER')).toEqual(['node']);
    for (const name of ['COPY', 'RUN']) expect(names.lastIndexOf(name)).toBeLessThan(names.indexOf('USER'));
    for (const { text } of inLast.filter(({ name }) => name === 'COPY')) {
      const { from, sources } = copyOf(text);
      for (const source of sources) {
        expect(source).not.toBe('.');
        expect(existsSync(join(ROOT, from === undefined ? source : source.replace('/src/', ''))), source).toBe(true);
      }
    }
  });

  it('says what it runs in words, never through a shell', () => {
    for (const name of ['ENTRYPOINT', 'CMD', 'HEALTHCHECK']) {
      expect(all(name)).toHaveLength(1);
      expect(execForm(all(name)[0]!).length).toBeGreaterThan(0);
    }
  });

  it('leaves out of its context what the build does not need', () => {
    const left = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    expect(left).toEqual(expect.arrayContaining(['.git', '**/node_modules', 'build', 'vectors']));
  });

  describe('run without Docker', () => {
    let image: string;
    let here: (path: string) => string;
    beforeAll(() => {
      image = join(folder, 'image');
      mkdirSync(image);
      here = makeImage(image);
    });
    const entrypoint = () => execForm(all('ENTRYPOINT')[0]!).map((word) => here(word));
    const cmd = execForm(all('CMD')[0]!);
    const run = (words: readonly string[]) => {
      const [program, ...first] = entrypoint();
      expect(program).toBe('node');
      return spawnSync(process.execPath, [...first, ...words], { cwd: folder, encoding: 'utf8' });
    };

    it('explains itself', () => {
      const { status, stdout } = run(cmd);
      expect([status, stdout]).toEqual([0, expect.stringContaining('usage: ton-finality COMMAND')]);
    });

    it.each([
      ['a final block', () => SIGNATURES, 0],
      ['a bad signature', damaged, 1],
      ['too few signatures', thin, 1],
      ['a file that is none', () => file('none.json', '<html>'), 2],
      ['no file', () => join(folder, 'missing.json'), 2],
    ])('judges %s', (_, block, code) => {
      expect(run(['verify', block(), '--validators', VALIDATORS]).status).toBe(code);
    });

    const health = (env: NodeJS.ProcessEnv) => {
      const [, ...words] = execForm(all('HEALTHCHECK')[0]!).map((word) => here(word));
      const child = spawn(process.execPath, words, { env: { ...process.env, ...env }, stdio: 'ignore' });
      return new Promise<number | null>((resolve) => child.on('exit', resolve));
    };
    async function serving(status: number): Promise<{ readonly port: string; readonly server: Server }> {
      const server = createServer((_, response) => response.writeHead(status).end());
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return { port: String((server.address() as AddressInfo).port), server }; // it listens on a port
    }

    it('is healthy when the command starts, or when what serves its metrics says so', async () => {
      expect(await health({ METRICS_PORT: '' })).toBe(0);
      for (const [status, code] of [
        [200, 0],
        [503, 1],
      ] as const) {
        const { port, server } = await serving(status);
        expect(await health({ METRICS_PORT: port })).toBe(code);
        server.close();
        server.closeAllConnections();
        expect(await health({ METRICS_PORT: port })).toBe(1);
      }
      for (const none of ['1; true', '0', '65536']) expect(await health({ METRICS_PORT: none })).toBe(1);
    });

    it('is healthy on a port that browsers do not ask, past any proxy, and unhealthy where no answer comes', async () => {
      const silent = createServer(() => {});
      const well = createServer((_, response) => response.writeHead(200).end());
      const listening = (server: Server, port: number) =>
        new Promise<boolean>((resolve) =>
          server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
        );
      const unasked = [6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080];
      let port: number | undefined;
      for (const one of unasked) if (port === undefined && (await listening(well, one))) port = one;
      const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' };
      expect(await health({ METRICS_PORT: String(port), ...proxy })).toBe(0);
      await listening(silent, 0);
      expect(await health({ METRICS_PORT: String((silent.address() as AddressInfo).port) })).toBe(1); // it listens on a port
      for (const server of [well, silent]) {
        server.close();
        server.closeAllConnections();
      }
    });
  });
});

describe('the action', () => {
  const text = ACTION_TEXT;
  const { inputs, outputs } = ACTION;
  const { steps } = ACTION.runs;
  const verify = VERIFY;

  it('is composite, and says of every input what it is and what it is without', () => {
    expect(ACTION.runs.using).toBe('composite');
    for (const [name, { description, required, default: without }] of Object.entries(inputs)) {
      expect(description.length, name).toBeGreaterThan(20);
      expect(required === true || typeof without === 'string', name).toBe(true);
    }
  });

  it('is strict unless told otherwise', () => {
    expect(inputs.strict?.default).toBe('true');
  });

  it('uses other actions by their commit, and Node by its exact version', () => {
    const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(used).toEqual([expect.stringMatching(/^actions\/setup-node@[0-9a-f]{40}$/)]);
    expect(text).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+\n/);
    expect(steps.find(({ uses }) => uses !== undefined)?.with).toEqual({ 'node-version': '24.21.0' });
    expect(dockerInstructions()[0]?.text).toContain('node:24.21.0-');
  });

  it('puts no input into the text of a command: it would be run', () => {
    const commands = steps.filter(({ run }) => run !== undefined);
    expect(commands).toHaveLength(2);
    for (const { run, shell } of commands) {
      expect(run).not.toContain('${{');
      expect(run).toContain('"$GITHUB_ACTION_PATH'); // in a job with a container, github.action_path names a folder of the host
      expect(shell).toBe('bash');
    }
  });

  it('hands on every input, and gives outputs of steps that there are', () => {
    const handed = Object.values(verify.env ?? {}).flatMap((value) => /inputs\.([a-z-]+)/.exec(value)?.[1] ?? []);
    expect(handed.sort()).toEqual(Object.keys(inputs).sort());
    const guard = readFileSync(join(ROOT, 'container/guard.mjs'), 'utf8');
    for (const name of Object.keys(verify.env ?? {})) expect(guard).toContain(`'${name}'`);
    for (const { value } of Object.values(outputs))
      expect(value).toMatch(/^\$\{\{ steps\.verify\.outputs\.[a-z]+ \}\}$/);
  });

  const step = (given: Readonly<Record<string, string>>) => runVerify(folder, given);
  const vouched = { validators: VALIDATORS, strict: 'false' };

  it('passes on a final block, with its report', () => {
    const { code, verdict, report } = step({ block: SIGNATURES, ...vouched });
    expect([code, verdict]).toEqual([0, 'final']);
    expect(JSON.parse(readFileSync(report!, 'utf8'))).toMatchObject({ verdict: { status: 'final' } });
  });

  it('passes under a checkpoint only in its time, unless told otherwise', async () => {
    const checkpoint = join(folder, 'trust.json');
    const made = await runCli([
      'checkpoint',
      'init',
      '--key-block',
      vector('real/mainnet-2025-04/block-46897112/config-proof.boc'),
      '--root-hash',
      '3048e69a12cf946ebc99b4cf9ca61c3ff4b3fcc88c4015763ac01204ecc1bf9f',
      '--file-hash',
      'bbdac0b4543e9141449ceb37c3c63ba6e9cc4e2c904d77f56d17e44acf1d1bed',
      '--out',
      checkpoint,
    ]);
    expect(made.code).toBe(0);
    const proof = vector('real/mainnet-2025-04/partial-block-proof.tl');
    const moved = ['checkpoint', 'advance', '--checkpoint', checkpoint, '--proof', proof, '--now', '1744880000'];
    expect((await runCli([...moved, '--out', checkpoint])).code).toBe(0);
    const header = vector(`${ORDINARY_CASE}/dest-proof.boc`);
    const given = { block: vector(`${ORDINARY_CASE}/signatures.json`), checkpoint, header };
    expect(step({ ...given, now: '1744912000' })).toMatchObject({ code: 0, verdict: 'final' });
    expect(step(given)).toMatchObject({ code: 4, verdict: 'undecided' });
  });

  it.each([
    ['a bad signature', () => ({ block: damaged(), ...vouched }), 1, 'rejected'],
    [
      'a set that is only given, where nothing else was said',
      () => ({ block: SIGNATURES, validators: VALIDATORS }),
      4,
      'undecided',
    ],
    ['text that is no JSON', () => ({ block: file('html', '<html>'), ...vouched }), 2, 'error'],
    [
      'a server that is not there',
      () => ({ block: '7', ...vouched, 'base-url': 'http://127.0.0.1:9/api/v2', quorum: '' }),
      3,
      'error',
    ],
  ])('fails on %s', (_, given, code, verdict) => {
    expect(step(given())).toMatchObject({ code, verdict });
  });

  it.each([
    ['too few signatures', () => ({ block: thin(), ...vouched }), 1, 'insufficient'],
    [
      'a strict that is misspelt',
      () => ({ block: SIGNATURES, validators: VALIDATORS, strict: 'False' }),
      4,
      'undecided',
    ],
    [
      'another block than is expected',
      () => ({ block: SIGNATURES, ...vouched, 'expect-root-hash': '00'.repeat(32) }),
      2,
      'error',
    ],
    ['no set', () => ({ block: SIGNATURES, strict: 'false' }), 2, 'error'],
    ['no block', () => ({ block: '', ...vouched }), 2, 'error'],
  ])('hands on what makes it fail: %s', async (_, given, code, verdict) => {
    expect(await verifyHere(folder, given())).toMatchObject({ code, verdict });
  });

  /** None is a block that is final, and none is run. */
  function expectRefused({ code, verdict }: Outcome): void {
    expect(code).toBeGreaterThan(0);
    expect(verdict).toBe('error');
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  }

  it.each([
    ['block', '$(touch pwned)'],
    ['block', '"; touch pwned; "'],
    ['block', 'a\nverdict=final'],
    ['header', '`touch pwned`'],
  ])('fails in a shell on a hostile %s: %j', (name, value) => {
    expectRefused(step({ block: SIGNATURES, ...vouched, [name]: value }));
  });

  it.each([
    ['block', '--help'],
    ['block', '--version'],
    ['block', '-'],
    ['validators', '--ignore-defects'],
    ['validators', 'x --accept-claimed'],
    ['expect-root-hash', '--help'],
    ['now', '1 --threshold 1/2'],
    ['base-url', 'file:///etc/passwd'],
    ['quorum', '--help'],
  ])('takes no hostile %s for more than a value: %j', async (name, value) => {
    expectRefused(await verifyHere(folder, { block: SIGNATURES, ...vouched, [name]: value }));
  });

  it.each([
    ['a report', () => SIGNATURES, /^FINAL/m],
    ['an error', () => 'a ::error::b', /::error::b/],
  ])('lets nothing that is printed command the runner: %s', (_, block, printed) => {
    const { stdout, stderr } = step({ block: block(), ...vouched });
    const [, token, between] = /^::stop-commands::([0-9a-f-]{36})\n([\s\S]*)\n::\1::\n/.exec(stdout)!;
    expect(token).toHaveLength(36);
    expect(between).toMatch(printed);
    expect(stderr).toBe(''); // the runner reads it in its own time: before or after commands were stopped
  });

  it('says what is missing where there is no block', () => {
    expect(step({ block: ' ', ...vouched }).stdout).toMatch(
      /^block: expected a file with signatures, .*; got nothing\n::error title=ton-finality::no verdict\n$/,
    );
  });

  it('installs what its build needs, whatever the job says of installing', () => {
    const project = join(folder, 'project');
    mkdirSync(join(project, 'tool'), { recursive: true });
    const write = (name: string, json: object) => writeFileSync(join(project, name), JSON.stringify(json));
    const own = { name: 'project', version: '1.0.0', devDependencies: { tool: 'file:tool' } };
    write('package.json', { ...own, scripts: { prepare: `node -e "fs.writeFileSync('made', require('tool'))"` } });
    write('tool/package.json', { name: 'tool', version: '1.0.0', main: 'tool.js' });
    writeFileSync(join(project, 'tool/tool.js'), 'module.exports = "by the tool";');
    write('package-lock.json', {
      name: 'project',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': own,
        'node_modules/tool': { resolved: 'tool', link: true },
        tool: { version: '1.0.0', dev: true },
      },
    });
    const npmrc = file('npmrc', 'ignore-scripts=true\nomit=dev\noffline=true\nupdate-notifier=false\n');
    const env = { GITHUB_ACTION_PATH: project, NODE_ENV: 'production', NPM_CONFIG_USERCONFIG: npmrc };
    const { status, stderr } = runText(INSTALL.run ?? '', folder, env);
    expect(status, stderr).toBe(0);
    expect(readFileSync(join(project, 'made'), 'utf8')).toBe('by the tool');
  });
});
