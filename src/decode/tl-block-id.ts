/** Block ids as lite servers are asked for them, and Bool as they answer. */
import { concatBytes } from '../base/bytes.ts';
import { BOOL_FALSE, BOOL_TRUE } from '../tl/constructors.ts';
import type { TlReader } from '../tl/reader.ts';
import { tlUint32, tlUint64 } from '../tl/writer.ts';
import type { BlockIdExt } from './block-id.ts';

/** boolTrue or boolFalse; no other value is read. */
export function readTlBool(tl: TlReader): boolean {
  return tl.constructorId('a Bool', BOOL_TRUE, BOOL_FALSE) === BOOL_TRUE;
}

/** tonNode.blockId workchain:int shard:long seqno:int = tonNode.BlockId, bare: 16 bytes. */
export function tlBlockPosition({ workchain, shard, seqno }: Omit<BlockIdExt, 'rootHash' | 'fileHash'>): Uint8Array {
  return concatBytes(tlUint32(workchain >>> 0), tlUint64(BigInt.asUintN(64, shard)), tlUint32(seqno));
}

/** The same with both hashes: 80 bytes. */
export function tlBlockId(id: BlockIdExt): Uint8Array {
  return concatBytes(tlBlockPosition(id), id.rootHash, id.fileHash);
}
