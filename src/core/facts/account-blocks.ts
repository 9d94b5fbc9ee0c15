/** Reads the list of a block's accounts and of their transactions. */
import { equalBytes } from '../base/bytes.ts';
import type { Cell } from '../cells/cell.ts';
import { lookupBytes } from '../cells/dictionary.ts';
import { Slice } from '../cells/slice.ts';
import type { Block } from '../chain/block-header.ts';
import { BLOCK_EXTRA, skipCurrencyCollection } from '../chain/key-block-config.ts';

const ACCOUNT_BLOCK = 5;

/** References after the list of transactions in an AccountBlock: the state update. */
export const ACCOUNT_BLOCK_TAIL = 1;

/**
 * block_extra in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr account_blocks:^ShardAccountBlocks rand_seed:bits256
 *   created_by:bits256 custom:(Maybe ^McBlockExtra) = BlockExtra (#4a33f6fd);
 * _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks; Source: ton `crypto/block/block.tlb`.
 * @returns the root of the dictionary, `undefined` when the block has no transaction
 */
export function readAccountBlocks(block: Block, path: string): Slice | undefined {
  const extra = new Slice(block.extra, `${path}.extra`);
  extra.tag(32, BLOCK_EXTRA, 'block extra');
  extra.skipRefs(2);
  const accounts = extra.refSlice('account_blocks');
  extra.skip(512); // rand_seed, created_by
  extra.maybeRef(); // custom
  extra.end();
  const root = accounts.maybeRef();
  skipCurrencyCollection(accounts);
  accounts.end();
  return root === undefined ? undefined : new Slice(root, accounts.path);
}

/**
 * acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
 * state_update:^(HASH_UPDATE Account) = AccountBlock; Source: ton `crypto/block/block.tlb`.
 * @param entry positioned at the extra of its dictionary entry
 * @param address the key of this entry
 * @returns the slice, positioned at the root of the list, which is in the same cell
 */
export function readAccountBlock(entry: Slice, address: Uint8Array): Slice {
  skipCurrencyCollection(entry);
  entry.tag(4, ACCOUNT_BLOCK, 'the transactions of an account');
  if (!equalBytes(entry.bytes(32), address)) throw entry.error('transactions of another account than the key');
  return entry;
}

/** Reads an entry of the list of transactions: ^Transaction after the extra. */
export function readTransactionRef(entry: Slice, root: Slice): Cell {
  skipCurrencyCollection(entry);
  const cell = entry.ref();
  if (entry === root) entry.skipRefs(ACCOUNT_BLOCK_TAIL);
  entry.end();
  return cell;
}

/** A logical time as a key. */
export function ltKey(lt: bigint): Uint8Array {
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigUint64(0, lt);
  return key;
}

/**
 * Finds one transaction of a block, unread: it may be pruned. @returns why there is none, if there is none @throws
 * TrustError `trust/pruned` when the path is not shown
 */
export function findTransaction(block: Block, address: Uint8Array, lt: bigint, path: string) {
  const root = readAccountBlocks(block, path);
  const account = root === undefined ? undefined : lookupBytes(root, address, skipCurrencyCollection);
  if (account === undefined) return 'account-not-in-block';
  const list = readAccountBlock(account, address);
  const entry = lookupBytes(list, ltKey(lt), skipCurrencyCollection, ACCOUNT_BLOCK_TAIL);
  return entry === undefined ? 'lt-not-in-account' : readTransactionRef(entry, list);
}
