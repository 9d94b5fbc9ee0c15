/** The same hash in workerd, in miniflare, which needs Node 22: `.ci/nightly` runs it, after `test:runtimes`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { opensslEngine } from 'ton-finality/node';
import { readCases } from './cases.mjs';
import { requireDocumented, requireEqual } from './matrix.mjs';
import { judgeAll } from './reports.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const [major] = process.versions.node.split('.').map(Number);
if (major < 22) {
  const node = join(here, 'binaries', 'node_modules', 'node-22', 'bin', 'node');
  const { status, error } = spawnSync(node, process.argv.slice(1), { stdio: 'inherit' });
  if (error) throw error;
  process.exit(status ?? 1);
}

const tools = createRequire(new URL('workerd/package.json', import.meta.url));
const { Miniflare } = await import(pathToFileURL(tools.resolve('miniflare')).href);
const { version } = tools('miniflare/package.json');

const { outputFiles } = await build({
  entryPoints: [join(here, 'on-workerd.mjs')],
  bundle: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  write: false,
});
const cases = readCases();
const miniflare = new Miniflare({
  modules: true,
  script: outputFiles[0].text,
  compatibilityDate: '2026-01-01',
  host: '127.0.0.1',
  cf: false, // else it asks for where it runs
});
try {
  const body = JSON.stringify(cases);
  const response = await miniflare.dispatchFetch('http://127.0.0.1/', { method: 'POST', body });
  assert.equal(response.status, 200, await response.clone().text());
  const row = { runtime: `workerd, in miniflare ${version}`, results: await response.json() };
  const beside = {
    runtime: `Node ${process.versions.node}`,
    results: await judgeAll(cases, { openssl: () => opensslEngine, again: () => opensslEngine }),
  };
  const hash = requireEqual([row, beside]);
  requireDocumented('workerd', [row]);
  console.log(
    `${row.runtime}: ${cases.length} cases, ${row.results.map(({ engine }) => engine).join(' and ')}: ${hash}`,
  );
} finally {
  await miniflare.dispose();
}
