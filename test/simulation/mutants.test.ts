import { beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from './invariants.ts';
import noticedAt from './mutants.json' with { type: 'json' };
import { MUTANTS, staleRecordOf } from './mutants.ts';
import { loadPatched } from './patched.ts';
import type { Tried } from './runner.ts';

/** Worlds within which each fault has to be noticed. */
const WORLDS = 2000;

let whole: Tried;
beforeAll(async () => {
  whole = await loadPatched([]);
});

describe('simulated worlds notice', () => {
  it.each(MUTANTS)('when $breaks', async (mutant) => {
    const broken = await loadPatched(mutant.patches);
    expect(await staleRecordOf(whole, broken, mutant, noticedAt, WORLDS)).toBeUndefined();
  });

  it('when any of the invariants is broken', () => {
    expect(new Set(MUTANTS.map(({ noticed }) => noticed))).toEqual(new Set(INVARIANTS));
  });
});
