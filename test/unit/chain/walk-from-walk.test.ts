import { describe, expect, it } from 'vitest';
import { proveAncestor } from '../../../src/core/chain/ancestor.ts';
import { parsePartialBlockProof } from '../../../src/core/chain/block-proof.ts';
import { type BlockWalk, verifyBlockProof } from '../../../src/core/chain/walk.ts';
import { idOf } from '../../helpers/live-answers.ts';
import { readVector, readVectorBytes } from '../../helpers/vectors.ts';

type JsonId = Parameters<typeof idOf>[0];
const index = readVector<Record<string, { file: string; from: JsonId; to: JsonId }[]>>('live/index.json');
const proof = (file: string) => {
  const { from, to } = index['simplex-rotation']!.find((one) => one.file === file)!;
  return { tl: readVectorBytes(`live/simplex-rotation/${file}`), from: idOf(from), to: idOf(to) };
};

describe('a walk that goes on from a walk', () => {
  const first = proof('proof-0-188.tl');
  const second = proof('proof-188-200.tl');

  it('keeps the anchor, and ends with the same checkpoint as one walk all the way', () => {
    const atKeyBlock = verifyBlockProof(first.tl, first.from);
    const on = verifyBlockProof(second.tl, atKeyBlock, { expect: second.to });
    const whole = verifyBlockProof(proof('proof-0-200.tl').tl, first.from);
    expect(on.tip).toEqual(whole.tip);
    expect(on.checkpoint).toEqual(whole.checkpoint);
    expect(on.checkpoint.anchor).toEqual(first.from);
    expect(on.checkpoint.keyBlock.seqno).toBe(188);
  });

  it('keeps in mind that the first one began with a stale set', () => {
    const nowSeconds = 2_000_000_000; // long after all of it
    const atKeyBlock = verifyBlockProof(first.tl, first.from, { nowSeconds });
    expect(atKeyBlock.startIsStale).toBe(true);
    expect(verifyBlockProof(second.tl, atKeyBlock).startIsStale).toBe(true);
  });

  it('does not go on from anywhere but its tip', () => {
    const atKeyBlock = verifyBlockProof(first.tl, first.from);
    expect(() => verifyBlockProof(first.tl, atKeyBlock)).toThrowError(
      expect.objectContaining({ code: 'trust/not-connected' }),
    );
  });

  it('is refused where the first was put together by hand', () => {
    const atKeyBlock: BlockWalk = { ...verifyBlockProof(first.tl, first.from) };
    expect(() => verifyBlockProof(second.tl, atKeyBlock)).toThrowError(
      expect.objectContaining({ code: 'usage/bad-option', path: 'trusted' }),
    );
  });
});

describe('an older block', () => {
  const { tl, from, to } = proof('proof-188-100.tl');

  it('is proven by the state of a newer one', () => {
    expect(proveAncestor(from, tl, to)).toMatchObject({ source: 'proven', seqno: 100, blockId: to });
  });

  it('is not proven by anything but one back link from that block to it', () => {
    const cases = [
      ['trust/not-connected', () => proveAncestor(to, tl, to)],
      ['trust/incomplete', () => proveAncestor(from, tl, from)],
      ['trust/incomplete', () => proveAncestor(from, tl, { ...to, fileHash: new Uint8Array(32) })],
    ] as const;
    for (const [code, prove] of cases) expect(prove).toThrowError(expect.objectContaining({ code }));
    for (const file of ['proof-188-200.tl', 'proof-250-290.tl']) {
      const other = proof(file);
      expect(() => proveAncestor(other.from, other.tl, other.to)).toThrowError(
        expect.objectContaining({ code: 'trust/not-connected', path: 'proof.links' }),
      );
    }
  });

  it('is not proven when any byte of the answer is another one', () => {
    const { length } = parsePartialBlockProof(tl).links;
    expect(length).toBe(1);
    for (let at = 0; at < tl.length; at += 31) {
      const damaged = Uint8Array.from(tl);
      damaged[at]! ^= 0x10;
      expect(() => {
        const header = proveAncestor(from, damaged, to);
        // What is not read, such as the end_lt of a listed block, may be anything: the header must still be that of the block.
        expect(header.seqno).toBe(100);
      }, String(at)).toThrow();
    }
  });
});
