/**
 * Bundles the compiled command, so that a start reads a few files instead of two hundred:
 *
 * - `cli`: what `verify` of files and servers needs. What only some runs need (servers, a checkpoint) stays apart and is read
 *   when it is asked for. undici stays a package, loaded for the first question.
 * - `commands`: every other command, over the library that the package holds anyway. A second copy of it was a third of the
 *   package.
 */
import { rmSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const library = join(root, 'build', 'src');

/** As deep as `build/src/app/cli/`: files of the package are found from either by the same path. */
const outdir = (name) => join(root, 'build', 'bundle', 'app', name);

/** The commands of `app/cli/main.ts` that verify with more than files and servers go by its first word. */
const wordOf = (file) => (/^verify-(?:lite|certificate)$/.test(file) ? 'verify' : file);
const camelCase = (file) => file.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/**
 * In place of the code of a command: the call of the program that has it. Nothing but words and an exit code crosses between
 * the two, since a class of one is not that of the other.
 */
const elsewhere = (file) => `
export const ${camelCase(file)}Command = async (words) =>
  (await import('../commands/main.js')).main([${JSON.stringify(wordOf(file))}, ...words]);`;

const leaveOtherCommands = {
  name: 'leave other commands to their bundle',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]cli[\\/]commands[\\/][^\\/]+\.js$/ }, ({ path }) => {
      const file = basename(path, '.js');
      return file === 'verify' ? undefined : { contents: elsewhere(file) };
    });
    onResolve({ filter: /^\.\.\/commands\/main\.js$/ }, ({ path }) => ({ path, external: true }));
    // Signals come to one process: what is to be said before its end is kept in one place.
    onResolve({ filter: /[\\/]stop\.js$/ }, () => ({ path: '../commands/stop.js', external: true }));
    // The kernel's bytes hold no class, and pack badly.
    onResolve({ filter: /[\\/]kernel-bytes\.js$/ }, () => ({
      path: '../../../src/core/ed25519/kernel-bytes.js',
      external: true,
    }));
  },
};

const leaveLibrary = {
  name: 'leave the library where it is',
  setup({ onLoad, onResolve }) {
    // `verify` of files and servers never comes here.
    onLoad({ filter: /[\\/]cli[\\/]commands[\\/]verify\.js$/ }, () => ({
      contents: 'export const verifyCommand = undefined;',
    }));
    onResolve({ filter: /^\.\.\// }, ({ path, resolveDir }) => {
      const file = relative(library, join(resolveDir, path));
      return file.startsWith(join('app', 'cli') + sep)
        ? undefined
        : { path: `../../../src/${file.replaceAll(sep, '/')}`, external: true };
    });
  },
};

/** For the bundle that has a copy of the library's code; the library's own hashes run anywhere. */
const hashNatively = {
  name: 'hash by the runtime',
  setup({ onResolve }) {
    const path = join(library, 'app', 'cli', 'native-hashes.js');
    onResolve({ filter: /^@noble\/hashes\/sha2\.js$/ }, ({ importer }) => (importer === path ? undefined : { path }));
  },
};

const bundle = (name, entryPoints, plugins, external) =>
  build({
    absWorkingDir: root,
    entryPoints,
    outdir: outdir(name),
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external,
    plugins,
    chunkNames: '[name]-[hash]',
    legalComments: 'none',
    logLevel: 'warning',
  });

export async function bundleCommand() {
  rmSync(join(root, 'build', 'bundle'), { recursive: true, force: true });
  await bundle('cli', { cli: 'build/src/cli.js' }, [leaveOtherCommands, hashNatively], ['undici']);
  await bundle(
    'commands',
    { main: 'build/src/app/cli/main.js', stop: 'build/src/app/cli/stop.js' },
    [leaveLibrary],
    ['cli-progress', 'prom-client'],
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleCommand();
