/** Every public name, entry by entry. A new one needs a line in the changelog. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { publicNames } from '../../scripts/public-names.mjs';
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

/** Rows of v3 have the names of what is proven: they move under one name. */
const TWICE = ['ActionPhase', 'ComputePhase'];

const names = publicNames();

it('every name is public under one entry', () => {
  const all = names.flatMap((entry) => entry.names.map(({ name }) => name));
  expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual(TWICE);
});
