/**
 * Bundles the compiled command: a start reads a few files instead of two hundred. What only some runs need (servers, one of
 * the commands) stays apart and is read when it is asked for. undici stays a package, loaded for the first question; so do
 * cli-progress, for a terminal, and bullmq and ioredis, which only a fleet needs.
 */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** As deep as `build/src/cli/`: files of the package are found from either by the same path. */
const outdir = join(root, 'build', 'bundle', 'cli');

export async function bundleCommand() {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: { cli: 'build/src/cli.js', 'worker-thread': 'build/src/ed25519/worker-thread.js' }, // beside the chunk that starts it
    outdir,
    bundle: true,
    splitting: true,
    minifySyntax: true,
    minifyWhitespace: true, // names stay: a stack trace of a user has to tell us something
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['undici', 'cli-progress', 'bullmq', 'ioredis', 'prom-client'],
    chunkNames: '[name]-[hash]',
    legalComments: 'none',
    logLevel: 'warning',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleCommand();
