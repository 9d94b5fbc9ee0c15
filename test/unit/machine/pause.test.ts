/** How long a run pauses before it tries again. */
import { expect, it } from 'vitest';
import { backoffMs, grownMs } from '../../../src/net/machine/pause.ts';

it('a pause doubles with each failure, up to a cap', () => {
  expect([0, 1, 2, 3, 4, 5].map((times) => grownMs(500, 8000, times))).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
  expect([0, 1, 2].map((times) => grownMs(400, 700, times, 1.5))).toEqual([400, 600, 700]);
});

it('a pause is a number however often a try failed', () => {
  expect(grownMs(500, 8000, 1e9)).toBe(8000);
  expect(grownMs(0, 8000, 1e9)).toBe(0);
});

it('a pause before what failed is drawn between half of it and all of it', () => {
  expect([0, 0.5, 1].map((chance) => backoffMs(500, 8000, 1, chance))).toEqual([500, 750, 1000]);
  expect([0, 1].map((chance) => backoffMs(400, 1000, 1, chance, 1.5))).toEqual([300, 600]);
});
