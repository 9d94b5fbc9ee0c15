/** What runs from an install alone: every entry, the command, README's first program. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRIES, MANIFEST, ROOT, run } from './tarball.mjs';

/** The programs of README, in order. */
export function readmePrograms() {
  return [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^```(?:ts|js)\n([\s\S]*?)^```$/gm)].map(
    ([, code]) => code,
  );
}

export async function importEntries(folder) {
  const program = ENTRIES.map((name) => `import * as x${ENTRIES.indexOf(name)} from '${name}';`).join('\n');
  const counts = ENTRIES.map((_, at) => `Object.keys(x${at}).length`).join(', ');
  writeFileSync(join(folder, 'entries.mjs'), `${program}\nconsole.log(JSON.stringify([${counts}]));\n`);
  const { stdout } = await run(process.execPath, ['entries.mjs'], folder);
  const names = JSON.parse(stdout);
  assert.equal(names.length, ENTRIES.length);
  assert.ok(
    names.every((count) => count > 0),
    stdout,
  );
}

export async function runCommand(folder) {
  const help = await run('npx', ['--no-install', 'ton-finality'], folder);
  assert.match(help.stdout, /^ton-finality: proves /);
  const version = await run(join(folder, 'node_modules', '.bin', 'ton-finality'), ['--version'], folder);
  assert.equal(version.stdout.trim(), MANIFEST.version);
}

export async function runFirstProgram(folder) {
  const [first] = readmePrograms();
  writeFileSync(join(folder, 'first.mjs'), first);
  const { stdout } = await run(process.execPath, ['first.mjs'], folder);
  assert.match(stdout, /\bfinal\b/);
}
