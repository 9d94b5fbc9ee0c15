/**
 * Live code with a fault put back by hand, as `bundle.ts` makes it, and for a sixth of the work: modules are compiled once, and put
 * together anew for each fault with those that it changes.
 */
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { transform } from 'esbuild';
import { type Adapter, FOLDER, type Level, type Patch, patched, replacementOf, SHIMS, withSecond } from './bundle.ts';
import type { Loaded } from './runner.ts';

type Require = (specifier: string) => unknown;
type Run = (shims: object) => (require: Require, exports: object, module: { exports: object }) => void;

interface Module {
  readonly run: Run;
  /** What it imports, by the words that it does so with: a path of ours, or a package. */
  readonly imports: ReadonlyMap<string, string>;
}

const ENTRY = join(FOLDER, 'adapter.ts');
const SHIMS_FILE = join(FOLDER, 'shims.ts');
const names = [...new Set(Object.values(SHIMS).map((name) => name.split('.')[0]))].join(', ');
const isOwn = (path: string) => path.startsWith('/');

/** Modules without a fault, by level and path. */
const whole = new Map<string, Promise<Module>>();
const packages = new Map<string, unknown>();

/** The path of what a file imports, or the name of a package. */
function resolved(specifier: string, importer: string, level: Level): string {
  const plain = specifier.startsWith('.') ? join(dirname(importer), specifier) : specifier;
  return replacementOf(specifier, importer, level) ?? plain;
}

async function compile(path: string, level: Level, patches: readonly Patch[]): Promise<Module> {
  const { code } = await transform(patched(path, patches), {
    loader: 'ts',
    format: 'cjs',
    target: 'node20',
    define: { ...SHIMS, 'import.meta.url': '""' },
    sourcefile: path,
  });
  const text = `({ ${names} }) => function (require, exports, module) {${code}\n}`;
  const script = new Script(text, { filename: path });
  const found = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, one]) => one!);
  const imports = new Map(found.map((one) => [one, resolved(one, path, level)]));
  return { run: script.runInThisContext() as Run, imports };
}

function compiled(path: string, level: Level, patches: readonly Patch[]): Promise<Module> {
  const own = patches.filter(({ file }) => path.endsWith(`/${file}`));
  if (own.length > 0) return compile(path, level, own);
  const key = `${level} ${path}`;
  let module = whole.get(key);
  if (module === undefined) {
    module = compile(path, level, []);
    whole.set(key, module);
  }
  return module;
}

/** All modules that the entry leads to, and the packages among them. */
async function closure(level: Level, patches: readonly Patch[]): Promise<ReadonlyMap<string, Module>> {
  const modules = new Map<string, Module>();
  const missing = new Set([ENTRY, SHIMS_FILE]);
  for (const path of missing) {
    if (isOwn(path)) {
      const module = await compiled(path, level, patches);
      modules.set(path, module);
      for (const one of module.imports.values()) missing.add(one);
    } else if (!packages.has(path)) packages.set(path, await import(path));
  }
  return modules;
}

/** One process: each module is run once, where it is first imported. */
function start(modules: ReadonlyMap<string, Module>): Adapter {
  const made = new Map<string, { exports: object }>();
  let shims = {};
  const load = (path: string): object => {
    const known = made.get(path);
    if (known !== undefined) return known.exports;
    const { run, imports } = modules.get(path)!; // the closure has every import
    const module = { exports: {} };
    made.set(path, module);
    const require = (specifier: string) => {
      const found = imports.get(specifier)!; // found in its text
      return isOwn(found) ? load(found) : packages.get(found);
    };
    run(shims)(require, module.exports, module); // those that the shims are made of need none
    return module.exports;
  };
  shims = load(SHIMS_FILE);
  return load(ENTRY) as Adapter;
}

export async function loadPatched(patches: readonly Patch[], level: Level = 'tokens'): Promise<Loaded> {
  const modules = await closure(level, patches);
  return await withSecond(async () => start(modules));
}
