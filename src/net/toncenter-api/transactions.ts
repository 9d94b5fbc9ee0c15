/**
 * Transaction, Message, AccountState and the address book of API v3: service card 2.2 to 2.6. Where the card and the
 * servers differ, both forms are read, and the field's comment says so. Which phase may go with which type of
 * transaction is not checked.
 *
 * Rejected, with the path: a hash that is not canonical base64 of 32 bytes; a negative count, seqno, time or amount; a
 * 64-bit value as a number above 2^53; a leading zero.
 */
import { DecodeError } from '../../core/base/errors.ts';
import { joinPath } from '../../core/base/json-structure.ts';
import { MAX_LIST_ROWS, MAX_OUT_MESSAGES } from '../../core/base/limits.ts';
import { amount, bytes, count, hash256, int32, logicalTime, opcode, shard, string } from './fields.ts';
import { anyJson, bool, listOf, mapOf, type Output, objectOf, parseBy, sparse } from './schema.ts';

const MAX_CURRENCIES = 4096;
const extraCurrencies = mapOf(amount, MAX_CURRENCIES);
/** Extra currencies: id as decimal text → amount. */
export type ExtraCurrencies = Output<typeof extraCurrencies>;

export const blockRef = objectOf({ workchain: int32, shard, seqno: count });
/** Names a block by position only. Service card 2.4, where `shard` is decimal text; servers send hex. */
export type BlockRef = Output<typeof blockRef>;

const size = sparse({ cells: amount, bits: amount });
/** The size of a message: distinct cells, and their bits. */
export type Size = Output<typeof size>;

const storagePhase = sparse({
  /** `unchanged`, `frozen` or `deleted`. */
  status_change: string,
  storage_fees_collected: amount,
  storage_fees_due: amount,
});
/** The storage fees of an account, as a v3 server claims them. Amounts are nanograms. */
export type StoragePhase = Output<typeof storagePhase>;

const creditPhase = sparse({ credit: amount, credit_extra_currencies: extraCurrencies, due_fees_collected: amount });
/** The value of an incoming message, as a v3 server claims it. Amounts are nanograms. */
export type CreditPhase = Output<typeof creditPhase>;

const computePhase = sparse({
  skipped: bool,
  /** Why the phase was skipped, only then: `no_state`, `bad_state`, `no_gas` or `suspended`. */
  reason: string,
  success: bool,
  account_activated: bool,
  msg_state_used: bool,
  gas_credit: amount,
  gas_fees: amount,
  gas_limit: amount,
  gas_used: amount,
  mode: int32,
  exit_code: int32,
  exit_arg: int32,
  vm_steps: count,
  vm_init_state_hash: hash256,
  vm_final_state_hash: hash256,
});
/** The execution of an account's code, or why it did not run, as a v3 server claims it. */
export type RawComputePhase = Output<typeof computePhase>;

const actionPhase = sparse({
  success: bool,
  valid: bool,
  no_funds: bool,
  status_change: string,
  result_code: int32,
  result_arg: int32,
  tot_actions: count,
  spec_actions: count,
  skipped_actions: count,
  msgs_created: count,
  total_fwd_fees: amount,
  total_action_fees: amount,
  action_list_hash: hash256,
  tot_msg_size: size,
});
/** The actions of a transaction, as a v3 server claims them, without proof. */
export type RawActionPhase = Output<typeof actionPhase>;

const bouncePhase = sparse({
  /** `negfunds`, `nofunds` or `ok`. */
  type: string,
  msg_size: size,
  req_fwd_fees: amount,
  msg_fees: amount,
  fwd_fees: amount,
});
/** The return of a message to its sender, as a v3 server claims it. */
export type BouncePhase = Output<typeof bouncePhase>;

const splitInfo = sparse({ cur_shard_pfx_len: count, acc_split_depth: count, this_addr: string, sibling_addr: string });
/** The position of an account in a shard that splits or merges, as a v3 server claims it. */
export type SplitInfo = Output<typeof splitInfo>;

const transactionDescription = objectOf(
  {
    /** `ord`, `storage`, `tick_tock`, `split_prepare`, `split_install`, `merge_prepare` or `merge_install`. */
    type: string,
  },
  {
    aborted: bool,
    destroyed: bool,
    credit_first: bool,
    is_tock: bool,
    installed: bool,
    storage_ph: storagePhase,
    credit_ph: creditPhase,
    compute_ph: computePhase,
    action: actionPhase,
    bounce: bouncePhase,
    split_info: splitInfo,
  },
);
/** The phases of a transaction, as a v3 server claims them, without proof. */
export type TransactionDescription = Output<typeof transactionDescription>;

const accountState = objectOf(
  { hash: hash256 },
  {
    /** `uninit`, `frozen`, `active` or `nonexist`. */
    account_status: string,
    balance: amount,
    extra_currencies: extraCurrencies,
    code_hash: hash256,
    data_hash: hash256,
    frozen_hash: hash256,
    /** Documented as `data_boc`; servers do not send code and data with transactions. */
    code_boc: bytes,
    data_boc: bytes,
  },
);
/** The state of an account before or after a transaction. A state that the indexer does not know has only its hash. */
export type AccountState = Output<typeof accountState>;

const messageBody = sparse({
  hash: hash256,
  /** The body as a BoC. */
  body: bytes,
  /** Documented as `{ comment, type }`; servers send any JSON, usually with `@type`. Kept as it came, not frozen. */
  decoded: anyJson,
});
/** The content of a message, as a v3 server claims it. */
export type MessageBody = Output<typeof messageBody>;

const message = objectOf(
  { hash: hash256 },
  {
    hash_norm: hash256,
    /** Raw address, `workchain:HEX`. */
    source: string,
    destination: string,
    value: amount,
    value_extra_currencies: extraCurrencies,
    fwd_fee: amount,
    ihr_fee: amount,
    import_fee: amount,
    created_lt: logicalTime,
    /** Unix seconds. */
    created_at: count,
    opcode,
    /** Undocumented; servers send it. */
    decoded_opcode: string,
    /** Undocumented; servers send it. */
    extra_flags: amount,
    ihr_disabled: bool,
    bounce: bool,
    bounced: bool,
    message_content: messageBody,
    init_state: messageBody,
    in_msg_tx_hash: hash256,
    out_msg_tx_hash: hash256,
  },
);
/** A message as a v3 server claims it. External messages have no source or no value: members that do not apply are absent. */
export type Message = Output<typeof message>;

const transaction = objectOf(
  {
    /** Raw address, `workchain:HEX`. */
    account: string,
    hash: hash256,
    lt: logicalTime,
    /** Unix seconds. */
    now: count,
    description: transactionDescription,
  },
  {
    mc_block_seqno: count,
    /** 32 zero bytes for the first transaction of an account. */
    prev_trans_hash: hash256,
    prev_trans_lt: logicalTime,
    /** `uninit`, `frozen`, `active` or `nonexist`, as is `end_status`. */
    orig_status: string,
    end_status: string,
    total_fees: amount,
    total_fees_extra_currencies: extraCurrencies,
    trace_id: hash256,
    /** Documented; servers leave it out when asked by block. */
    trace_external_hash: hash256,
    block_ref: blockRef,
    /** Absent for tick-tock and the like. */
    in_msg: message,
    out_msgs: listOf(message, MAX_OUT_MESSAGES),
    account_state_before: accountState,
    account_state_after: accountState,
    emulated: bool,
    /** `pending`, `confirmed` or `finalized`, as the indexer claims it, without proof. Undocumented. */
    finality: string,
  },
);
/** A transaction as a v3 server claims it, without proof. `verifyTransaction` of `ton-finality/facts` proves one. */
export type Transaction = Output<typeof transaction>;
export const transactions = listOf(transaction, MAX_LIST_ROWS);

const addressBookRow = sparse({ user_friendly: string, domain: string, interfaces: listOf(string, 256) });
/** One row of the address book; its shape is not documented. */
export type AddressBookRow = Output<typeof addressBookRow>;
/** A map from the raw address to the written form. */
export type AddressBook = Readonly<Record<string, AddressBookRow>>;
/** The map as it came; `readAddressBook` reads its rows one by one. */
export const addressBook = mapOf(anyJson, MAX_LIST_ROWS);

/** Bad rows that get a message each; further ones are only counted. */
const MAX_TOLD_ROWS = 16;

/**
 * Returns the rows that can be read, and one message for each of the others: a bad name must not cost the transactions.
 */
export function readAddressBook(
  rows: Readonly<Record<string, unknown>>,
  path: string,
): { readonly addressBook: AddressBook; readonly problems: readonly string[] } {
  const book: Record<string, AddressBookRow> = Object.create(null);
  const problems: string[] = [];
  let untold = 0;
  for (const [address, row] of Object.entries(rows)) {
    try {
      book[address] = parseBy(addressBookRow, row, joinPath(path, [address]));
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      if (problems.length < MAX_TOLD_ROWS) problems.push(error.message);
      else untold++;
    }
  }
  if (untold > 0) problems.push(`${path}: ${untold} more rows that cannot be read`);
  return { addressBook: Object.freeze({ ...book }), problems: Object.freeze(problems) };
}
