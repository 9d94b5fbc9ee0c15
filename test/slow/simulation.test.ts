import { expect, it } from 'vitest';
import { compareWalks } from '../simulation/differential.ts';

it('judges 10 000 random answers as the real walk does', { timeout: 600_000 }, () => {
  const { apart, holding, sameCode } = compareWalks(10_000, 10_000);
  console.log(`${holding} hold, ${sameCode} are refused for one reason`);
  expect(apart).toEqual([]);
});
