/**
 * Facts below the newest block, fetched from lite servers and proven: an account, a transaction, a parameter of the configuration.
 * No server is trusted: after a proof that does not hold the next server is asked.
 */
import { badArgument } from '../../core/base/arguments.ts';
import { equalBytes } from '../../core/base/bytes.ts';
import { SourceError } from '../../core/base/errors.ts';
import { HASH_BYTES } from '../../core/base/limits.ts';
import { optional, readOptions, whole } from '../../core/base/options.ts';
import { ownBytesOf } from '../../core/base/own-bytes.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import { type AccountId, type AccountLike, requireAccount } from '../../core/facts/account-id.ts';
import type { AccountFact, NoAccount } from '../../core/facts/account-state.ts';
import type { ConfigFact } from '../../core/facts/config-param.ts';
import type { BlockProvenance, ProvenBlock } from '../../core/facts/proven-block.ts';
import { readLt } from '../../core/facts/refusals.ts';
import type { TransactionFact } from '../../core/facts/transaction.ts';
import type { LiteServerClient } from './client.ts';
import {
  type Head,
  historyAfter,
  overFleet,
  type Proven,
  proveOne,
  reached,
  reachHead,
  requireState,
} from './fact-head.ts';
import { type FactOptions, factReaders } from './sync-options.ts';

/**
 * Proves an account in the state after the newest block, or its absence.
 * @param servers one or more
 * @throws SourceError when no server has a proof that holds; TrustError `trust/stale-start` for a checkpoint that is too old;
 * ForkError with the evidence
 */
export async function proveAccount(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  account: AccountLike,
  options: FactOptions = {},
): Promise<Proven<AccountFact | NoAccount>> {
  const asked = requireAccount(account);
  return await overFleet(servers, checkpoint, readOptions(options, '', factReaders()), async (...run) => {
    const head = await reachHead(...run);
    const { fact } = await proveOne(head, { kind: 'account', account: asked });
    return Object.freeze({ fact, ...reached(head.result) });
  });
}

/** Proves one parameter of the configuration after the newest block, or its absence. @throws as `proveAccount` */
export async function proveConfig(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  param: number,
  options: FactOptions = {},
): Promise<Proven<ConfigFact>> {
  return await overFleet(servers, checkpoint, readOptions(options, '', factReaders()), async (...run) => {
    const head = await reachHead(...run);
    const { fact } = await proveOne(head, { kind: 'config', param });
    return Object.freeze({ fact, ...reached(head.result) });
  });
}

/** What may be said of a transaction that is asked for. */
type Asked<Account extends AccountLike = AccountLike> = Pick<WantedTransaction<Account>, 'account'> &
  Partial<WantedTransaction<Account> & WantedByHash<Account>>;

/** A transaction to look for, by its logical time. */
export interface WantedTransaction<Account extends AccountLike = AccountLike> {
  readonly account: Account;
  /** uint64. */
  readonly lt: bigint;
}

/** A transaction to look for by its hash, among the transactions of the account after a logical time. */
export interface WantedByHash<Account extends AccountLike = AccountLike> {
  readonly account: Account;
  /** 32 bytes, of the transaction's cell. */
  readonly hash: Uint8Array;
  /** Logical time of a transaction that came before it: the search goes back as far as that. 0n for all. */
  readonly afterLt: bigint;
}

/**
 * The account had no transaction with this hash after `afterLt`, up to the block. The library looked at each transaction of
 * that range.
 */
export interface NoTransactionAfter {
  readonly kind: 'transaction';
  readonly found: false;
  readonly account: AccountId;
  readonly hash: Uint8Array;
  readonly afterLt: bigint;
  readonly reason: 'not-in-history';
  /** The block after whose state the account was proven, and how that was proven. */
  readonly upTo: BlockIdExt;
  readonly provenance: BlockProvenance;
}

/** How to look for a transaction. */
export interface TransactionOptions extends FactOptions {
  /** How many transactions a search by hash reads at most, 1 to 1000000. Default 10000. */
  readonly limit?: number;
}

/** At most so many transactions of one account are looked at. */
export const scanLimit = () => whole(1, 1_000_000, 10_000);

/** The wanted transaction, in bytes that no caller can change. */
export type OwnWanted = WantedTransaction<AccountId> | WantedByHash<AccountId>;

/** @throws UsageError */
export function readWanted(given: WantedTransaction | WantedByHash): OwnWanted {
  const { account, lt, hash, afterLt } = readOptions(given as Asked, 'wanted', {
    account: requireAccount,
    lt: optional(readLt),
    hash: optional((hash: Uint8Array, path) => ownBytesOf(HASH_BYTES, hash, path)),
    afterLt: optional(readLt),
  }) as Asked<AccountId>; // as its reader gives it
  if (lt !== undefined && hash === undefined && afterLt === undefined) return { account, lt };
  if (lt === undefined && hash !== undefined && afterLt !== undefined) return { account, hash, afterLt };
  throw badArgument('wanted', 'account and lt, or account, hash and afterLt', given);
}

/** A transaction below the head, and the block that holds it. @throws as `proveTransaction` */
export async function transactionBelow(
  head: Head,
  wanted: OwnWanted,
  limit: number,
): Promise<{ readonly fact: TransactionFact | NoTransactionAfter; readonly block?: ProvenBlock }> {
  const { account } = wanted;
  if ('lt' in wanted) return await proveOne(head, { kind: 'transaction', account, lt: wanted.lt });
  const { hash, afterLt } = wanted;
  const state = await requireState(head, account, 'wanted.account');
  const isSought = (one: { readonly hash: Uint8Array }) => equalBytes(one.hash, hash);
  const last = (await historyAfter(head, state, afterLt, limit, isSought)).at(-1);
  if (last !== undefined && isSought(last)) {
    const { lt } = last;
    const proven = await proveOne(head, { kind: 'transaction', account, lt });
    if (isSought(proven.fact)) return proven;
    throw new SourceError('source/wrong-block', `the transaction ${lt} of the history is another one in its block`);
  }
  const { block: upTo, provenance } = state;
  const fact = {
    kind: 'transaction',
    found: false,
    account,
    hash,
    afterLt,
    reason: 'not-in-history',
    upTo,
    provenance,
  } as const;
  return { fact: Object.freeze(fact) };
}

/**
 * Proves one transaction over lite servers. By its logical time: in the block that a server names for that; that none is there
 * proves no absence, and the next server is asked. By its hash: back from the newest transaction of the account, each of which
 * names the one before it.
 * @returns of a search by hash `found: false` where the whole history after `afterLt` was looked at
 * @throws as `proveAccount`; `source/wrong-block` where no server names a block that holds it; `trust/history` where a search
 * came to
 * its `limit` before it came to `afterLt`; `trust/no-account`; `source/not-ready` for an `afterLt` after the newest transaction
 */
export function proveTransaction(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: WantedTransaction,
  options?: FactOptions,
): Promise<Proven<TransactionFact>>;
export function proveTransaction(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: WantedByHash,
  options?: TransactionOptions,
): Promise<Proven<TransactionFact | NoTransactionAfter>>;
export async function proveTransaction(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: WantedTransaction | WantedByHash,
  options: TransactionOptions = {},
): Promise<Proven<TransactionFact | NoTransactionAfter>> {
  const own = readWanted(wanted);
  const { limit, ...more } = readOptions(options, '', { ...factReaders(), limit: scanLimit() });
  return await overFleet(servers, checkpoint, more, async (...run) => {
    const head = await reachHead(...run);
    const { fact } = await transactionBelow(head, own, limit);
    return Object.freeze({ fact, ...reached(head.result) });
  });
}
