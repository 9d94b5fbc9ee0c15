import { describe, expect, it } from 'vitest';
import { seenRootHashes } from '../../../src/net/sources/seen-root-hashes.ts';
import { makeBlockId } from '../../helpers/make-block.ts';

const lie = (seqno: number, real: number) => ({ ...makeBlockId(real), seqno });

describe('known blocks', () => {
  it('may come again under the same number, and not under another one', () => {
    const known = seenRootHashes();
    known.note(makeBlockId(5), 'a');
    known.note(makeBlockId(5), 'b');
    expect(() => known.requireNew(lie(6, 5), 'b')).toThrow(
      /^b: block 6 comes with root hash .* which a gave for block 5$/,
    );
    expect(() => known.note(lie(6, 5), 'b')).toThrow(
      expect.objectContaining({ code: 'source/wrong-block', endpoint: 'b' }) as Error,
    );
    known.requireNew(makeBlockId(6), 'b');
  });

  it('are told by the root hash, whatever the file hash', () => {
    const known = seenRootHashes();
    known.note(makeBlockId(5), 'a');
    expect(() => known.requireNew({ ...lie(6, 5), fileHash: new Uint8Array(32) }, 'b')).toThrow('comes with root hash');
    known.requireNew({ ...makeBlockId(6), fileHash: makeBlockId(5).fileHash }, 'b');
  });

  it('are forgotten, the oldest first, when there are too many', () => {
    const known = seenRootHashes(3);
    for (const seqno of [1, 2, 3, 4]) known.note(makeBlockId(seqno), 'a');
    known.requireNew(lie(9, 1), 'b');
    for (const seqno of [2, 3, 4]) expect(() => known.requireNew(lie(9, seqno), 'b')).toThrow('comes with root hash');
  });

  it('keep the bytes of what was refused', () => {
    const known = seenRootHashes();
    known.note(makeBlockId(5), 'a');
    const body = Uint8Array.of(1, 2);
    expect(() => known.requireNew(lie(6, 5), 'b', body)).toThrow(expect.objectContaining({ body }) as Error);
  });
});
