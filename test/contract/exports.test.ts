/** Every public name, entry by entry. A new one needs a line in the changelog. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/vectors.ts';

const { exports: entries } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, { default: string } | string>;
};

it.each(Object.entries(entries).filter(([, entry]) => typeof entry !== 'string'))(
  'the names of %s are those on record',
  async (name, entry) => {
    const file = (entry as { default: string }).default; // the filter left only such
    expect(Object.keys(await import(join(ROOT, file))).sort()).toMatchSnapshot(name);
  },
);

it('every name of what is asked of servers is public under one specifier', async () => {
  const specifiers = ['./http', './sources', './lite'];
  const lists = await Promise.all(
    specifiers.map(async (name) => {
      const { default: file } = entries[name] as { default: string };
      return Object.keys(await import(join(ROOT, file)));
    }),
  );
  const names = lists.flat();
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
