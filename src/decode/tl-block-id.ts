/** Block ids and Bool as lite servers write them in TL. */
import { concatBytes } from '../base/bytes.ts';
import { BOOL_FALSE, BOOL_TRUE } from '../tl/constructors.ts';
import type { TlReader } from '../tl/reader.ts';
import { tlUint32, tlUint64 } from '../tl/writer.ts';
import type { BlockIdExt } from './block-id.ts';

/** boolTrue or boolFalse; no other value is read. */
export function readTlBool(tl: TlReader): boolean {
  return tl.constructorId('a Bool', BOOL_TRUE, BOOL_FALSE) === BOOL_TRUE;
}

/** tonNode.blockIdExt workchain:int shard:long seqno:int root_hash:int256 file_hash:int256 = tonNode.BlockIdExt, bare. */
export function readTlBlockId(tl: TlReader): BlockIdExt {
  const workchain = tl.int32();
  const shard = tl.int64();
  const seqno = tl.uint32();
  return Object.freeze({ workchain, shard, seqno, rootHash: tl.int256(), fileHash: tl.int256() });
}

/** tonNode.blockId workchain:int shard:long seqno:int = tonNode.BlockId, bare: 16 bytes. */
export function tlBlockPosition({ workchain, shard, seqno }: Omit<BlockIdExt, 'rootHash' | 'fileHash'>): Uint8Array {
  return concatBytes(tlUint32(workchain >>> 0), tlUint64(BigInt.asUintN(64, shard)), tlUint32(seqno));
}

/** The same with both hashes: 80 bytes. */
export function tlBlockId(id: BlockIdExt): Uint8Array {
  return concatBytes(tlBlockPosition(id), id.rootHash, id.fileHash);
}
