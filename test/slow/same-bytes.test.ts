/** Thousands of drawn audits, in one go, cut, and in parts: one ledger each. `SEED` and `NUM` choose which, and how many. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DRAWN_CASE, ledgersOf } from '../helpers/same-bytes.ts';

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const numRuns = Number(process.env.NUM ?? 5000);

it(`${numRuns} times the whole, the resumed and the merged ledger have the same bytes (SEED=${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(DRAWN_CASE, async (drawn) => {
      const { whole, resumed, merged } = await ledgersOf(drawn);
      expect(resumed).toBe(whole);
      expect(merged).toBe(whole);
    }),
    { numRuns, seed, endOnFailure: true },
  );
}, 3_600_000);
