/** Runs the built command in a child process, as a user's shell does. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './vectors.ts';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly stdin?: string | Uint8Array | 'closed';
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

export function runCli(words: readonly string[], { stdin = '', env, cwd = ROOT }: CliOptions = {}): Promise<CliResult> {
  return run(['build/src/cli.js', ...words], { stdin, cwd, ...(env === undefined ? {} : { env }) });
}

/** Runs another built file the same way. */
export function runCommand(file: string, stdin: string, env: NodeJS.ProcessEnv): Promise<CliResult> {
  return run([file], { stdin, env });
}

function run([file, ...words]: readonly [string, ...string[]], options: CliOptions): Promise<CliResult> {
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
  child.stdin?.end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
