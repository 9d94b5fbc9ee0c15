/**
 * Runs the built command many times at once in one process, which is started once: `node cli-batch.js` reads a JSON list of command
 * lines from standard input and prints a JSON list of what each printed and its exit code.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { text } from 'node:stream/consumers';
import { main } from '../../src/app/cli/main.ts';

interface Said {
  stdout: string;
  stderr: string;
}

/** What the run has printed in which something is written. */
const said = new AsyncLocalStorage<Said>();

for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name];
  const write = stream.write.bind(stream);
  // The command writes text and a callback, nothing else.
  stream.write = ((chunk: string, done?: () => void) => {
    const own = said.getStore();
    if (own === undefined) return write(chunk, done);
    own[name] += chunk;
    done?.();
    return true;
  }) as typeof stream.write;
}

async function runOne(words: readonly string[]): Promise<Said & { readonly code: number }> {
  const own: Said = { stdout: '', stderr: '' };
  const code = await said.run(own, () => main(words));
  return { code, ...own };
}

const lines = JSON.parse(await text(process.stdin)) as readonly string[][];
console.log(JSON.stringify(await Promise.all(lines.map(runOne))));
