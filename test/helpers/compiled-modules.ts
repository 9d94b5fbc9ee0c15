/**
 * Lets tests import what `npm run build` has compiled in place of the sources. Node reads it as it is, where the sources would be
 * transformed and interpreted in every process, which was a tenth of what `npm test` took. A test file itself stays TypeScript.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { Plugin } from 'vitest/config';
import { ROOT } from './vectors.ts';

const FOLDERS = ['src', 'test', 'bench', 'demo', 'conformance/make'];

/** Test files, the file that each of them begins with, and installed packages are never compiled modules. */
const isCompiled = (file: string) =>
  !file.includes('/node_modules/') &&
  FOLDERS.some((folder) => file.startsWith(join(ROOT, folder, '/'))) &&
  /\.ts$/.test(file) &&
  !/(\.test|\.d|\/setup)\.ts$|\/assembly\//.test(file);

const compiledOf = (file: string) => join(ROOT, 'build', relative(ROOT, file).replace(/\.ts$/, '.js'));

function isStale(file: string): boolean {
  const compiled = compiledOf(file);
  return !existsSync(compiled) || statSync(compiled).mtimeMs < statSync(file).mtimeMs;
}

/** A source that is newer than what was compiled of it, or that was never compiled. */
const findStale = () =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(ROOT, folder, name)),
  ).find((file) => isCompiled(file) && isStale(file));

/** Of a project of vitest: where one source is newer than the build, all are read as sources, so that no test tries code that is gone. */
export function compiledModules(): { readonly plugins: Plugin[]; readonly external: RegExp[] } {
  const stale = findStale();
  if (stale !== undefined) {
    process.stderr.write(
      `${relative(ROOT, stale)} is newer than the build: tests read the sources, which takes longer\n`,
    );
    return { plugins: [], external: [] };
  }
  return {
    plugins: [
      {
        name: 'compiled-modules',
        enforce: 'pre',
        resolveId(name, importer) {
          if (importer === undefined || !/^\.{0,2}\//.test(name)) return;
          const file = isAbsolute(name) ? name : join(dirname(importer), name);
          return isCompiled(file) ? compiledOf(file) : undefined;
        },
      },
    ],
    external: [/\/build\/(?:src|test|bench|demo|conformance)\//],
  };
}
