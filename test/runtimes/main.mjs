/**
 * One hash of all reports in every runtime: `npm run test:runtimes`. Node, Bun and Deno run the built files as they are; a
 * Chromium page and a worker of it run them bundled. Linux on x64, where the pinned binaries run.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { hasChromium, openSite } from '../../build/test/browser/chromium.js';
import { readCases } from './cases.mjs';
import { requireDocumented, requireEqual } from './matrix.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const run = promisify(execFile);
const modules = join(here, 'binaries', 'node_modules');
const program = join(here, 'on-server.mjs');
const LIMIT_MS = 300_000;

const SERVERS = [
  ...['20.19', '22', '24.18', '24.21', '26'].map((name) => ({
    name: 'Node',
    command: join(modules, `node-${name}`, 'bin', 'node'),
    args: [],
  })),
  { name: 'Bun', command: join(modules, '@oven', 'bun-linux-x64-baseline', 'bin', 'bun'), args: [] },
  {
    name: 'Deno',
    command: join(modules, '@deno', 'linux-x64-glibc', 'deno'),
    args: ['run', '--allow-read', '--allow-env', '--no-lock', '--no-check'],
  },
];

async function onServer({ name, command, args }, scratch) {
  const env = { ...process.env, DENO_DIR: scratch, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };
  const options = { cwd: root, env, timeout: LIMIT_MS, maxBuffer: 2 ** 20 };
  const { stdout: said } = await run(command, ['--version'], options);
  const { stdout } = await run(command, [...args, program], options);
  return { runtime: `${name} ${/\d+\.\d+\.\d+/.exec(said)[0]}`, results: JSON.parse(stdout) };
}

async function inChromium(cases) {
  const { outputFiles } = await build({
    entryPoints: [join(here, 'on-page.mjs')],
    absWorkingDir: root,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const site = await openSite({
    '/': {
      type: 'text/html',
      body: '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/program.js"></script>',
    },
    '/program.js': { type: 'text/javascript', body: outputFiles[0].text },
    '/cases.json': { type: 'application/json', body: JSON.stringify(cases) },
  });
  try {
    const page = await site.open('/');
    const version = page.context().browser().version();
    const ask = (name) => page.evaluate((called) => globalThis[called](), name);
    return [
      { runtime: `Chromium ${version}, page`, results: await ask('onThisPage') },
      { runtime: `Chromium ${version}, worker`, results: await ask('inWorker') },
    ];
  } finally {
    await site.close();
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'ton-finality-runtimes-'));
try {
  const rows = [];
  const add = (row) => {
    rows.push(row);
    console.log(
      `${row.runtime}: ${row.results.map(({ label, engine, hash }) => `${label} ${engine} ${hash.slice(0, 12)}…`).join(', ')}`,
    );
  };
  const cases = readCases();
  for (const server of SERVERS) add(await onServer(server, scratch));
  if (hasChromium) for (const row of await inChromium(cases)) add(row);
  const hash = requireEqual(rows);
  if (hasChromium) requireDocumented('runtimes', rows);
  console.log(`${cases.length} cases, ${rows.length} runtimes, one hash: ${hash}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
