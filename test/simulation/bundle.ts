/** Makes one file of the live code as it is, with the clock, the connection and the room of proofs taken from a world. */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../helpers/vectors.ts';
import type { Subject } from './port.ts';
import type { Loaded } from './runner.ts';

/** One change of a source: a fault that is put back by hand. */
export interface Patch {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

// The bundler takes half as long again where it counts each byte that it holds.
process.env.GOGC ??= '400';

export const FOLDER = join(ROOT, 'test', 'simulation', 'today');

/** What judges proofs: a model over tokens, or the room `src/core/chain/` over bytes. */
export type Level = 'tokens' | 'bytes';

/** Files of `src/` and what stands in their place. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\/chain\/(?:walk|block-proof|block-header|checkpoint|ancestor|link)\.ts$/, 'chain-model.ts'],
  [/\/adnl\/keys\.ts$/, 'keys.ts'],
  [/\/lite\/connection\.ts$/, 'connection.ts'],
  [/\/async\/on-abort\.ts$/, 'on-abort.ts'],
  [/\/output\/print\.ts$/, 'output.ts'],
];

/** Modules of the runtime, for the files that commands keep. */
const RUNTIME: Readonly<Record<string, string>> = {
  'node:fs': 'fs.ts',
  'node:os': 'machine.ts',
  'node:crypto': 'machine.ts',
};
const KEEPS_FILES = /\/src\/app\/(?:files|cli)\//;

/** What a process reads of itself when it starts: one bundle is many processes. */
const ONCE_A_PROCESS: readonly (readonly [file: RegExp, find: string, put: string])[] = [
  [/\/files\/lock-file\.ts$/, 'const self = Object.freeze({', 'const ownSelf = () => ({'],
  [/\/files\/lock-file\.ts$/, '...self', '...ownSelf()'],
  [/\/files\/lock-file\.ts$/, ' self.', ' ownSelf().'],
  [
    /\/files\/lock-file\.ts$/,
    "const procIsOurs = linkTo('/proc/self') === String(process.pid);",
    'const procIsOurs = true;',
  ],
];

/** What stands in the place of the clocks, timers and random numbers of the runtime: names that `shims.ts` exports. */
export const SHIMS: Readonly<Record<string, string>> = {
  setTimeout: 'simSetTimeout',
  clearTimeout: 'simClearTimeout',
  setInterval: 'simSetInterval',
  clearInterval: 'simClearTimeout',
  'performance.now': 'simNow',
  'Date.now': 'simUnixMs',
  'Math.random': 'simRandom',
  AbortController: 'SimAbortController',
  'process.pid': 'simProcess.pid',
  'process.kill': 'simProcess.kill',
  'process.getuid': 'simProcess.getuid',
  'process.on': 'simProcess.on',
  'process.off': 'simProcess.off',
};

/** The file that stands in the place of what a file imports; `undefined` for the one that it names. */
export function replacementOf(path: string, importer: string, level: Level): string | undefined {
  if (path.startsWith('node:')) {
    const file = KEEPS_FILES.test(importer) ? RUNTIME[path] : undefined;
    return file === undefined ? undefined : join(FOLDER, file);
  }
  if (importer.startsWith(FOLDER))
    return level === 'bytes' && path === './chain-model.ts' ? join(FOLDER, '..', 'bytes', 'chain-real.ts') : undefined;
  const full = join(dirname(importer), path);
  const file = REPLACED.find(([pattern]) => pattern.test(full))?.[1];
  return file === undefined || (level === 'bytes' && file === 'chain-model.ts') ? undefined : join(FOLDER, file);
}

/** @returns the text of a source as it runs in a world @throws Error for a patch whose text is not there exactly once */
export function patched(path: string, patches: readonly Patch[]): string {
  let text = readFileSync(path, 'utf8');
  for (const [file, find, put] of ONCE_A_PROCESS) {
    if (!file.test(path)) continue;
    if (!text.includes(find)) throw new Error(`${path}: expected: ${find}`);
    text = text.replaceAll(find, () => put);
  }
  for (const { file, find, put } of patches) {
    if (relative(ROOT, path) !== file) continue;
    if (text.split(find).length !== 2) throw new Error(`${path}: expected once: ${find}`);
    text = text.replace(find, () => put);
  }
  return text;
}

/** @param name of the file that is made */
export async function bundleSubject(name: string, level: Level = 'tokens'): Promise<string> {
  const outfile = join(ROOT, 'build', 'simulation', `${name}.mjs`);
  mkdirSync(join(ROOT, 'build', 'simulation'), { recursive: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: [join(FOLDER, 'adapter.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    inject: [join(FOLDER, 'shims.ts')],
    define: SHIMS,
    sourcemap: 'external',
    logLevel: 'warning',
    plugins: [
      {
        name: 'the world in place of the world',
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /^node:|\.ts$/ }, ({ path, importer }) => {
            const file = replacementOf(path, importer, level);
            return file === undefined ? undefined : { path: file };
          });
          const changed = new RegExp(ONCE_A_PROCESS.map(([{ source }]) => source).join('|'));
          onLoad({ filter: changed }, ({ path }) => ({ contents: patched(path, []), loader: 'ts' }));
        },
      },
    ],
  });
  return outfile;
}

export async function loadSubject(name: string, level: Level = 'tokens'): Promise<Loaded> {
  const { href } = pathToFileURL(await bundleSubject(name, level));
  return await withSecond(async (which) => (await import(`${href}?${which}`)) as Adapter);
}

/** What `adapter.ts` exports. */
export interface Adapter {
  readonly subject: Omit<Loaded, 'second'>;
}

/** @param load makes the module of a process */
export async function withSecond(load: (which: 'first' | 'second') => Promise<Adapter>): Promise<Loaded> {
  let other: Promise<Subject> | undefined;
  const second = async (): Promise<Subject> => ({ ...(await load('second')).subject, second });
  return { ...(await load('first')).subject, second: () => (other ??= second()) };
}
