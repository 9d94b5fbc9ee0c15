/** The files that examples in comments read are those that `npm run vectors` makes. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXAMPLES_FOLDER, exampleFiles } from '../helpers/make-examples.ts';
import { readVectorBytes, VECTORS } from '../helpers/vectors.ts';

const made = exampleFiles();

it('has no other file', () => {
  expect(readdirSync(join(VECTORS, EXAMPLES_FOLDER)).sort()).toEqual(Object.keys(made).sort());
});

it.each(Object.keys(made))('%s is made as it was', (name) => {
  expect(readVectorBytes(`${EXAMPLES_FOLDER}/${name}`)).toEqual(Uint8Array.from(made[name]!));
});
