/** What a bridge says of the deposits that it takes, read once. Nothing that would weaken a rule has a default that does. */
import { badArgument, requireInteger, requireMembers, requireSeconds } from '../base/arguments.ts';
import { HASH_BYTES } from '../base/limits.ts';
import { flag, optional, type Read, readOptions } from '../base/options.ts';
import { ownBytesOf, ownList } from '../base/own-bytes.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import { type Checkpoint, type OwnCheckpoint, ownCheckpoint } from '../chain/checkpoint.ts';
import { type AccountId, type AccountLike, requireAccount } from './account-id.ts';
import { badOption, readLt } from './refusals.ts';

/** A jetton, by the one wallet that may notify the vault of transfers. */
export interface JettonAsset<Account extends AccountLike = AccountId> {
  /** The jetton's master. It is shown in the result; which jettons count is said by `wallet`. */
  readonly master: Account;
  /** The vault's own wallet. Pin it: anybody can deploy genuine code with a made-up balance, at another address. */
  readonly wallet: Account;
  /** 32 bytes each: of the code that the wallet may have. Of code in a library: of the library, or of the cell that names it. */
  readonly walletCodeHashes: readonly Uint8Array[];
}

/** The terms of a bridge that a deposit has to meet. */
export interface DepositTerms<Recipient> {
  readonly network: {
    /** int32. */
    readonly globalId: number;
    readonly zerostate: BlockIdExt;
  };
  /** Yours: every proof has to begin at its key block, or to be signed by its set. */
  readonly checkpoint: Checkpoint;
  /** Unix seconds, now. */
  readonly nowSeconds: number;
  /** The account that takes deposits. */
  readonly vault: AccountLike;
  readonly asset: 'TON' | JettonAsset<AccountLike>;
  /** Above 0: the least amount, in the asset's smallest unit. */
  readonly atLeast: bigint;
  /**
   * Logical time: nothing older is ever accepted. A bridge that lost its records gives one above the `lt` of the newest deposit
   * that it released, and pays nothing twice.
   */
  readonly since: bigint;
  /** Nobody else's deposit. Of a jetton: who sent the jettons. */
  readonly sender?: AccountLike;
  /**
   * Reads the recipient on the other side in the text of the comment, in UTF-8. It throws, or gives `undefined`, where there is
   * none.
   */
  readonly payload: (text: Uint8Array) => Recipient;
  /** Default false: a vault that answers its sender in the same transaction may have given the money back. */
  readonly mayAnswer?: boolean;
  /** Default false: a deposit that brings other currencies beside TON is refused. They never count. */
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
  return Object.freeze(readOptions(given, path, readers)) as JettonAsset; // as its readers give it
}

function readNetwork(given: DepositTerms<unknown>['network'], path: string) {
  return readOptions(given, path, {
    globalId: (id: number, at) => requireInteger(id, at, -(2 ** 31), 2 ** 31 - 1),
    zerostate: copyBlockId,
  });
}

/** @throws UsageError for terms that are none; TrustError for a checkpoint that its own proof does not bear out */
export function readTerms<Recipient>(given: DepositTerms<Recipient>): OwnTerms {
  const terms = readOptions<DepositTerms<Recipient>, Record<keyof DepositTerms<Recipient>, Read<unknown>>>(
    given,
    'terms',
    {
      network: readNetwork,
      checkpoint: ownCheckpoint,
      nowSeconds: requireSeconds,
      vault: requireAccount,
      asset: readAsset,
      atLeast: (least: bigint, path) => {
        if (typeof least === 'bigint' && least > 0n) return least;
        throw badArgument(path, 'a bigint above 0', least);
      },
      since: readLt,
      sender: optional(requireAccount),
      payload: (read: unknown, path) => {
        if (typeof read === 'function') return read;
        throw badArgument(path, 'a function', read);
      },
      mayAnswer: flag(false),
      ignoreExtraCurrencies: flag(false),
    },
  );
  return terms as unknown as OwnTerms; // each was read as its reader gives it
}
