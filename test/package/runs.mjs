/** What runs from an install alone: every entry, the command, README's first program. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRIES, MANIFEST, ROOT, run } from './tarball.mjs';

/** The programs of README with the output shown below each, in order. */
export function readmePrograms() {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return [...text.matchAll(/^```(?:ts|js)\n([\s\S]*?)^```\n+```text\n([\s\S]*?)^```$/gm)].map(([, code, output]) => ({
    code,
    output,
  }));
}

const RECORDED = join(ROOT, 'vectors', 'real', 'mainnet-2026-04-simplex', 'block-59379986');
const SAMPLE = [join(RECORDED, 'signatures.json'), '--validators', join(RECORDED, 'validators.json')];

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

/** The package holds both an engine's choice for Node and one for browsers: here it has to be Node's. */
export async function chooseForNode(folder) {
  const program = `
const choose = await import(import.meta.resolve('ton-finality').replace('index.js', 'core/ed25519/choose.js'));
const transports = await import(import.meta.resolve('ton-finality').replace('index.js', 'net/toncenter/default-transport.js'));
console.log(choose.fastestSyncEngine().name, transports.defaultTransport.toString().includes('undici'));`;
  writeFileSync(join(folder, 'choose.mjs'), program);
  const { stdout } = await run(process.execPath, ['choose.mjs'], folder);
  assert.equal(stdout.trim(), 'openssl true');
}

export async function runCommand(folder) {
  const command = join(folder, 'node_modules', '.bin', 'ton-finality'); // npx has words of its own on stderr
  const help = await run('npx', ['--no-install', 'ton-finality', 'help'], folder);
  assert.match(help.stdout, /^ton-finality: proves /);
  const version = await run(command, ['--version'], folder);
  assert.equal(version.stdout.trim(), MANIFEST.version);
  // Commands of the second bundle stand on the library's own files, and their errors are known for what they are.
  const block = join(ROOT, 'vectors', 'real', 'mainnet-2024-06', 'key-block-38616744.boc');
  const { stdout } = await run('npx', ['--no-install', 'ton-finality', 'validators', block], folder);
  assert.match(stdout, /[0-9a-f]{64}|"public_key"/i);
  const refusalOf = (...words) => run(command, words, folder).catch((error) => error);
  const refused = await refusalOf('sync', '--no-such-option');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /^ton-finality: --no-such-option: unknown option$/m);
  const cut = join(folder, 'cut.boc');
  writeFileSync(cut, readFileSync(block).subarray(0, 1000));
  const damaged = await refusalOf('validators', cut, '--json');
  assert.equal(damaged.code, 2);
  assert.match(JSON.parse(damaged.stderr).code, /^decode\//);
  // The first bundle judges, the page of reports is found from the second.
  const { stdout: report } = await run(command, ['verify', ...SAMPLE, '--json'], folder);
  assert.equal(JSON.parse(report).verdict.status, 'final');
  const row = join(ROOT, 'vectors', 'audit', 'mainnet-1-99.ndjson');
  const html = join(folder, 'report.html');
  await run(command, ['report', row, '--html', html], folder);
  assert.match(readFileSync(html, 'utf8'), /^<!doctype html>/i);
}

export async function runFirstProgram(folder) {
  const [{ code, output }] = readmePrograms();
  writeFileSync(join(folder, 'first.mjs'), code);
  const { stdout } = await run(process.execPath, ['first.mjs'], folder);
  assert.equal(stdout, output);
}
