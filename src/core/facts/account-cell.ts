/** Reads the contents of an account's cell. `account-state.ts` proves that the cell is the account's. */
import { present } from '../base/present.ts';
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';
import { trustError } from '../chain/shared-checks.ts';
import type { AccountId } from './account-id.ts';
import { isAccount, readMessageAddress } from './addresses.ts';
import { type Currency, readCurrency, readMaybeGrams, readVarUint } from './currency.ts';

/** The content of an account. Cells may be pruned if the answer showed only a part. */
export interface AccountData {
  readonly status: 'uninit' | 'frozen' | 'active';
  readonly balance: Currency;
  /** Present for an active account. */
  readonly code?: Cell;
  readonly data?: Cell;
  /** Present for a frozen account: the hash of the state that would thaw it. */
  readonly stateHash?: Uint8Array;
  /** Storage that the account occupies, and the payment that it owes. */
  readonly storage: {
    readonly cells: bigint;
    readonly bits: bigint;
    /** Unix seconds. */
    readonly lastPaid: number;
    readonly duePayment?: bigint;
  };
}

/** Requires the address inside an account's cell to be its own. @throws TrustError `trust/account-hash` */
export function requireAccountAddress(cell: Cell, account: AccountId, path: string): Slice {
  const slice = new Slice(cell, path);
  if (slice.bit() && isAccount(readMessageAddress(slice), account)) return slice;
  throw trustError('trust/account-hash', 'the account names another address', path);
}

/**
 * _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
 *   library:(HashmapE 256 SimpleLib) = StateInit; Source: ton `crypto/block/block.tlb`.
 */
export function readStateInit(slice: Slice): { readonly code: Cell | undefined; readonly data: Cell | undefined } {
  if (slice.bit()) slice.skip(5);
  if (slice.bit()) slice.skip(2);
  const init = { code: slice.maybeRef(), data: slice.maybeRef() };
  slice.maybeRef(); // library
  return init;
}

/**
 * account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
 * storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32 due_payment:(Maybe Grams) = StorageInfo;
 * storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7); storage_extra_none$000; storage_extra_info$001 dict_hash:uint256;
 * account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState;
 * account_uninit$00; account_frozen$01 state_hash:bits256; account_active$1 _:StateInit;
 * Source: ton `crypto/block/block.tlb`.
 *
 * Before storage_extra there was a third number, of public cells. Zero reads the same; any other is refused.
 */
export function readAccountCell(cell: Cell, account: AccountId, path: string): AccountData {
  const slice = requireAccountAddress(cell, account, path);
  const cells = readVarUint(slice, 3);
  const bits = readVarUint(slice, 3);
  const extra = slice.uint(3);
  if (extra > 1) throw slice.wrongTag(extra, 3, 'a storage extra');
  if (extra === 1) slice.skip(256);
  const lastPaid = slice.uint(32);
  const due = readMaybeGrams(slice);
  slice.skip(64); // last_trans_lt: belongs to the next transaction, not to the last one
  const balance = readCurrency(slice);
  const storage = Object.freeze({ cells, bits, lastPaid, ...present({ duePayment: due }) });
  const common = { balance, storage };
  if (!slice.bit()) {
    const frozen = slice.bit();
    const stateHash = frozen ? slice.bytes(32) : undefined;
    slice.end();
    if (stateHash === undefined) return Object.freeze({ status: 'uninit', ...common });
    return Object.freeze({ status: 'frozen', stateHash, ...common });
  }
  const init = readStateInit(slice);
  slice.end();
  return Object.freeze({ status: 'active', ...present(init), ...common });
}
