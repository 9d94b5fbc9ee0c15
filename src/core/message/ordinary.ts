/**
 * The signed message of ordinary signatures: TL ton.blockId, 68 bytes. It contains two hashes, but neither seqno nor
 * shard.
 */
import { concatBytes } from '../base/bytes.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import { TON_BLOCK_ID } from '../tl/constructors.ts';
import { tlUint32 } from '../tl/writer.ts';

/**
 * ton.blockId root_cell_hash:int256 file_hash:int256 = ton.BlockId
 * Source: ton `crypto/block/signature-set.cpp`, BlockSignatureSetOrdinary::to_sign.
 */
export function ordinaryMessage(blockId: BlockIdExt): Uint8Array {
  return concatBytes(tlUint32(TON_BLOCK_ID), blockId.rootHash, blockId.fileHash);
}
