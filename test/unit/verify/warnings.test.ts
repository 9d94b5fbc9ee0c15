import { describe, expect, it } from 'vitest';
import { signedMessage } from '../../../src/core/message/signed-message.ts';
import { createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { entryOf, makeSignedSet, withEntries } from '../../helpers/make-block.ts';
import { makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([50n, 30n, 20n]);
const set = makeSignedSet('ordinary', signers);
const strangers = makeSigners([1n, 1n], 'stranger').map((stranger) => entryOf(stranger, signedMessage(set)));
const validators = createValidatorSet(signers, { utimeUntil: 1_000_000 });
const warnings = (...args: Parameters<typeof verifyBlock>) => JSON.stringify(verifyBlock(...args).warnings);

describe('a report warns', () => {
  it('of many unknown signers, above a third of the entries', () => {
    const good = set.signatures;
    expect(warnings(withEntries(set, [...good, strangers[0]!]), validators)).not.toContain('signers');
    expect(warnings(withEntries(set, [...good.slice(0, 2), strangers[0]!]), validators)).not.toContain('signers');
    expect(warnings(withEntries(set, [...good.slice(0, 2), ...strangers]), validators)).toContain('2 of 4 signers');
  });

  it('of a set past its time: by the clock where there is one, else by the time of the block', () => {
    const header = (genUtime: number) => ({ source: 'given' as const, genUtime });
    const late = { header: header(1_000_000 + 32_769) };
    const stale = 'the block is long after 1970-01-12T13:46:40.000Z';
    expect(warnings(set, validators, { context: { header: header(1_000_000 + 32_768) } })).not.toContain('stale-set');
    expect(verifyBlock(set, validators, { context: late }).warnings).toContainEqual({
      code: 'stale-set',
      message: expect.stringContaining(stale),
    });
    expect(warnings(set, validators, { context: { ...late, nowSeconds: 1 } })).not.toContain('stale-set');
    const now = verifyBlock(set, validators, { context: { nowSeconds: 1_000_000 + 32_769 } });
    expect(now.verdict).toEqual({ status: 'undecided', reason: 'stale-set' });
    expect(now.warnings).toContainEqual({
      code: 'stale-set',
      message: expect.stringMatching(/^now is long after 1970-01-12T13:46:40.000Z,/),
    });
  });

  it('of a number that nothing binds, with its code first', () => {
    expect(verifyBlock(set, validators).warnings).toEqual([
      { code: 'unbound-seqno', message: expect.stringContaining('the number 1000 is an unverified claim') },
    ]);
    expect(verifyBlock(makeSignedSet('simplex', signers), validators).warnings).toEqual([]);
  });

  it('of a header that could not be compared with the set', () => {
    const header = { source: 'given' as const, catchainSeqno: 1, validatorListHashShort: 5 };
    const report = verifyBlock(set, validators, { context: { header } });
    expect([report.verdict.status, report.validators.setCheck]).toEqual(['final', 'not-checked']);
    expect(report.warnings).toContainEqual({
      code: 'set-not-compared',
      message: expect.stringContaining('no ADNL addresses or shuffle flag'),
    });
  });
});

describe('a time', () => {
  it('that is none is a mistake of the caller, not a fresh set', () => {
    for (const time of [
      Number.NaN,
      -1,
      Number.POSITIVE_INFINITY,
      1_775_775_496_000,
      '1775775496',
      new Date(),
    ] as never[]) {
      const badTime = (path: string) => expect.objectContaining({ code: 'usage/bad-option', path });
      expect(() => verifyBlock(set, validators, { context: { nowSeconds: time } })).toThrow(
        badTime('context.nowSeconds'),
      );
      expect(() => createValidatorSet(signers, { utimeUntil: time })).toThrow(badTime('utimeUntil'));
    }
  });
});
