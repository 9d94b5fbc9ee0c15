/** Signature sets for property tests: real keys, real signatures, any mix of defects. */
import fc from 'fast-check';
import type { SignatureEntry, SignatureSet } from '../../src/decode/signature-set.ts';
import { signedMessage } from '../../src/message/signed-message.ts';
import type { ValidatorSet } from '../../src/validators/validator-set.ts';
import { corrupted, entryOf, makeSignedSet, withEntries } from './make-block.ts';
import { makeSet, makeSigner, makeSigners, type Signer } from './make-validators.ts';

const MAX_VALIDATORS = 8;
const SEATS = Array.from({ length: MAX_VALIDATORS }, (_, i) => makeSigner(`seat ${i}`, 1n));
const STRANGERS = makeSigners([1n, 1n], 'stranger');

/** How one entry came about. */
type Made = { readonly what: 'good' | 'bad' | 'stranger'; readonly who: number };

export interface Scenario {
  readonly set: SignatureSet;
  readonly validators: ValidatorSet;
  readonly signers: readonly Signer[];
}

const weight = fc.oneof(fc.bigInt({ min: 1n, max: 10n }), fc.bigInt({ min: 1n, max: 1n << 58n }));

const made: fc.Arbitrary<Made> = fc.record({
  what: fc.oneof(
    { weight: 8, arbitrary: fc.constant('good' as const) },
    fc.constantFrom('bad' as const, 'stranger' as const),
  ),
  who: fc.nat(MAX_VALIDATORS - 1),
});

/** One to eight validators of any weights and up to twelve entries: good, bad, unknown, repeated. */
export const scenario: fc.Arbitrary<Scenario> = fc
  .record({
    kind: fc.constantFrom('ordinary' as const, 'simplex' as const),
    weights: fc.array(weight, { minLength: 1, maxLength: MAX_VALIDATORS }),
    entries: fc.oneof(
      fc.uniqueArray(made, { maxLength: MAX_VALIDATORS, selector: ({ who }) => who }),
      fc.array(made, { maxLength: 12 }),
    ),
  })
  .map(({ kind, weights, entries }): Scenario => {
    const signers = weights.map((seatWeight, i) => ({ ...SEATS[i]!, weight: seatWeight }));
    const blank = makeSignedSet(kind, []);
    const message = signedMessage(blank);
    const signatures = entries.map(({ what, who }): SignatureEntry => {
      if (what === 'stranger') return entryOf(STRANGERS[who % STRANGERS.length]!, message);
      const entry = entryOf(signers[who % signers.length]!, message);
      return what === 'bad' ? corrupted(entry, who) : entry;
    });
    return { set: withEntries(blank, signatures), validators: makeSet(signers), signers };
  });
