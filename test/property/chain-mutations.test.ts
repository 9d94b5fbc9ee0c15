import { expect, it } from 'vitest';
import { fuzzChain } from '../helpers/mutate.ts';

it('damaged proofs, blocks and checkpoints give a typed error or the same result, each within 100 ms and 64 MB', () => {
  const { failures, cases, accepted, refused } = fuzzChain(1500, 20251120);
  expect(failures).toEqual([]);
  expect(cases).toBe(1500);
  // The damage is neither all harmless nor all stopped at the door.
  expect(accepted).toBeGreaterThan(10);
  expect(refused.size).toBeGreaterThan(8);
});
