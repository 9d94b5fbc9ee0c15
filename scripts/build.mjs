/**
 * Builds the folder `build`: the compiled library and tests, the command in one bundle, and the page of reports. It builds nothing
 * where no source has changed since the last build and each file of that build is still there: `npm ci` builds, and so does each
 * command that runs compiled code.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'build', 'built.json');
/** The container is built without tests, benchmarks and conformance data. */
const SOURCES = ['src', 'test', 'bench', 'demo', 'conformance/make', 'scripts'].filter((folder) =>
  existsSync(join(root, folder)),
);
const SETTINGS = ['tsconfig.json', 'package.json', 'package-lock.json'];
const STEPS = [
  'scripts/build-kernel.mjs',
  'node_modules/typescript/bin/tsc',
  'scripts/strip-comments.mjs',
  'scripts/bundle-command.mjs',
  'scripts/bundle-report-page.mjs',
  'scripts/drop-declarations.mjs',
];

function filesOf(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.split(sep).includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/** The hash of all sources and settings, with their names. */
function hashOfSources() {
  const hash = createHash('sha256');
  for (const file of [...SOURCES.flatMap(filesOf), ...SETTINGS.map((name) => join(root, name))]) {
    const bytes = readFileSync(file);
    hash.update(`${file.slice(root.length)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** Bundles that simulated worlds write there are no part of a build. */
const BUNDLES = join(root, 'build', 'simulation', sep);

const sizesOf = () =>
  filesOf('build')
    .filter((file) => file !== built && !file.startsWith(BUNDLES))
    .map((file) => [file.slice(root.length), statSync(file).size]);

/** The last build, if it is of these sources and whole. */
function lastBuild() {
  if (!existsSync(built)) return undefined;
  const last = JSON.parse(readFileSync(built, 'utf8'));
  const size = (file) => statSync(join(root, file), { throwIfNoEntry: false })?.size;
  return last.sources === hashOfSources() && last.files.every(([file, bytes]) => size(file) === bytes)
    ? last
    : undefined;
}

const last = lastBuild();
if (last === undefined) {
  rmSync(built, { force: true });
  for (const step of STEPS) {
    const { status } = spawnSync(process.execPath, [join(root, step)], { cwd: root, stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
  // After the steps: the first one may write a source. A build that is killed leaves no such file.
  writeFileSync(`${built}.partial`, JSON.stringify({ sources: hashOfSources(), files: sizesOf() }));
  renameSync(`${built}.partial`, built);
} else {
  // A source that git wrote anew is newer, though the same: vitest compares times (test/helpers/compiled-modules.ts).
  const now = new Date();
  for (const [file] of last.files) utimesSync(join(root, file), now, now);
}
