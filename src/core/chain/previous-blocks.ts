/** The previous blocks that a block names: one, the parent after a split, or two after a merge. */
import { DecodeError } from '../base/errors.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';
import { trustError } from './shared-checks.ts';

/** The members of a header that name the previous blocks. */
interface NamesPrevious {
  readonly workchain: number;
  /** int64. */
  readonly shard: bigint;
  readonly seqno: number;
  readonly afterMerge: boolean;
  readonly afterSplit: boolean;
  /** The cell that names the previous block or blocks, unread. */
  readonly prevRef: Cell;
}

/**
 * Reads how a cell names another block. The workchain and the shard follow from the place of the reference.
 *
 * ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef; Source: ton `crypto/block/block.tlb`.
 */
export function readExtBlkRef(slice: Slice, workchain: number, shard: bigint): BlockIdExt {
  slice.skip(64); // end_lt
  return Object.freeze({ workchain, shard, ...readIdTail(slice) });
}

/** seq_no:uint32 root_hash:bits256 file_hash:bits256: the end of every form of a block's id. */
export function readIdTail(slice: Slice) {
  return { seqno: slice.uint(32), rootHash: slice.bytes(32), fileHash: slice.bytes(32) };
}

/**
 * Reads the previous block or blocks from a header. The block's own number must be one more than the largest of theirs.
 *
 * prev_blk_info$_ prev:ExtBlkRef = BlkPrevInfo 0; prev_blks_info$_ prev1:^ExtBlkRef prev2:^ExtBlkRef = BlkPrevInfo 1;
 * Source: ton `crypto/block/block.tlb`; `crypto/block/block.cpp`, unpack_block_prev_blk_ext.
 * @throws TrustError `trust/pruned` when the proof does not show them, `trust/header` when the numbers do not fit;
 * DecodeError `decode/boc`
 */
export function readPreviousBlocks(header: NamesPrevious, path: string): readonly BlockIdExt[] {
  const { workchain, shard, afterMerge, afterSplit } = header;
  if (afterMerge && afterSplit) throw new DecodeError('decode/boc', 'a block after a merge and a split', { path });
  const at = `${path}.prev_ref`;
  const slice = new Slice(header.prevRef, at);
  const mark = BigInt.asUintN(64, shard) & BigInt.asUintN(64, -shard);
  const named = (from: Slice, of: bigint) => readExtBlkRef(from, workchain, BigInt.asIntN(64, of));
  let previous: BlockIdExt[];
  if (afterMerge) {
    if (mark === 1n) throw new DecodeError('decode/boc', 'a merge of shards that cannot be split', { path });
    const left = slice.refSlice('prev1');
    const right = slice.refSlice('prev2');
    previous = [named(left, shard - (mark >> 1n)), named(right, shard + (mark >> 1n))];
    left.end();
    right.end();
  } else {
    const parent = (shard - mark) | (mark << 1n);
    previous = [named(slice, afterSplit ? parent : shard)];
  }
  slice.end();
  if ((afterMerge || afterSplit) && previous.some(({ seqno }) => seqno === 0)) {
    throw trustError('trust/header', 'a split or merge of a zerostate', at);
  }
  const latest = Math.max(...previous.map(({ seqno }) => seqno));
  if (header.seqno !== latest + 1) {
    throw trustError('trust/header', `block ${header.seqno} follows block ${latest}`, at);
  }
  return previous;
}
