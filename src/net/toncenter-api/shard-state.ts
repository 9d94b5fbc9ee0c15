/**
 * v3 masterchainBlockShardState, in both shapes: `{ blocks }`, which is what servers send, and
 * `{ address_book, transactions }`, which is what the documentation and the service card say. Only the first carries
 * block hashes. Looks for no particular block: see `masterchainRow`.
 */
import { requireMembers } from '../../core/base/arguments.ts';
import { DecodeError } from '../../core/base/errors.ts';
import { describeJson, isObject } from '../../core/base/json-structure.ts';
import { MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN, MAX_LIST_ROWS } from '../../core/base/limits.ts';
import { ownList } from '../../core/base/own-bytes.ts';
import { ownMembers } from '../../core/base/present.ts';
import { type BlockIdExt, copyBlockId } from '../../core/block/block-id.ts';
import { readServerError } from '../../core/block/envelope.ts';
import { type ShardBlock, shardBlocks } from './shard-block.ts';
import { type AddressBook, addressBook, readAddressBook, type Transaction, transactions } from './transactions.ts';
import { maybe, parseTyped, typed } from './typed-schema.ts';

/** Source: toncenter/ton-indexer, handler GetMasterchainBlockShardState, for `blocks`; service card 2.1 for `transactions`. */
export type MasterchainShardState =
  | {
      readonly kind: 'blocks';
      /** The masterchain block itself, then the top block of every shard. */
      readonly blocks: readonly ShardBlock[];
    }
  | {
      readonly kind: 'transactions';
      readonly addressBook: AddressBook;
      /** What is wrong with rows of the address book that were left out, one line each. */
      readonly addressBookProblems: readonly string[];
      readonly transactions: readonly Transaction[];
    };

const blocksSchema = typed({ blocks: shardBlocks });
// `address_book` is `{}` or gone when the request asked for none.
const transactionsSchema = typed({ transactions, address_book: maybe(addressBook) });

function requireObject(json: unknown): Readonly<Record<string, unknown>> {
  const serverError = readServerError(json);
  if (serverError !== undefined) {
    throw new DecodeError('decode/api-error', `the server answered with an error: ${serverError.text}`, {
      hint: 'this is a server error, not an answer: fetch it again',
    });
  }
  if (!isObject(json)) throw new DecodeError('decode/shape', `expected an object, got ${describeJson(json)}`);
  return ownMembers(json);
}

/** Where both shapes are present `blocks` is read. @throws DecodeError naming the JSON path */
export function parseMasterchainShardState(json: unknown): MasterchainShardState {
  const body = requireObject(json);
  if (Object.hasOwn(body, 'blocks')) {
    return Object.freeze({ kind: 'blocks', ...parseTyped(blocksSchema, body, '') });
  }
  if (Object.hasOwn(body, 'transactions')) {
    const { transactions, addressBook: rows = {} } = ownMembers(parseTyped(transactionsSchema, body, ''));
    const { addressBook, problems } = readAddressBook(rows, 'address_book');
    return Object.freeze({ kind: 'transactions', transactions, addressBook, addressBookProblems: problems });
  }
  throw new DecodeError('decode/shape', 'expected "blocks" or "transactions", got an object with neither');
}

/** The row of masterchain block `seqno`, or `undefined`. @throws DecodeError when there are two */
export function masterchainRow(blocks: readonly ShardBlock[], seqno: number): ShardBlock | undefined {
  const rows = ownList(blocks, 'blocks', MAX_LIST_ROWS).filter((row, at) => {
    const {
      workchain,
      shard,
      seqno: own,
    } = copyBlockId(requireMembers(row, 'a row', `blocks[${at}]`).id as BlockIdExt, `blocks[${at}].id`);
    return workchain === MASTERCHAIN_WORKCHAIN && shard === MASTERCHAIN_SHARD && own === seqno;
  });
  if (rows.length > 1) {
    throw new DecodeError(
      'decode/shape',
      `expected one row of masterchain block ${String(seqno)}, got ${rows.length}`,
      {
        path: 'blocks',
      },
    );
  }
  return rows[0];
}
