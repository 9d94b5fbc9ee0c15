/**
 * A process that has read the built command and runs it many times, or programs of a reader, one run after the other: what
 * `warm-cli.ts` talks to. A run is over when a process of its own would end: when nothing of it is left that keeps one alive.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ownMs } from './own-time.ts';
import type { WarmRequest, WarmResult } from './warm-cli.ts';

type Write = typeof process.stdout.write;

const folder = join(import.meta.dirname, '../../bundle/app/cli');
const file = readdirSync(folder).find((name) => /^main-\w+\.js$/.test(name));
const { main } = (await import(join(folder, file ?? 'main'))) as {
  main: (words: readonly string[]) => Promise<number>;
};

/** Over within the turn. */
const PASSING = new Set(['CloseReq', 'Immediate']);

/** How many things keep this process alive; the line to its parent is always one. */
const keepers = () => process.getActiveResourcesInfo().filter((name) => !PASSING.has(name)).length;

async function untilOnly(count: number): Promise<void> {
  while (keepers() > count) await new Promise((resolve) => setTimeout(resolve, 2).unref());
}

/** What an ES module does when it is read, as in a process that was started with it. @returns the exit code */
async function runProgram(file: string): Promise<number> {
  try {
    await import(pathToFileURL(file).href);
    return 0;
  } catch (error) {
    process.stderr.write(String((error as Error)?.stack ?? error)); // whatever a program throws
    return 1;
  }
}

async function run({ words, program, env, cwd, clock }: WarmRequest): Promise<WarmResult> {
  const said = { stdout: '', stderr: '', both: '' };
  const original: Record<'stdout' | 'stderr', Write> = { stdout: process.stdout.write, stderr: process.stderr.write };
  const environment = process.env;
  const always = keepers();
  const endings = process.listeners('exit');
  for (const name of ['stdout', 'stderr'] as const) {
    // The command and the console write text and a callback, nothing else.
    process[name].write = ((chunk: string, done?: () => void) => {
      said[name] += chunk;
      said.both += chunk;
      done?.();
      return true;
    }) as Write;
  }
  const { now } = Date;
  const late = clock === undefined ? 0 : now() - clock * 1000;
  Date.now = () => now() - late;
  const begun = ownMs();
  process.env = { ...environment, ...env };
  process.chdir(cwd);
  try {
    const code = program === undefined ? await main(words) : await runProgram(program);
    await untilOnly(always);
    for (const listener of process.listeners('exit').filter((one) => !endings.includes(one))) {
      process.off('exit', listener);
      listener(code);
    }
    return { code, ...said, ownMs: ownMs() - begun };
  } finally {
    Date.now = now;
    process.env = environment;
    Object.assign(process.stdout, { write: original.stdout });
    Object.assign(process.stderr, { write: original.stderr });
  }
}

process.on('message', async (request: WarmRequest) => {
  const result = await run(request);
  process.send?.(result);
});
