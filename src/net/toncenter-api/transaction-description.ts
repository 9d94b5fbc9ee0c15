/**
 * TransactionDescription and its phases, service card 2.6. Servers leave out what does not apply, so everything but
 * `type` is optional here; which phase may go with which type is not checked.
 */
import { amount, count, flag, hash256, int32, text } from './field-schemas.ts';
import { mapOf, maybe, type Schema, typed } from './typed-schema.ts';

/** Extra currencies: id as decimal text → amount. */
export type ExtraCurrencies = Readonly<Record<string, bigint>>;
const MAX_CURRENCIES = 4096;
export const extraCurrencies: Schema<ExtraCurrencies> = mapOf(amount, MAX_CURRENCIES);

/** How large a message is: distinct cells, and their bits. */
export interface Size {
  readonly cells?: bigint;
  readonly bits?: bigint;
}
const size: Schema<Size> = typed({ cells: maybe(amount), bits: maybe(amount) });

/** What an account paid for being stored, in the words of a v3 server. Amounts are nanograms. */
export interface StoragePhase {
  /** `unchanged`, `frozen` or `deleted`. */
  readonly statusChange?: string;
  readonly storageFeesCollected?: bigint;
  readonly storageFeesDue?: bigint;
}
const storagePhase: Schema<StoragePhase> = typed({
  status_change: maybe(text),
  storage_fees_collected: maybe(amount),
  storage_fees_due: maybe(amount),
});

/** What an incoming message brought, in the words of a v3 server. Amounts are nanograms. */
export interface CreditPhase {
  readonly credit?: bigint;
  readonly creditExtraCurrencies?: ExtraCurrencies;
  readonly dueFeesCollected?: bigint;
}
const creditPhase: Schema<CreditPhase> = typed({
  credit: maybe(amount),
  credit_extra_currencies: maybe(extraCurrencies),
  due_fees_collected: maybe(amount),
});

/** How the code of an account ran, or why it did not, in the words of a v3 server. */
export interface ComputePhase {
  readonly skipped?: boolean;
  /** Only when skipped: `no_state`, `bad_state`, `no_gas` or `suspended`. */
  readonly reason?: string;
  readonly success?: boolean;
  readonly accountActivated?: boolean;
  readonly msgStateUsed?: boolean;
  readonly gasCredit?: bigint;
  readonly gasFees?: bigint;
  readonly gasLimit?: bigint;
  readonly gasUsed?: bigint;
  readonly mode?: number;
  readonly exitCode?: number;
  readonly exitArg?: number;
  readonly vmSteps?: number;
  readonly vmInitStateHash?: Uint8Array;
  readonly vmFinalStateHash?: Uint8Array;
}
const computePhase: Schema<ComputePhase> = typed({
  skipped: maybe(flag),
  reason: maybe(text),
  success: maybe(flag),
  account_activated: maybe(flag),
  msg_state_used: maybe(flag),
  gas_credit: maybe(amount),
  gas_fees: maybe(amount),
  gas_limit: maybe(amount),
  gas_used: maybe(amount),
  mode: maybe(int32),
  exit_code: maybe(int32),
  exit_arg: maybe(int32),
  vm_steps: maybe(count),
  vm_init_state_hash: maybe(hash256),
  vm_final_state_hash: maybe(hash256),
});

/** What was done of what the code asked for, in the words of a v3 server; its word, without proof. */
export interface ActionPhase {
  readonly success?: boolean;
  readonly valid?: boolean;
  readonly noFunds?: boolean;
  readonly statusChange?: string;
  readonly resultCode?: number;
  readonly resultArg?: number;
  readonly totActions?: number;
  readonly specActions?: number;
  readonly skippedActions?: number;
  readonly msgsCreated?: number;
  readonly totalFwdFees?: bigint;
  readonly totalActionFees?: bigint;
  readonly actionListHash?: Uint8Array;
  readonly totMsgSize?: Size;
}
const actionPhase: Schema<ActionPhase> = typed({
  success: maybe(flag),
  valid: maybe(flag),
  no_funds: maybe(flag),
  status_change: maybe(text),
  result_code: maybe(int32),
  result_arg: maybe(int32),
  tot_actions: maybe(count),
  spec_actions: maybe(count),
  skipped_actions: maybe(count),
  msgs_created: maybe(count),
  total_fwd_fees: maybe(amount),
  total_action_fees: maybe(amount),
  action_list_hash: maybe(hash256),
  tot_msg_size: maybe(size),
});

/** How a message went back to its sender, in the words of a v3 server. */
export interface BouncePhase {
  /** `negfunds`, `nofunds` or `ok`. */
  readonly type?: string;
  readonly msgSize?: Size;
  readonly reqFwdFees?: bigint;
  readonly msgFees?: bigint;
  readonly fwdFees?: bigint;
}
const bouncePhase: Schema<BouncePhase> = typed({
  type: maybe(text),
  msg_size: maybe(size),
  req_fwd_fees: maybe(amount),
  msg_fees: maybe(amount),
  fwd_fees: maybe(amount),
});

/** Where an account stands in a shard that splits or merges, in the words of a v3 server. */
export interface SplitInfo {
  readonly curShardPfxLen?: number;
  readonly accSplitDepth?: number;
  readonly thisAddr?: string;
  readonly siblingAddr?: string;
}
const splitInfo: Schema<SplitInfo> = typed({
  cur_shard_pfx_len: maybe(count),
  acc_split_depth: maybe(count),
  this_addr: maybe(text),
  sibling_addr: maybe(text),
});

/** How a transaction went, phase by phase, in the words of a v3 server; nothing of it is proven. */
export interface TransactionDescription {
  /** `ord`, `storage`, `tick_tock`, `split_prepare`, `split_install`, `merge_prepare` or `merge_install`. */
  readonly type: string;
  readonly aborted?: boolean;
  readonly destroyed?: boolean;
  readonly creditFirst?: boolean;
  readonly isTock?: boolean;
  readonly installed?: boolean;
  readonly storagePh?: StoragePhase;
  readonly creditPh?: CreditPhase;
  readonly computePh?: ComputePhase;
  readonly action?: ActionPhase;
  readonly bounce?: BouncePhase;
  readonly splitInfo?: SplitInfo;
}

export const transactionDescription: Schema<TransactionDescription> = typed({
  type: text,
  aborted: maybe(flag),
  destroyed: maybe(flag),
  credit_first: maybe(flag),
  is_tock: maybe(flag),
  installed: maybe(flag),
  storage_ph: maybe(storagePhase),
  credit_ph: maybe(creditPhase),
  compute_ph: maybe(computePhase),
  action: maybe(actionPhase),
  bounce: maybe(bouncePhase),
  split_info: maybe(splitInfo),
});
