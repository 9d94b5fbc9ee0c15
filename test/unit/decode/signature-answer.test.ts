import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signatureAnswerBlock } from '../../../src/decode/signature-answer.ts';
import { parseSignatureSet } from '../../../src/decode/signature-set.ts';
import { ORDINARY_CASE, readAnswer, SIMPLEX_CASE } from '../../helpers/vectors.ts';

function outcome(read: (json: unknown) => unknown, json: unknown): unknown {
  try {
    return read(json);
  } catch (error) {
    const { name, message, code, path } = error as { name: string; message: string; code: string; path: string };
    return { name, message, code, path };
  }
}

const same = (json: unknown) =>
  expect(outcome(signatureAnswerBlock, json)).toEqual(outcome((json) => parseSignatureSet(json).blockId, json));

describe('the quick look at a signature answer', () => {
  it.each([SIMPLEX_CASE, ORDINARY_CASE])('says of %s what the parser says', (folder) => {
    same(readAnswer(folder));
    same(readAnswer(folder).result);
  });

  it('says of an answer with any one thing changed what the parser says', () => {
    const values: unknown[] = [undefined, null, 0, '', 'AAAA', [], {}, 'blocks.signature', 'x'.repeat(88), -1, 2 ** 40];
    for (const folder of [SIMPLEX_CASE, ORDINARY_CASE]) {
      for (const key of Object.keys(readAnswer(folder).result)) {
        for (const value of values) {
          const answer = readAnswer(folder);
          answer.result[key] = value;
          same(answer);
        }
      }
      for (const key of ['@type', 'node_id_short', 'signature']) {
        for (const value of values) {
          const answer = readAnswer(folder);
          Object.assign(answer.result.signatures[3]!, { [key]: value });
          same(answer);
        }
      }
    }
    for (const entries of [[null], [[]], ['x'], Array(5000).fill({}), Array(5)]) {
      same({ ...readAnswer(SIMPLEX_CASE).result, signatures: entries });
    }
    for (const body of [null, 1, [], {}, { ok: true }, { ok: false, error: 'x' }, { ok: true, result: null }])
      same(body);
  });

  it('says of any mangled base64 what the parser says', () => {
    const answer = readAnswer(ORDINARY_CASE);
    const [entry] = answer.result.signatures;
    const original = { ...entry! };
    fc.assert(
      fc.property(
        fc.constantFrom('node_id_short', 'signature'),
        fc.nat(87),
        fc.constantFrom(...'AQgwBRhxEIMUYcko048/+=-_ \n\u00e9'),
        fc.constantFrom(0, 1, 2),
        (key, at, char, cut) => {
          const text = original[key]!;
          entry![key] = text.slice(0, at) + char + text.slice(at + 1, text.length - cut);
          same(answer);
          entry![key] = text;
        },
      ),
      { numRuns: 2000, seed: 7 },
    );
  });
});
