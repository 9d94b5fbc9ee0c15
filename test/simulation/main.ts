/**
 * Runs worlds: `npm run test:simulation -- [--seeds N] [--from S] [--jobs N] [--out FILE] [--bytes] [--networks] [--mixed]`, or one of them in
 * words: `--seed S`, or faults put back by hand: `--mutants [--seeds N]`. A world that breaks an invariant is made smaller and told,
 * and the run ends with 1.
 */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT } from '../helpers/vectors.ts';
import { loadSubject, type Patch } from './bundle.ts';
import { BYTE_MUTANTS } from './bytes/mutants.ts';
import { loadByteSubject } from './bytes/subject.ts';
import { coverageOf } from './coverage.ts';
import { FAULTS } from './faults.ts';
import { mixedPlan } from './mixed-plan.ts';
import { firstToNotice, MUTANTS } from './mutants.ts';
import { loadPatched } from './patched.ts';
import type { Plan } from './plan.ts';
import { live, planOf, runWorlds, type Summary, storyOf, type Tried } from './runner.ts';
import { runShards, worker } from './shards.ts';
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
    /** Worlds made of parts of kept worlds and of others. */
    mixed: { type: 'boolean', default: false },
    /** Processes that share the seeds. */
    jobs: { type: 'string', default: String(availableParallelism()) },
    /** Is one of these processes. */
    worker: { type: 'boolean', default: false },
    /** Which lines of the machine the worlds of these seeds run. */
    coverage: { type: 'boolean', default: false },
  },
});

const load = (name: string, patches: readonly Patch[] = []): Promise<Tried> =>
  values.bytes
    ? loadByteSubject(`${name}-bytes`, patches)
    : patches.length > 0
      ? loadPatched(patches)
      : loadSubject(name).then((subject) => (values.mixed ? Object.assign(subject, { plan: mixedPlan }) : subject));
/** Each process has a file of its own; one that only gives seeds to others needs none. */
let loaded: Promise<Tried> | undefined;
const today = () => (loaded ??= load(values.worker ? `today-${process.pid}` : 'today'));

async function tell(seed: number): Promise<boolean> {
  const subject = await today();
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

const isMeant = ({ hardfork, servers }: Plan) =>
  !values.networks || hardfork !== undefined || servers.some(({ kind }) => kind === 'stranger');

/** The commit, and whether something was changed since. */
function commitOf(): string {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();
  return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', 'src', 'test/simulation') === '' ? '' : ' and changes'}`;
}

async function many(): Promise<boolean> {
  const [from, seeds, jobs] = [Number(values.from), Number(values.seeds), Number(values.jobs)];
  const start = performance.now();
  const commit = commitOf();
  let toldMs = start;
  const resultOf = ({ failed, faults, ...counted }: Summary, done: number) => {
    const seconds = Math.round((performance.now() - start) / 1000);
    const words = Object.fromEntries(FAULTS.flatMap(({ name, words }) => (name in faults ? [[name, words]] : [])));
    const rest = done === seeds ? {} : { done };
    const told = failed.length === 0 ? {} : { failed: failed.map(({ seed }) => seed).slice(0, 100), words };
    return { commit, from, seeds, ...rest, jobs, seconds, violations: failed.length, ...counted, faults, ...told };
  };
  const write = (summary: Summary, done: number) => {
    if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(resultOf(summary, done), null, 2)}\n`);
  };
  const told = new Set<number>();
  const onDone = (summary: Summary, done: number) => {
    write(summary, done);
    for (const { seed, violations } of values.list ? summary.failed : []) {
      if (!told.has(seed)) console.log(`${seed} ${violations[0]!.invariant}: ${violations[0]!.what.split('\n')[0]}`);
      told.add(seed);
    }
    if (performance.now() - toldMs < 5000) return;
    toldMs = performance.now();
    const leftSeconds = Math.round((((toldMs - start) / done) * (seeds - done)) / 1000);
    console.error(`${done} of ${seeds} seeds, ${summary.failed.length} failed, ${leftSeconds} s left`);
  };
  const level = values.bytes ? 'bytes' : 'tokens';
  const args = [
    '--worker',
    ...(values.bytes ? ['--bytes'] : []),
    ...(values.networks ? ['--networks'] : []),
    ...(values.mixed ? ['--mixed'] : []),
  ];
  const summary = await runShards({ from, seeds, jobs, level, file: fileURLToPath(import.meta.url), args, onDone });
  write(summary, seeds);
  console.log(JSON.stringify(resultOf(summary, seeds), null, 2));
  for (const { seed } of values.list ? [] : summary.failed.slice(0, 3)) await tell(seed);
  return summary.failed.length === 0;
}

/** Each fault that is put back by hand, and the first world that notices it. */
async function mutants(): Promise<boolean> {
  const seeds = Number(values.seeds);
  const faults = values.bytes ? [...BYTE_MUTANTS, ...MUTANTS] : MUTANTS;
  const table: Record<string, unknown>[] = [];
  for (const [at, { rule, breaks, patches, noticed }] of faults.entries()) {
    const firstSeed = await firstToNotice(await today(), await load(`mutant-${at}`, patches), noticed, seeds);
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

if (values.worker) {
  const subject = await today();
  await worker(({ from, seeds }) => runWorlds(subject, from, seeds, undefined, isMeant));
  for (const end of ['', '.map'])
    rmSync(join(ROOT, 'build', 'simulation', `today-${process.pid}${values.bytes ? '-bytes' : ''}.mjs${end}`));
  process.exit(0);
}
const isWell = values.coverage
  ? await coverage()
  : values.mutants
    ? await mutants()
    : values.seed === undefined
      ? await many()
      : await tell(Number(values.seed));
process.exitCode = isWell ? 0 : 1;
