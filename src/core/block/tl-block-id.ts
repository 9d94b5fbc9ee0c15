/** Block ids and Bool in the TL form of lite servers. */
import { BOOL_FALSE, BOOL_TRUE } from '../tl/constructors.ts';
import type { TlReader } from '../tl/reader.ts';
import type { BlockIdExt } from './block-id.ts';

/** Reads boolTrue or boolFalse; any other value is an error. */
export function readTlBool(tl: TlReader): boolean {
  const at = tl.offset;
  const id = tl.uint32();
  if (id === BOOL_TRUE || id === BOOL_FALSE) return id === BOOL_TRUE;
  throw tl.error(`expected a Bool, got constructor ${id.toString(16).padStart(8, '0')}`, at);
}

/** tonNode.blockId workchain:int shard:long seqno:int = tonNode.BlockId, bare: 16 bytes. */
export function tlBlockPosition({ workchain, shard, seqno }: Omit<BlockIdExt, 'rootHash' | 'fileHash'>): Uint8Array {
  return position(16, workchain, shard, seqno);
}

function position(length: number, workchain: number, shard: bigint, seqno: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, workchain, true);
  view.setBigInt64(4, shard, true);
  view.setUint32(12, seqno, true);
  return bytes;
}

/** Writes a block id with both hashes: 80 bytes. */
export function tlBlockId({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): Uint8Array {
  const bytes = position(80, workchain, shard, seqno);
  bytes.set(rootHash, 16);
  bytes.set(fileHash, 48);
  return bytes;
}
