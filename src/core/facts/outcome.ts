/**
 * Reads the outcome of a transaction from its description. A transaction in a block may have failed, and a bounced
 * transfer is also a transaction.
 */
import { present } from '../base/present.ts';
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';
import { type Currency, readCurrency, readGrams, readMaybeGrams, readVarUint } from './currency.ts';

/** The result of running the contract's code. */
export type ComputePhase =
  | { readonly skipped: true; readonly reason: 'no-state' | 'bad-state' | 'no-gas' | 'suspended' }
  | {
      readonly skipped: false;
      readonly success: boolean;
      /** int32; 0 and 1 mean success. */
      readonly exitCode: number;
      readonly gasUsed: bigint;
    };

/** The result of the actions that the code requested. */
export interface ActionPhase {
  readonly success: boolean;
  readonly valid: boolean;
  readonly noFunds: boolean;
  /** int32. */
  readonly resultCode: number;
  readonly messagesCreated: number;
}

/** Source: ton `crypto/block/block.tlb`, TransactionDescr: the types in the order of their tags. */
const TYPES = [
  'ordinary',
  'storage',
  'tick',
  'tock',
  'split-prepare',
  'split-install',
  'merge-prepare',
  'merge-install',
] as const;
/** The cause of a transaction. */
export type TransactionType = (typeof TYPES)[number];

/** The outcome of a transaction. */
export interface TransactionOutcome {
  readonly type: TransactionType;
  /** True if the transaction was not aborted, its code ran successfully, and so did its actions, if there were any. */
  readonly success: boolean;
  readonly aborted: boolean;
  /** The account was deleted. */
  readonly destroyed: boolean;
  readonly compute?: ComputePhase;
  readonly action?: ActionPhase;
  /** The incoming message was sent back, or should have been. */
  readonly bounce?: 'done' | 'no-funds' | 'negative-funds';
  /** The value of the incoming message. */
  readonly credit?: Currency;
}

/** acst_unchanged$0, acst_frozen$10, acst_deleted$11 */
function skipStatusChange(slice: Slice): void {
  if (slice.bit()) slice.skip(1);
}

/** tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams) status_change:AccStatusChange */
function skipStoragePhase(slice: Slice): void {
  readGrams(slice);
  readMaybeGrams(slice);
  skipStatusChange(slice);
}

/** tr_phase_credit$_ due_fees_collected:(Maybe Grams) credit:CurrencyCollection */
function readCreditPhase(slice: Slice): Currency {
  readMaybeGrams(slice);
  return readCurrency(slice);
}

/**
 * tr_phase_compute_skipped$0 reason:ComputeSkipReason, cskip_no_state$00 cskip_bad_state$01 cskip_no_gas$10
 *   cskip_suspended$110; tr_phase_compute_vm$1 success:Bool msg_state_used:Bool account_activated:Bool gas_fees:Grams
 *   ^[ gas_used:(VarUInteger 7) gas_limit:(VarUInteger 7) gas_credit:(Maybe (VarUInteger 3)) mode:int8 exit_code:int32
 *   exit_arg:(Maybe int32) vm_steps:uint32 vm_init_state_hash:bits256 vm_final_state_hash:bits256 ]
 */
function readComputePhase(slice: Slice): ComputePhase {
  if (!slice.bit()) {
    const tag = slice.uint(2);
    if (tag === 3 && slice.bit()) throw slice.wrongTag(7, 3, 'a reason for skipped code');
    const reason = (['no-state', 'bad-state', 'no-gas', 'suspended'] as const)[tag]!;
    return Object.freeze({ skipped: true, reason });
  }
  const success = slice.bit();
  slice.skip(2); // msg_state_used, account_activated
  readGrams(slice);
  const rest = slice.refSlice('compute');
  const gasUsed = readVarUint(rest, 3);
  readVarUint(rest, 3);
  if (rest.bit()) readVarUint(rest, 2);
  rest.skip(8); // mode
  const exitCode = rest.int32();
  if (rest.bit()) rest.skip(32);
  rest.skip(32 + 512);
  rest.end();
  return Object.freeze({ skipped: false, success, exitCode, gasUsed });
}

/** storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed */
function skipStorageUsed(slice: Slice): void {
  readVarUint(slice, 3);
  readVarUint(slice, 3);
}

/**
 * tr_phase_action$_ success:Bool valid:Bool no_funds:Bool status_change:AccStatusChange total_fwd_fees:(Maybe Grams)
 *   total_action_fees:(Maybe Grams) result_code:int32 result_arg:(Maybe int32) tot_actions:uint16 spec_actions:uint16
 *   skipped_actions:uint16 msgs_created:uint16 action_list_hash:bits256 tot_msg_size:StorageUsed
 */
function readActionPhase(slice: Slice): ActionPhase {
  const success = slice.bit();
  const valid = slice.bit();
  const noFunds = slice.bit();
  skipStatusChange(slice);
  readMaybeGrams(slice);
  readMaybeGrams(slice);
  const resultCode = slice.int32();
  if (slice.bit()) slice.skip(32);
  slice.skip(48);
  const messagesCreated = slice.uint(16);
  slice.skip(256);
  skipStorageUsed(slice);
  slice.end();
  return Object.freeze({ success, valid, noFunds, resultCode, messagesCreated });
}

/**
 * tr_phase_bounce_negfunds$00; tr_phase_bounce_nofunds$01 msg_size:StorageUsed req_fwd_fees:Grams;
 * tr_phase_bounce_ok$1 msg_size:StorageUsed msg_fees:Grams fwd_fees:Grams
 */
function readBouncePhase(slice: Slice): 'done' | 'no-funds' | 'negative-funds' {
  if (slice.bit()) {
    skipStorageUsed(slice);
    readGrams(slice);
    readGrams(slice);
    return 'done';
  }
  if (!slice.bit()) return 'negative-funds';
  skipStorageUsed(slice);
  readGrams(slice);
  return 'no-funds';
}

/** split_merge_info$_ cur_shard_pfx_len:(## 6) acc_split_depth:(## 6) this_addr:bits256 sibling_addr:bits256 */
const SPLIT_MERGE_INFO_BITS = 6 + 6 + 512;

/** Transactions that run no code. */
const IDLE: readonly TransactionType[] = ['storage', 'split-install', 'merge-prepare'];
/** Transactions whose storage phase is optional. The others have one, except split-install. */
const MAY_STORE: readonly TransactionType[] = ['ordinary', 'split-prepare', 'merge-install'];
const CREDITED: readonly TransactionType[] = ['ordinary', 'merge-install'];
/** From this tag on, the description names the accounts that split or merge. */
const SPLIT_PREPARE = 4;

/**
 * Reads the description of a transaction.
 *
 * trans_ord$0000 credit_first:Bool storage_ph:(Maybe ..) credit_ph:(Maybe ..) compute_ph action:(Maybe ^ ..) aborted:Bool
 *   bounce:(Maybe ..) destroyed:Bool; trans_storage$0001 storage_ph; trans_tick_tock$001 is_tock:Bool storage_ph
 *   compute_ph action:(Maybe ^ ..) aborted:Bool destroyed:Bool; trans_split_prepare$0100 split_info storage_ph:(Maybe ..)
 *   compute_ph action:(Maybe ^ ..) aborted destroyed; trans_split_install$0101 split_info prepare_transaction:^Transaction
 *   installed:Bool; trans_merge_prepare$0110 split_info storage_ph aborted; trans_merge_install$0111 split_info
 *   prepare_transaction:^Transaction storage_ph:(Maybe ..) credit_ph:(Maybe ..) compute_ph action:(Maybe ^ ..) aborted destroyed
 * Source: ton `crypto/block/block.tlb`, TransactionDescr.
 * @throws DecodeError `decode/boc`; TrustError `trust/pruned`
 */
export function readOutcome(cell: Cell, path: string): TransactionOutcome {
  const slice = new Slice(cell, path);
  // The tag of a tick-tock transaction has three bits; the fourth distinguishes tick from tock.
  const tag = slice.uint(4);
  const type = TYPES[tag];
  if (type === undefined) throw slice.wrongTag(tag, 4, 'a description of a transaction');
  const runs = !IDLE.includes(type);
  if (type === 'ordinary') slice.skip(1); // credit_first
  if (tag >= SPLIT_PREPARE) slice.skip(SPLIT_MERGE_INFO_BITS);
  if (type === 'split-install' || type === 'merge-install') slice.skipRefs(1); // prepare_transaction
  if (type === 'split-install') {
    const installed = slice.bit();
    slice.end();
    return Object.freeze({ type, success: installed, aborted: !installed, destroyed: false });
  }
  if (!MAY_STORE.includes(type) || slice.bit()) skipStoragePhase(slice);
  const credit = CREDITED.includes(type) && slice.bit() ? readCreditPhase(slice) : undefined;
  const compute = runs ? readComputePhase(slice) : undefined;
  const action = runs && slice.bit() ? readActionPhase(slice.refSlice('action')) : undefined;
  const aborted = type !== 'storage' && slice.bit();
  const bounce = type === 'ordinary' && slice.bit() ? readBouncePhase(slice) : undefined;
  const destroyed = runs && slice.bit();
  slice.end();
  const ran = compute !== undefined && !compute.skipped && compute.success;
  return Object.freeze({
    type,
    success: !aborted && ran && (action?.success ?? true) && bounce === undefined,
    aborted,
    destroyed,
    ...present({ compute, action, bounce, credit }),
  });
}
