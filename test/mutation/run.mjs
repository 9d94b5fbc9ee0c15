/**
 * `npm run test:mutation`: Stryker over what decides a verdict, then its outcome by file in `summary.json`. With arguments it
 * mutates only what they name (globs without braces), and renews only those lines of the summary.
 *
 * What was found before is kept in `build/mutation/incremental.json`; delete it to try everything anew.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeSummary } from './summary.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const stryker = join(HERE, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
if (!existsSync(stryker)) run('npm', ['ci'], HERE);
const only = process.argv.slice(2);
const mutate = only.length > 0 ? ['--mutate', only.join(',')] : [];
run(process.execPath, [stryker, 'run', 'test/mutation/stryker.config.json', ...mutate], ROOT);

const { score } = writeSummary(join(ROOT, 'build', 'mutation', 'report.json'), only.length > 0);
process.stdout.write(`${score} % of the mutants were noticed\n`);
