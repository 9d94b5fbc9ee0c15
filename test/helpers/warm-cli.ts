/**
 * The built command without the start of a process for each run: one process a test file reads it once and runs it again and
 * again. For tests of what the command says and does; `run-cli.ts` is for those of how it starts, is fed and ends.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { type CliOptions, type CliResult, runCli as runProcess } from './run-cli.ts';
import { ROOT } from './vectors.ts';

export interface WarmRequest {
  readonly words: readonly string[];
  /** A file that is run in place of the command. */
  readonly program?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly clock: number | undefined;
}

export interface WarmResult extends CliResult {
  /** Both streams as they came. */
  readonly both: string;
}

let warm: ChildProcess | undefined;
let isBusy = false;

function warmProcess(): ChildProcess {
  if (warm?.connected) return warm;
  // It ends with the line to this process, at the latest.
  warm = fork(join(ROOT, 'build/test/helpers/warm-cli-process.js'), {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  warm.unref();
  warm.channel?.unref();
  return warm;
}

type WarmOptions = Omit<CliOptions, 'stdin'>;

/** A run in the warm process. A death of it is the end of that run, with the code that it had. */
export const runWarm = (words: readonly string[], options: WarmOptions = {}) => ask({ words }, options);

/** Runs an ES module there, which no run before has read: in a process that has read the library already. */
export const runProgram = (program: string, options: WarmOptions = {}) => ask({ words: [], program }, options);

function ask(
  request: Pick<WarmRequest, 'words' | 'program'>,
  { env = {}, cwd = ROOT, clock }: WarmOptions,
): Promise<WarmResult> {
  const child = warmProcess();
  isBusy = true;
  return new Promise((resolve, reject) => {
    const settle = (result: WarmResult) => {
      child.off('message', settle).off('exit', died).off('error', reject);
      child.channel?.unref();
      isBusy = false;
      resolve(result);
    };
    const died = (code: number | null) => settle({ code, stdout: '', stderr: 'the process ended', both: '', ownMs: 0 });
    child.on('message', settle).on('exit', died).on('error', reject);
    child.channel?.ref();
    child.send({ ...request, env, cwd, clock } satisfies WarmRequest);
  });
}

/** As `runCli` of `run-cli.ts`. What wants a standard input or options of Node, and a run beside another, has a process of its own. */
export async function runCli(words: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  if (isBusy || options.stdin !== undefined || options.env?.NODE_OPTIONS !== undefined)
    return runProcess(words, options);
  const { both: _, ...result } = await runWarm(words, options);
  return result;
}
