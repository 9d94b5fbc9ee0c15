/** The names beside the bytes of the page are those of the constructors, and every byte has a field. */
import { describe, expect, it } from 'vitest';
import { candidateFields, type Field, fieldValue, messageFields } from '../../../demo/layout.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { signedMessage } from '../../../src/core/message/signed-message.ts';
import * as constructors from '../../../src/core/tl/constructors.ts';
import { tlUint32 } from '../../../src/core/tl/writer.ts';
import { ordinarySample, simplexSample } from '../../../src/sample.ts';

/** As the schema lines in `core/tl/constructors.ts` call them. */
const IDS: Readonly<Record<string, number>> = {
  'ton.blockId': constructors.TON_BLOCK_ID,
  'consensus.dataToSign': constructors.DATA_TO_SIGN,
  'consensus.simplex.finalizeVote': constructors.FINALIZE_VOTE,
  'consensus.candidateId': constructors.CANDIDATE_ID,
  'consensus.candidateHashDataOrdinary': constructors.CANDIDATE_HASH_DATA_ORDINARY,
  'consensus.candidateHashDataEmpty': constructors.CANDIDATE_HASH_DATA_EMPTY,
  'consensus.candidateParent': constructors.CANDIDATE_PARENT,
  'consensus.candidateWithoutParents': constructors.CANDIDATE_WITHOUT_PARENTS,
};

/** Name, place and value of every field. */
function read(fields: readonly Field[], bytes: Uint8Array) {
  let at = 0;
  const rows = fields.map((field) => {
    const value = fieldValue(field, bytes, at);
    const row = { name: field.name, at, value, bytes: bytes.subarray(at, at + field.length) };
    at += field.length;
    return row;
  });
  expect(at).toBe(bytes.length);
  for (const { name, bytes: shown } of rows.filter((_, n) => fields[n]!.as === 'constructor')) {
    expect([name, ...shown]).toEqual([name, ...tlUint32(IDS[name]!)]);
  }
  return Object.fromEntries(rows.map((row) => [row.name, row]));
}

function candidateOf(first: number, length: number, more: readonly (readonly [number, number])[] = []): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(tlUint32(first), 0);
  for (const [at, id] of more) bytes.set(tlUint32(id), at);
  return bytes;
}

describe('the fields of the message', () => {
  it('of an ordinary block are two hashes', () => {
    const set = parseSignatureList(ordinarySample.signatures);
    const fields = read(messageFields('ordinary'), signedMessage(set));
    expect(fields['root hash']?.bytes).toEqual(set.blockId.rootHash);
    expect(fields['file hash']?.bytes).toEqual(set.blockId.fileHash);
  });

  it('of a simplex block are session, slot and hash of the candidate, which names the block', () => {
    const set = parseSignatureList(simplexSample.signatures);
    if (set.kind !== 'simplex') throw new Error('expected a simplex set');
    const message = read(messageFields('simplex'), signedMessage(set));
    expect(message['session id']?.bytes).toEqual(set.sessionId);
    expect(message.slot?.value).toBe(String(set.slot));
    expect(message.length?.value).toBe('44');
    const candidate = read(candidateFields(set.candidate), set.candidate);
    expect(candidate.workchain?.value).toBe('-1');
    expect(candidate.shard?.value).toBe('8000000000000000');
    expect(candidate.seqno?.value).toBe('59379986');
    expect(candidate['root hash']?.bytes).toEqual(set.blockId.rootHash);
    expect(candidate['file hash']?.bytes).toEqual(set.blockId.fileHash);
  });

  it.each([
    [
      'with a parent',
      candidateOf(constructors.CANDIDATE_HASH_DATA_ORDINARY, 160, [
        [116, constructors.CANDIDATE_PARENT],
        [120, constructors.CANDIDATE_ID],
      ]),
      'hash of the parent',
    ],
    [
      'that is the first of its session',
      candidateOf(constructors.CANDIDATE_HASH_DATA_ORDINARY, 120, [[116, constructors.CANDIDATE_WITHOUT_PARENTS]]),
      'consensus.candidateWithoutParents',
    ],
    ['that is empty', candidateOf(constructors.CANDIDATE_HASH_DATA_EMPTY, 120), 'hash of the parent'],
  ])('of a candidate %s cover all its bytes', (_, bytes, last) => {
    expect(Object.keys(read(candidateFields(bytes), bytes)).at(-1)).toBe(last);
  });
});
