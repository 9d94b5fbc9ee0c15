/** Block ids and Bool in the TL form of lite servers. */
import { concatBytes } from '../base/bytes.ts';
import { BOOL_FALSE, BOOL_TRUE } from '../tl/constructors.ts';
import type { TlReader } from '../tl/reader.ts';
import type { BlockIdExt, BlockPlace } from './block-id.ts';

/** Reads boolTrue or boolFalse; any other value is an error. */
export function readTlBool(tl: TlReader): boolean {
  const at = tl.offset;
  const id = tl.uint32();
  if (id === BOOL_TRUE || id === BOOL_FALSE) return id === BOOL_TRUE;
  throw tl.error(`expected a Bool, got constructor ${id.toString(16).padStart(8, '0')}`, at);
}

/** tonNode.blockId workchain:int shard:long seqno:int = tonNode.BlockId, bare: 16 bytes. */
export function tlBlockPosition({ workchain, shard, seqno }: BlockPlace): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, workchain, true);
  view.setBigInt64(4, shard, true);
  view.setUint32(12, seqno, true);
  return bytes;
}

const BLOCK_ID_BYTES = 80;

/** Reads the 80 bytes of a block id. */
export function blockIdAt(bytes: Uint8Array, at: number): BlockIdExt {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  const [workchain, shard, seqno] = [view.getInt32(0, true), view.getBigInt64(4, true), view.getUint32(12, true)];
  const hash = (from: number) => new Uint8Array(bytes.subarray(at + from, at + from + 32)); // `slice` of a Buffer would not copy
  return Object.freeze({ workchain, shard, seqno, rootHash: hash(16), fileHash: hash(48) });
}

/** tonNode.blockIdExt workchain:int shard:long seqno:int root_hash:int256 file_hash:int256 = tonNode.BlockIdExt, bare. */
export function readTlBlockId(tl: TlReader): BlockIdExt {
  return blockIdAt(tl.fixed(BLOCK_ID_BYTES), 0);
}

/** Writes a block id with both hashes: 80 bytes. */
export function tlBlockId(id: BlockIdExt): Uint8Array {
  return concatBytes(tlBlockPosition(id), id.rootHash, id.fileHash);
}
