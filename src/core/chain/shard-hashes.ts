/** Reads the list of shards in a masterchain block: the top block of each workchain and shard. */
import { DecodeError } from '../base/errors.ts';
import { MAX_SHARD_PREFIX_BITS } from '../base/limits.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import type { Cell } from '../cells/cell.ts';
import { lookup } from '../cells/dictionary.ts';
import { Slice } from '../cells/slice.ts';
import { skipCurrencyCollection } from './key-block-config.ts';

const SHARD_DESCR_INLINE = 0xb;
const SHARD_DESCR_REF = 0xa;
const SHARD_BITS = 64;

/** Bits of the prefix of a shard: all above its lowest set bit. */
function prefixLength(shard: bigint): number {
  let mark = BigInt.asUintN(SHARD_BITS, shard);
  let zeros = 0;
  // The loop has at most 63 rounds: the caller has checked that the shard is not 0.
  for (; (mark & 1n) === 0n; mark >>= 1n) zeros++;
  return SHARD_BITS - 1 - zeros;
}

/**
 * shard_descr#b / shard_descr_new#a seq_no:uint32 reg_mc_seqno:uint32 start_lt:uint64 end_lt:uint64 root_hash:bits256
 *   file_hash:bits256 before_split:Bool before_merge:Bool want_split:Bool want_merge:Bool nx_cc_updated:Bool
 *   flags:(## 3) { flags = 0 } next_catchain_seqno:uint32 next_validator_shard:uint64 min_ref_mc_seqno:uint32
 *   gen_utime:uint32 split_merge_at:FutureSplitMerge, then two CurrencyCollection, for #a in a cell of their own;
 * fsm_none$0; fsm_split$10 and fsm_merge$11 split_utime:uint32 interval:uint32
 * Source: ton `crypto/block/block.tlb`.
 */
function readShardDescr(slice: Slice, workchain: number, shard: bigint): BlockIdExt {
  const tag = slice.uint(4);
  if (tag !== SHARD_DESCR_REF && tag !== SHARD_DESCR_INLINE) throw slice.wrongTag(tag, 4, 'a shard (a or b)');
  const seqno = slice.uint(32);
  slice.skip(32 + 64 + 64); // reg_mc_seqno, start_lt, end_lt
  const rootHash = slice.bytes(32);
  const fileHash = slice.bytes(32);
  slice.skip(5);
  if (slice.uint(3) !== 0) throw slice.error('reserved flags are set');
  slice.skip(32 + 64 + 32 + 32);
  if (slice.bit()) slice.skip(1 + 64);
  if (tag === SHARD_DESCR_REF) slice.skipRefs(1);
  else {
    skipCurrencyCollection(slice);
    skipCurrencyCollection(slice);
  }
  slice.end();
  return Object.freeze({ workchain, shard, seqno, rootHash, fileHash });
}

/** The shard whose prefix is the top `length` bits of a number. */
function shardOf(bits: bigint, length: number): bigint {
  const mark = 1n << BigInt(SHARD_BITS - 1 - length);
  return BigInt.asIntN(SHARD_BITS, (bits & ~(2n * mark - 1n)) | mark);
}

/**
 * Follows the tree of a workchain's shards towards a key, to a leaf or to a depth of `length` bits.
 *
 * _ (HashmapE 32 ^(BinTree ShardDescr)) = ShardHashes; bt_leaf$0 leaf:X; bt_fork$1 left:^ right:^. The shard is not
 * stored: it is the path. Source: ton `crypto/block/block.tlb`; `crypto/block/mc-config.cpp`,
 * ShardConfig::get_shard_hash.
 * @returns the leaf, or `split` when the shard is split further than `length` bits; `undefined` when the workchain is
 * not listed
 */
function findLeaf(shardHashes: Cell | undefined, workchain: number, key: bigint, length: number, path: string) {
  if (shardHashes === undefined) return undefined;
  const entry = lookup(new Slice(shardHashes, path), 32, workchain >>> 0);
  if (entry === undefined) return undefined;
  let node = entry.refSlice(`[${workchain}]`);
  entry.end();
  for (let depth = 0; ; depth++) {
    const fork = node.bit();
    if (!fork) return { leaf: node, depth };
    if (depth === length) return 'split';
    const right = ((key >> BigInt(SHARD_BITS - 1 - depth)) & 1n) === 1n;
    const left = node.ref();
    const other = node.ref();
    node.end();
    node = new Slice(right ? other : left, node.path);
  }
}

/**
 * The top block of exactly this workchain and shard, or `undefined` if the masterchain block does not list this shard.
 */
export function findShardTop(
  shardHashes: Cell | undefined,
  workchain: number,
  shard: bigint,
  path: string,
): BlockIdExt | undefined {
  const key = BigInt.asUintN(SHARD_BITS, shard);
  if (key === 0n) return undefined;
  const length = prefixLength(shard);
  const found = findLeaf(shardHashes, workchain, key, length, path);
  if (found === undefined || found === 'split' || found.depth !== length) return undefined;
  return readShardDescr(found.leaf, workchain, shard);
}

/**
 * The top block of the shard that contains an account, or `undefined` if the masterchain block lists no shard of the
 * workchain.
 * @param key the first 64 bits of the address
 */
export function findShardOfAccount(
  shardHashes: Cell | undefined,
  workchain: number,
  key: bigint,
  path: string,
): BlockIdExt | undefined {
  const found = findLeaf(shardHashes, workchain, key, MAX_SHARD_PREFIX_BITS, path);
  if (found === undefined) return undefined;
  if (found === 'split')
    throw new DecodeError('decode/boc', `shards of more than ${MAX_SHARD_PREFIX_BITS} bits`, { path });
  return readShardDescr(found.leaf, workchain, shardOf(key, found.depth));
}
