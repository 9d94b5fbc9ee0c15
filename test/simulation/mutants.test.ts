import { beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from './invariants.ts';
import noticedAt from './mutants.json' with { type: 'json' };
import { firstToNotice, MUTANTS } from './mutants.ts';
import { loadPatched } from './patched.ts';
import type { Tried } from './runner.ts';

/** Worlds within which each fault has to be noticed. */
const WORLDS = 2000;

let whole: Tried;
beforeAll(async () => {
  whole = await loadPatched([]);
});

describe('simulated worlds notice', () => {
  it.each(MUTANTS)('when $breaks', async ({ breaks, patches, noticed }) => {
    const hint = noticedAt.find((row) => row.breaks === breaks)?.firstSeed ?? undefined;
    const seed = await firstToNotice(whole, await loadPatched(patches), noticed, WORLDS, hint);
    expect(seed, `no world of ${WORLDS} shows it`).toBeDefined();
  });

  it('when any of the invariants is broken', () => {
    expect(new Set(MUTANTS.map(({ noticed }) => noticed))).toEqual(new Set(INVARIANTS));
  });
});
