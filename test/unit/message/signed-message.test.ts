import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { DecodeError } from '../../../src/core/base/errors.ts';
import { parseSignatureList } from '../../../src/core/block/signature-list.ts';
import { signedFields, signedMessage } from '../../../src/core/message/signed-message.ts';
import {
  candidateWithoutParent,
  candidateWithParent,
  emptyCandidate,
  hashOf,
  makeBlockId,
  unsignedSet,
} from '../../helpers/make-block.ts';
import { blockIdBytes } from '../../helpers/tl-answers.ts';
import { readAnswer, SIMPLEX_CASE } from '../../helpers/vectors.ts';

const id = makeBlockId(77);

function simplexWith(candidate: Uint8Array) {
  const set = unsignedSet('simplex', id);
  return { ...set, candidate } as typeof set;
}

describe('the message of an ordinary set', () => {
  it('is ton.blockId: constructor, root hash, file hash, 68 bytes', () => {
    const message = signedMessage(unsignedSet('ordinary', id));
    expect(encodeHex(message)).toBe(`706e0bc5${encodeHex(id.rootHash)}${encodeHex(id.fileHash)}`);
    expect(message).toHaveLength(68);
  });

  it('vouches for the two hashes only', () => {
    expect(signedFields('ordinary')).toEqual(['rootHash', 'fileHash']);
  });
});

describe('the message of a simplex set', () => {
  it('is a finalize vote under the session, 84 bytes, laid by hand', () => {
    const candidate = candidateWithParent(id);
    const hash = createHash('sha256').update(candidate).digest('hex');
    const expected = `f83de3a8${encodeHex(hashOf('session'))}2c05e1a7403fcd91b62a000000${hash}000000`;
    expect(encodeHex(signedMessage(simplexWith(candidate)))).toBe(expected);
    expect(expected).toHaveLength(2 * 84);
  });

  it('encodes a slot from 2^31 in four bytes', () => {
    const set = { ...simplexWith(candidateWithParent(id)), slot: 0xfffffffe };
    expect(encodeHex(signedMessage(set)).slice(90, 98)).toBe('feffffff');
  });

  it('vouches for all five fields of the id', () => {
    expect(signedFields('simplex')).toEqual(['workchain', 'shard', 'seqno', 'rootHash', 'fileHash']);
  });

  it.each([
    ['with a parent', candidateWithParent, 160],
    ['without a parent', candidateWithoutParent, 120],
    ['that is empty', emptyCandidate, 120],
  ])('takes a candidate %s', (_, make, length) => {
    expect(make(id)).toHaveLength(length);
    expect(signedMessage(simplexWith(make(id)))).toHaveLength(84);
  });

  it.each(['workchain', 'shard', 'seqno', 'rootHash', 'fileHash'] as const)(
    'is refused when the candidate names another block by its %s',
    (field) => {
      const other = {
        ...id,
        [field]: { workchain: 0, shard: 1n, seqno: 78, rootHash: hashOf('x'), fileHash: hashOf('y') }[field],
      };
      for (const make of [candidateWithParent, candidateWithoutParent, emptyCandidate]) {
        expect(() => signedMessage(simplexWith(make(other)))).toThrow(
          expect.objectContaining({
            code: 'decode/candidate-mismatch',
            path: 'candidate',
            message: expect.stringContaining(field),
          }),
        );
      }
    },
  );

  it('is refused for trailing bytes, missing bytes and unknown constructors, outer, parent and inner', () => {
    const good = candidateWithParent(id);
    const patched = (at: number) => {
      const bytes = good.slice();
      bytes[at] = bytes[at]! ^ 1;
      return bytes;
    };
    const bad = [
      new Uint8Array([...good, 0]),
      new Uint8Array([...good, 0, 0, 0, 0]),
      good.slice(0, -1),
      good.slice(0, 4),
      new Uint8Array(),
      patched(0),
      patched(116),
      patched(120),
      new Uint8Array([...candidateWithoutParent(id), 0]),
      new Uint8Array([...emptyCandidate(id), 0]),
      new Uint8Array(Buffer.concat([Buffer.from('33d9b472', 'hex'), blockIdBytes(id)])),
    ];
    expect(() => signedMessage(simplexWith(new Uint8Array(120).fill(7)))).toThrow(
      expect.objectContaining({ cause: { got: '07070707', isWhole: true } }) as Error,
    );
    for (const make of [candidateWithParent, candidateWithoutParent, emptyCandidate]) {
      expect(() => signedMessage(simplexWith(make(id).subarray(0, 100)))).toThrow(
        expect.not.objectContaining({ cause: expect.anything() }) as Error,
      );
    }
    for (const candidate of bad) {
      expect(() => signedMessage(simplexWith(candidate))).toThrow(DecodeError);
      expect(() => signedMessage(simplexWith(candidate))).toThrow(
        expect.objectContaining({ code: 'decode/tl', path: 'candidate' }),
      );
    }
  });

  it('ignores nothing of a recorded candidate: any changed byte changes the message or is refused', () => {
    const set = parseSignatureList(readAnswer(SIMPLEX_CASE));
    if (set.kind !== 'simplex') throw new Error('expected the simplex case');
    const message = encodeHex(signedMessage(set));
    for (let at = 0; at < set.candidate.length; at++) {
      const candidate = set.candidate.slice();
      candidate[at] = candidate[at]! ^ 0x80;
      let changedMessage = '';
      try {
        changedMessage = encodeHex(signedMessage({ ...set, candidate }));
      } catch (error) {
        expect(error).toBeInstanceOf(DecodeError);
      }
      expect(changedMessage).not.toBe(message);
    }
  });
});
