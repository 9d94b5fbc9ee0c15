/** v2 getBlockHeader, lookupBlock and getShards: what a server says about blocks, without proof. */
import { DecodeError } from '../../core/base/errors.ts';
import { isObject, joinPath } from '../../core/base/json-structure.ts';
import { MAX_LIST_ROWS } from '../../core/base/limits.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { unwrapAnswer } from '../../core/block/envelope.ts';
import { flag, int32, int64, typeName, uint32 } from './field-schemas.ts';
import { listOf, maybe, parseTyped, type Schema, typed } from './typed-schema.ts';
import { blockIdExt, parseV2Answer } from './v2-answer.ts';

/** Source: ton `tl/generate/scheme/tonlib_api.tl`, blocks.header. */
export interface BlockHeader {
  readonly id: BlockIdExt;
  /** Network: -239 mainnet, -3 testnet. */
  readonly globalId: number;
  readonly version: number;
  /** Sent by the Python server only. */
  readonly flags?: number;
  /** Sent by the Python server only. */
  readonly vertSeqno?: number;
  readonly afterMerge: boolean;
  readonly afterSplit: boolean;
  readonly beforeSplit: boolean;
  readonly wantMerge: boolean;
  readonly wantSplit: boolean;
  /** uint32; the JSON prints an int32, which is read modulo 2^32. */
  readonly validatorListHashShort: number;
  readonly catchainSeqno: number;
  readonly minRefMcSeqno: number;
  readonly prevKeyBlockSeqno: number;
  readonly isKeyBlock: boolean;
  readonly startLt: bigint;
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly genUtime: number;
  /** Two after a merge. */
  readonly prevBlocks: readonly BlockIdExt[];
}

const blockHeaderSchema: Schema<BlockHeader> = typed({
  '@type': typeName('blocks.header'),
  id: blockIdExt,
  global_id: int32,
  version: uint32,
  flags: maybe(uint32),
  vert_seqno: maybe(uint32),
  after_merge: flag,
  after_split: flag,
  before_split: flag,
  want_merge: flag,
  want_split: flag,
  validator_list_hash_short: uint32,
  catchain_seqno: uint32,
  min_ref_mc_seqno: uint32,
  prev_key_block_seqno: uint32,
  is_key_block: flag,
  start_lt: int64,
  end_lt: int64,
  gen_utime: uint32,
  prev_blocks: listOf(blockIdExt, 2),
});

/** @throws DecodeError */
export function parseBlockHeader(json: unknown): BlockHeader {
  return parseV2Answer(blockHeaderSchema, json);
}

/** The id itself, or wrapped as `{ block_id }` as one server does. @throws DecodeError */
export function parseLookupBlock(json: unknown): BlockIdExt {
  const { result, path } = unwrapAnswer(json);
  if (isObject(result) && Object.hasOwn(result, 'block_id')) {
    return parseTyped(blockIdExt, result.block_id, joinPath(path, ['block_id']));
  }
  return parseTyped(blockIdExt, result, path);
}

const shardsSchema: Schema<{ readonly shards: readonly BlockIdExt[] }> = typed({
  '@type': typeName('blocks.shards'),
  shards: listOf(blockIdExt, MAX_LIST_ROWS),
});

/** Top blocks of all shards, the masterchain not among them. @throws DecodeError, also for a masterchain id */
export function parseShards(json: unknown): readonly BlockIdExt[] {
  const { shards } = parseV2Answer(shardsSchema, json);
  const stray = shards.findIndex((id) => id.workchain === -1);
  if (stray >= 0) {
    const path = joinPath(unwrapAnswer(json).path, ['shards', stray, 'workchain']);
    throw new DecodeError('decode/range', 'expected the top block of a shard, got a masterchain block', { path });
  }
  return shards;
}
