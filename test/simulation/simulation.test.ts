import { beforeAll, describe, expect, it } from 'vitest';
import { loadSubject } from './bundle.ts';
import kept from './kept.json' with { type: 'json' };
import { mixedPlan } from './mixed-plan.ts';
import { makePlan, type Plan } from './plan.ts';
import { live, runWorlds, type Summary, storyOf, type Tried } from './runner.ts';

/** The first worlds. */
const WORLDS = 2000;

let subject: Tried;
let summary: Summary;
beforeAll(async () => {
  subject = await loadSubject('worlds');
  summary = await runWorlds(subject, 1, WORLDS);
}, 900_000);

describe('simulated worlds', () => {
  it('break no invariant', async () => {
    const [first] = summary.failed;
    if (first === undefined) return;
    const plan = makePlan(first.seed);
    expect.unreachable(storyOf(plan, await live(subject, plan, true)));
  });

  it('are the same each time', async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const [one, other] = [await live(subject, makePlan(seed), true), await live(subject, makePlan(seed), true)];
      expect(one).toEqual(other);
      expect(one.trace.length).toBeGreaterThan(0);
    }
  });

  it('fall under each exception often enough, and have a liar that answers first in most others', () => {
    const { exceptions, withoutException, liarFirst } = summary;
    for (const letter of 'abcdef') expect(exceptions[letter], letter).toBeGreaterThanOrEqual(WORLDS / 100);
    expect(withoutException).toBeGreaterThan(WORLDS / 2);
    expect(liarFirst).toBeGreaterThanOrEqual(withoutException / 2);
  });

  it.each(kept)('break none in the world of seed $seed: $showed', async ({ plan }) => {
    const read = plan as unknown as Plan; // written from one
    const { violations } = await live(subject, read);
    expect(violations).toEqual([]);
  });

  // Some are late: docs/live-testing.md says so. They run here, where what they run is compiled.
  it('made of parts of others break none but the one about time', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { violations } = await live(subject, mixedPlan(seed));
      expect(violations.filter(({ invariant }) => invariant !== 'ends')).toEqual([]);
    }
  });
});
