/**
 * Transaction, Message, AccountState and the address book of API v3: service card 2.2, 2.3 and 2.5. Where the card and
 * the servers differ, both are read, and the field says so. Absent and null are one thing: an absent key. Refused, with the
 * path: a hash that is not canonical base64 of 32 bytes, a negative count, seqno, time or amount, a 64-bit value as a
 * number above 2^53, a leading zero.
 */
import { DecodeError } from '../../core/base/errors.ts';
import { joinPath } from '../../core/base/json-structure.ts';
import { MAX_LIST_ROWS, MAX_OUT_MESSAGES } from '../../core/base/limits.ts';
import { amount, anyJson, bytes, count, flag, hash256, logicalTime, opcode, text } from './field-schemas.ts';
import { type BlockRef, blockRef } from './shard-block.ts';
import {
  type ExtraCurrencies,
  extraCurrencies,
  type TransactionDescription,
  transactionDescription,
} from './transaction-description.ts';
import { listOf, mapOf, maybe, type Schema, tryTyped, typed } from './typed-schema.ts';

/** State of an account before or after. A state that the indexer does not know has only its hash. */
export interface AccountState {
  readonly hash: Uint8Array;
  /** `uninit`, `frozen`, `active` or `nonexist`. */
  readonly accountStatus?: string;
  readonly balance?: bigint;
  readonly extraCurrencies?: ExtraCurrencies;
  readonly codeHash?: Uint8Array;
  readonly dataHash?: Uint8Array;
  readonly frozenHash?: Uint8Array;
  /** In the card; servers do not send it with transactions. */
  readonly codeBoc?: Uint8Array;
  /** In the card; servers do not send it with transactions. */
  readonly dataBoc?: Uint8Array;
}
const accountState: Schema<AccountState> = typed({
  hash: hash256,
  account_status: maybe(text),
  balance: maybe(amount),
  extra_currencies: maybe(extraCurrencies),
  code_hash: maybe(hash256),
  data_hash: maybe(hash256),
  frozen_hash: maybe(hash256),
  code_boc: maybe(bytes),
  data_boc: maybe(bytes),
});

/** What a message carries, as a v3 server tells it. */
export interface MessageBody {
  readonly hash?: Uint8Array;
  /** BoC. */
  readonly body?: Uint8Array;
  /** The card has `{ comment, type }`; servers send any JSON, usually with `@type`. Kept as it came, not frozen. */
  readonly decoded?: unknown;
}
const messageBody: Schema<MessageBody> = typed({
  hash: maybe(hash256),
  body: maybe(bytes),
  decoded: maybe(anyJson),
});

/** External messages have no source or no value: whatever does not apply is absent. */
export interface Message {
  readonly hash: Uint8Array;
  readonly hashNorm?: Uint8Array;
  /** Raw address, `workchain:HEX`. */
  readonly source?: string;
  readonly destination?: string;
  readonly value?: bigint;
  readonly valueExtraCurrencies?: ExtraCurrencies;
  readonly fwdFee?: bigint;
  readonly ihrFee?: bigint;
  readonly importFee?: bigint;
  readonly createdLt?: bigint;
  /** Unix seconds. */
  readonly createdAt?: number;
  /** First 32 bits of the body, uint32. An integer in the card, `0x…` text from servers. */
  readonly opcode?: number;
  /** Sent by servers, not in the card. */
  readonly decodedOpcode?: string;
  /** Sent by servers, not in the card. */
  readonly extraFlags?: bigint;
  readonly ihrDisabled?: boolean;
  readonly bounce?: boolean;
  readonly bounced?: boolean;
  readonly messageContent?: MessageBody;
  readonly initState?: MessageBody;
  readonly inMsgTxHash?: Uint8Array;
  readonly outMsgTxHash?: Uint8Array;
}
const message: Schema<Message> = typed({
  hash: hash256,
  hash_norm: maybe(hash256),
  source: maybe(text),
  destination: maybe(text),
  value: maybe(amount),
  value_extra_currencies: maybe(extraCurrencies),
  fwd_fee: maybe(amount),
  ihr_fee: maybe(amount),
  import_fee: maybe(amount),
  created_lt: maybe(logicalTime),
  created_at: maybe(count),
  opcode: maybe(opcode),
  decoded_opcode: maybe(text),
  extra_flags: maybe(amount),
  ihr_disabled: maybe(flag),
  bounce: maybe(flag),
  bounced: maybe(flag),
  message_content: maybe(messageBody),
  init_state: maybe(messageBody),
  in_msg_tx_hash: maybe(hash256),
  out_msg_tx_hash: maybe(hash256),
});

/** A transaction as a v3 server tells it: its word, without proof. `verifyTransaction` of `ton-finality/inclusion` proves one. */
export interface Transaction {
  /** Raw address, `workchain:HEX`. */
  readonly account: string;
  readonly hash: Uint8Array;
  readonly lt: bigint;
  /** Unix seconds. */
  readonly now: number;
  readonly mcBlockSeqno?: number;
  /** 32 zero bytes for the first transaction of an account. */
  readonly prevTransHash?: Uint8Array;
  readonly prevTransLt?: bigint;
  /** `uninit`, `frozen`, `active` or `nonexist`, as is `endStatus`. */
  readonly origStatus?: string;
  readonly endStatus?: string;
  readonly totalFees?: bigint;
  readonly totalFeesExtraCurrencies?: ExtraCurrencies;
  readonly traceId?: Uint8Array;
  /** In the card; servers leave it out when asked by block. */
  readonly traceExternalHash?: Uint8Array;
  readonly description: TransactionDescription;
  readonly blockRef?: BlockRef;
  /** Absent for tick-tock and the like. */
  readonly inMsg?: Message;
  readonly outMsgs?: readonly Message[];
  readonly accountStateBefore?: AccountState;
  readonly accountStateAfter?: AccountState;
  readonly emulated?: boolean;
  /** `pending`, `confirmed` or `finalized`: the indexer's word, not a proof. Not in the card. */
  readonly finality?: string;
}
export const transaction: Schema<Transaction> = typed({
  account: text,
  hash: hash256,
  lt: logicalTime,
  now: count,
  mc_block_seqno: maybe(count),
  prev_trans_hash: maybe(hash256),
  prev_trans_lt: maybe(logicalTime),
  orig_status: maybe(text),
  end_status: maybe(text),
  total_fees: maybe(amount),
  total_fees_extra_currencies: maybe(extraCurrencies),
  trace_id: maybe(hash256),
  trace_external_hash: maybe(hash256),
  description: transactionDescription,
  block_ref: maybe(blockRef),
  in_msg: maybe(message),
  out_msgs: maybe(listOf(message, MAX_OUT_MESSAGES)),
  account_state_before: maybe(accountState),
  account_state_after: maybe(accountState),
  emulated: maybe(flag),
  finality: maybe(text),
});
export const transactions = listOf(transaction, MAX_LIST_ROWS);

/** One row of the address book; the card leaves its shape open. */
export interface AddressBookRow {
  readonly userFriendly?: string;
  readonly domain?: string;
  readonly interfaces?: readonly string[];
}
/** Raw address → how people write it. */
export type AddressBook = Readonly<Record<string, AddressBookRow>>;
const addressBookRow: Schema<AddressBookRow> = typed({
  user_friendly: maybe(text),
  domain: maybe(text),
  interfaces: maybe(listOf(text, 256)),
});
/** The map as it came; its rows are read one by one, by `readAddressBook`. */
export const addressBook = mapOf(anyJson, MAX_LIST_ROWS);

/** Bad rows that are told in words; more of them are only counted. */
const MAX_TOLD_ROWS = 16;

/** The rows that can be read, and what is wrong with the others, one line each: names are no reason to lose the transactions. */
export function readAddressBook(
  rows: Readonly<Record<string, unknown>>,
  path: string,
): { readonly addressBook: AddressBook; readonly problems: readonly string[] } {
  const book: Record<string, AddressBookRow> = Object.create(null);
  const problems: string[] = [];
  let untold = 0;
  for (const [address, row] of Object.entries(rows)) {
    const read = tryTyped(addressBookRow, row, joinPath(path, [address]));
    if (!(read instanceof DecodeError)) book[address] = read;
    else if (problems.length < MAX_TOLD_ROWS) problems.push(read.message);
    else untold++;
  }
  if (untold > 0) problems.push(`${path}: ${untold} more rows that cannot be read`);
  return { addressBook: Object.freeze({ ...book }), problems: Object.freeze(problems) };
}
