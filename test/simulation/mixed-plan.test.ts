/** Worlds made of parts of others. `simulation.test.ts` runs them. */
import { expect, it } from 'vitest';
import { mixedPlan } from './mixed-plan.ts';

it('mixed worlds are the same each time, and have twelve servers at most, none twice', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { servers, steps } = mixedPlan(seed);
    expect(mixedPlan(seed)).toEqual(mixedPlan(seed));
    expect(servers.length).toBeLessThanOrEqual(12);
    expect(new Set(servers.map(({ id }) => id)).size).toBe(servers.length);
    expect(steps.length).toBeGreaterThan(0);
  }
});
