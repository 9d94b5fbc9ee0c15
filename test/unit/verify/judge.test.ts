import { describe, expect, it } from 'vitest';
import { checkSignatures } from '../../../src/core/verify/check-signatures.ts';
import { judge } from '../../../src/core/verify/judge.ts';
import type { BlockContext } from '../../../src/core/verify/report.ts';
import { exceeds, requiredWeight } from '../../../src/core/verify/weights.ts';
import { makeBlockId, makeSignedSet, withEntries } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';
import { readVector } from '../../helpers/vectors.ts';

const signers = makeSigners([50n, 30n, 15n, 5n]);
const validators = makeSet(signers);
const set = makeSignedSet('ordinary', signers);

describe('the threshold', () => {
  const { threshold_examples } = readVector<{
    threshold_examples: { signed: string; total: string; final: boolean }[];
  }>('synthetic/reference.json');

  it.each(threshold_examples)('is strictly above 2/3: $signed of $total is $final', ({ signed, total, final }) => {
    const twoThirds = { num: 2n, den: 3n };
    expect(exceeds(BigInt(signed), BigInt(total), twoThirds)).toBe(final);
    expect(BigInt(signed) >= requiredWeight(BigInt(total), twoThirds)).toBe(final);
  });
});

describe('judge', () => {
  it('holds the weight against a stricter threshold', () => {
    const coverage = checkSignatures(makeSignedSet('ordinary', signers.slice(0, 2)), validators);
    expect(judge(coverage, validators).status).toBe('final');
    expect(judge(coverage, validators, {}, { threshold: { num: 4n, den: 5n } }).status).toBe('insufficient');
    expect(judge(coverage, validators, {}, { threshold: { num: 79n, den: 100n } }).status).toBe('final');
  });

  it('finds a head too old by a clock only, and one of unknown time always', () => {
    const coverage = checkSignatures(set, validators);
    const genUtime = { source: 'given', genUtime: 1000 } as const;
    const young = makeSet(signers, { utimeUntil: 2000 });
    const asked = (context: BlockContext) => judge(checkSignatures(set, young), young, context);
    for (const context of [{ maxHeadAgeSeconds: 60 }, { header: genUtime, maxHeadAgeSeconds: 60 }]) {
      expect(() => judge(coverage, validators, context)).toThrow(/nowSeconds.*expected a number/);
    }
    expect(asked({ header: genUtime, nowSeconds: 1060, maxHeadAgeSeconds: 60 })).toEqual({ status: 'final' });
    for (const context of [{ header: genUtime }, {}]) {
      const old = { ...context, nowSeconds: 1061, maxHeadAgeSeconds: 60 };
      expect(asked(old)).toEqual({ status: 'undecided', reason: 'stale-head' });
    }
  });

  it('refuses a coverage made with a set of another weight', () => {
    const coverage = checkSignatures(set, validators);
    const other = makeSet(signers.slice(0, 3));
    expect(() => judge(coverage, other)).toThrow(expect.objectContaining({ code: 'usage/bad-option' }));
  });

  it('refuses a coverage whose total is not the weight of the set, however it came about', () => {
    const few = checkSignatures(makeSignedSet('ordinary', signers.slice(0, 1)), validators);
    expect(judge(few, validators).status).toBe('insufficient');
    for (const totalWeight of [50n, 74n, 0n, 101n]) {
      expect(() => judge({ ...few, totalWeight }, validators)).toThrow(
        expect.objectContaining({ code: 'usage/bad-option' }),
      );
    }
    const byHand = { ...validators, totalWeight: validators.totalWeight };
    const coverage = checkSignatures(makeSignedSet('ordinary', signers.slice(0, 1)), byHand);
    expect(judge(coverage, byHand).status).toBe('insufficient');
    byHand.totalWeight = 50n;
    expect(() => judge(coverage, byHand)).toThrow(expect.objectContaining({ code: 'usage/bad-option' }));
  });

  it('refuses a coverage made with a set of another provenance, though it weighs the same', () => {
    const claimed = makeSet(signers, { provenance: { kind: 'claimed', source: 'a server' } });
    expect(() => judge(checkSignatures(set, claimed), validators)).toThrow(
      expect.objectContaining({ code: 'usage/bad-option' }),
    );
  });

  it('refuses a coverage made with a set that was put together by hand and weighs something else by now', () => {
    const hand = { ...validators };
    const coverage = checkSignatures(set, hand);
    expect(judge(coverage, hand).status).toBe('final');
    hand.totalWeight = 10n;
    expect(() => judge(coverage, hand)).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path: 'validators' }),
    );
  });

  it('refuses a coverage that checkSignatures did not make: facts cannot be typed', () => {
    const coverage = checkSignatures(withEntries(set, []), validators);
    for (const typed of [{ ...coverage, signedWeight: 100n }, { ...coverage }, structuredClone(coverage), undefined]) {
      expect(() => judge(typed as never, validators)).toThrow(
        expect.objectContaining({ code: 'usage/bad-option', path: 'coverage' }),
      );
    }
  });

  it('refuses the context of another block, by id, by seqno alone, or by a seqno beside the id', () => {
    const coverage = checkSignatures(set, validators);
    const headers = [
      { source: 'given', blockId: makeBlockId(1001) },
      { source: 'claimed', seqno: 1001 },
      { source: 'claimed', blockId: set.blockId, seqno: 1001 },
    ] as const;
    for (const header of headers) {
      expect(() => judge(coverage, validators, { header })).toThrow(
        expect.objectContaining({ code: 'usage/bad-option', path: 'context.header' }),
      );
    }
  });
});
