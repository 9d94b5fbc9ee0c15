/** Answers read from their bytes: the same set as the ordinary parser gives, or the same error, for whatever text. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/core/base/errors.ts';
import { parseJsonBytes } from '../../../src/core/base/json-text.ts';
import { parseAnswer, readAnswerJson } from '../../../src/core/block/answer-bytes.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { share } from '../../helpers/share.ts';
import { readVectorBytes, realCases } from '../../helpers/vectors.ts';

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { code: error.code, path: error.path, message: error.message };
  }
}

const slowly = (bytes: Uint8Array) => outcome(() => parseSignatureList(parseJsonBytes(bytes, 'file')));
const fast = (bytes: Uint8Array) =>
  outcome(() => {
    const { json, entries } = readAnswerJson(bytes, 'file');
    return parseAnswer(json, entries);
  });
/** Compared by Node first, which is quicker over lists of bytes than what says where two differ. */
function expectSame(bytes: Uint8Array): void {
  const [one, other] = [fast(bytes), slowly(bytes)];
  if (!isDeepStrictEqual(one, other)) expect(one).toEqual(other);
}
const bytesOf = (text: string) => new TextEncoder().encode(text);

const recorded = realCases.slice(0, 60).map(({ signatures_file }) => readVectorBytes(`real/${signatures_file}`));
/** As servers write them: without spaces. */
const compact = recorded.map((bytes) => bytesOf(JSON.stringify(JSON.parse(Buffer.from(bytes).toString()))));
const ENTRY = `{"@type":"blocks.signature","node_id_short":"${'A'.repeat(43)}=","signature":"${'A'.repeat(86)}=="}`;

describe('an answer read from its bytes', () => {
  it('is the answer that the parser reads, for every recorded one, and its list is read by the way', () => {
    for (const bytes of [...recorded, ...compact]) expectSame(bytes);
    const quick = compact.filter((bytes) => readAnswerJson(bytes, 'file').entries !== undefined);
    expect(quick.length).toBeGreaterThan(40);
  });

  it('is the same, or the same error, when any character is another one', () => {
    const base = Buffer.from(compact[0]!);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: base.length - 1 }), fc.integer({ min: 0, max: 255 }), (at, code) => {
        const bytes = Uint8Array.from(base);
        bytes[at] = code;
        expectSame(bytes);
      }),
      { numRuns: share(120, 400) },
    );
  });

  it('is the same, or the same error, when pieces are cut out, doubled or moved', () => {
    const base = Buffer.from(compact[0]!).toString('latin1');
    const place = fc.integer({ min: 0, max: base.length });
    fc.assert(
      fc.property(place, place, place, (a, b, c) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const piece = base.slice(from, to);
        for (const text of [base.slice(0, from) + base.slice(to), base.slice(0, c) + piece + base.slice(c)]) {
          const bytes = bytesOf(text);
          expectSame(bytes);
        }
      }),
      { numRuns: share(90, 300) },
    );
  });

  it.each([
    ['a second list', `{"result":{"a":{"signatures":[${ENTRY}]},"signatures":[]}}`],
    ['a second list before', `{"result":{"signatures":[],"a":{"signatures":[${ENTRY}]}}}`],
    ['a name in another spelling', `{"signatures":[${ENTRY}],"result":{"sign\\u0061tures":[]}}`],
    ['a name that ends like it', `{"result":{"x\\"signatures":[${ENTRY}],"signatures":[]}}`],
    ['a list beside the answer', `{"signatures":[${ENTRY}],"result":{"@type":"blocks.blockSignatures"}}`],
    ['a list within text', `{"a":"\\"signatures\\":[${ENTRY.replaceAll('"', '\\"')}]"}`],
    ['the last comma', `{"result":{"signatures":[${ENTRY},]}}`],
    ['one padding less', `{"result":{"signatures":[${ENTRY.replace('A==', 'AA=')}]}}`],
    ['unused bits', `{"result":{"signatures":[${ENTRY.replace('A==', 'B==')}]}}`],
    ['nothing', ''],
  ])('is the same error for %s', (_, text) => {
    expect(fast(bytesOf(text))).toEqual(slowly(bytesOf(text)));
    expect(fast(bytesOf(text))).toHaveProperty('code');
  });

  it('has every entry in bytes of its own, for a list of any length', () => {
    const answer = { ...JSON.parse(Buffer.from(compact[0]!).toString()) };
    for (const count of [1, 2, 100, 4096]) {
      const signatures = Array.from({ length: count }, (_, n) => ({
        '@type': 'blocks.signature',
        node_id_short: Buffer.alloc(32, n >> 4).toString('base64'),
        signature: Buffer.alloc(64, n).toString('base64'),
      }));
      const bytes = bytesOf(JSON.stringify({ ...answer, result: { ...answer.result, signatures } }));
      const { entries } = readAnswerJson(bytes, 'file');
      // As text: a comparison of bytes one by one takes a second for the longest list.
      const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
      expect(entries?.map(({ nodeIdShort, signature }) => `${text(nodeIdShort)} ${text(signature)}`)).toEqual(
        signatures.map((_, n) => `${text(Buffer.alloc(32, n >> 4))} ${text(Buffer.alloc(64, n))}`),
      );
    }
  });

  it('has the cap of the parser', () => {
    const [one] = compact;
    const text = Buffer.from(one!).toString('latin1');
    const many = text.replace('"signatures":[', `"signatures":[${`${ENTRY},`.repeat(4096)}`);
    expect(fast(bytesOf(many))).toMatchObject({ code: 'decode/too-large' });
    expect(fast(bytesOf(many))).toEqual(slowly(bytesOf(many)));
  });
});
