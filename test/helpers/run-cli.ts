/** Runs the built command in a child process, as a user's shell does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { ownMs } from './own-time.ts';
import { ROOT } from './vectors.ts';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** How long it took, in time of its own process where that is one of `warm-cli.ts`: see `own-time.ts`. */
  readonly ownMs: number;
}

export interface CliOptions {
  /** `open`: never ends. */
  readonly stdin?: string | Uint8Array | 'closed' | 'open';
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** What its clock says when it begins, in Unix seconds. Default: the time. */
  readonly clock?: number;
}

export async function runCli(words: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { signal: _, ...result } = await startCli(words, options).ended;
  return result;
}

/** A command that runs: for signals, and for what it says before it ends. */
export interface RunningCli {
  readonly child: ChildProcess;
  readonly ended: Promise<CliResult & { readonly signal: NodeJS.Signals | null }>;
}

export function startCli(words: readonly string[], options: CliOptions = {}): RunningCli {
  return start(['build/bundle/app/cli/cli.js', ...words], options);
}

/** Runs another built file the same way. */
export function runCommand(file: string, stdin: string, env: NodeJS.ProcessEnv): Promise<CliResult> {
  return start([file], { stdin, env }).ended;
}

const shifted = (clock: number) =>
  `--import=data:text/javascript,${encodeURIComponent(`const late = Date.now() - ${clock} * 1000, real = Date.now; Date.now = () => real() - late`)}`;

function start([file, ...words]: readonly [string, ...string[]], options: CliOptions): RunningCli {
  const { stdin = '', env, cwd = ROOT, clock } = options;
  const begun = ownMs();
  const child = spawn(process.execPath, [join(ROOT, file), ...words], {
    cwd,
    env: { ...process.env, ...(clock === undefined ? {} : { NODE_OPTIONS: shifted(clock) }), ...env },
    stdio: [stdin === 'closed' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin?.on('error', () => {}); // the command may refuse before it has read everything
  if (stdin !== 'open') child.stdin?.end(stdin);
  const ended = new Promise<CliResult & { readonly signal: NodeJS.Signals | null }>((resolve, reject) => {
    child
      .on('error', reject)
      .on('close', (code, signal) => resolve({ code, signal, stdout, stderr, ownMs: ownMs() - begun }));
  });
  return { child, ended };
}
