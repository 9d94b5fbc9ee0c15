/**
 * Proves facts below the newest block with answers of lite servers: an account, a transaction, a parameter of the
 * configuration. No server is trusted: after a proof that does not hold the next server is asked.
 */
import { badArgument, requireInt32 } from '../../core/base/arguments.ts';
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
import { requireLt } from '../../core/facts/fact-checks.ts';
import type { BlockProvenance, ProvenBlock } from '../../core/facts/proven-block.ts';
import type { TransactionFact } from '../../core/facts/transaction.ts';
import { factReaders } from '../follow/live-options.ts';
import { historyAfter, requireState } from './account-history.ts';
import type { LiteServerClient } from './client.ts';
import { type Head, type Proven, provenBelow, proveOne, readCall } from './fact-head.ts';
import type { FactOptions } from './sync-options.ts';

/**
 * Proves an account in the state after the newest block, or proves that it does not exist.
 * @param clients one or more clients of lite servers; a server that fails or lies is passed over
 * @param checkpoint the key block that you trust, from `readCheckpoint` or `syncCheckpoint`
 * @param account the address, from `parseAccountId`, or an Address of @ton/core
 * @param options how to reach the newest block; default: its age at most 60 s, no witness required, 10 minutes for the call
 * @returns the proven account as `fact`, and a newer checkpoint
 * @throws SourceError when no server has a proof that holds; TrustError `trust/stale-start` for a checkpoint that is
 * too old; ForkError with evidence of a fork; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseAccountId } from 'ton-finality/facts';
 * import { readCheckpoint } from 'ton-finality/node';
 * import { connectLite, parseGlobalConfig, proveAccount } from 'ton-finality/servers';
 * const { servers } = parseGlobalConfig(JSON.parse(readFileSync('global.config.json', 'utf8')));
 * const clients = servers.map((server) => connectLite(server));
 * const vault = parseAccountId(`0:${'11'.repeat(32)}`);
 * const { fact } = await proveAccount(clients, readCheckpoint('checkpoint.json'), vault);
 * console.log(fact.kind); // account
 * for (const client of clients) client.close();
 * ```
 */
export async function proveAccount(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  account: AccountLike,
  options: FactOptions = {},
): Promise<Proven<AccountFact | NoAccount>> {
  const asked = requireAccount(account);
  const call = readCall(clients, checkpoint, readOptions(options, '', factReaders()));
  return await provenBelow(call, (head) => proveOne(head, { kind: 'account', account: asked }));
}

/**
 * Proves one parameter of the configuration after the newest block, or proves that it does not exist.
 * @param clients one or more clients of lite servers; a server that fails or lies is passed over
 * @param checkpoint the key block that you trust, from `readCheckpoint` or `syncCheckpoint`
 * @param param the number of the parameter, an int32
 * @param options how to reach the newest block; default: its age at most 60 s, no witness required, 10 minutes for the call
 * @returns the proven parameter as `fact`, and a newer checkpoint
 * @throws SourceError when no server has a proof that holds; TrustError `trust/stale-start` for a checkpoint that is
 * too old; ForkError with evidence of a fork; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { readCheckpoint } from 'ton-finality/node';
 * import { connectLite, parseGlobalConfig, proveConfig } from 'ton-finality/servers';
 * const { servers } = parseGlobalConfig(JSON.parse(readFileSync('global.config.json', 'utf8')));
 * const clients = servers.map((server) => connectLite(server));
 * const { fact } = await proveConfig(clients, readCheckpoint('checkpoint.json'), 34);
 * console.log(fact.kind); // config
 * for (const client of clients) client.close();
 * ```
 */
export async function proveConfig(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  param: number,
  options: FactOptions = {},
): Promise<Proven<ConfigFact>> {
  requireInt32(param, 'param');
  const call = readCall(clients, checkpoint, readOptions(options, '', factReaders()));
  return await provenBelow(call, (head) => proveOne(head, { kind: 'config', param }));
}

/** The members that may name a transaction. */
type AnyWanted<Account extends AccountLike = AccountLike> = Pick<WantedTransaction<Account>, 'account'> &
  Partial<WantedTransaction<Account> & WantedByHash<Account>>;

/** A transaction to look for, by its logical time. */
export interface WantedTransaction<Account extends AccountLike = AccountLike> {
  readonly account: Account;
  /** The logical time of the transaction, uint64. */
  readonly lt: bigint;
}

/** A transaction to look for by its hash, among the transactions of the account after a logical time. */
export interface WantedByHash<Account extends AccountLike = AccountLike> {
  readonly account: Account;
  /** The hash of the transaction's cell, 32 bytes. */
  readonly hash: Uint8Array;
  /** Logical time of an earlier transaction, where the search ends. 0n for all. */
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
  /** The block after whose state the account was proven, and its proof. */
  readonly upTo: BlockIdExt;
  readonly provenance: BlockProvenance;
}

/** How to look for a transaction. */
export interface TransactionOptions extends FactOptions {
  /** How many transactions a search by hash reads at most, 1 to 1000000. Default 10000. */
  readonly limit?: number;
}

/** The reader of `limit`: how many transactions of one account are read at most. */
export const scanLimit = () => whole(1, 1_000_000, 10_000);

/** The wanted transaction, in a copy that the caller cannot change. */
export type OwnWanted = WantedTransaction<AccountId> | WantedByHash<AccountId>;

/** Checks what transaction is wanted. @throws UsageError */
export function readWanted(given: WantedTransaction | WantedByHash): OwnWanted {
  const { account, lt, hash, afterLt } = readOptions(given as AnyWanted, 'wanted', {
    account: requireAccount,
    lt: optional(requireLt),
    hash: optional((hash: Uint8Array, path) => ownBytesOf(HASH_BYTES, hash, path)),
    afterLt: optional(requireLt),
  }) as AnyWanted<AccountId>; // the readers made this type
  if (lt !== undefined && hash === undefined && afterLt === undefined) return { account, lt };
  if (lt === undefined && hash !== undefined && afterLt !== undefined) return { account, hash, afterLt };
  throw badArgument('wanted', 'account and lt, or account, hash and afterLt', given);
}

/** Returns a transaction below the head, and its block. @throws as `proveTransaction` */
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
    const words = `the transaction ${lt} of the history differs from the one in its block`;
    throw new SourceError('source/wrong-block', words);
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
 * Proves one transaction over lite servers. With `lt`, the transaction is looked up in the block that a server names
 * for that logical time; if the block lacks the transaction, the next server is asked. With `hash`, the search goes
 * back from the account's newest transaction, because each transaction names the one before.
 * @param clients one or more clients of lite servers; a server that fails or lies is passed over
 * @param checkpoint the key block that you trust, from `readCheckpoint` or `syncCheckpoint`
 * @param wanted the account with the logical time or the hash of the transaction; with `hash`, also where the search
 * ends
 * @param options how to reach the newest block; default: its age at most 60 s, no witness required, 10 minutes for the call
 * @returns the proven transaction as `fact`; a search by hash without result has `found: false` after the whole history
 * since `afterLt`
 * @throws as `proveAccount`; `source/wrong-block` where no server names a block with the transaction; `source/not-ready`
 * where servers have no block for an `lt`, and for an `afterLt` after the newest transaction; `trust/history` where a
 * search reached its `limit` before `afterLt`; `trust/no-account`
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseAccountId } from 'ton-finality/facts';
 * import { readCheckpoint } from 'ton-finality/node';
 * import { connectLite, parseGlobalConfig, proveTransaction } from 'ton-finality/servers';
 * const { servers } = parseGlobalConfig(JSON.parse(readFileSync('global.config.json', 'utf8')));
 * const clients = servers.map((server) => connectLite(server));
 * const wanted = { account: parseAccountId(`0:${'11'.repeat(32)}`), lt: 2000010n };
 * const { fact } = await proveTransaction(clients, readCheckpoint('checkpoint.json'), wanted);
 * console.log(fact.transaction?.outcome.success); // true
 * for (const client of clients) client.close();
 * ```
 */
export function proveTransaction(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: WantedTransaction,
  options?: FactOptions,
): Promise<Proven<TransactionFact>>;
export function proveTransaction(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: WantedByHash,
  options?: TransactionOptions,
): Promise<Proven<TransactionFact | NoTransactionAfter>>;
export async function proveTransaction(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: WantedTransaction | WantedByHash,
  options: TransactionOptions = {},
): Promise<Proven<TransactionFact | NoTransactionAfter>> {
  const own = readWanted(wanted);
  const { limit, ...more } = readOptions(options, '', { ...factReaders(), limit: scanLimit() });
  return await provenBelow(readCall(clients, checkpoint, more), (head) => transactionBelow(head, own, limit));
}
