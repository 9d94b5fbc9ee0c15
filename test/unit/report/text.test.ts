import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverageRatio } from '../../../src/report/json.ts';
import { renderSigners, renderText } from '../../../src/report/text.ts';
import { createValidatorSet } from '../../../src/validators/validator-set.ts';
import { verifyBlock } from '../../../src/verify/verifier.ts';
import { scenario } from '../../helpers/arbitraries.ts';
import { corrupted, makeBlockId, makeSignedSet, withEntries } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([50n, 30n, 20n]);
const validators = makeSet(signers);
const set = makeSignedSet('ordinary', signers);
const text = (...args: Parameters<typeof verifyBlock>) => renderText(verifyBlock(...args));

describe('the text of a report', () => {
  it('says the verdict first', () => {
    expect(text(set, validators)).toMatch(/^FINAL: masterchain block 1000 \(ordinary signatures\)\n/);
    expect(text(withEntries(set, []), validators)).toMatch(/^NOT FINAL, insufficient weight: /);
    const bad = withEntries(set, [corrupted(set.signatures[0]!), ...set.signatures.slice(1)]);
    expect(text(bad, validators)).toMatch(/^NOT FINAL, rejected for 1 bad entry: /);
    expect(text(set, validators, { requireBoundId: true })).toMatch(/^UNDECIDED, unbound-id: /);
  });

  it('says where the set came from, for every provenance', () => {
    const provenances = [
      [{ kind: 'given' }, 'given by the caller'],
      [{ kind: 'claimed', source: 'https://a.example' }, 'only claimed by https://a.example'],
      [{ kind: 'proven', keyBlock: makeBlockId(7), anchor: makeBlockId(3) }, 'proven from block 3, by key block 7'],
    ] as const;
    for (const [provenance, words] of provenances) {
      expect(text(set, createValidatorSet(validators.validators, { provenance }))).toContain(words);
    }
  });

  it('says 0 more than needed when the weight just suffices', () => {
    const just = makeSigners([67n, 33n]);
    const one = makeSignedSet('ordinary', just.slice(0, 1));
    expect(text(one, makeSet(just))).toContain('67 of 100 signed, 0 more than needed');
  });

  it('names the exceptions of a policy', () => {
    const report = text(set, validators, { onDefect: 'ignore', acceptClaimed: true, threshold: { num: 3n, den: 4n } });
    expect(report).toContain('more than 3/4, defects ignored, unlike the node, claimed set accepted');
  });

  it('fills the bar past the line exactly when the weight suffices for it, whatever the weights', () => {
    fc.assert(
      fc.property(scenario, ({ set: any, validators: members }) => {
        const report = verifyBlock(any, members);
        const line = renderText(report)
          .split('\n')
          .find((row) => row.includes('coverage'))!;
        const [left, right] = line.split('|') as [string, string];
        if (report.coverage.signedWeight < report.requiredWeight) expect(right).not.toContain('█');
        else expect(left).not.toContain('░');
      }),
      { numRuns: 200 },
    );
  });

  it('never rounds a share up', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 61n }), fc.bigInt({ min: 1n, max: 2n ** 61n }), (a, b) => {
        const [signed, total] = a < b ? [a, b] : [b, a];
        fc.pre(total > 0n);
        const ratio = coverageRatio(signed, total);
        return BigInt(Math.round(ratio * 1e6)) * total <= signed * 1_000_000n && (ratio < 1 || signed === total);
      }),
    );
  });
});

it('the table of signers has a line for every entry and every missing validator', () => {
  const rows = renderSigners(verifyBlock(withEntries(set, set.signatures.slice(1)), validators), validators).split(
    '\n',
  );
  expect(rows).toHaveLength(1 + 2 + 1);
  expect(rows[1]).toMatch(/^ {6}0 {2}[0-9a-f]{64} +30 +30\.0000 % {2}valid$/);
  expect(rows[3]).toMatch(/^ {6}- {2}[0-9a-f]{64} +50 +50\.0000 % {2}missing$/);
});
