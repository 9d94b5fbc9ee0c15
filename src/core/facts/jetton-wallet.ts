/** Derives the address of a jetton wallet from the proven state of its master, as the master does. Source: TEP-74. */
import { badOption } from '../base/arguments.ts';
import { decodeHex, encodeHex } from '../base/bytes.ts';
import type { Cell } from '../cells/cell.ts';
import { NewCell } from '../cells/new-cell.ts';
import { Slice } from '../cells/slice.ts';
import { trustError } from '../chain/shared-checks.ts';
import { type AccountId, type AccountLike, requireAccount } from './account-id.ts';
import { type AccountFact, accountDataOf, lastTransactionOf } from './account-state.ts';
import { readMessageAddress } from './addresses.ts';
import { readGrams } from './currency.ts';
import { notGiven, requireWord } from './fact-checks.ts';

/**
 * The layout of a jetton's data. `standard`: the reference contracts of TEP-74, whose wallets contain their own code;
 * `governed`: USDT, whose wallets begin with four bits of status; `plain`: Notcoin, with neither.
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

/** Makes a cell of a number of bits that is not whole bytes. */
function cellOf(bits: bigint, bitLength: number, refs: NewCell['refs']): NewCell {
  const padding = 8 - (bitLength % 8); // a one bit and zeros
  const padded = ((bits << 1n) | 1n) << BigInt(padding - 1);
  return new NewCell(decodeHex(padded.toString(16).padStart((bitLength + padding) / 4, '0'))!, bitLength, refs);
}

/**
 * Derives the address of an account's jetton wallet: the hash of the StateInit that the master deploys. It has no
 * library, the code as the master contains it (a library reference stays one), and a balance of zero. **Compare the
 * address with the master's own `get_wallet_address` before you pin it**: a wrong layout gives an address that no
 * wallet has.
 * @param master the proven account of the jetton's master, with its contents
 * @param owner the account that owns the wallet, such as a bridge's vault
 * @param layout `standard`, `governed` or `plain`
 * @returns the account id of the wallet
 * @throws TrustError `trust/unproven-block`, `trust/state-missing`; DecodeError `decode/boc` for data of a different
 * layout; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * import { formatAccountId, jettonWalletAddress, parseAccountId } from 'ton-finality/facts';
 * import { parseCertificate, verifyCertificate } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/jetton-checkpoint.json', 'utf8')));
 * const certificate = parseCertificate(readFileSync('vectors/examples/jetton-master.fin.boc'));
 * const [, master] = verifyCertificate(certificate, { checkpoint }).facts;
 * if (master.kind !== 'account' || !master.found) throw new Error('no master');
 * const wallet = jettonWalletAddress(master, parseAccountId(`0:${'11'.repeat(32)}`), 'standard');
 * console.log(formatAccountId(wallet).slice(0, 10)); // 0:33b65ec8
 * ```
 */
export function jettonWalletAddress(master: AccountFact, owner: AccountLike, layout: JettonLayout): AccountId {
  const own = requireAccount(owner, 'owner');
  requireWord(layout, 'layout', 'standard', 'governed', 'plain');
  const { data } = accountDataOf(master);
  const { account } = lastTransactionOf(master)!; // `accountDataOf` has checked it
  if (data === undefined) throw notGiven('the data of the master', 'master');
  const code = walletCode(data, layout);
  // The first bits are zeros: the amount and the status.
  const front = layout === 'governed' ? 8 : 4;
  const bits = (addressBits(own) << BigInt(ADDRESS_BITS)) | addressBits(account);
  const wallet = cellOf(bits, front + 2 * ADDRESS_BITS, layout === 'standard' ? [code] : []);
  // No split depth, not special; code and data; no libraries.
  const address = cellOf(0b00110n, 5, [code, wallet]).hash();
  return Object.freeze({ workchain: account.workchain, address });
}
