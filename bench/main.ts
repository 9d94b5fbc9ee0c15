/**
 * Runs the benches and prints ratios: `--json` for machines, `--quick` for a glance, `--save NAME` into `bench/results/`.
 * Nothing here asserts a time. The layer over HTTP has a bench of its own: `node build/bench/http.js`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/helpers/vectors.ts';
import { BOC_FILES, bocTimings, walkTimings } from './chain.ts';
import { endToEnd } from './end-to-end.ts';
import type { Timing } from './harness.ts';
import { printVerifyLoop, verifyLoop } from './verify-loop.ts';

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 11 : 41;

const cells: Record<string, Timing[]> = {};
const endToEndTimings = await endToEnd(rounds);
for (const file of BOC_FILES) cells[file] = await bocTimings(file, rounds);
const results = {
  ...(await verifyLoop({ quick: isQuick })),
  endToEnd: endToEndTimings,
  chain: { cells, walk: await walkTimings(rounds) },
};

const save = process.argv.indexOf('--save');
if (save >= 0) {
  writeFileSync(
    join(ROOT, 'bench', 'results', `${process.argv[save + 1]}.json`),
    `${JSON.stringify(results, null, 1)}\n`,
  );
}
if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(results)}\n`);
else {
  printVerifyLoop(results);
  console.log('\nfrom JSON text to report, 100 signatures');
  console.table(endToEndTimings);
  for (const [file, timings] of Object.entries(cells)) {
    console.log(`\nparse and hash ${file}`);
    console.table(timings);
  }
  console.log('\nthree links of a lite server’s proof');
  console.table(results.chain.walk);
}
