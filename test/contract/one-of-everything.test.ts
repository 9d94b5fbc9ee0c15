/** Rules that a reader of one file cannot see: nothing is there twice, one name has one meaning, and no file leads back to itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');
const TEXTS: ReadonlyMap<string, string> = new Map(
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('assembly'))
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(SRC, name), 'utf8')]),
);

/** What each file declares by lines that fit, with the files of each name. */
function declared(pattern: RegExp): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const [file, text] of TEXTS) {
    for (const name of new Set([...text.matchAll(pattern)].map((match) => match[1]!))) {
      files.set(name, [...(files.get(name) ?? []), file]);
    }
  }
  return files;
}

/** Files that a file imports, types and lazy imports included. */
function importsOf(file: string): string[] {
  const named = [...TEXTS.get(file)!.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
  return named
    .map(([, path]) => relative(SRC, join(SRC, dirname(file), path!)).replaceAll('\\', '/'))
    .filter((path) => TEXTS.has(path));
}

/** Groups of files each of which leads to all the others: Tarjan's algorithm. */
function circles(): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    open.push(file);
    for (const next of importsOf(file)) {
      if (!index.has(next)) visit(next);
      if (open.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) found.push(group.sort());
  };
  for (const file of TEXTS.keys()) if (!index.has(file)) visit(file);
  return found;
}

const DECLARES = '(?:declare |abstract |async )*(?:function\\*?|const|let|class|interface|type|enum) ';
/** What each file exports by a declaration of its own. */
const exported = declared(new RegExp(`^export ${DECLARES}(\\w+)`, 'gm'));
/** Every type and class that each file declares, for others or for itself alone. */
const typed = declared(/^(?:export )?(?:declare |abstract )*(?:class|interface|type|enum) (\w+)/gm);
/** Constants in capitals, for others or for the file alone. */
const constants = declared(/^(?:export )?const ([A-Z][A-Z0-9_]+)\b/gm);
/** What each file declares for itself alone, without constants in capitals. */
const kept = declared(new RegExp(`^${DECLARES}(?![A-Z0-9_]+\\b)(\\w+)`, 'gm'));

/** Files that a bundler takes in place of others for browsers. A pair counts as one file. */
const REPLACED: ReadonlyMap<string, string> = new Map(
  Object.entries<string>(JSON.parse(readFileSync(join(SRC, '../package.json'), 'utf8')).browser).map(
    ([file, other]) => {
      const [of, by] = [file, other].map((path) => path.replace('./build/src/', '').replace('.js', '.ts'));
      return [by!, of!];
    },
  ),
);

/** What one call may take of an input stands in one place, whoever counts it: a size, a depth, a number of elements. */
function isCap(name: string): boolean {
  return /^(?:MAX|WORK)_/.test(name) && !/_(?:MS|SECONDS)$/.test(name);
}

describe('one of everything', () => {
  it('reads the sources', () => {
    expect(TEXTS.size).toBeGreaterThan(200);
    expect(importsOf('core/verify/judge.ts')).toContain('core/verify/report.ts');
  });

  it('no file leads back to itself, types and lazy imports included', () => {
    expect(circles().map((group) => group.sort().join(' '))).toEqual([]);
  });

  it('a name that a file exports has one meaning: no other file exports it', () => {
    const twice = [...exported].filter(
      ([, files]) => new Set(files.map((file) => REPLACED.get(file) ?? file)).size > 1,
    );
    expect(twice.map(([name]) => name)).toEqual([]);
    expect(exported.size).toBeGreaterThan(1000);
    for (const file of [...REPLACED].flat()) expect(TEXTS.has(file), file).toBe(true);
  });

  it('a type has one meaning: no two files declare its name, not even for themselves', () => {
    const twice = [...typed].filter(([, files]) => files.length > 1).map(([name]) => name);
    expect(twice).toEqual([]);
    expect(typed.size).toBeGreaterThan(600);
  });

  it('a type has one name: none is declared as another type under a second name', () => {
    const second = [...declared(/^(?:export )?type (\w+ = \w+);/gm).keys()].filter((it) =>
      typed.has(it.split(' = ')[1]!),
    );
    expect(second).toEqual([]);
  });

  it('a constant that a file exports has one meaning: no other file declares its name', () => {
    const twice = [...constants].filter(([name, files]) => exported.has(name) && files.length > 1);
    // The list may only shrink.
    expect(twice.map(([name]) => name).sort()).toEqual([]);
  });

  it('no private function, class or type of one name is in three files', () => {
    const thrice = [...kept].filter(([, files]) => files.length > 2).map(([name]) => name);
    expect(thrice).toEqual([]);
    expect(kept.size).toBeGreaterThan(1000);
  });

  it('no number of one name and value is declared twice', () => {
    const twice = [...declared(/^(?:export )?const ([A-Z][A-Z0-9_]+(?:: number)? = -?\d[^;\n]*);/gm)];
    const names = twice.filter(([, files]) => files.length > 1).map(([declaration]) => declaration.split(/[ :]/)[0]!);
    expect([...new Set(names)]).toEqual([]);
  });

  it('a knob that one file uses is in that file', () => {
    const limits = TEXTS.get('core/base/limits.ts')!;
    const names = [...limits.matchAll(/^export const (\w+)/gm)].map((match) => match[1]!);
    const users = (name: string) =>
      [...TEXTS].filter(([file, text]) => file !== 'core/base/limits.ts' && new RegExp(`\\b${name}\\b`).test(text));
    const isOwn = (name: string) => new RegExp(`\\b${name}\\b`, 'g')[Symbol.match](limits)!.length > 1;
    const far = names.filter((name) => !isCap(name) && users(name).length < 2 && !isOwn(name));
    expect(far).toEqual([]);
  });
});
