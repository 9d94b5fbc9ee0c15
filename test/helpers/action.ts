/** The steps of `action.yml`, run as a runner does: inputs put into their environment, their text by bash. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { guardHere } from './guard-here.ts';
import { ROOT } from './vectors.ts';
import { runWarm } from './warm-cli.ts';

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly required?: true; readonly default?: string }>
  >;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export const ACTION_TEXT: string = readFileSync(join(ROOT, 'action.yml'), 'utf8');
export const ACTION = parse(ACTION_TEXT, { strict: true, uniqueKeys: true }) as Action; // tests read every part
export const INSTALL: Step = ACTION.runs.steps.find(({ name }) => name === 'Install')!;
export const VERIFY: Step = ACTION.runs.steps.find(({ id }) => id === 'verify')!;

export interface Outcome {
  readonly code: number | null;
  readonly verdict: string | undefined;
  readonly report: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs text as a step of a runner does. */
export function runText(text: string, folder: string, env: Readonly<Record<string, string>>) {
  const script = join(mkdtempSync(join(folder, 'step-')), 'step.sh');
  writeFileSync(script, text);
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', script];
  return spawnSync('bash', words, { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' });
}

/** The environment of the step that verifies, and the file in which it leaves its outputs. */
function prepare(folder: string, given: Readonly<Record<string, string>>) {
  const output = join(mkdtempSync(join(folder, 'output-')), 'output');
  writeFileSync(output, '');
  const env: Record<string, string> = { GITHUB_OUTPUT: output, RUNNER_TEMP: folder, GITHUB_ACTION_PATH: ROOT };
  for (const [name, value] of Object.entries(VERIFY.env ?? {})) {
    const input = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)?.[1];
    if (input === undefined) throw new Error(`${name} is no input: ${value}`);
    env[name] = given[input] ?? ACTION.inputs[input]?.default ?? '';
  }
  return { output, env };
}

function toldIn(output: string): Pick<Outcome, 'verdict' | 'report'> {
  const said = new Map(
    readFileSync(output, 'utf8')
      .split('\n')
      .map((line) => [line.split('=', 1)[0]!, line.slice(line.indexOf('=') + 1)]),
  );
  return { verdict: said.get('verdict'), report: said.get('report') };
}

/**
 * Runs the step that verifies.
 * @param folder the workspace
 * @param given inputs; those that are not given are what the action says
 */
export function runVerify(folder: string, given: Readonly<Record<string, string>>): Outcome {
  const { output, env } = prepare(folder, given);
  const { status, stdout, stderr } = runText(VERIFY.run ?? '', folder, env);
  return { code: status, ...toldIn(output), stdout, stderr };
}

/** The same without a shell and without processes of its own: the guard here, and the command in the warm process. */
export async function verifyHere(folder: string, given: Readonly<Record<string, string>>): Promise<Outcome> {
  const { output, env } = prepare(folder, given);
  let printed = '';
  const { code, stdout } = await guardHere(env, async ([, ...words]) => {
    const run = await runWarm(words, { cwd: folder, env });
    printed = run.both;
    return run.code;
  });
  return { code: Number(code), ...toldIn(output), stdout: stdout + printed, stderr: '' };
}
