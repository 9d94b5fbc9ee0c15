/**
 * `npm run test:bridge`: the example bridge and the pages for people who build one, from the packed tarball, in empty folders.
 * With `--frameworks` also the recipes that install something from a registry, which `node test/bridge/pages.mjs --frameworks` takes alone. The bridge runs on Node 24,
 * which `test/runtimes/binaries` brings (Linux on x64), or on the Node that NODE_OF_BRIDGE names.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, pack } from '../package/tarball.mjs';
import { NODES, takePages } from './pages.mjs';
import { soak } from './soak.mjs';
import { tutorial } from './tutorial.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'ton-finality-bridge-'));
try {
  const tarball = await pack(scratch);
  const folder = await install(tarball, scratch);
  await soak(folder, NODES.newest, Number(process.env.SEED ?? 1));
  await tutorial(join(scratch, 'tutorial'), tarball, NODES.newest);
  await takePages(join(scratch, 'pages'), tarball, NODES, process.argv.includes('--frameworks'));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
