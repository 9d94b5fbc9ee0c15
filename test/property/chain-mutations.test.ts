import { expect, it } from 'vitest';
import { fuzzChain } from '../helpers/mutate.ts';
import { share } from '../helpers/share.ts';

const CASES = share(600, 1500);

it('damaged proofs, blocks and checkpoints give a typed error or the same result, each within 100 000 reads and 64 MB', () => {
  const { failures, cases, accepted, refused } = fuzzChain(CASES, 20251120);
  expect(failures).toEqual([]);
  expect(cases).toBe(CASES);
  // The damage is neither all harmless nor all stopped at the door.
  expect(accepted).toBeGreaterThan(10);
  expect(refused.size).toBeGreaterThan(8);
});
