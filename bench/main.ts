/**
 * Runs the benches and prints ratios. Nothing here asserts a time. The layer over HTTP has a bench of its own: `node build/bench/http.js`.
 *
 *   node build/bench/main.js [--quick] [--json] [--save NAME] [--nodes PATH,PATH] [--compare FILE]
 *
 * `--json` for machines, `--quick` for a glance, `--save` into `bench/results/`, `--nodes` for the same in other Node binaries, one
 * after the other, `--compare` with a results file of before.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT } from '../test/helpers/vectors.ts';
import { BOC_FILES, bocTimings, walkTimings } from './chain.ts';
import { changes, printChanges, storedRuns } from './compare.ts';
import { endToEnd } from './end-to-end.ts';
import type { Timing } from './harness.ts';
import { printRun } from './print.ts';
import { type StartRow, startTimes } from './start.ts';
import { type VerifyLoop, verifyLoop } from './verify-loop.ts';

/** What one Node version showed. */
export interface Run extends VerifyLoop {
  /** Of the command as it ships. */
  readonly start: readonly StartRow[];
  readonly endToEnd: readonly Timing[];
  readonly chain: { readonly cells: Readonly<Record<string, readonly Timing[]>>; readonly walk: readonly Timing[] };
}

async function runHere(quick: boolean): Promise<Run> {
  const rounds = quick ? 11 : 41;
  const cells: Record<string, Timing[]> = {};
  const endToEndTimings = await endToEnd(rounds);
  for (const file of BOC_FILES) cells[file] = await bocTimings(file, rounds);
  const loop = await verifyLoop({ quick });
  const start = startTimes(21); // quickly done
  return { ...loop, start, endToEnd: endToEndTimings, chain: { cells, walk: await walkTimings(rounds) } };
}

/** The same by another Node. */
function runThere(node: string, quick: boolean): Run {
  const args = [fileURLToPath(import.meta.url), '--one-run', ...(quick ? ['--quick'] : [])];
  const printed = execFileSync(node, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(printed) as Run; // printed by runHere there
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'one-run': { type: 'boolean', default: false },
    save: { type: 'string' },
    nodes: { type: 'string' },
    compare: { type: 'string' },
  },
});

if (values['one-run']) process.stdout.write(JSON.stringify(await runHere(values.quick)));
else {
  const before =
    values.compare === undefined ? undefined : storedRuns(JSON.parse(readFileSync(values.compare, 'utf8')));
  // All in processes of their own, so that the first has nothing over the others.
  const nodes = [process.execPath, ...(values.nodes?.split(',') ?? [])];
  const runs = nodes.map((node) => runThere(node, values.quick));
  const results = {
    schema: 'ton-finality/bench@2',
    machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, memoryBytes: totalmem() },
    commit: commit(),
    runs,
  };
  const text = `${JSON.stringify(results, null, 1)}\n`;
  if (values.save !== undefined) writeFileSync(join(ROOT, 'bench', 'results', `${values.save}.json`), text);
  if (values.json) process.stdout.write(text);
  else for (const run of runs) printRun(run);
  if (before !== undefined) printChanges(changes(before, runs));
}
