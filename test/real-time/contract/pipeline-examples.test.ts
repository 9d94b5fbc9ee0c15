/** Every example of docs/pipelines.md runs: steps as a runner runs them, lines of the container without Docker. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ACTION, runText, runVerify } from '../../helpers/action.ts';
import { layRecordedDesk } from '../../helpers/desk.ts';
import { dockerInstructions, execForm, makeImage } from '../../helpers/dockerfile.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { writeGlobalConfig, writeZerostateCheckpoint } from '../../helpers/lite-cli.ts';
import { startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { fencesOf } from '../../helpers/readme.ts';
import { runCommand, startCli } from '../../helpers/run-cli.ts';
import { ROOT } from '../../helpers/vectors.ts';

/** A second after the recorded block. */
const THEN = '1775775496';

interface UserStep {
  readonly uses?: string;
  readonly id?: string;
  readonly with?: Readonly<Record<string, string | number>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const fences = fencesOf(readFileSync(join(ROOT, 'docs/pipelines.md'), 'utf8'));
const inLanguage = (name: string) => fences.filter(({ language }) => language === name).map(({ body }) => body);
const jobs = inLanguage('yaml').map((body) => parse(body, { strict: true, uniqueKeys: true }) as readonly UserStep[]); // what its reader would write
/** Lines of a shell, those that go on in the next in one. */
const lines = inLanguage('sh').flatMap((body) => body.replaceAll('\\\n', '').trim().split('\n'));

let folder: string;
let desk: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipeline-examples-'));
  desk = layRecordedDesk(join(folder, 'desk'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const given = (step: UserStep, more: Readonly<Record<string, string>> = {}) => {
  const inputs = Object.entries(step.with ?? {}).map(([name, value]) => [name, String(value)] as const);
  for (const [name] of inputs) expect(Object.keys(ACTION.inputs)).toContain(name);
  return { ...Object.fromEntries(inputs), ...more };
};
const ownStep = (job: readonly UserStep[] | undefined) => {
  const step = job?.find(({ uses }) => uses?.startsWith('OWNER/ton-finality@'));
  if (step === undefined) throw new Error('an example without the action');
  return step;
};

it('there are two examples of the action, and five lines for a shell', () => {
  expect([jobs.length, lines.length]).toEqual([2, 5]);
  expect(fences.map(({ language }) => language).filter((name) => !['yaml', 'sh'].includes(name))).toEqual([]);
});

describe('the action', () => {
  it('in its first example refuses a checkpoint that is past its time, and passes in that time', () => {
    const step = ownStep(jobs[0]);
    expect(runVerify(desk, given(step))).toMatchObject({ code: 4, verdict: 'undecided' });
    expect(runVerify(desk, given(step, { now: THEN }))).toMatchObject({ code: 0, verdict: 'final' });
  });

  it('in its second example passes, and hands its report to the next step', () => {
    const step = ownStep(jobs[1]);
    const { code, verdict, report } = runVerify(desk, given(step));
    expect([code, verdict]).toEqual([0, 'final']);
    const { run = '', env = {} } = jobs[1]!.find((one) => one.run !== undefined)!;
    const name = `\${{ steps.${step.id}.outputs.report }}`;
    expect(Object.values(env)).toEqual([name]);
    const known = Object.fromEntries(Object.keys(env).map((one) => [one, report!]));
    const { status, stdout } = runText(run, desk, known);
    expect([status, stdout]).toEqual([0, expect.stringContaining('FINAL: masterchain block 59379986')]);
  });
});

describe('lines for a shell', () => {
  it('guard outside of GitHub', () => {
    const line = lines.find((one) => one.includes('container/guard.mjs'))!.replace('container/', `${ROOT}/container/`);
    const run = (more: Readonly<Record<string, string>>) =>
      runText(line, desk, { GITHUB_OUTPUT: '', BASE_URL: '', ...more }); // the test runner has a BASE_URL of its own
    expect(run({})).toMatchObject({ status: 4, stderr: '' });
    expect(run({ NOW: THEN })).toMatchObject({ status: 0, stdout: expect.stringMatching(/^FINAL/m) });
  });

  it('build the image from what lies here', () => {
    expect(lines).toContain('docker build --tag ton-finality .');
  });

  /** What follows the name of the image in `docker run`, as the image's entry point gets it. */
  const inContainer = (mark: string) => {
    const line = lines.find((one) => one.startsWith('docker run ') && one.includes(mark))!;
    return line.split(' ton-finality ')[1]!.trim().split(/\s+/);
  };

  it('verify in a container', () => {
    const image = join(folder, 'image');
    mkdirSync(image);
    const here = makeImage(image);
    const [, ...entry] = execForm(dockerInstructions().find(({ name }) => name === 'ENTRYPOINT')!.text).map(here);
    const run = (...more: string[]) =>
      spawnSync(process.execPath, [...entry, ...inContainer('verify '), ...more], { cwd: desk, encoding: 'utf8' });
    expect(run().status).toBe(4);
    expect(run('--now', THEN)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^FINAL/) });
  });

  it('move a checkpoint along in a container, serve counts from it, and tell the health check that it is well', async () => {
    const lite = join(folder, 'lite');
    mkdirSync(lite);
    const chain = new LiteChain({ length: 12 });
    const standIn = await startLiteStandIn({ answer: (asked) => chain.answer(asked) });
    copyFileSync(writeGlobalConfig(lite, chain, [standIn]), join(lite, 'global.config.json'));
    copyFileSync(writeZerostateCheckpoint(lite, chain), join(lite, 'checkpoint.json'));
    const before = readFileSync(join(lite, 'checkpoint.json'), 'utf8');
    const moved = await startCli(inContainer('sync '), { cwd: lite }).ended;
    expect(moved.code, moved.stderr).toBe(0);
    expect(readFileSync(join(lite, 'checkpoint.json'), 'utf8')).not.toBe(before);
    const line = lines.find((one) => one.includes('follow '))!;
    expect(line).toContain('--publish 127.0.0.1:9464:9464 ');
    const words = inContainer('follow ');
    const { child, ended } = startCli([...words.slice(0, -1), '0.0.0.0:0'], { cwd: lite }); // any port that is free
    try {
      const port = await new Promise<string>((resolve, reject) => {
        let said = '';
        child.stderr!.on('data', (text: string) => {
          said += text;
          const found = /metrics at http:\/\/0\.0\.0\.0:(\d+)\//.exec(said)?.[1];
          if (found !== undefined) resolve(found);
        });
        child.on('exit', () => reject(new Error(said)));
      });
      expect(words.slice(-2)).toEqual(['--metrics', '0.0.0.0:9464']);
      const health = () => runCommand('container/health.mjs', '', { METRICS_PORT: port }).then(({ code }) => code);
      await expect.poll(health, { timeout: 60_000 }).toBe(0);
    } finally {
      child.kill('SIGTERM');
      await ended;
      await standIn.close();
    }
  });
});
