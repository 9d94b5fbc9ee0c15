/**
 * `npm run test:mutation`: Stryker over what decides a verdict, part by part (`parts.json`), and the outcome by file in
 * `summary.json` as soon as a part is done. With names of parts as arguments only these; with paths it mutates only what they
 * name (globs without braces), and renews only those lines of the summary. Arguments with dashes are Stryker's: `--concurrency=1` leaves one core free.
 *
 * What was found before is kept in `build/mutation/*.incremental.json`; delete these to try everything anew.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parts, partsOf } from './parts.mjs';
import { readSummary, writeSummary } from './summary.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const BUILD = join('build', 'mutation');

function run(command, args, cwd, env = {}) {
  const { status } = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** @param only paths; without, the whole part, and what was found before counts */
function runPart(name, only, options) {
  const fileName = join(BUILD, `${name}.report.json`);
  const before =
    only === undefined ? { incremental: true, incrementalFile: join(BUILD, `${name}.incremental.json`) } : {};
  const base = JSON.parse(readFileSync(join(HERE, 'stryker.config.json'), 'utf8'));
  const config = { ...base, ...before, mutate: only ?? parts[name].mutate, jsonReporter: { fileName } };
  const configFile = join(BUILD, `${name}.config.json`);
  writeFileSync(join(ROOT, configFile), JSON.stringify(config));
  rmSync(join(ROOT, fileName), { force: true });
  const start = performance.now();
  run(process.execPath, [stryker, 'run', configFile, ...options], ROOT, { MUTATION_PART: name });
  writeSummary(JSON.parse(readFileSync(join(ROOT, fileName), 'utf8')), only === undefined ? name : undefined);
  process.stdout.write(`part ${name} took ${Math.round((performance.now() - start) / 1000)} s\n`);
}

const biome = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
const stryker = join(HERE, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
if (!existsSync(stryker)) run('npm', ['ci'], HERE);
mkdirSync(join(ROOT, BUILD), { recursive: true });
const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith('--'));
const only = args.filter((arg) => !arg.startsWith('--'));
const names = only.filter((arg) => Object.hasOwn(parts, arg));
const paths = only.filter((arg) => !names.includes(arg));
const chosen = [...(only.length > 0 ? names : Object.keys(parts)).map((name) => [name, undefined]), ...partsOf(paths)];
for (const [name, own] of chosen) runPart(name, own, options);

run(process.execPath, [biome, 'format', '--write', join(HERE, 'summary.json')], ROOT);
const { score, errors } = readSummary().all;
process.stdout.write(`${score} % of the mutants were noticed\n`);
if (errors > 0) {
  process.stdout.write(`${errors} could not be tried\n`);
  process.exitCode = 1;
}
