/** TL constructor ids: each once in all of the sources, and the CRC-32 of its schema line. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ROOT, readVector } from '../../helpers/vectors.ts';

const SRC = join(ROOT, 'src');
const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(SRC, join(entry.parentPath, entry.name)));
const isTable = (file: string) => file.endsWith('/constructors.ts');
const textOf = (file: string) => readFileSync(join(SRC, file), 'utf8');
const source = files.filter(isTable).map(textOf).join('\n');
const constructors = [...source.matchAll(/\/\*\* (\S+) ?([^*]*?) \*\/\nexport const (\w+) = 0x([0-9a-f]{8});/g)].map(
  ([, name, rest, constant, id]) => ({ name: name!, schema: `${name} ${rest}`.trim(), constant: constant!, id: id! }),
);
const reference = readVector<{ constructor_ids: Record<string, string> }>('synthetic/reference.json').constructor_ids;

/** What is there more than once. */
const twice = (values: readonly string[]) => values.filter((value, at) => values.indexOf(value) !== at);

describe('a TL constructor id', () => {
  it('is found beside its schema line, for every constant of the tables', () => {
    expect(files.filter(isTable).sort()).toEqual([
      'core/tl/constructors.ts',
      'net/adnl/constructors.ts',
      'net/lite-api/constructors.ts',
    ]);
    expect(constructors.length).toBe(source.match(/^export const/gm)!.length);
  });

  it.each(constructors)('is the CRC-32 of its schema line: $name', ({ schema, id }) => {
    // Source: ton tl/generate: parentheses are deleted, not replaced by spaces.
    expect(crc32(schema.replace(/[()]/g, '')).toString(16).padStart(8, '0')).toBe(id);
  });

  it('is there once, under one name, with one schema line', () => {
    expect(twice(constructors.map(({ id }) => id))).toEqual([]);
    expect(twice(constructors.map(({ name }) => name))).toEqual([]);
    expect(twice(constructors.map(({ constant }) => constant))).toEqual([]);
  });

  it('is written as a number in no other file', () => {
    const elsewhere = files
      .filter((file) => !isTable(file))
      .flatMap((file) => [...textOf(file).matchAll(/\b(?:0x)?([0-9a-f]{8})\b/gi)].map(([, id]) => ({ file, id })))
      .filter(({ id }) => constructors.some((one) => one.id === id!.toLowerCase()));
    expect(elsewhere).toEqual([]);
  });

  it.each(constructors.filter(({ name }) => name in reference))(
    'equals an independent implementation: $name',
    ({ name, id }) => {
      expect(id).toBe(reference[name]);
    },
  );
});

it('a list of an answer has one cap: no two constants have the same words or the same function of ton', () => {
  const caps = [
    ...readFileSync(join(SRC, 'core/base/limits.ts'), 'utf8').matchAll(
      /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\nexport const MAX_\w+ = (\d+);/g,
    ),
  ].map(([, words, value]) => ({ words: words!.replace(/\s\*?\s*/g, ' ').trim(), value: value! }));
  expect(caps.length).toBeGreaterThan(15);
  expect(twice(caps.map(({ words }) => words))).toEqual([]);
  const functions = caps.flatMap(({ words, value }) =>
    [...words.matchAll(/\b(?:perform|continue)_\w+|\bGetShardBlockProof\b/g)].map(([name]) => `${name} ${value}`),
  );
  expect(functions.length).toBeGreaterThan(3);
  expect(twice(functions)).toEqual([]);
});
