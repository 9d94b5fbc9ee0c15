/**
 * Runs worlds: `npm run test:simulation -- [--seeds N] [--from S] [--out FILE] [--bytes] [--networks]`, or one of them in
 * words: `--seed S`, or faults put back by hand: `--mutants [--seeds N]`. A world that breaks an invariant is made smaller and told,
 * and the run ends with 1.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadSubject, type Patch } from './bundle.ts';
import { BYTE_MUTANTS } from './bytes/mutants.ts';
import { loadByteSubject } from './bytes/subject.ts';
import { coverageOf } from './coverage.ts';
import { FAULTS } from './faults.ts';
import { firstToNotice, MUTANTS } from './mutants.ts';
import type { Plan } from './plan.ts';
import { live, planOf, runWorlds, storyOf, type Tried } from './runner.ts';
import { shrink } from './shrink.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    out: { type: 'string' },
    /** Tells each world that fails in one line, and shrinks none. */
    list: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    /** Puts each known fault back by hand, and tells after how many worlds it is noticed. */
    mutants: { type: 'boolean', default: false },
    /** Worlds in which servers answer in bytes. */
    bytes: { type: 'boolean', default: false },
    /** Of the worlds of these seeds only those with a hardfork, or a server of another network. */
    networks: { type: 'boolean', default: false },
    /** Which lines of the machine the worlds of these seeds run. */
    coverage: { type: 'boolean', default: false },
  },
});

const load = (name: string, patches: readonly Patch[] = []): Promise<Tried> =>
  values.bytes ? loadByteSubject(`${name}-bytes`, patches) : loadSubject(name, patches);
const subject = await load('today');

async function tell(seed: number): Promise<boolean> {
  const plan = planOf(subject, seed);
  const outcome = await live(subject, plan, true);
  const [first] = outcome.violations;
  if (first === undefined || values.whole) {
    console.log(storyOf(plan, outcome));
    console.log(`ends: ${outcome.ends.join('; ')}; exceptions: ${outcome.exceptions.join(' ') || 'none'}`);
    return first === undefined;
  }
  const least = await shrink(subject, plan, first);
  console.log(storyOf(least, await live(subject, least, true)));
  console.log(`made smaller: ${JSON.stringify(least)}`);
  return false;
}

async function many(): Promise<boolean> {
  const [from, seeds] = [Number(values.from), Number(values.seeds)];
  const isMeant = ({ hardfork, servers }: Plan) =>
    !values.networks || hardfork !== undefined || servers.some(({ kind }) => kind === 'stranger');
  const start = performance.now();
  let toldMs = start;
  let failed = 0;
  const summary = await runWorlds(
    subject,
    from,
    seeds,
    (seed, { violations: [first] }) => {
      if (first !== undefined) {
        failed += 1;
        if (values.list) console.log(`${seed} ${first.invariant}: ${first.what.split('\n')[0]}`);
      }
      if (performance.now() - toldMs < 5000) return;
      toldMs = performance.now();
      console.error(`${seed - from + 1} of ${seeds} seeds, ${failed} failed`);
    },
    isMeant,
  );
  const seconds = Math.round((performance.now() - start) / 1000);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const { failed: failures, faults, ...counted } = summary;
  const result = { commit, from, seeds, seconds, violations: failures.length, ...counted, faults };
  console.log(JSON.stringify(result, null, 2));
  if (values.out !== undefined) {
    const words = Object.fromEntries(
      FAULTS.filter(({ name }) => name in faults).map(({ name, words }) => [name, words]),
    );
    const told = failures.length === 0 ? result : { ...result, words };
    writeFileSync(values.out, `${JSON.stringify(told, null, 2)}\n`);
  }
  for (const { seed } of values.list ? [] : failures.slice(0, 3)) await tell(seed);
  return failures.length === 0;
}

/** Each fault that is put back by hand, and the first world that notices it. */
async function mutants(): Promise<boolean> {
  const seeds = Number(values.seeds);
  const faults = values.bytes ? [...BYTE_MUTANTS, ...MUTANTS] : MUTANTS;
  const table: Record<string, unknown>[] = [];
  for (const [at, { rule, breaks, patches, noticed }] of faults.entries()) {
    const firstSeed = await firstToNotice(subject, await load(`mutant-${at}`, patches), noticed, seeds);
    table.push({ rule, breaks, noticed, firstSeed: firstSeed ?? null });
    console.error(`${firstSeed ?? 'not noticed'}: ${breaks}`);
  }
  console.log(JSON.stringify(table, null, 2));
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(table, null, 2)}\n`);
  return table.every(({ firstSeed }) => firstSeed !== null);
}

async function coverage(): Promise<boolean> {
  const seeds = Number(values.seeds);
  const name = values.bytes ? 'coverage-bytes' : 'coverage';
  const { lines, covered, files } = await coverageOf(name, 'src/net/machine/', async () => {
    await runWorlds(await load('coverage'), Number(values.from), seeds);
  });
  for (const [file, { never, ...of }] of Object.entries(files)) {
    console.log(`${of.covered} of ${of.lines} ${file}${never.length === 0 ? '' : `, never: ${never.join(' ')}`}`);
  }
  console.log(`${covered} of ${lines} lines, ${((100 * covered) / lines).toFixed(1)} %, by ${seeds} worlds`);
  return 100 * covered >= 95 * lines;
}

const isWell = values.coverage
  ? await coverage()
  : values.mutants
    ? await mutants()
    : values.seed === undefined
      ? await many()
      : await tell(Number(values.seed));
process.exitCode = isWell ? 0 : 1;
