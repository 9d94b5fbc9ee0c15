/** An audit in one go, one that was cut anywhere, and one in parts: one ledger, whatever the chain, the policy and the faults are. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DRAWN_CASE, ledgersOf } from '../../helpers/same-bytes.ts';
import { share } from '../../helpers/share.ts';

it('the whole, the resumed and the merged ledger have the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(DRAWN_CASE, async (drawn) => {
      const { whole, resumed, merged } = await ledgersOf(drawn);
      expect(resumed).toBe(whole);
      expect(merged).toBe(whole);
    }),
    { numRuns: share(25, 300), endOnFailure: true },
  );
}, 300_000);
