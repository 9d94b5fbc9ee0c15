/** Worlds made of parts of others. */
import { expect, it } from 'vitest';
import { loadSubject } from './bundle.ts';
import { mixedPlan } from './mixed-plan.ts';
import { live } from './runner.ts';

it('mixed worlds are the same each time, and have twelve servers at most, none twice', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { servers, steps } = mixedPlan(seed);
    expect(mixedPlan(seed)).toEqual(mixedPlan(seed));
    expect(servers.length).toBeLessThanOrEqual(12);
    expect(new Set(servers.map(({ id }) => id)).size).toBe(servers.length);
    expect(steps.length).toBeGreaterThan(0);
  }
});

// Some are late: docs/live-testing.md says so.
it('mixed worlds break no invariant but the one about time', async () => {
  const subject = await loadSubject('mixed');
  for (let seed = 1; seed <= 60; seed++) {
    const { violations } = await live(subject, mixedPlan(seed));
    expect(violations.filter(({ invariant }) => invariant !== 'ends')).toEqual([]);
  }
});
