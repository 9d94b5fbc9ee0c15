import { describe, expect, it } from 'vitest';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import { copyValidators, createProvenSet, createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { markProven } from '../../../src/core/verify/context.ts';
import type { Verdict } from '../../../src/core/verify/report.ts';
import { strict } from '../../../src/core/verify/strict.ts';
import { createVerifier, verifyBlock } from '../../../src/core/verify/verifier.ts';
import { corrupted, makeBlockId, makeSignedSet, ORIGIN, withEntries } from '../../helpers/make-block.ts';
import { makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([50n, 30n, 20n]);
const members = signers.map(({ publicKey, weight }) => ({ publicKey, weight }));
const anchors = { ...ORIGIN, keyBlock: makeBlockId(900), anchor: makeBlockId(1) };
const proven = createProvenSet(copyValidators(members), { ...anchors, utimeUntil: 1_000_000 });
const simplex = makeSignedSet('simplex', signers);
const ordinary = makeSignedSet('ordinary', signers);
const now = { nowSeconds: 1_000_000 };
/** A header of the epoch of the set. */
const headerOf = (blockId: BlockIdExt) =>
  markProven(
    Object.freeze({
      globalId: ORIGIN.globalId,
      genUtime: ORIGIN.genUtime,
      vertSeqno: ORIGIN.vertSeqno,
      source: 'proven' as const,
      blockId,
      seqno: blockId.seqno,
      vertSeqnoIncr: false,
      prevKeyBlockSeqno: 900,
    }),
  );
const header = headerOf(simplex.blockId);
const short = (verdict: Verdict) => (verdict.status === 'undecided' ? verdict.reason : verdict.status);

describe('strict', () => {
  it('lets a block be final whose id is bound, under a set that is proven and young enough', () => {
    const report = verifyBlock(simplex, proven, strict({ ...now, header }));
    expect(report.verdict.status).toBe('final');
    expect(report.policy).toMatchObject({
      onDefect: 'reject',
      acceptClaimed: false,
      acceptUnbound: false,
      requireBoundId: true,
      requireProvenSet: true,
      requireHeader: true,
    });
  });

  it.each([
    ['a set that is only given', 'claimed-set', simplex, createValidatorSet(members, { utimeUntil: 1_000_000 }), now],
    ['an old set', 'stale-set', simplex, proven, { nowSeconds: 1_032_769 }],
    ['a set of unknown age', 'unknown-age', simplex, createProvenSet(copyValidators(members), anchors), now],
    ['an ordinary block without a header', 'unbound-id', ordinary, proven, now],
    ['a simplex block without a header', 'epoch-not-checked', simplex, proven, now],
    ['a header that is a copy', 'epoch-not-checked', simplex, proven, { ...now, header: { ...header } }],
    [
      'one bad signature',
      'rejected',
      withEntries(simplex, [...simplex.signatures.slice(0, 2), corrupted(simplex.signatures[2]!)]),
      proven,
      now,
    ],
  ] as const)('does not for %s', (_, reason, set, validators, clock) => {
    expect(short(verifyBlock(set, validators, strict(clock)).verdict)).toBe(reason);
  });

  it('takes a proven header for the id of an ordinary block', () => {
    const header = headerOf(ordinary.blockId);
    expect(verifyBlock(ordinary, proven, strict({ ...now, header })).verdict.status).toBe('final');
    const copy = { ...header };
    expect(short(verifyBlock(ordinary, proven, strict({ ...now, header: copy })).verdict)).toBe('unbound-id');
  });

  it('serves a verifier as well, and throws for another block than the expected one', async () => {
    const verifier = await createVerifier(proven);
    const right = strict({ ...now, header, expect: simplex.blockId });
    expect(verifier.verify(simplex, right).verdict.status).toBe('final');
    expect(() => verifier.verify(simplex, strict({ ...now, expect: makeBlockId(999) }))).toThrow(
      expect.objectContaining({ code: 'decode/unexpected-block', path: 'expect' }),
    );
    verifier.close();
  });

  it('has no default for the clock', () => {
    for (const none of [undefined, {}, { nowSeconds: undefined }, { nowSeconds: Date.now() }, { now: 5 }] as never[]) {
      expect(() => strict(none)).toThrow(expect.objectContaining({ code: 'usage/bad-option' }));
    }
  });

  it('is frozen, and no exception can be slipped in beside what it demands', () => {
    const options = strict({ ...now, expect: makeBlockId(1) });
    expect([options, options.context, options.expect].every(Object.isFrozen)).toBe(true);
    for (const exception of ['acceptClaimed', 'acceptUnbound']) {
      expect(() => verifyBlock(simplex, proven, { ...strict(now), [exception]: true })).toThrow(
        expect.objectContaining({ code: 'usage/bad-policy', path: exception }),
      );
    }
  });
});
