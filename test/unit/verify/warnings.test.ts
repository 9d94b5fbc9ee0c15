import { describe, expect, it } from 'vitest';
import { signedMessage } from '../../../src/message/signed-message.ts';
import { createValidatorSet } from '../../../src/validators/validator-set.ts';
import { verifyBlock } from '../../../src/verify/verifier.ts';
import { entryOf, makeSignedSet, withEntries } from '../../helpers/make-block.ts';
import { makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([50n, 30n, 20n]);
const set = makeSignedSet('ordinary', signers);
const strangers = makeSigners([1n, 1n], 'stranger').map((stranger) => entryOf(stranger, signedMessage(set)));
const validators = createValidatorSet(signers, { utimeUntil: 1_000_000 });
const warnings = (...args: Parameters<typeof verifyBlock>) => verifyBlock(...args).warnings.join();

describe('a report warns', () => {
  it('of many unknown signers, above a third of the entries', () => {
    const good = set.signatures;
    expect(warnings(withEntries(set, [...good, strangers[0]!]), validators)).toBe('');
    expect(warnings(withEntries(set, [...good.slice(0, 2), strangers[0]!]), validators)).toBe('');
    expect(warnings(withEntries(set, [...good.slice(0, 2), ...strangers]), validators)).toContain('2 of 4 signers');
  });

  it('of a block much younger than its set, unless a clock decides that', () => {
    const header = (genUtime: number) => ({ source: 'given' as const, genUtime });
    const late = { header: header(1_000_000 + 32_769) };
    expect(warnings(set, validators, { evidence: { header: header(1_000_000 + 32_768) } })).toBe('');
    expect(warnings(set, validators, { evidence: late })).toContain('much younger than this set');
    expect(warnings(set, validators, { evidence: { ...late, nowSeconds: 1 } })).toBe('');
  });

  it('of a header that could not be compared with the set', () => {
    const header = { source: 'given' as const, catchainSeqno: 1, validatorListHashShort: 5 };
    const report = verifyBlock(set, validators, { evidence: { header } });
    expect([report.verdict.status, report.validators.setCheck]).toEqual(['final', 'not-checked']);
    expect(report.warnings.join()).toContain('no ADNL addresses or shuffle flag');
  });
});

describe('a time', () => {
  it('that is none is a mistake of the caller, not a fresh set', () => {
    expect(() => verifyBlock(set, validators, { evidence: { nowSeconds: Number.NaN } })).toThrow(TypeError);
    expect(() => createValidatorSet(signers, { utimeUntil: Number.NaN })).toThrow(TypeError);
  });
});
