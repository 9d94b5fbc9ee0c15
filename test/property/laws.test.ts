/** Laws that hold for every set, whatever its weights and defects. fast-check prints the seed of a counterexample. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { equalBytes } from '../../src/base/bytes.ts';
import { signedMessage } from '../../src/message/signed-message.ts';
import { nodeIdShort } from '../../src/validators/node-id-short.ts';
import { checkSignatures } from '../../src/verify/check-signatures.ts';
import { verifyBlock } from '../../src/verify/verifier.ts';
import { scenario } from '../helpers/arbitraries.ts';
import { entryOf, withEntries } from '../helpers/make-block.ts';

const runs = { numRuns: 300, seed: 20_261_120 };

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
    fc.property(scenario, ({ set, validators, signers }) => {
      const present = (key: Uint8Array) =>
        set.signatures.some((entry) => equalBytes(entry.nodeIdShort, nodeIdShort(key)));
      const newcomer = signers.find(({ publicKey }) => !present(publicKey));
      fc.pre(newcomer !== undefined);
      const before = checkSignatures(set, validators).signedWeight;
      const grown = withEntries(set, [...set.signatures, entryOf(newcomer, signedMessage(set))]);
      expect(checkSignatures(grown, validators).signedWeight).toBe(before + newcomer.weight);
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
    fc.property(scenario, ({ set, validators }) => {
      const { coverage, verdict } = verifyBlock(set, validators);
      const flawless = coverage.signatures.every(({ outcome }) => outcome === 'valid');
      return (verdict.status === 'final') === (flawless && 3n * coverage.signedWeight > 2n * coverage.totalWeight);
    }),
    runs,
  );
});

it('with defects ignored, a set is final exactly when 3s > 2t', () => {
  fc.assert(
    fc.property(scenario, ({ set, validators }) => {
      const { coverage, verdict } = verifyBlock(set, validators, { onDefect: 'ignore' });
      return (verdict.status === 'final') === 3n * coverage.signedWeight > 2n * coverage.totalWeight;
    }),
    runs,
  );
});

it('a repeated signer adds nothing and takes its weight away', () => {
  fc.assert(
    fc.property(scenario, fc.nat(), ({ set, validators }, pick) => {
      fc.pre(set.signatures.length > 0);
      const repeated = set.signatures[pick % set.signatures.length]!;
      const before = checkSignatures(set, validators);
      const own = before.signatures.find(({ nodeIdShort: id }) => equalBytes(id, repeated.nodeIdShort))!;
      const after = checkSignatures(withEntries(set, [...set.signatures, repeated]), validators);
      expect(after.signedWeight).toBe(before.signedWeight - (own.outcome === 'valid' ? own.weight : 0n));
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

it('stopAtQuorum reaching 2/3 implies that the full check does', () => {
  fc.assert(
    fc.property(scenario, ({ set, validators }) => {
      const full = checkSignatures(set, validators);
      const quick = checkSignatures(set, validators, { stopAtQuorum: true });
      const above = ({ signedWeight, totalWeight }: typeof full) => 3n * signedWeight > 2n * totalWeight;
      expect(above(quick)).toBe(above(full));
      expect(quick.signedWeight <= full.signedWeight).toBe(true);
      for (const [i, { outcome }] of quick.signatures.entries()) {
        if (outcome !== 'unchecked') expect(outcome).toBe(full.signatures[i]!.outcome);
      }
    }),
    runs,
  );
});
