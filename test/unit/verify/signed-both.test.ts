/** Who signed two blocks: only those whose signatures are valid under both, by what they weigh. */
import { expect, it } from 'vitest';
import { signedBoth } from '../../../src/core/verify/signed-both.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { makeSignedSet, withEntries } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([40n, 30n, 20n, 10n]);
const validators = makeSet(signers);

/** A block signed by the first or the last three, and by one more whose signature is for another block. */
function report(seqno: number, from: number, bad: number) {
  const [set, other] = [makeSignedSet('ordinary', signers, seqno), makeSignedSet('ordinary', signers, seqno + 1)];
  const entries = set.signatures.slice(from, from + 3).filter((_, at) => at + from !== bad);
  return verifyBlock(withEntries(set, [...entries, other.signatures[bad]!]), validators);
}

it('a signer of two blocks is one whose signature is valid under both', () => {
  const [one, other] = [report(1000, 0, 2), report(2000, 1, 1)];
  // Valid under the first: 0 and 1. Valid under the second: 2 and 3, and 1 is not.
  expect(signedBoth(one, other)).toEqual({ signatures: [], weight: 0n });
  const [wide, late] = [report(3000, 0, 3), report(4000, 1, 0)];
  // Valid under the first: 0, 1 and 2, and 3 is not. Valid under the second: 1, 2 and 3, and 0 is not.
  for (const [a, b] of [
    [wide, late],
    [late, wide],
  ] as const) {
    const { signatures, weight } = signedBoth(a, b);
    expect(signatures.map(({ nodeIdShort }) => nodeIdShort)).toEqual(
      [1, 2].map((at) => makeSignedSet('ordinary', signers).signatures[at]!.nodeIdShort),
    );
    expect(weight).toBe(50n);
  }
});
