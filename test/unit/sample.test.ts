/** What the package ships as a sample is what was recorded, and does what the documents say of it. */
import { describe, expect, it } from 'vitest';
import { cutHeaderProof, mainValidators, ORDINARY, SIMPLEX } from '../../scripts/make-sample.mjs';
import { verifyHeader } from '../../src/chain.ts';
import { parseSignatureList, parseValidatorSet, verifyBlock } from '../../src/index.ts';
import { ordinarySample, simplexSample } from '../../src/sample.ts';
import { realJson } from '../helpers/real.ts';

describe.each([
  ['simplex', simplexSample, SIMPLEX],
  ['ordinary', ordinarySample, ORDINARY],
])('the %s sample', (kind, sample, name) => {
  it('is the recorded block', () => {
    expect(sample.signatures).toEqual(realJson(`${name}/signatures.json`));
    expect(sample.validators).toEqual(mainValidators(name));
  });

  it('has the validators of the masterchain, with their keys and weights', () => {
    const { validators } = parseValidatorSet(realJson(`${name}/validators.json`));
    expect(parseValidatorSet(sample.validators).validators).toEqual(validators);
  });

  it('is final', () => {
    const set = parseSignatureList(sample.signatures);
    expect(set.kind).toBe(kind);
    expect(verifyBlock(set, parseValidatorSet(sample.validators)).verdict).toEqual({ status: 'final' });
  });

  it('cannot be written to', () => {
    const { result } = sample.signatures as { result: { signatures: { signature: string }[] } }; // compared above
    expect(() => {
      result.signatures[0]!.signature = '';
    }).toThrow(TypeError);
  });
});

describe('the header proof of the ordinary sample', () => {
  it('is cut from the recorded block', async () => {
    expect(ordinarySample.headerProof).toEqual(await cutHeaderProof(ORDINARY));
  });

  it('binds the number, which the signatures do not', () => {
    const set = parseSignatureList(ordinarySample.signatures);
    const validators = parseValidatorSet(ordinarySample.validators);
    expect(verifyBlock(set, validators, { requireBoundId: true }).verdict).toEqual({
      status: 'undecided',
      reason: 'unbound-id',
    });
    const header = verifyHeader(ordinarySample.headerProof, set.blockId);
    const report = verifyBlock(set, validators, { requireBoundId: true, context: { header } });
    expect(report.verdict).toEqual({ status: 'final' });
    expect(report.bound).toHaveLength(5);
  });
});
