/** Runs the built command in a child process, as a user's shell does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './vectors.ts';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** `open`: never ends. */
  readonly stdin?: string | Uint8Array | 'closed' | 'open';
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

export async function runCli(words: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { code, stdout, stderr } = await startCli(words, options).ended;
  return { code, stdout, stderr };
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

function start([file, ...words]: readonly [string, ...string[]], options: CliOptions): RunningCli {
  const { stdin = '', env, cwd = ROOT } = options;
  const child = spawn(process.execPath, [join(ROOT, file), ...words], {
    cwd,
    env: { ...process.env, ...env },
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
    child.on('error', reject).on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}
