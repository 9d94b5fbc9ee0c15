/** A row of v3's block table: one block of any workchain, as the indexer stored it. */
import { MAX_LIST_ROWS } from '../../core/base/limits.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { count, flag, hash256, int32, logicalTime, shard, uint32 } from './field-schemas.ts';
import { listOf, mapped, maybe, type Schema, typed } from './typed-schema.ts';

/** Names a block by position only. Service card 2.4, where `shard` is decimal text; servers send hex. */
export interface BlockRef {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
}

export const blockRef: Schema<BlockRef> = typed({ workchain: int32, shard, seqno: count });

/**
 * Hashes are canonical base64 of 32 bytes; hex, base64url and missing padding are refused, as is a negative count, seqno
 * or time. Source: toncenter/ton-indexer, Block. `catchainSeqno` and `isKeyBlock` are `gen_catchain_seqno` and `key_block` in the
 * JSON; they have the names here that v2 and the rest of this library use.
 */
export interface ShardBlock {
  /** `shard` comes as hex text; decimal is taken as well. */
  readonly id: BlockIdExt;
  readonly globalId: number;
  readonly version?: number;
  readonly afterMerge: boolean;
  readonly beforeSplit: boolean;
  readonly afterSplit: boolean;
  readonly wantMerge: boolean;
  readonly wantSplit: boolean;
  readonly isKeyBlock: boolean;
  readonly vertSeqnoIncr?: boolean;
  readonly flags?: number;
  /** Unix seconds: text here, a number in v2. */
  readonly genUtime: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  /** uint32; the JSON prints an int32. */
  readonly validatorListHashShort: number;
  readonly catchainSeqno: number;
  readonly minRefMcSeqno: number;
  readonly prevKeyBlockSeqno: number;
  readonly vertSeqno?: number;
  /** 0 for masterchain blocks. */
  readonly masterRefSeqno?: number;
  readonly randSeed?: Uint8Array;
  readonly createdBy?: Uint8Array;
  readonly txCount?: number;
  /** The masterchain block that included this one first. */
  readonly masterchainBlockRef?: BlockRef;
  /** Without hashes; absent where the server sends null. */
  readonly prevBlocks?: readonly BlockRef[];
}

const row = typed({
  workchain: int32,
  shard,
  seqno: count,
  root_hash: hash256,
  file_hash: hash256,
  global_id: int32,
  version: maybe(count),
  after_merge: flag,
  before_split: flag,
  after_split: flag,
  want_merge: flag,
  want_split: flag,
  key_block: flag,
  vert_seqno_incr: maybe(flag),
  flags: maybe(count),
  gen_utime: count,
  start_lt: logicalTime,
  end_lt: logicalTime,
  validator_list_hash_short: uint32,
  gen_catchain_seqno: count,
  min_ref_mc_seqno: count,
  prev_key_block_seqno: count,
  vert_seqno: maybe(count),
  master_ref_seqno: maybe(count),
  rand_seed: maybe(hash256),
  created_by: maybe(hash256),
  tx_count: maybe(count),
  masterchain_block_ref: maybe(blockRef),
  prev_blocks: maybe(listOf(blockRef, 2)),
});

export const shardBlock: Schema<ShardBlock> = mapped(
  row,
  ({ workchain, shard, seqno, rootHash, fileHash, keyBlock, genCatchainSeqno, ...rest }) =>
    Object.freeze({
      id: Object.freeze({ workchain, shard, seqno, rootHash, fileHash }),
      isKeyBlock: keyBlock,
      catchainSeqno: genCatchainSeqno,
      ...rest,
    }),
);

export const shardBlocks = listOf(shardBlock, MAX_LIST_ROWS);
