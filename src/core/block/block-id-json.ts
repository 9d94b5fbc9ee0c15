/** A block id as files, rows and reports contain it. */
import { encodeHex } from '../base/bytes.ts';
import type { BlockIdExt } from './block-id.ts';

/** A block id as JSON: hashes in hex, the shard as decimal text. */
export interface BlockIdJson {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly rootHash: string;
  readonly fileHash: string;
}

/** Writes a block id with its members in this order, since hashes are taken over the text. */
export function blockIdToJson(id: BlockIdExt): BlockIdJson {
  return {
    workchain: id.workchain,
    shard: String(id.shard),
    seqno: id.seqno,
    rootHash: encodeHex(id.rootHash),
    fileHash: encodeHex(id.fileHash),
  };
}
