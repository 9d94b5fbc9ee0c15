/** Laws that hold for every set, whatever its weights and defects. fast-check prints the seed of a counterexample. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { equalBytes } from '../../src/core/base/bytes.ts';
import { signedMessage } from '../../src/core/message/signed-message.ts';
import { nodeIdShort } from '../../src/core/validators/node-id-short.ts';
import { checkSignatures } from '../../src/core/verify/check-signatures.ts';
import { verifyBlock } from '../../src/core/verify/verifier.ts';
import { scenario } from '../helpers/arbitraries.ts';
import { entryOf, withEntries } from '../helpers/make-block.ts';
import { share } from '../helpers/share.ts';

const runs = { numRuns: share(80, 300), seed: 20_261_120 };

it('every entry comes out as what it was made, and the weights are those of the good ones', () => {
  fc.assert(
    fc.property(scenario, ({ set, validators, outcomes, signedWeight, totalWeight }) => {
      const coverage = checkSignatures(set, validators);
      expect(coverage.signatures.map(({ outcome }) => outcome)).toEqual(outcomes);
      expect(coverage.signedWeight).toBe(signedWeight);
      expect(coverage.totalWeight).toBe(totalWeight);
    }),
    runs,
  );
});

it('the message is the one laid by hand', () => {
  fc.assert(
    fc.property(scenario, ({ set, message }) => {
      expect(signedMessage(set)).toEqual(message);
    }),
    runs,
  );
});

it('the order of entries changes neither signed weight nor verdict', () => {
  fc.assert(
    fc.property(
      scenario.chain((s) =>
        fc.record({
          s: fc.constant(s),
          order: fc.shuffledSubarray([...s.set.signatures], { minLength: s.set.signatures.length }),
        }),
      ),
      ({ s, order }) => {
        const one = verifyBlock(s.set, s.validators);
        const two = verifyBlock(withEntries(s.set, order), s.validators);
        expect(two.coverage.signedWeight).toBe(one.coverage.signedWeight);
        expect(two.verdict.status).toBe(one.verdict.status);
      },
    ),
    runs,
  );
});

it('adding an entry by a new valid signer never lowers signed weight', () => {
  fc.assert(
    fc.property(scenario, ({ set, validators, signers, signedWeight, message }) => {
      const present = (key: Uint8Array) =>
        set.signatures.some((entry) => equalBytes(entry.nodeIdShort, nodeIdShort(key)));
      const newcomer = signers.find(({ publicKey }) => !present(publicKey));
      fc.pre(newcomer !== undefined);
      const grown = withEntries(set, [...set.signatures, entryOf(newcomer, message)]);
      expect(checkSignatures(grown, validators).signedWeight).toBe(signedWeight + newcomer.weight);
    }),
    runs,
  );
});

it('signed weight is never negative and never exceeds the total', () => {
  fc.assert(
    fc.property(scenario, ({ set, validators }) => {
      const { signedWeight, totalWeight } = checkSignatures(set, validators);
      return signedWeight >= 0n && signedWeight <= totalWeight;
    }),
    runs,
  );
});

it('a set is final exactly when it has no defect and 3s > 2t', () => {
  fc.assert(
    fc.property(scenario, ({ set, validators, outcomes, signedWeight, totalWeight }) => {
      const { verdict } = verifyBlock(set, validators);
      const flawless = outcomes.every((outcome) => outcome === 'valid');
      expect(verdict.status === 'final').toBe(flawless && 3n * signedWeight > 2n * totalWeight);
    }),
    runs,
  );
});

it('with defects ignored, a set is final exactly when 3s > 2t', () => {
  fc.assert(
    fc.property(scenario, ({ set, validators, signedWeight, totalWeight }) => {
      const { verdict } = verifyBlock(set, validators, { onDefect: 'ignore' });
      expect(verdict.status === 'final').toBe(3n * signedWeight > 2n * totalWeight);
    }),
    runs,
  );
});

it('a repeated signer adds nothing and takes its weight away', () => {
  fc.assert(
    fc.property(scenario, fc.nat(), ({ set, validators, signers, outcomes, signedWeight }, pick) => {
      fc.pre(set.signatures.length > 0);
      const at = pick % set.signatures.length;
      const repeated = set.signatures[at]!;
      const after = checkSignatures(withEntries(set, [...set.signatures, repeated]), validators);
      const own = signers.find(({ publicKey }) => equalBytes(nodeIdShort(publicKey), repeated.nodeIdShort));
      expect(after.signedWeight).toBe(signedWeight - (outcomes[at] === 'valid' ? own!.weight : 0n));
    }),
    runs,
  );
});

it('entries and missing validators account for every validator exactly once', () => {
  fc.assert(
    fc.property(scenario, ({ set, validators }) => {
      const { signatures, missing } = checkSignatures(set, validators);
      const seen = new Set(
        signatures.filter(({ outcome }) => outcome !== 'unknown-signer').map(({ nodeIdShort: id }) => String(id)),
      );
      for (const id of missing) {
        expect(seen.has(String(id))).toBe(false);
        seen.add(String(id));
      }
      expect(seen.size).toBe(validators.validators.length);
    }),
    runs,
  );
});
