import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EFFECTS, lacksBlock, OUTCOMES } from '../../../src/net/machine/outcome.ts';
import { ROOT } from '../../helpers/vectors.ts';

const text = readFileSync(join(ROOT, 'src/base/errors.ts'), 'utf8').split('export type SourceErrorCode')[1]!;
const codes = [...text.split('/** Every code there is')[0]!.matchAll(/^ {2}\| '(source\/[a-z-]+)'/gm)].map(
  ([, code]) => code,
);

it('every code of a failed question has an outcome, and no other has', () => {
  expect(codes.length).toBeGreaterThan(10);
  expect(Object.keys(OUTCOMES).sort()).toEqual(codes.sort());
});

it('only what is false puts a server out, and only a good answer does it good', () => {
  const having = (effect: string) =>
    Object.keys(EFFECTS).filter((one) => EFFECTS[one as keyof typeof EFFECTS] === effect);
  expect([having('out'), having('good'), having('none')]).toEqual([['false'], ['answered'], ['none']]);
});

it('a server lacks a block that is not there yet or not known to it, and nothing else says so', () => {
  expect(
    Object.keys(OUTCOMES)
      .filter((code) => lacksBlock(code as keyof typeof OUTCOMES))
      .sort(),
  ).toEqual(['source/not-ready', 'source/other-chain']);
});
