/**
 * How cells name another block: by seqno and hashes. The workchain and the shard follow from the place of the
 * reference.
 */

import type { BlockIdExt } from '../block/block-id.ts';
import type { Slice } from '../cells/slice.ts';

/** ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef; Source: ton `crypto/block/block.tlb`. */
export function readExtBlkRef(slice: Slice, workchain: number, shard: bigint): BlockIdExt {
  slice.skip(64); // end_lt
  return Object.freeze({
    workchain,
    shard,
    seqno: slice.uint(32),
    rootHash: slice.bytes(32),
    fileHash: slice.bytes(32),
  });
}
