/**
 * Runs `npm test` and `npm run test:real-time`, and keeps what each file took, in `test/times.json`: by it the long files are begun first. Linux only.
 *
 *   node scripts/test-times.mjs              measure, after a build
 *   node scripts/test-times.mjs FILE         only print the table of what a run wrote with TEST_TIMES=FILE
 *   node scripts/test-times.mjs FILE --keep  and keep its times
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Files that take less need no place of their own in the order. */
const LEAST_SECONDS = 0.5;

function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'test-times-'));
  const file = join(folder, 'times');
  try {
    for (const config of ['vitest.config.ts', 'vitest.real-time.config.ts']) {
      const { status } = spawnSync('npx', ['vitest', 'run', '-c', config], {
        cwd: root,
        env: { ...process.env, TEST_TIMES: file },
        stdio: 'inherit',
      });
      if (status !== 0) throw new Error('the tests failed: nothing is kept');
    }
    return readRows(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const readRows = (file) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const sumOf = (rows, member) => rows.reduce((sum, row) => sum + row[member], 0);

/**
 * How long a file keeps its worker: its processor time, or the time that it took where it mostly waits for timers and servers. That time is
 * cut as the whole run's is, so that a busy machine gives the same order.
 */
function keep(rows) {
  const quiet = sumOf(rows, 'cpu') / sumOf(rows, 'wall');
  const taken = rows.map(({ name, cpu, wall }) => ({ name, seconds: Math.max(cpu, wall * quiet) }));
  const long = taken.filter(({ seconds }) => seconds >= LEAST_SECONDS).sort((a, b) => b.seconds - a.seconds);
  const times = Object.fromEntries(long.map(({ name, seconds }) => [name, Math.round(seconds * 10) / 10]));
  writeFileSync(join(root, 'test', 'times.json'), `${JSON.stringify(times, null, 2)}\n`);
}

function show(rows) {
  const folders = new Map();
  for (const { name, cpu } of rows) {
    const folder = dirname(name).replace(/^test\//, '');
    folders.set(folder, (folders.get(folder) ?? 0) + cpu);
  }
  for (const [folder, cpu] of [...folders].sort((a, b) => b[1] - a[1])) {
    process.stdout.write(`${cpu.toFixed(1).padStart(8)} s  ${folder}\n`);
  }
  process.stdout.write(`${sumOf(rows, 'cpu').toFixed(1).padStart(8)} s  ${rows.length} files\n`);
}

const [given, flag] = process.argv.slice(2);
const rows = given === undefined ? measure() : readRows(given);
if (given === undefined || flag === '--keep') keep(rows);
show(rows);
