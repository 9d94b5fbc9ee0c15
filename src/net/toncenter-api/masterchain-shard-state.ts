/**
 * Reads v3 masterchainBlockShardState in both shapes: `{ blocks }`, which servers send, and `{ address_book,
 * transactions }`, which is documented. Only the first has block hashes. `masterchainRow` finds the row of the block
 * itself.
 */
import { requireMembers } from '../../core/base/arguments.ts';
import { DecodeError } from '../../core/base/errors.ts';
import { requireObject } from '../../core/base/json-structure.ts';
import { MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN, MAX_LIST_ROWS } from '../../core/base/limits.ts';
import { ownList } from '../../core/base/own-bytes.ts';
import { ownMembers } from '../../core/base/present.ts';
import { type BlockIdExt, copyBlockId } from '../../core/block/block-id.ts';
import { readServerError } from '../../core/block/envelope.ts';
import { count, hash256, int32, logicalTime, shard, uint32 } from './fields.ts';
import { bool, by, listOf, type Output, objectOf, parseBy } from './schema.ts';
import {
  type AddressBook,
  addressBook,
  blockRef,
  readAddressBook,
  type Transaction,
  transactions,
} from './transactions.ts';

const blockRow = objectOf(
  {
    workchain: int32,
    /** Hex text; decimal is accepted as well. */
    shard,
    seqno: count,
    root_hash: hash256,
    file_hash: hash256,
    global_id: int32,
    after_merge: bool,
    before_split: bool,
    after_split: bool,
    want_merge: bool,
    want_split: bool,
    key_block: bool,
    /** Unix seconds: text in v3, a number in v2. */
    gen_utime: count,
    start_lt: logicalTime,
    end_lt: logicalTime,
    /** uint32; the JSON prints an int32. */
    validator_list_hash_short: uint32,
    gen_catchain_seqno: count,
    min_ref_mc_seqno: count,
    prev_key_block_seqno: count,
  },
  {
    version: count,
    vert_seqno_incr: bool,
    flags: count,
    vert_seqno: count,
    /** 0 for masterchain blocks. */
    master_ref_seqno: count,
    rand_seed: hash256,
    created_by: hash256,
    tx_count: count,
    /** The first masterchain block that included this block. */
    masterchain_block_ref: blockRef,
    /** Ids without hashes. */
    prev_blocks: listOf(blockRef, 2),
  },
);
const shardBlock = by((value) => {
  const read = parseBy(blockRow, value, '');
  const { workchain, shard, seqno, rootHash, fileHash, keyBlock, genCatchainSeqno, ...rest } = read;
  const id: BlockIdExt = Object.freeze({ workchain, shard, seqno, rootHash, fileHash });
  return Object.freeze({ id, isKeyBlock: keyBlock, catchainSeqno: genCatchainSeqno, ...rest });
});
/**
 * A row of v3's block table: one block of any workchain, as the indexer stored it. Hashes are canonical base64 of 32
 * bytes; hex, base64url, missing padding, and a negative count, seqno or time are rejected. `catchainSeqno` and
 * `isKeyBlock` are `gen_catchain_seqno` and `key_block` in the JSON; here they have the names of v2 and of this
 * library. Source: toncenter/ton-indexer, Block.
 */
export type ShardBlock = Output<typeof shardBlock>;

/**
 * The shards of a masterchain block as a v3 server claims them: rows of blocks, or transactions. Source:
 * toncenter/ton-indexer, handler GetMasterchainBlockShardState, for `blocks`; service card 2.1 for `transactions`.
 */
export type MasterchainShardState =
  | {
      readonly kind: 'blocks';
      /** The row of the masterchain block itself, then the top block of every shard. */
      readonly blocks: readonly ShardBlock[];
    }
  | {
      readonly kind: 'transactions';
      readonly addressBook: AddressBook;
      /** One message for each row of the address book that was left out. */
      readonly addressBookProblems: readonly string[];
      readonly transactions: readonly Transaction[];
    };

const blocksSchema = objectOf({ blocks: listOf(shardBlock, MAX_LIST_ROWS) });
// `address_book` is `{}` or absent when the request did not ask for it.
const transactionsSchema = objectOf({ transactions }, { address_book: addressBook });

/**
 * Reads the answer of API v3 to masterchainBlockShardState. Where both shapes are present, `blocks` is read.
 * @param json the parsed body of the answer
 * @returns rows of blocks, or transactions, as the server claims them
 * @throws DecodeError naming the JSON path, or `decode/api-error` with the server's message
 * @example
 * ```ts
 * import { toncenter } from 'ton-finality/servers';
 * const answer = await fetch('https://toncenter.com/api/v3/masterchainBlockShardState?seqno=59379986');
 * const state = toncenter.raw.parseMasterchainShardState(await answer.json());
 * console.log(state.kind); // blocks
 * ```
 */
export function parseMasterchainShardState(json: unknown): MasterchainShardState {
  const serverError = readServerError(json);
  if (serverError !== undefined) {
    throw new DecodeError('decode/api-error', `the server answered with an error: ${serverError.text}`, {
      hint: 'fetch it again: this is a server error, not an answer',
    });
  }
  const body = requireObject(json, '');
  if (Object.hasOwn(body, 'blocks')) {
    return Object.freeze({ kind: 'blocks', ...parseBy(blocksSchema, body, '') });
  }
  if (Object.hasOwn(body, 'transactions')) {
    const { transactions, addressBook: rows = {} } = ownMembers(parseBy(transactionsSchema, body, ''));
    const { addressBook, problems } = readAddressBook(rows, 'address_book');
    return Object.freeze({ kind: 'transactions', transactions, addressBook, addressBookProblems: problems });
  }
  throw new DecodeError('decode/shape', 'expected "blocks" or "transactions", got neither');
}

/**
 * Finds the row of a masterchain block.
 * @param blocks rows that `parseMasterchainShardState` read
 * @param seqno the number of the block
 * @returns the row, or `undefined` if there is none
 * @throws DecodeError `decode/two-blocks` when there are two; UsageError
 * @example
 * ```ts
 * import { toncenter, toncenterV3 } from 'ton-finality/servers';
 * const v3 = toncenterV3({ baseUrl: 'https://toncenter.com/api/v3' });
 * const state = await v3.masterchainBlockShardState(59379986);
 * const row = state.kind === 'blocks' ? toncenter.raw.masterchainRow(state.blocks, 59379986) : undefined;
 * console.log(row?.id.seqno); // 59379986
 * ```
 */
export function masterchainRow(blocks: readonly ShardBlock[], seqno: number): ShardBlock | undefined {
  const rows = ownList(blocks, 'blocks', MAX_LIST_ROWS).filter((row, at) => {
    const { id } = requireMembers(row, 'a row', `blocks[${at}]`);
    const { workchain, shard, seqno: own } = copyBlockId(id as BlockIdExt, `blocks[${at}].id`); // the copy is the check
    return workchain === MASTERCHAIN_WORKCHAIN && shard === MASTERCHAIN_SHARD && own === seqno;
  });
  if (rows.length <= 1) return rows[0];
  const message = `expected one row of block ${String(seqno)}, got ${rows.length}`;
  throw new DecodeError('decode/two-blocks', message, { path: 'blocks' });
}
