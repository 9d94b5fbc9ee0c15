/** Signature sets for property tests: real keys, real signatures, any mix of defects. */
import fc from 'fast-check';
import type { SignatureEntry, SignatureList } from '../../src/core/block/signature-list.ts';
import type { ValidatorSet } from '../../src/core/validators/validator-set.ts';
import type { SignatureOutcome } from '../../src/core/verify/report.ts';
import { corrupted, entryOf, makeBlockId, messageByHand, unsignedSet, withEntries } from './make-block.ts';
import { makeSet, makeSigner, makeSigners, type Signer } from './make-validators.ts';

const MAX_VALIDATORS = 8;
const SEATS = Array.from({ length: MAX_VALIDATORS }, (_, i) => makeSigner(`seat ${i}`, 1n));
const STRANGERS = makeSigners([1n, 1n], 'stranger');

/** How one entry came about. */
type Made = { readonly what: 'good' | 'bad' | 'stranger'; readonly who: number };

/** What is known of a set from how it was made, and not from what this library says of it. */
export interface Scenario {
  readonly set: SignatureList;
  readonly validators: ValidatorSet;
  readonly signers: readonly Signer[];
  /** What each entry has to come out as, in order. */
  readonly outcomes: readonly SignatureOutcome[];
  /** The weight of the good entries of signers that are not repeated. */
  readonly signedWeight: bigint;
  readonly totalWeight: bigint;
  /** The message that the good entries sign, laid by hand. */
  readonly message: Uint8Array;
}

const weight = fc.oneof(fc.bigInt({ min: 1n, max: 10n }), fc.bigInt({ min: 1n, max: 1n << 58n }));

const made: fc.Arbitrary<Made> = fc.record({
  what: fc.oneof(
    { weight: 8, arbitrary: fc.constant('good' as const) },
    fc.constantFrom('bad' as const, 'stranger' as const),
  ),
  who: fc.nat(MAX_VALIDATORS - 1),
});

/** A stranger is unknown however often it comes; a validator that comes twice is repeated, its entries good or not. */
function outcomesOf(entries: readonly Made[], seats: number): readonly SignatureOutcome[] {
  const seatOf = ({ what, who }: Made) => (what === 'stranger' ? undefined : who % seats);
  return entries.map((entry) => {
    const seat = seatOf(entry);
    if (seat === undefined) return 'unknown-signer';
    if (entries.filter((other) => seatOf(other) === seat).length > 1) return 'duplicate-signer';
    return entry.what === 'good' ? 'valid' : 'bad-signature';
  });
}

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
    const blank = unsignedSet(kind, makeBlockId(1000));
    const message = messageByHand(blank);
    const signatures = entries.map(({ what, who }): SignatureEntry => {
      if (what === 'stranger') return entryOf(STRANGERS[who % STRANGERS.length]!, message);
      const entry = entryOf(signers[who % signers.length]!, message);
      return what === 'bad' ? corrupted(entry, who) : entry;
    });
    const outcomes = outcomesOf(entries, signers.length);
    const weightOf = ({ who }: Made) => weights[who % weights.length]!;
    return {
      set: withEntries(blank, signatures),
      validators: makeSet(signers),
      signers,
      outcomes,
      signedWeight: entries.reduce((sum, one, i) => sum + (outcomes[i] === 'valid' ? weightOf(one) : 0n), 0n),
      totalWeight: weights.reduce((sum, one) => sum + one, 0n),
      message,
    };
  });
