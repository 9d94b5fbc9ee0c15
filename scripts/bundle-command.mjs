/**
 * Bundles the compiled command, so that a start reads a few files instead of two hundred:
 *
 * - `cli`: what `verify` of files and servers needs. What only some runs need (servers, a checkpoint) stays apart and is read
 *   when it is asked for. undici stays a package, loaded for the first question.
 * - `commands`: every other command, over the library that the package holds anyway. A second copy of it was a third of the
 *   package.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const library = join(root, 'build', 'src');

/** As deep as `build/src/app/cli/`: files of the package are found from either by the same path. */
const outdir = (name) => join(root, 'build', 'bundle', 'app', name);

/**
 * In place of the code of a command: the call of the program that has it. Nothing but words and an exit code crosses between
 * the two, since a class of one is not that of the other.
 */
const ELSEWHERE = `{ main: async ({ all }) => (await import('../commands/main.js')).main(all) }`;
const elsewhere = (code) =>
  [...code.matchAll(/^(?:export )?const (\w+Command) = defineCommand\(/gm)]
    .map(([, name]) => `export const ${name} = ${ELSEWHERE};`)
    .join('\n');

const leaveOtherCommands = {
  name: 'leave other commands to their bundle',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]cli[\\/]commands[\\/][^\\/]+\.js$/ }, ({ path }) => {
      return basename(path) === 'verify.js' ? undefined : { contents: elsewhere(readFileSync(path, 'utf8')) };
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

/** Folders that no entry of the library leads to. The package leaves their files out. */
const OF_THE_COMMAND = ['app/cli', 'app/audit/survey', 'app/report/audit'].map((folder) => join(folder, sep));

const leaveLibrary = {
  name: 'leave the library where it is',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\// }, ({ path, resolveDir }) => {
      if (!resolveDir.startsWith(library)) return undefined; // within a package
      const file = relative(library, join(resolveDir, path));
      if (OF_THE_COMMAND.some((folder) => file.startsWith(folder))) return undefined;
      return { path: `../../../src/${file.replaceAll(sep, '/')}`, external: true };
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

/** Bundled packages of an older form ask for modules of Node by a function that ES modules do not have. */
const REQUIRE = `import{createRequire as nodeRequire}from'node:module';const require=nodeRequire(import.meta.url);`;

const bundle = (name, entryPoints, plugins, more = {}) =>
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
    plugins,
    ...more,
    metafile: true,
    chunkNames: '[name]-[hash]',
    legalComments: 'none', // THIRD-PARTY.txt has them
    logLevel: 'warning',
  });

/** The packages that a bundle holds code of, by their folders. */
function packagesIn({ metafile }) {
  const folders = Object.keys(metafile.inputs).map(
    (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0],
  );
  return folders.filter((folder) => folder !== undefined);
}

/** The licence of every package whose code is in the bundles. A package that does not say its licence ends the build. */
function licencesOf(folders) {
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    if (typeof license !== 'string') throw new Error(`${name} names no licence`);
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
    return `${name} ${version}: ${license}\n${text}`;
  });
  return `The command holds code of these packages.\n\n${texts.join('\n---\n\n')}`;
}

export async function bundleCommand() {
  rmSync(join(root, 'build', 'bundle'), { recursive: true, force: true });
  const entries = { main: 'build/src/app/cli/main.js', stop: 'build/src/app/cli/stop.js' };
  const bundles = [
    await bundle('cli', { cli: 'build/src/cli.js' }, [leaveOtherCommands, hashNatively], { external: ['undici'] }),
    await bundle('commands', entries, [leaveLibrary], { banner: { js: REQUIRE } }),
  ];
  writeFileSync(join(root, 'build', 'bundle', 'THIRD-PARTY.txt'), licencesOf(bundles.flatMap(packagesIn)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleCommand();
