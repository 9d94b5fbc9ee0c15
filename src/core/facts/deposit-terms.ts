/** The terms of a bridge for deposits, read once. An option that weakens a rule is off by default. */
import { badArgument, badOption, requireInt32, requireMembers, requireSeconds } from '../base/arguments.ts';
import { HASH_BYTES } from '../base/limits.ts';
import { flag, optional, type Read, readOptions } from '../base/options.ts';
import { ownBytesOf, ownList } from '../base/own-bytes.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import { type Checkpoint, type OwnCheckpoint, ownCheckpoint } from '../chain/checkpoint.ts';
import { type AccountId, type AccountLike, requireAccount } from './account-id.ts';
import { requireLt } from './fact-checks.ts';

/** A jetton, identified by the only wallet that may notify the vault of transfers. */
export interface JettonAsset<Account extends AccountLike = AccountId> {
  /** The jetton's master, shown in the result. The `wallet` determines which jettons count. */
  readonly master: Account;
  /**
   * The vault's own wallet. Pin it: an attacker can deploy the genuine code with a false balance at a different
   * address.
   */
  readonly wallet: Account;
  /**
   * Hashes, 32 bytes each, of the code that the wallet may have. For code in a library: the hash of the library, or of
   * the cell that names it.
   */
  readonly walletCodeHashes: readonly Uint8Array[];
}

/** The terms of a bridge that a deposit has to meet. */
export interface DepositTerms<Recipient> {
  readonly network: {
    /** int32. */
    readonly globalId: number;
    readonly zerostate: BlockIdExt;
  };
  /** Your checkpoint. A proof has to begin at the key block of this checkpoint, or be signed by its validators. */
  readonly checkpoint: Checkpoint;
  /** Unix seconds, now. */
  readonly nowSeconds: number;
  /** The account that takes deposits. */
  readonly vault: AccountLike;
  readonly asset: 'TON' | JettonAsset<AccountLike>;
  /** The smallest amount, above 0, in the asset's smallest unit. */
  readonly atLeast: bigint;
  /**
   * Logical time; older deposits are never accepted. If a bridge has lost its records, pass a value above the `lt` of
   * the newest released deposit, so that the bridge pays no deposit twice.
   */
  readonly since: bigint;
  /** Accept deposits of this account only. For a jetton: the account that sent the jettons. */
  readonly sender?: AccountLike;
  /**
   * Reads the recipient on the other side from the text of the comment, in UTF-8. It throws, or returns `undefined`, if
   * there is none; `null`, `false`, NaN and an empty string count as none, too. A promise is refused: read what it needs
   * before the call.
   */
  readonly payload: (text: Uint8Array) => Recipient;
  /** Default false: a vault that answers its sender in the same transaction may have returned the money. */
  readonly mayAnswer?: boolean;
  /** Default false: a deposit with other currencies in addition to TON is rejected. They never count. */
  readonly ignoreExtraCurrencies?: boolean;
}

/** Terms in bytes that no other code holds. */
export type OwnTerms = Required<Omit<DepositTerms<unknown>, 'checkpoint' | 'sender' | 'vault' | 'asset'>> & {
  readonly vault: AccountId;
  readonly asset: 'TON' | JettonAsset;
  readonly checkpoint: OwnCheckpoint;
  readonly sender?: AccountId;
};

function readHashes(given: readonly Uint8Array[], path: string): readonly Uint8Array[] {
  const hashes = ownList(given, path).map((hash, k) => ownBytesOf(HASH_BYTES, hash, `${path}[${k}]`));
  if (hashes.length === 0) throw badOption('expected the hash of a code', path);
  return hashes;
}

function readAsset(given: DepositTerms<unknown>['asset'], path: string): 'TON' | JettonAsset {
  if (given === 'TON') return given;
  requireMembers(given, "'TON' or a jetton", path);
  const readers = { master: requireAccount, wallet: requireAccount, walletCodeHashes: readHashes };
  return Object.freeze(readOptions(given, path, readers)) as JettonAsset; // its readers return these types
}

/** Reads the terms. @throws UsageError for invalid terms; TrustError for a checkpoint that its own proof contradicts */
export function readTerms<Recipient>(given: DepositTerms<Recipient>): OwnTerms {
  const terms = readOptions<DepositTerms<Recipient>, Record<keyof DepositTerms<Recipient>, Read<unknown>>>(
    given,
    'terms',
    {
      network: (given: DepositTerms<unknown>['network'], path) =>
        readOptions(given, path, { globalId: requireInt32, zerostate: copyBlockId }),
      checkpoint: ownCheckpoint,
      nowSeconds: requireSeconds,
      vault: requireAccount,
      asset: readAsset,
      atLeast: (least: bigint, path) => {
        if (typeof least === 'bigint' && least > 0n) return least;
        throw badArgument(path, 'a bigint above 0', least);
      },
      since: requireLt,
      sender: optional(requireAccount),
      payload: (read: unknown, path) => {
        if (typeof read === 'function') return read;
        throw badArgument(path, 'a function', read);
      },
      mayAnswer: flag(false),
      ignoreExtraCurrencies: flag(false),
    },
  );
  return terms as unknown as OwnTerms; // each reader returns its type
}
