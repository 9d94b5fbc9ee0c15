import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/core/base/errors.ts';
import { MAX_SIGNATURE_ENTRIES } from '../../../src/core/base/limits.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { share } from '../../helpers/share.ts';
import { ORDINARY_CASE, readAnswer, SIMPLEX_CASE } from '../../helpers/vectors.ts';

type Answer = ReturnType<typeof readAnswer>;

/** A recorded answer with one thing changed. */
function changed(folder: string, change: (result: Answer['result'] & { id: Record<string, unknown> }) => void): Answer {
  const answer = structuredClone(readAnswer(folder)) as Answer & { result: { id: Record<string, unknown> } };
  change(answer.result);
  return answer;
}

it.each<readonly [string, unknown, string, string | undefined]>([
  ['bytes', Buffer.from('{}'), 'expected an object, got 2 bytes', 'parse the text first, with JSON.parse'],
  ['text', '{}', 'expected an object, got a string of 2 characters', 'parse the text first, with JSON.parse'],
  [
    'an object of another kind',
    {},
    '@type: expected "blocks.blockSignatures" or "blocks.blockSignatures.simplex", got an object',
    undefined,
  ],
])('a signature list is not %s, and the error says what was passed', (_, value, message, hint) => {
  expect(() => parseSignatureList(value)).toThrow(expect.objectContaining({ code: 'decode/shape', message, hint }));
});

describe('parseSignatureList', () => {
  it('reads a recorded simplex answer field by field', () => {
    const set = parseSignatureList(readAnswer(SIMPLEX_CASE));
    expect(set).toMatchObject({
      kind: 'simplex',
      slot: 614,
      blockId: { workchain: -1, shard: -(2n ** 63n), seqno: 59379986 },
    });
    expect(set.signatures).toHaveLength(66);
    expect(set.kind === 'simplex' && set.candidate.length).toBe(160);
    expect(set.signatures.every((s) => s.signature.length === 64 && s.nodeIdShort.length === 32)).toBe(true);
  });

  it('reads a recorded ordinary answer', () => {
    const set = parseSignatureList(readAnswer(ORDINARY_CASE));
    expect(set.kind).toBe('ordinary');
    expect(set.signatures).toHaveLength(95);
  });

  it('takes any network prefix in the type of the id, as the documentation writes net', () => {
    for (const prefix of ['net', 'tos', 'ton']) {
      const answer = changed(ORDINARY_CASE, (r) => Object.assign(r.id, { '@type': `${prefix}.blockIdExt` }));
      expect(parseSignatureList(answer).blockId.seqno).toBe(46920655);
    }
  });

  it('reads seqno and slot that a server printed as negative int32 modulo 2^32', () => {
    const answer = changed(SIMPLEX_CASE, (r) => {
      r.id.seqno = -1294967295;
      r.slot = -1;
    });
    expect(parseSignatureList(answer)).toMatchObject({ blockId: { seqno: 3000000001 }, slot: 0xffffffff });
  });

  it('keeps a repeated signer: judging it is not decoding', () => {
    const answer = changed(ORDINARY_CASE, (r) => r.signatures.push(r.signatures[0]!));
    expect(parseSignatureList(answer).signatures).toHaveLength(96);
  });

  it('drops keys it does not know', () => {
    const answer = changed(ORDINARY_CASE, (r) => Object.assign(r, { '@extra': '1:2:3', validator_set_hash: 5 }));
    expect(Object.keys(parseSignatureList(answer)).sort()).toEqual(['blockId', 'kind', 'signatures']);
  });

  it('copies and freezes, so that later edits of the input change nothing', () => {
    const answer = readAnswer(ORDINARY_CASE);
    const set = parseSignatureList(answer);
    answer.result.signatures.length = 0;
    expect(set.signatures).toHaveLength(95);
    expect([set, set.blockId, set.signatures, set.signatures[0]].every(Object.isFrozen)).toBe(true);
  });

  const cases: [title: string, code: string, message: string, change: Parameters<typeof changed>[1]][] = [
    [
      'an unknown type, by its name',
      'decode/shape',
      'result.@type: expected "blocks.blockSignatures" or "blocks.blockSignatures.simplex", got "blocks.blockSignatures.pq"',
      (r) => Object.assign(r, { '@type': 'blocks.blockSignatures.pq' }),
    ],
    ['no type at all', 'decode/shape', 'or "blocks.blockSignatures.simplex", got ', (r) => delete r['@type']],
    [
      'a null list, never as an empty set',
      'decode/shape',
      'result.signatures: expected array, got null',
      (r) => Object.assign(r, { signatures: null }),
    ],
    [
      'a missing list',
      'decode/shape',
      'result.signatures: expected array, got nothing',
      (r) => Object.assign(r, { signatures: undefined }),
    ],
    [
      'a short signature',
      'decode/length',
      'result.signatures[3].signature: expected 64 bytes, got 63',
      (r) => Object.assign(r.signatures[3]!, { signature: Buffer.alloc(63).toString('base64') }),
    ],
    [
      'a long node id',
      'decode/length',
      'result.signatures[0].node_id_short: expected 32 bytes, got 33',
      (r) => Object.assign(r.signatures[0]!, { node_id_short: Buffer.alloc(33).toString('base64') }),
    ],
    [
      'a signature in base64url',
      'decode/base64',
      'result.signatures[0].signature',
      (r) => Object.assign(r.signatures[0]!, { signature: Buffer.alloc(64, 255).toString('base64url') }),
    ],
    [
      'non-zero spare bits in base64',
      'decode/base64',
      'result.id.root_hash',
      (r) => Object.assign(r.id, { root_hash: String(r.id.root_hash).replace(/.=$/, 'B=') }),
    ],
    [
      'a hash in hex',
      'decode/base64',
      'result.id.root_hash',
      (r) => Object.assign(r.id, { root_hash: `0x${'0'.repeat(64)}` }),
    ],
    [
      'another entry type',
      'decode/shape',
      'result.signatures[2].@type: expected "blocks.signature", got a string of 1 characters',
      (r) => Object.assign(r.signatures[2]!, { '@type': 'x' }),
    ],
    [
      'an entry that is no object',
      'decode/shape',
      'result.signatures[1]: expected an object, got null',
      (r) => Object.assign(r.signatures, { 1: null }),
    ],
    [
      'a workchain other than -1',
      'decode/range',
      'result.id.workchain: expected the masterchain, workchain -1, got 0',
      (r) => Object.assign(r.id, { workchain: 0 }),
    ],
    [
      'a shard other than the masterchain',
      'decode/range',
      'result.id.shard: expected the masterchain',
      (r) => Object.assign(r.id, { shard: '-9223372036854775807' }),
    ],
    [
      'the masterchain shard written unsigned',
      'decode/range',
      'result.id.shard: expected a signed 64-bit integer, got 9223372036854775808',
      (r) => Object.assign(r.id, { shard: '9223372036854775808' }),
    ],
    [
      'a shard in hex',
      'decode/shape',
      'result.id.shard: expected a decimal integer',
      (r) => Object.assign(r.id, { shard: '8000000000000000'.padStart(18, '0x') }),
    ],
    [
      'a shard as a JSON number, which loses digits',
      'decode/shape',
      'result.id.shard: expected string, got the number',
      (r) => Object.assign(r.id, { shard: -(2 ** 63) }),
    ],
    [
      'a seqno beyond 32 bits',
      'decode/range',
      'result.id.seqno: expected a 32-bit integer, got 4294967296',
      (r) => Object.assign(r.id, { seqno: 4294967296 }),
    ],
    ['a fractional seqno', 'decode/range', 'result.id.seqno', (r) => Object.assign(r.id, { seqno: 1.5 })],
    [
      'a seqno as text',
      'decode/shape',
      'result.id.seqno: expected number, got a string of 1 characters',
      (r) => Object.assign(r.id, { seqno: '1' }),
    ],
    [
      'an id whose type only ends like one',
      'decode/shape',
      'result.id.@type',
      (r) => Object.assign(r.id, { '@type': 'evil ton.blockIdExt' }),
    ],
    ['a seqno below 32 bits', 'decode/range', 'result.id.seqno', (r) => Object.assign(r.id, { seqno: -2147483649 })],
    [
      'a workchain below 32 bits',
      'decode/range',
      'result.id.workchain',
      (r) => Object.assign(r.id, { workchain: -2147483649 }),
    ],
    [
      'an id of another type',
      'decode/shape',
      'result.id.@type',
      (r) => Object.assign(r.id, { '@type': 'ton.blockId' }),
    ],
    [
      'too many entries',
      'decode/too-large',
      `result.signatures: expected at most ${MAX_SIGNATURE_ENTRIES}, got ${MAX_SIGNATURE_ENTRIES + 1}`,
      (r) => Object.assign(r, { signatures: Array(MAX_SIGNATURE_ENTRIES + 1).fill(r.signatures[0]) }),
    ],
    [
      'an endless field',
      'decode/length',
      'result.id.root_hash: expected 32 bytes, got 5000 characters',
      (r) => Object.assign(r.id, { root_hash: 'A'.repeat(5000) }),
    ],
  ];

  it.each(cases)('refuses %s', (_, code, message, change) => {
    const answer = changed(ORDINARY_CASE, change);
    expect(() => parseSignatureList(answer)).toThrow(DecodeError);
    expect(() => parseSignatureList(answer)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  it.each([
    ['session_id', undefined, 'decode/shape', 'result.session_id: expected string, got nothing'],
    ['session_id', 'AAAA', 'decode/length', 'result.session_id: expected 32 bytes, got 3'],
    ['slot', undefined, 'decode/shape', 'result.slot: expected number, got nothing'],
    ['slot', 2 ** 32, 'decode/range', 'result.slot: expected a 32-bit integer'],
    ['candidate', undefined, 'decode/shape', 'result.candidate: expected string, got nothing'],
    ['candidate', 'A'.repeat(100_000), 'decode/too-large', 'result.candidate: expected at most 65536 bytes'],
  ])('refuses a simplex answer whose %s is %j', (field, value, code, message) => {
    const answer = changed(SIMPLEX_CASE, (r) => Object.assign(r, { [field]: value }));
    expect(() => parseSignatureList(answer)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  it('gives a value or a DecodeError for arbitrary JSON, and nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
        try {
          parseSignatureList(json);
        } catch (error) {
          return error instanceof DecodeError;
        }
        return true;
      }),
    );
  });

  it('gives a value or a DecodeError for a recorded answer with one value replaced', () => {
    const answers = [readAnswer(SIMPLEX_CASE), readAnswer('real/fastnet/block-170606')];
    const paths = (value: unknown, path: string[] = []): string[][] =>
      typeof value === 'object' && value !== null
        ? [path, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...path, key]))]
        : [path];
    const target = fc
      .constantFrom(...answers)
      .chain((answer) => fc.record({ answer: fc.constant(answer), path: fc.constantFrom(...paths(answer).slice(1)) }));
    const replacement = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined), fc.string(), fc.double());
    fc.assert(
      fc.property(target, replacement, ({ answer, path }, value) => {
        const copy = structuredClone(answer);
        let at = copy as unknown as Record<string, unknown>;
        for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
        at[path.at(-1)!] = value;
        try {
          parseSignatureList(copy);
        } catch (error) {
          return error instanceof DecodeError;
        }
        return true;
      }),
      { numRuns: share(150, 500) },
    );
  });
});
