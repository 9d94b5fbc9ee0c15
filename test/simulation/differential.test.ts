import { expect, it } from 'vitest';
import { compareWalks } from './differential.ts';

it('judges random answers as the real walk does', () => {
  const { apart, holding, sameCode, answers } = compareWalks(1, 700);
  expect(apart).toEqual([]);
  expect(holding).toBeGreaterThan(answers / 8);
  expect(sameCode).toBeGreaterThan(answers / 3);
});
