/** The address of a jetton wallet, derived from the proven state of its master as the master derives it. Source: TEP-74. */
import { decodeHex, encodeHex } from '../base/bytes.ts';
import { MAX_BOC_CELLS } from '../base/limits.ts';
import { parseSingleRoot } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';
import { type LooseCell, writeBoc } from '../cells/write-boc.ts';
import { trustError } from '../chain/shared-checks.ts';
import { type AccountId, type AccountLike, requireAccount } from './account-id.ts';
import { type AccountFact, accountDataOf, lastTransactionOf } from './account-state.ts';
import { readMessageAddress } from './addresses.ts';
import { readGrams } from './currency.ts';
import { badOption, notGiven, requireWord } from './refusals.ts';

/**
 * The layout of a jetton's data: `standard` for the reference contracts of TEP-74, where wallets hold their own code;
 * `governed` for USDT, where wallets begin with four bits of status; `plain` for Notcoin, with neither.
 */
export type JettonLayout = 'standard' | 'governed' | 'plain';

/**
 * standard: total_supply:Coins admin:MsgAddress content:^Cell jetton_wallet_code:^Cell; governed and plain: total_supply:Coins
 *   admin:MsgAddress next_admin:MsgAddress jetton_wallet_code:^Cell metadata_uri:^Cell.
 * Source: ton-blockchain/token-contract `ft/jetton-minter.fc`; ton-blockchain/stablecoin-contract `contracts/jetton-minter.fc`.
 */
function walletCode(data: Cell, layout: JettonLayout): Cell {
  const slice = new Slice(data, 'master.data');
  readGrams(slice);
  readMessageAddress(slice);
  if (layout === 'standard') slice.skipRefs(1);
  else readMessageAddress(slice);
  const code = slice.ref();
  if (layout !== 'standard') slice.skipRefs(1);
  slice.end();
  if (code.level !== 0) throw trustError('trust/pruned', 'a part of the code of wallets is cut off', 'master.data');
  return code;
}

const ADDRESS_BITS = 2 + 1 + 8 + 256;

/** addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256, without an anycast. */
function addressBits({ workchain, address }: AccountId): bigint {
  if ((workchain << 24) >> 24 !== workchain) throw badOption('no wallet holds an address of this workchain', 'owner');
  return (0b100n << 264n) | (BigInt(workchain & 0xff) << 256n) | BigInt(`0x${encodeHex(address)}`);
}

/** A cell that is in no bag yet. @param height above that of every cell below it */
function newCell(bits: bigint, bitLength: number, refs: LooseCell['refs'], height: number): LooseCell {
  const padding = 8 - (bitLength % 8); // a one and zeros; none of ours ends with a byte
  const padded = ((bits << 1n) | 1n) << BigInt(padding - 1);
  const data = decodeHex(padded.toString(16).padStart((bitLength + padding) / 4, '0'))!;
  return { data, bitLength, refs, hash: () => Uint8Array.of(height), depth: () => MAX_BOC_CELLS + height };
}

/**
 * Derives the address of an account's jetton wallet. The hash of the StateInit that the master deploys: no library, the code
 * as the master holds it (a reference to a library as such), a balance of zero. **Compare it with what the master's own
 * `get_wallet_address` says before you pin it**: a layout that is not the jetton's gives an address that no wallet has.
 * @param master the master's account, proven, with its contents
 * @throws TrustError `trust/unproven-block`, `trust/state-missing`; DecodeError `decode/boc` for data of another layout;
 * UsageError
 */
export function jettonWalletAddress(master: AccountFact, owner: AccountLike, layout: JettonLayout): AccountId {
  const own = requireAccount(owner, 'owner');
  requireWord(layout, 'layout', 'standard', 'governed', 'plain');
  const { data } = accountDataOf(master);
  const { account } = lastTransactionOf(master)!; // it was read
  if (data === undefined) throw notGiven('the data of the master', 'master');
  const code = walletCode(data, layout);
  // No coins, and no status: zeros at the front.
  const front = layout === 'governed' ? 8 : 4;
  const bits = (addressBits(own) << BigInt(ADDRESS_BITS)) | addressBits(account);
  const wallet = newCell(bits, front + 2 * ADDRESS_BITS, layout === 'standard' ? [code] : [], 0);
  // No split depth, not special; code and data; no libraries.
  const init = newCell(0b00110n, 5, [code, wallet], 1);
  const address = parseSingleRoot(writeBoc(init), 'wallet').hash();
  return Object.freeze({ workchain: account.workchain, address });
}
