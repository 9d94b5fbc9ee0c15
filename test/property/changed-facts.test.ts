/** Certificates of random content, and proofs and certificates with a bit changed. */
import { expect, it } from 'vitest';
import { fuzzInclusion } from '../helpers/fuzz-inclusion.ts';
import { roundTrips } from '../helpers/random-certificates.ts';
import { share } from '../helpers/share.ts';

it('random certificates are read back as they were written, to the byte', { timeout: 300_000 }, () => {
  expect(roundTrips(share(300, 10_000), 20261122)).toEqual([]);
});

const CASES = share(700, 20_000);

it('no one-bit change of a proof or a certificate is taken for another fact', { timeout: 300_000 }, () => {
  const { failures, accepted, refused } = fuzzInclusion(CASES, 20261121);
  expect(failures).toEqual([]);
  expect(accepted).toBeLessThan(CASES / 4);
  expect(refused.size).toBeGreaterThan(8);
});
