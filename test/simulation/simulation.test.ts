import { beforeAll, describe, expect, it } from 'vitest';
import { loadSubject } from './bundle.ts';
import { makePlan } from './plan.ts';
import { live, runWorlds, type Tried } from './runner.ts';

/** A number of the first worlds that is enough for each exception, and quick. */
const WORLDS = 600;

let subject: Tried;
beforeAll(async () => {
  subject = await loadSubject('today');
});

describe('simulated worlds', () => {
  it('are the same each time', async () => {
    for (let seed = 1; seed <= 25; seed++) {
      const [one, other] = [await live(subject, makePlan(seed), true), await live(subject, makePlan(seed), true)];
      expect(one).toEqual(other);
      expect(one.trace.length).toBeGreaterThan(0);
    }
  });

  it('fall under each exception often enough, and have a liar that answers first in most others', async () => {
    const { exceptions, withoutException, liarFirst } = await runWorlds(subject, 1, WORLDS);
    for (const letter of 'abcdef') expect(exceptions[letter], letter).toBeGreaterThanOrEqual(WORLDS / 100);
    expect(withoutException).toBeGreaterThan(WORLDS / 2);
    expect(liarFirst).toBeGreaterThanOrEqual(withoutException / 2);
  });
});
