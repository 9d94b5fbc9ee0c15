// Takes the comments out of the compiled library: they stand in the declarations, where editors look, and were a fifth of the package.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'build', 'src');

await build({
  absWorkingDir: folder,
  entryPoints: readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js')),
  outdir: folder,
  outbase: folder,
  allowOverwrite: true,
  platform: 'node', // any other would take the files that browsers get in place of ours
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
});
