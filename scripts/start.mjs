// Runs the main job on recorded mainnet blocks of both kinds, without a network. Builds first if there is no build.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'build', 'bundle', 'app', 'cli', 'cli.js');
const CASES = ['mainnet-2026-04-simplex/block-59379986', 'mainnet-2025-04/block-46920655'];

if (!existsSync(cli)) {
  const built = spawnSync('npm', ['run', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (built.status !== 0) process.exit(built.status ?? 1);
}

for (const name of CASES) {
  const folder = `vectors/real/${name}`;
  const words = ['verify', `${folder}/signatures.json`, '--validators', `${folder}/validators.json`];
  console.log(`> ton-finality ${words.join(' ')}`);
  const { status } = spawnSync(process.execPath, [cli, ...words], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  console.log();
}
