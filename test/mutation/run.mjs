/**
 * `npm run test:mutation`: Stryker over what decides a verdict, then its outcome by file in `summary.json`. With arguments it
 * mutates only what they name (globs without braces), and renews only those lines of the summary.
 *
 * What was found before is kept in `build/mutation/incremental.json`; delete it to try everything anew.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const SUMMARY = join(HERE, 'summary.json');

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** What counts: a mutant that is caught, or that never ends, is noticed; one that nothing runs is not. */
function rowOf(mutants) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const row = {
    killed: count('Killed'),
    timeout: count('Timeout'),
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
  };
  const errors = count('RuntimeError', 'CompileError');
  return { ...row, ...(errors > 0 ? { errors } : {}), score: scoreOf(row) };
}

function scoreOf({ killed, timeout, survived, uncovered }) {
  const all = killed + timeout + survived + uncovered;
  return all === 0 ? 100 : Math.floor(((killed + timeout) / all) * 10_000) / 100;
}

const stryker = join(HERE, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
if (!existsSync(stryker)) run('npm', ['ci'], HERE);
const only = process.argv.slice(2);
const mutate = only.length > 0 ? ['--mutate', only.join(',')] : [];
run(process.execPath, [stryker, 'run', 'test/mutation/stryker.config.json', ...mutate], ROOT);

const report = JSON.parse(readFileSync(join(ROOT, 'build', 'mutation', 'report.json'), 'utf8'));
const before = existsSync(SUMMARY) && only.length > 0 ? JSON.parse(readFileSync(SUMMARY, 'utf8')).files : {};
const files = { ...before };
for (const [file, { mutants }] of Object.entries(report.files)) files[file] = rowOf(mutants);

const rows = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
const sum = (key) => rows.reduce((total, [, row]) => total + (row[key] ?? 0), 0);
const all = { killed: sum('killed'), timeout: sum('timeout'), survived: sum('survived'), uncovered: sum('uncovered') };
const summary = { all: { ...all, score: scoreOf(all) }, files: Object.fromEntries(rows) };
writeFileSync(SUMMARY, `${JSON.stringify(summary, null, 2)}\n`);
process.stdout.write(
  `${summary.all.score} % of ${all.killed + all.timeout + all.survived + all.uncovered} mutants were noticed\n`,
);
