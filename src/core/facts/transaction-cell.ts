/** Reads a transaction from its cell. `transaction.ts` proves that a block contains it. */
import { equalBytes } from '../base/bytes.ts';
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';
import type { AccountId } from './account-id.ts';
import { type Currency, readCurrency } from './currency.ts';
import { readOutcome, type TransactionOutcome } from './outcome.ts';

const TRANSACTION = 7;
const HASH_UPDATE = 0x72;

/** Source: ton `crypto/block/block.tlb`, acc_state_uninit$00 acc_state_frozen$01 acc_state_active$10 acc_state_nonexist$11. */
const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const;
/** The status of an account before and after a transaction. */
export type AccountStatus = (typeof STATUSES)[number];

/** The content of a transaction. */
export interface TransactionData {
  /** 32 bytes; the workchain is that of the block. */
  readonly address: Uint8Array;
  /** uint64, logical time: orders the transactions of an account. */
  readonly lt: bigint;
  /** The previous transaction of this account; lt 0 for the first one since the account was deployed. */
  readonly prevTransHash: Uint8Array;
  readonly prevTransLt: bigint;
  /** Unix seconds. */
  readonly now: number;
  readonly outMsgCount: number;
  /** Status of the account, before and after. */
  readonly origStatus: AccountStatus;
  readonly endStatus: AccountStatus;
  readonly totalFees: Currency;
  /** Hashes of the account's cell, before and after. */
  readonly oldAccountHash: Uint8Array;
  readonly newAccountHash: Uint8Array;
  readonly outcome: TransactionOutcome;
}

/** The content, and the messages, unread. */
export type TransactionCells = ReturnType<typeof readTransaction>;

/** Whether a transaction belongs to this account and has this logical time. */
export function isAt({ data }: TransactionCells, { address }: Pick<AccountId, 'address'>, lt: bigint): boolean {
  return data.lt === lt && equalBytes(data.address, address);
}

/**
 * transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32
 *   outmsg_cnt:uint15 orig_status:AccountStatus end_status:AccountStatus ^[ in_msg:(Maybe ^(Message Any))
 *   out_msgs:(HashmapE 15 ^(Message Any)) ] total_fees:CurrencyCollection state_update:^(HASH_UPDATE Account)
 *   description:^TransactionDescr = Transaction; update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X;
 * Source: ton `crypto/block/block.tlb`.
 * @returns the outgoing messages as the root of their dictionary
 * @throws DecodeError `decode/boc`; TrustError `trust/pruned`
 */
export function readTransaction(cell: Cell, path: string) {
  const slice = new Slice(cell, path);
  slice.tag(4, TRANSACTION, 'a transaction');
  const head = {
    address: slice.bytes(32),
    lt: slice.uint64(),
    prevTransHash: slice.bytes(32),
    prevTransLt: slice.uint64(),
    now: slice.uint(32),
    outMsgCount: slice.uint(15),
    origStatus: STATUSES[slice.uint(2)]!,
    endStatus: STATUSES[slice.uint(2)]!,
  };
  const messages = slice.refSlice('messages');
  const totalFees = readCurrency(slice);
  const update = slice.refSlice('state_update');
  const description = slice.ref();
  slice.end();
  const inMessage = messages.maybeRef();
  const outMessages = messages.maybeRef();
  messages.end();
  update.tag(8, HASH_UPDATE, 'a state update');
  const hashes = { oldAccountHash: update.bytes(32), newAccountHash: update.bytes(32) };
  update.end();
  const outcome = readOutcome(description, `${path}.description`);
  const data: TransactionData = Object.freeze({ ...head, totalFees, ...hashes, outcome });
  return { data, inMessage, outMessages };
}
