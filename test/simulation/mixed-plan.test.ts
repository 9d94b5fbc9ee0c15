/** Worlds made of parts of others. `simulation.test.ts` runs them. */
import { expect, it } from 'vitest';
import { mixedPlan } from './mixed-plan.ts';

it('mixed worlds are the same each time, and have twelve servers at most, none twice', () => {
  let moments = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const { servers, steps } = mixedPlan(seed);
    if (steps.some((step) => step.kind === 'run' && step.moment !== undefined)) moments += 1;
    expect(mixedPlan(seed)).toEqual(mixedPlan(seed));
    expect(servers.length).toBeLessThanOrEqual(12);
    expect(new Set(servers.map(({ id }) => id)).size).toBe(servers.length);
    expect(steps.length).toBeGreaterThan(0);
  }
  expect(moments, 'worlds in which the clock is set at an event').toBeGreaterThan(60);
});
