/** Every public name, entry by entry: few, each once, each with one meaning. A new one needs a line in the changelog. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicNames } from '../../scripts/public-names.mjs';
import { ROOT } from '../helpers/vectors.ts';

const {
  exports: entries,
  types,
  typesVersions,
} = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, { types: string; default: string } | string>;
  types: string;
  typesVersions: Record<string, Record<string, readonly string[]>>;
};
const modules = Object.entries(entries).flatMap(([name, entry]) =>
  typeof entry === 'string' ? [] : [{ name, file: entry.default }],
);
const valuesOf = async (file: string) => Object.keys(await import(join(ROOT, file)));

it.each(modules)('the names of $name are those on record', async ({ name, file }) => {
  expect((await valuesOf(file)).sort()).toMatchSnapshot(name);
});

const names = publicNames().flatMap((entry) => entry.names.map((one) => ({ ...one, entry: entry.entry })));
const public_ = new Set(names.map(({ name }) => name));

it('there are eight entries and at most 110 values', async () => {
  const values = (await Promise.all(modules.map(({ file }) => valuesOf(file)))).flat();
  expect(modules).toHaveLength(8);
  expect(values.length).toBeGreaterThan(50);
  expect(values.length).toBeLessThanOrEqual(110);
});

it('no value is public under two names', async () => {
  const values = (await Promise.all(modules.map(({ file }) => import(join(ROOT, file))))).flatMap(Object.values);
  expect(new Set(values).size).toBe(values.length);
});

it('a compiler that does not read exports finds the same types', () => {
  const all = Object.entries(entries).flatMap(([name, one]) => (typeof one === 'string' ? [] : [[name, one.types]]));
  const [[root, ofRoot], ...others] = all as [[string, string], ...[string, string][]];
  expect([root, ofRoot]).toEqual(['.', types]);
  expect(typesVersions).toEqual({ '*': Object.fromEntries(others.map(([name, file]) => [name.slice(2), [file]])) });
});

it('every name is public under one entry', () => {
  const all = names.map(({ name }) => name);
  expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
});

describe('docs/renamed.md', () => {
  const page = readFileSync(join(ROOT, 'docs/renamed.md'), 'utf8');
  const rows = [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) +\| (.*?) +\|/gm)].map(([, old, now]) => ({
    old: [...old!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
    // Names alone, or words on a member or option of a name.
    now: [...now!.matchAll(/^`[\w.]+`(?:.*`)?$/.test(now!) ? /`([\w.]+)`/g : /of `([\w.]+)`/g)].map(
      ([, name]) => name!,
    ),
  }));

  it('lists no name that is still public', () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.flatMap(({ old }) => old).filter((name) => public_.has(name))).toEqual([]);
  });

  it('leads to names that are public, in the entry that it says', () => {
    const now = rows.flatMap((row) => row.now);
    expect(now.length).toBeGreaterThan(30);
    expect(now.filter((name) => !public_.has(name))).toEqual([]);
    const where = [...page.matchAll(/^\| `\w+` +\| `([\w.]+)` +\| `([\w/-]+)` +\|/gm)];
    expect(where.length).toBeGreaterThan(20);
    for (const [, name, entry] of where) expect(names.find((one) => one.name === name)?.entry, name).toBe(entry);
  });
});
