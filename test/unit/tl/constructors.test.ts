import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ROOT, readVector } from '../../helpers/vectors.ts';

const source = ['constructors.ts', 'lite-constructors.ts']
  .map((file) => readFileSync(join(ROOT, 'src/tl', file), 'utf8'))
  .join('\n');
const constructors = [...source.matchAll(/\/\*\* (\S+) ?([^*]*?) \*\/\nexport const \w+ = 0x([0-9a-f]{8});/g)].map(
  ([, name, rest, id]) => ({ name: name!, schema: `${name} ${rest}`.trim(), id: id! }),
);
const reference = readVector<{ constructor_ids: Record<string, string> }>('synthetic/reference.json').constructor_ids;

describe('a TL constructor id', () => {
  it('is found beside its schema line, for every constant of the file', () => {
    expect(constructors.length).toBe(source.match(/^export const/gm)!.length);
  });

  it.each(constructors)('is the CRC-32 of its schema line: $name', ({ schema, id }) => {
    // Source: ton tl/generate: parentheses are deleted, not replaced by spaces.
    expect(crc32(schema.replace(/[()]/g, '')).toString(16).padStart(8, '0')).toBe(id);
  });

  it.each(constructors.filter(({ name }) => name in reference))(
    'equals an independent implementation: $name',
    ({ name, id }) => {
      expect(id).toBe(reference[name]);
    },
  );
});
