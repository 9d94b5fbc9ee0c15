/** Two blocks after one key block that cannot both be. */
import { expect, it } from 'vitest';
import { MASTERCHAIN_SHARD } from '../../../src/core/base/limits.ts';
import type { SignatureList } from '../../../src/core/block/signature-list.ts';
import { contradict, type SignedBlock } from '../../../src/core/verify/signed-both.ts';

const bytes = (fill: number) => new Uint8Array(32).fill(fill);
const id = (seqno: number, fill = 0) => ({
  workchain: -1,
  shard: MASTERCHAIN_SHARD,
  seqno,
  rootHash: bytes(fill),
  fileHash: bytes(0),
});
const block = (seqno: number, over: Partial<SignedBlock> = {}): SignedBlock => ({
  id: id(seqno),
  keyBlock: false,
  signatures: { kind: 'ordinary', blockId: id(seqno), signatures: [] },
  ...over,
});
const simplex = (seqno: number, slot: number, candidate: number, session = 1): SignedBlock => {
  const signatures: SignatureList = {
    kind: 'simplex',
    blockId: id(seqno),
    signatures: [],
    sessionId: bytes(session),
    slot,
    candidate: bytes(candidate),
  };
  return block(seqno, { signatures });
};
const both = (one: SignedBlock, other: SignedBlock) => {
  expect(contradict(other, one)).toBe(contradict(one, other));
  return contradict(one, other);
};

it('two of one number are such, one and the same is not', () => {
  expect(both(block(5), block(5, { id: id(5, 1) }))).toBe(true);
  expect(both(block(5), block(5))).toBe(false);
  expect(both(block(5, { keyBlock: true }), block(5, { keyBlock: true }))).toBe(false);
});

it('two of which one has no signatures are such by their numbers alone', () => {
  const bare = (seqno: number, fill = 0): SignedBlock => ({ id: id(seqno, fill), keyBlock: false });
  for (const other of [simplex(6, 7, 1), bare(6)]) {
    expect(both(bare(5), other)).toBe(false);
    expect(both(bare(6, 1), other)).toBe(true);
  }
});

it('a key block and a later block are such: that one says there was none. Before a key block there may be any', () => {
  expect(both(block(5, { keyBlock: true }), block(6))).toBe(true);
  expect(both(block(5), block(6, { keyBlock: true }))).toBe(false);
  expect(both(block(5), block(6))).toBe(false);
});

it('two candidates in one slot of one session are such, whatever their numbers; no ordinary set has a slot', () => {
  expect(both(simplex(5, 7, 1), simplex(6, 7, 2))).toBe(true);
  expect(both(simplex(5, 7, 1), simplex(6, 7, 1))).toBe(false);
  expect(both(simplex(5, 7, 1), simplex(6, 8, 2))).toBe(false);
  expect(both(simplex(5, 7, 1), simplex(6, 7, 2, 2))).toBe(false);
  expect(both(simplex(5, 7, 1), block(6))).toBe(false);
});
