/** A byte that is flipped on the page changes the answer there and nowhere else, and is judged like any other answer. */
import { describe, expect, it } from 'vitest';
import { answerText, flipByte } from '../../../demo/flip.ts';
import type { FlipPart } from '../../../demo/protocol.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { parseValidatorSet } from '../../../src/core/validators/from-json.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { ordinarySample, simplexSample } from '../../../src/sample.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const given = (json: unknown) => ({ name: 'signatures', bytes: encode(JSON.stringify(json)) });
const json = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

function flip(answer: unknown, part: FlipPart, byte = 3, entry = 5): unknown {
  return json(flipByte({ kind: 'flip', signatures: given(answer), part, entry, byte }).given.bytes);
}

describe('flipping a byte', () => {
  it.each([
    ['ordinary', ordinarySample],
    ['simplex', simplexSample],
  ])('writes an %s answer that is read as the same set', (_, { signatures }) => {
    const set = parseSignatureList(signatures);
    expect(parseSignatureList(JSON.parse(answerText(set)))).toEqual(set);
  });

  it.each([
    ['signature', 'rejected', 1],
    ['session', 'rejected', 66],
    ['slot', 'rejected', 66],
  ] as const)('of the %s makes a final simplex block %s', (part, status, defects) => {
    const validators = parseValidatorSet(simplexSample.validators);
    const { verdict } = verifyBlock(parseSignatureList(flip(simplexSample.signatures, part)), validators);
    expect(verdict.status).toBe(status);
    expect('defects' in verdict && verdict.defects.length).toBe(defects);
  });

  it.each(['root-hash', 'file-hash'] as const)('of the %s rejects every ordinary signature', (part) => {
    const validators = parseValidatorSet(ordinarySample.validators);
    const { verdict } = verifyBlock(parseSignatureList(flip(ordinarySample.signatures, part)), validators);
    expect('defects' in verdict && verdict.defects.length).toBe(10);
  });

  it.each(['root-hash', 'candidate'] as const)('of the %s parts a simplex id from its candidate', (part) => {
    const validators = parseValidatorSet(simplexSample.validators);
    const set = parseSignatureList(flip(simplexSample.signatures, part, 25));
    expect(() => verifyBlock(set, validators)).toThrow(expect.objectContaining({ code: 'decode/candidate-mismatch' }));
  });

  it.each(['signature', 'session', 'slot', 'candidate', 'root-hash', 'file-hash'] as const)(
    'of the %s twice is as if nothing had been done',
    (part) => {
      const once = flip(simplexSample.signatures, part);
      const twice = parseSignatureList(flip(once, part));
      expect(parseSignatureList(once)).not.toEqual(twice);
      expect(twice).toEqual(parseSignatureList(simplexSample.signatures));
    },
  );

  it.each([
    ['signature', 64, 0],
    ['signature', 0, 66],
    ['slot', 4, 0],
    ['candidate', 160, 0],
    ['root-hash', -1, 0],
    ['root-hash', 0.5, 0],
  ] as const)('is refused where there is no such byte: %s %d of entry %d', (part, byte, entry) => {
    const act = () => flip(simplexSample.signatures, part, byte, entry);
    expect(act).toThrow(expect.objectContaining({ cause: expect.objectContaining({ code: 'usage/bad-option' }) }));
  });

  it('is refused for a part that ordinary signatures do not have', () => {
    expect(() => flip(ordinarySample.signatures, 'session')).toThrow(expect.objectContaining({ part: 'signatures' }));
  });
});
