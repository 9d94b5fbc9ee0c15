/** `ton.blockIdExt` as JSON: the id of one block. */
import * as z from 'zod/mini';
import { equalBytes } from '../base/bytes.ts';
import { DecodeError } from '../base/errors.ts';
import { HASH_BYTES, MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN } from '../base/limits.ts';
import { ownBytesOf, wrongType } from '../base/own-bytes.ts';
import type { TlReader } from '../tl/reader.ts';
import { type Hash256, readHash256, readInt32, readInt64, readUint32, requireInt64, requireUint32 } from './fields.ts';

/**
 * Full block id. `shard` is the signed int64 exactly as the JSON prints it; the masterchain is -0x8000000000000000n.
 * Source: ton `tl/generate/scheme/tonlib_api.tl`, ton.blockIdExt.
 */
export interface BlockIdExt {
  /** int32, -1 for the masterchain. */
  readonly workchain: number;
  /** int64. */
  readonly shard: bigint;
  /** uint32. */
  readonly seqno: number;
  readonly rootHash: Hash256;
  readonly fileHash: Hash256;
}

const TYPE = /^[a-z][a-z0-9]*\.blockIdExt$/;

/** The structure of a block id. Contents of its fields are read by `readBlockId`. */
export const blockIdSchema = z.looseObject({
  '@type': z.string(),
  shard: z.string(),
  root_hash: z.string(),
  file_hash: z.string(),
});

/**
 * Any network prefix is taken (`ton.`, and `net.` in documentation) and not interpreted.
 * @throws DecodeError naming the field under `path`
 */
export function readBlockId(json: z.output<typeof blockIdSchema>, path: string): BlockIdExt {
  const type = json['@type'];
  if (!TYPE.test(type)) {
    throw new DecodeError('decode/shape', `expected "ton.blockIdExt", got ${JSON.stringify(type.slice(0, 64))}`, {
      path: `${path}.@type`,
    });
  }
  return Object.freeze({
    workchain: readInt32(json.workchain, `${path}.workchain`),
    shard: readInt64(json.shard, `${path}.shard`),
    seqno: readUint32(json.seqno, `${path}.seqno`),
    rootHash: readHash256(json.root_hash, `${path}.root_hash`),
    fileHash: readHash256(json.file_hash, `${path}.file_hash`),
  });
}

/** tonNode.blockIdExt workchain:int shard:long seqno:int root_hash:int256 file_hash:int256 = tonNode.BlockIdExt, bare. */
export function readTlBlockId(tl: TlReader): BlockIdExt {
  const workchain = tl.int32();
  const shard = tl.int64();
  const seqno = tl.uint32();
  return Object.freeze({ workchain, shard, seqno, rootHash: tl.int256(), fileHash: tl.int256() });
}

/**
 * A frozen copy of an id that a caller hands in, each of its fields read once and in its range: no other number is this id
 * in another spelling.
 * @throws DecodeError `decode/shape`, `decode/range`, `decode/length` naming the field under `path`; UsageError for what is no id
 */
export function copyBlockId(id: BlockIdExt, path: string): BlockIdExt {
  if (typeof id !== 'object' || id === null) throw wrongType('a block id', id, path);
  const { workchain, shard, seqno, rootHash, fileHash } = id;
  return Object.freeze({
    workchain: readInt32(workchain, `${path}.workchain`),
    shard: requireInt64(shard, `${path}.shard`),
    seqno: requireUint32(seqno, `${path}.seqno`),
    rootHash: ownBytesOf(HASH_BYTES, rootHash, `${path}.rootHash`),
    fileHash: ownBytesOf(HASH_BYTES, fileHash, `${path}.fileHash`),
  });
}

const MASTERCHAIN = { workchain: MASTERCHAIN_WORKCHAIN, shard: MASTERCHAIN_SHARD } as const;

/** Requires workchain -1 and shard -2^63. @throws DecodeError `decode/range` */
export function requireMasterchain(id: BlockIdExt, path: string): BlockIdExt {
  for (const field of ['workchain', 'shard'] as const) {
    if (id[field] === MASTERCHAIN[field]) continue;
    throw new DecodeError(
      'decode/range',
      `expected the masterchain, ${field} ${MASTERCHAIN[field]}, got ${id[field]}`,
      {
        path: `${path}.${field}`,
      },
    );
  }
  return id;
}

export const BLOCK_ID_FIELDS = ['workchain', 'shard', 'seqno', 'rootHash', 'fileHash'] as const;

/** One of the five fields of a block id. */
export type BlockIdField = (typeof BLOCK_ID_FIELDS)[number];

/** The first of the five fields in which two ids differ, or `undefined`. Source: ton `ton/ton-types.h`, operator== on BlockIdExt. */
export function differingField(a: BlockIdExt, b: BlockIdExt): BlockIdField | undefined {
  return BLOCK_ID_FIELDS.find((field) => {
    const [x, y] = [a[field], b[field]];
    return x instanceof Uint8Array && y instanceof Uint8Array ? !equalBytes(x, y) : x !== y;
  });
}
