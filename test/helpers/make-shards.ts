/** Shard blocks under masterchain blocks of our own, and getShardBlockProof answers that lead to them. */
import { Dictionary } from '@ton/core';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { beginCell, type CoreCell } from './cells.ts';
import { a, everyCell } from './make-back-link.ts';
import { blockIdToAnswer } from './make-block.ts';
import { infoOf, type MadeBlock, makeBlock, masterDataOf, proofShowing, type ShardForm } from './make-chain.ts';

export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** ShardDescr, in a leaf of the tree; both tags. */
export function leafOf(id: BlockIdExt, tag = 0xa, flags = 0, splitMerge = '0'): CoreCell {
  const cell = beginCell()
    .storeBit(0)
    .storeUint(tag, 4)
    .storeUint(id.seqno, 32)
    .storeUint(1, 32)
    .storeUint(2, 64)
    .storeUint(3, 64)
    .storeBuffer(Buffer.from(id.rootHash))
    .storeBuffer(Buffer.from(id.fileHash))
    .storeUint(flags, 8)
    .storeUint(4, 32)
    .storeUint(5, 64)
    .storeUint(6, 32)
    .storeUint(7, 32);
  for (const bit of splitMerge) cell.storeBit(bit === '1');
  return tag === 0xa
    ? cell.storeRef(beginCell().storeUint(0, 10).endCell()).endCell()
    : cell.storeUint(0, 10).endCell();
}
export const fork = (left: CoreCell, right: CoreCell) =>
  beginCell().storeBit(1).storeRef(left).storeRef(right).endCell();
export function shardHashes(tree: CoreCell, workchain = 0): CoreCell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  dictionary.set(workchain >>> 0, tree);
  return beginCell().storeDictDirect(dictionary).endCell();
}

export const WHOLE: ShardForm = { workchain: 0, prefixBits: 0, prefix: 0n };
export const LEFT: ShardForm = { workchain: 0, prefixBits: 1, prefix: 0n };
export const RIGHT: ShardForm = { workchain: 0, prefixBits: 1, prefix: 1n << 63n };
export const makeShardBlock = (seqno: number, shard: ShardForm, over: object = {}) =>
  makeBlock({ seqno, signedBy: a, prevKeyBlockSeqno: 0, shard, ...over });

/** The masterchain block that lists some tops, and the proof of that list. */
export function master(tree: CoreCell, workchain?: number) {
  const hashes = shardHashes(tree, workchain);
  const block = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100, shardHashes: hashes });
  const proof = proofShowing(block.root, [...masterDataOf(block), ...everyCell(hashes)]);
  return { block, proof };
}

/** A getShardBlockProof answer from a masterchain block down. `links[i].proof` proves the block before `links[i].id`. */
export function answer(
  from: MadeBlock,
  links: readonly { id: BlockIdExt; proof: Uint8Array }[],
  mcProof: readonly object[] = [],
  mcId = from.id,
) {
  return {
    '@type': 'blocks.shardBlockProof',
    from: blockIdToAnswer(from.id),
    mc_id: blockIdToAnswer(mcId),
    links: links.map(({ id, proof }) => ({
      '@type': 'blocks.shardBlockLink',
      id: blockIdToAnswer(id),
      proof: base64(proof),
    })),
    mc_proof: mcProof,
  };
}
export const prevProof = (block: MadeBlock) => proofShowing(block.root, everyCell(infoOf(block)));
