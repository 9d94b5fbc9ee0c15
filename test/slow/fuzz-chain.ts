/**
 * The long run of `test/property/chain-mutations.test.ts`, in a plain process:
 * nice -n 10 node build/test/slow/fuzz-chain.js [cases] [seed]
 */
import { fuzzChain, makeTargets } from '../helpers/mutate.ts';

const [cases = 200_000, seed = 1] = process.argv.slice(2).map(Number);
const BATCH = 5000;
const targets = makeTargets();
const refused = new Map<string, number>();
const failures: string[] = [];
let accepted = 0;
let mostReads = 0;
let mostBytes = 0;
const started = performance.now();
for (let done = 0, batch = 0; done < cases; done += BATCH, batch++) {
  const result = fuzzChain(Math.min(BATCH, cases - done), seed * 1_000_003 + batch, targets);
  accepted += result.accepted;
  mostReads = Math.max(mostReads, result.mostReads);
  mostBytes = Math.max(mostBytes, result.mostBytes);
  failures.push(...result.failures);
  for (const [code, count] of result.refused) refused.set(code, (refused.get(code) ?? 0) + count);
}
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
console.log(`${cases} damaged inputs, seed ${seed}, ${minutes} min`);
console.log(
  `${accepted} gave the same result as the original; most work ${mostReads} reads, most memory ${(mostBytes / 2 ** 20).toFixed(1)} MiB`,
);
for (const [code, count] of [...refused].sort((x, y) => y[1] - x[1]))
  console.log(`${String(count).padStart(8)}  ${code}`);
console.log(`${failures.length} failures`);
for (const failure of failures.slice(0, 50)) console.log(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
