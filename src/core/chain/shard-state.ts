/**
 * Reads the state of the masterchain: the configuration, and the list of all earlier blocks. A zerostate is also a
 * state, and the only one that is identified by a file hash.
 */
import { DecodeError } from '../base/errors.ts';
import { MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN } from '../base/limits.ts';
import type { Cell } from '../cells/cell.ts';
import { lookup } from '../cells/dictionary.ts';
import { Slice } from '../cells/slice.ts';
import { readShardIdent } from './block-header.ts';
import { skipCurrencyCollection } from './key-block-config.ts';
import { readExtBlkRef } from './previous-blocks.ts';
import { trustError } from './shared-checks.ts';

export const SHARD_STATE = 0x9023afe2;
const MC_STATE_EXTRA = 0xcc26;
const BLOCK_CREATE_STATS = 0x17;
const BLOCK_CREATE_STATS_EXT = 0x34;
/** KeyMaxLt: key:Bool max_end_lt:uint64. */
const KEY_MAX_LT_BITS = 65;

/**
 * shard_state#9023afe2 global_id:int32 shard_id:ShardIdent seq_no:uint32 vert_seq_no:# gen_utime:uint32 gen_lt:uint64
 *   min_ref_mc_seqno:uint32 out_msg_queue_info:^OutMsgQueueInfo before_split:(## 1) accounts:^ShardAccounts ^[ .. ]
 *   custom:(Maybe ^McStateExtra) = ShardStateUnsplit; Source: ton `crypto/block/block.tlb`.
 * @returns the state of a shard or of the masterchain; its parts may be pruned until they are read. `totals` has the
 * total balances and the libraries, `custom` the masterchain's own data
 * @throws TrustError `trust/pruned`; DecodeError `decode/boc`
 */
export function readShardState(root: Cell, path: string) {
  const state = new Slice(root, path);
  state.tag(32, SHARD_STATE, 'a state');
  const head = {
    globalId: state.int32(),
    ...readShardIdent(state),
    seqno: state.uint(32),
    vertSeqno: state.uint(32),
    genUtime: state.uint(32),
  };
  state.skip(64 + 32 + 1); // gen_lt, min_ref_mc_seqno, before_split
  state.skipRefs(1); // out_msg_queue_info
  const parts = { accounts: state.ref(), totals: state.ref(), custom: state.maybeRef() };
  state.end();
  return { ...head, ...parts };
}

/**
 * masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams ^[ .. ] global_balance:CurrencyCollection
 *   = McStateExtra; Source: ton `crypto/block/block.tlb`.
 * @returns the state with the roots of the list of shards, HashmapE 32 ^(BinTree ShardDescr), and of the configuration,
 * and the cell with the list of earlier blocks, unread
 * @throws TrustError `trust/wrong-workchain` for a state of a shard; `trust/pruned`; DecodeError `decode/boc`
 */
export function readMasterchainState(root: Cell, path: string) {
  const state = readShardState(root, path);
  const { workchain, shard } = state;
  if (workchain !== MASTERCHAIN_WORKCHAIN || shard !== MASTERCHAIN_SHARD) {
    throw trustError('trust/wrong-workchain', `expected a masterchain state, got ${workchain}:${shard}`, path);
  }
  if (state.custom === undefined) {
    throw new DecodeError('decode/boc', 'expected masterchain data, got a state without', { path });
  }
  const custom = new Slice(state.custom, `${path}.custom`);
  custom.tag(16, MC_STATE_EXTRA, 'masterchain data');
  const shardHashes = custom.maybeRef();
  custom.skip(256); // config_addr
  const config = custom.ref();
  const info = custom.ref();
  skipCurrencyCollection(custom);
  custom.end();
  return { ...state, shardHashes, config, info, path };
}

/**
 * Looks up a block in the state's list of earlier blocks; `undefined` if the list does not contain the seqno. The list
 * has every earlier block and, under 0, the zerostate, but not the state's own block.
 *
 * ^[ flags:(## 16) { flags <= 1 } validator_info:ValidatorInfo prev_blocks:OldMcBlocksInfo after_key_block:Bool
 * last_key_block:(Maybe ExtBlkRef) block_create_stats:(flags . 0)?BlockCreateStats ] validator_info$_
 * validator_list_hash_short:uint32 catchain_seqno:uint32 nx_cc_updated:Bool = ValidatorInfo; _ (HashmapAugE 32
 * KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo; _ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef; block_create_stats#17
 * counters:(HashmapE 256 CreatorStats); block_create_stats_ext#34 counters:(HashmapAugE 256 CreatorStats uint32)
 * Source: ton `crypto/block/block.tlb`.
 */
export function findEarlierBlock(state: ReturnType<typeof readMasterchainState>, seqno: number) {
  const info = new Slice(state.info, `${state.path}.custom.info`);
  const flags = info.uint(16);
  if (flags > 1) throw info.error(`expected flags 0 or 1, got ${flags}`);
  info.skip(65); // validator_info
  const root = info.maybeSlice('prev_blocks');
  info.skip(KEY_MAX_LT_BITS);
  info.skip(1); // after_key_block
  if (info.bit()) info.skip(608); // last_key_block
  if (flags === 1) {
    const tag = info.uint(8);
    if (tag !== BLOCK_CREATE_STATS && tag !== BLOCK_CREATE_STATS_EXT) throw info.wrongTag(tag, 8, 'block statistics');
    info.maybeRef();
    if (tag === BLOCK_CREATE_STATS_EXT) info.skip(32);
  }
  info.end();
  const entry = root === undefined ? undefined : lookup(root, 32, seqno, (node) => node.skip(KEY_MAX_LT_BITS));
  if (entry === undefined) return undefined;
  const keyBlock = entry.bit();
  const id = readExtBlkRef(entry, MASTERCHAIN_WORKCHAIN, MASTERCHAIN_SHARD);
  entry.end();
  return { id, keyBlock };
}
