/**
 * `npm run test:bridge`: the example bridge and the pages for people who build one, from the packed tarball, in empty folders.
 * With `--jest` the recipe for Jest too, which comes from the registry. The bridge runs on Node 24, which `test/runtimes/binaries` brings (Linux on x64), or on the Node that NODE_OF_BRIDGE names.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, pack, ROOT } from '../package/tarball.mjs';
import { takePages } from './pages.mjs';
import { soak } from './soak.mjs';
import { tutorial } from './tutorial.mjs';

const binary = join(ROOT, 'test', 'runtimes', 'binaries', 'node_modules', 'node-24.21', 'bin', 'node');
const node = process.env.NODE_OF_BRIDGE ?? binary;
const scratch = mkdtempSync(join(tmpdir(), 'ton-finality-bridge-'));
try {
  const tarball = await pack(scratch);
  const folder = await install(tarball, scratch);
  await soak(folder, node, Number(process.env.SEED ?? 1));
  await tutorial(join(scratch, 'tutorial'), tarball, node);
  await takePages(join(scratch, 'pages'), tarball, node, process.argv.includes('--jest'));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
