/** Finds the masterchain's own data in a block: the shards, and in a key block the configuration. */
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';
import type { Block } from './block-header.ts';
import { trustError } from './shared-checks.ts';

export const BLOCK_EXTRA = 0x4a33f6fd;
const MC_BLOCK_EXTRA = 0xcca5;

/**
 * currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection; Grams = 4 bits of length, that many
 * bytes; ExtraCurrencyCollection = HashmapE 32 (VarUInteger 32). Source: ton `crypto/block/block.tlb`.
 */
export function skipCurrencyCollection(slice: Slice): void {
  slice.skip(8 * slice.uint(4));
  if (slice.bit()) slice.skipRefs(1);
}

/**
 * block_extra in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr account_blocks:^ShardAccountBlocks rand_seed:bits256
 *   created_by:bits256 custom:(Maybe ^McBlockExtra) = BlockExtra (#4a33f6fd);
 * masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes shard_fees:ShardFees
 *   ^[ prev_blk_signatures:(HashmapE 16 CryptoSignaturePair) recover_create_msg:(Maybe ^InMsg) mint_msg:(Maybe ^InMsg) ]
 *   config:key_block?ConfigParams = McBlockExtra;
 * ShardFees = HashmapAugE 96, extra: two CurrencyCollection. ConfigParams: config_addr:bits256 config:^(Hashmap 32 ^Cell)
 * Source: ton `crypto/block/block.tlb`.
 * @returns the root of the list of shards, HashmapE 32 ^(BinTree ShardDescr), `undefined` when no shard is listed; and
 * the root of the configuration, in key blocks only
 */
export function readMcBlockExtra(block: Block, path: string) {
  const extra = new Slice(block.extra, `${path}.extra`);
  extra.tag(32, BLOCK_EXTRA, 'block extra');
  extra.skipRefs(3);
  extra.skip(512); // rand_seed, created_by
  const custom = extra.maybeSlice('custom');
  extra.end();
  if (custom === undefined) throw extra.error('expected masterchain data, got a block without');
  custom.tag(16, MC_BLOCK_EXTRA, 'masterchain data');
  const keyBlock = custom.bit();
  const shardHashes = custom.maybeRef();
  if (custom.bit()) custom.skipRefs(1); // shard_fees
  skipCurrencyCollection(custom);
  skipCurrencyCollection(custom);
  custom.skipRefs(1); // signatures of the previous block, and messages
  if (keyBlock) custom.skip(256); // config_addr
  const config = keyBlock ? custom.ref() : undefined;
  custom.end();
  return { shardHashes, config };
}

/**
 * Reads the configuration that a key block installs. The header and this part must both say that it is a key block.
 * @throws TrustError `trust/key-block-flag`, `trust/not-key-block`
 */
export function readKeyBlockConfig(block: Block, headerSaysKeyBlock: boolean, path: string): Cell {
  if (!headerSaysKeyBlock) {
    const hint = 'other blocks are verified under the checkpoint, and do not move it';
    throw trustError('trust/not-key-block', 'expected a key block: others carry no configuration', path, hint);
  }
  const { config } = readMcBlockExtra(block, path);
  if (config === undefined) {
    throw trustError('trust/key-block-flag', 'the header says key block, the masterchain data do not', path);
  }
  return config;
}
