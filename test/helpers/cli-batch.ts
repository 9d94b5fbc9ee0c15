/**
 * Runs the built command many times in one process, which is started once: `node cli-batch.js` reads a JSON list of
 * command lines from standard input and prints a JSON list of what each printed and its exit code.
 */
import { text } from 'node:stream/consumers';
import { main } from '../../src/app/cli/main.ts';

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Write = typeof process.stdout.write;

async function runOne(words: readonly string[]): Promise<Run> {
  const said = { stdout: '', stderr: '' };
  const original: Record<'stdout' | 'stderr', Write> = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ['stdout', 'stderr'] as const) {
    // The command writes text and a callback, nothing else.
    process[name].write = ((chunk: string, done: () => void) => {
      said[name] += chunk;
      done();
      return true;
    }) as Write;
  }
  try {
    return { code: await main(words), ...said };
  } finally {
    process.stdout.write = original.stdout;
    process.stderr.write = original.stderr;
  }
}

const runs: Run[] = [];
for (const words of JSON.parse(await text(process.stdin)) as string[][]) runs.push(await runOne(words));
console.log(JSON.stringify(runs));
