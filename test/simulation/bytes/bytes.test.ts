import { beforeAll, describe, expect, it } from 'vitest';
import { staleRecordOf } from '../mutants.ts';
import { BYTE_LIES } from '../plan.ts';
import { live, planOf, runWorlds, type Summary, storyOf, type Tried } from '../runner.ts';
import noticedAt from './mutants.json' with { type: 'json' };
import { BYTE_MUTANTS } from './mutants.ts';
import { loadByteSubject } from './subject.ts';

const WORLDS = 100;

let subject: Tried;
let summary: Summary;
/** What liars did to the bytes of their answers. */
const lies = new Set<string>();
beforeAll(async () => {
  subject = await loadByteSubject('worlds-bytes');
  summary = await runWorlds(subject, 1, WORLDS, (_, outcome) => {
    for (const lie of outcome.byteLies) lies.add(lie);
  });
}, 900_000);

describe('simulated worlds whose servers answer in real bytes', () => {
  it('break no invariant', async () => {
    const [first] = summary.failed;
    if (first === undefined) return;
    const plan = planOf(subject, first.seed);
    expect.unreachable(storyOf(plan, await live(subject, plan, true)));
  });

  it('are the same each time', async () => {
    for (const seed of [2, 3, 5]) {
      const [one, other] = [
        await live(subject, planOf(subject, seed), true),
        await live(subject, planOf(subject, seed), true),
      ];
      expect(one).toEqual(other);
      expect(one.trace.length).toBeGreaterThan(0);
    }
  });

  it('end as final often, and have a liar that answers first in most', () => {
    const { withoutException, liarFirst } = summary;
    expect(withoutException).toBeGreaterThan(WORLDS / 2);
    expect(liarFirst).toBeGreaterThanOrEqual(withoutException / 2);
    expect(summary.finals).toBeGreaterThan(WORLDS / 2);
  });

  it('change the bytes of answers in every way there is', () => {
    expect([...lies].sort()).toEqual([...BYTE_LIES].sort());
  });

  it.each(BYTE_MUTANTS.map((mutant, at) => ({ ...mutant, at })))(
    'notice when $breaks',
    async ({ at, ...mutant }) => {
      const broken = await loadByteSubject(`mutant-bytes-${at}`, mutant.patches);
      expect(await staleRecordOf(subject, broken, mutant, noticedAt, WORLDS)).toBeUndefined();
    },
    180_000,
  );
});
