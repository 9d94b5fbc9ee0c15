/**
 * The long run of `test/property/changed-facts.test.ts`, in a plain process:
 * nice -n 10 node build/test/slow/fuzz-inclusion.js [cases] [seed]
 */
import { fuzzInclusion, makeInclusionTargets } from '../helpers/fuzz-inclusion.ts';

const [cases = 1_000_000, seed = 1] = process.argv.slice(2).map(Number);
const BATCH = 10_000;
const targets = makeInclusionTargets(true);
const refused = new Map<string, number>();
const failures: string[] = [];
let accepted = 0;
for (let done = 0, batch = 0; done < cases; done += BATCH, batch++) {
  const result = fuzzInclusion(Math.min(BATCH, cases - done), seed * 1_000_003 + batch, targets);
  accepted += result.accepted;
  failures.push(...result.failures);
  // A long run on a busy machine says how far it has come.
  if ((batch + 1) % 5 === 0)
    console.error(`${done + BATCH} changes, ${failures.length} failures, ${Math.round(performance.now() / 1000)} s`);
  for (const [code, count] of result.refused) refused.set(code, (refused.get(code) ?? 0) + count);
}
console.log(
  `${cases} one-bit changes, seed ${seed}: ${accepted} gave the same fact, ${failures.length} another one or a crash`,
);
for (const [code, count] of [...refused].sort((x, y) => y[1] - x[1]))
  console.log(`${String(count).padStart(8)}  ${code}`);
for (const failure of failures.slice(0, 50)) console.log(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
