/**
 * Facts below the newest block, fetched from lite servers and proven: an account, a transaction, a parameter of the configuration,
 * and all that came to an account. No server is believed: one whose proof does not hold is passed over for the next.
 */
import { badArgument, requireMembers } from '../../core/base/arguments.ts';
import { SourceError, TrustError } from '../../core/base/errors.ts';
import { MASTERCHAIN_WORKCHAIN, MAX_HISTORY_TRANSACTIONS, QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import { type AccountId, requireAccount } from '../../core/facts/account-id.ts';
import { type AccountFact, type NoAccount, verifyAccountState } from '../../core/facts/account-state.ts';
import { type ConfigFact, verifyConfigParam } from '../../core/facts/config-param.ts';
import { checkpointBlock, finalBlock } from '../../core/facts/final-block.ts';
import { type HistoryFact, type HistoryProof, verifyHistory } from '../../core/facts/history.ts';
import type { ProvenBlock } from '../../core/facts/proven-block.ts';
import { requireLt } from '../../core/facts/refusals.ts';
import { olderBlock, shardBlock } from '../../core/facts/shard-top.ts';
import { type TransactionFact, verifyTransaction } from '../../core/facts/transaction.ts';
import { readAnswerOf } from '../lite-api/read-answers.ts';
import { configParamsRequest, lookupByLtRequest } from '../lite-api/write-requests.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import type { LiteServerClient } from './client.ts';
import { brokenProof, isBrokenProof } from './climb.ts';
import { Fleet } from './fleet.ts';
import { proveBlock } from './prove.ts';
import { syncCheckpoint } from './sync.ts';
import type { SyncOptions } from './sync-options.ts';
import { ownHeadOf, type SyncResult } from './sync-result.ts';

/** How the way to the newest block is gone: `syncCheckpoint` has the same options. */
export type FactOptions = Pick<
  SyncOptions,
  | 'now'
  | 'witnesses'
  | 'strict'
  | 'countEachServer'
  | 'maxHeadAgeSeconds'
  | 'deadlineMs'
  | 'onProgress'
  | 'onStall'
  | 'signal'
>;

/** A fact, and how far trust has moved on the way to it. */
export interface Proven<Fact> {
  readonly fact: Fact;
  /** The newest one: keep it, and give it to `acceptDeposit`. */
  readonly checkpoint: Checkpoint;
}

/** The newest block, proven, and the servers that may be asked about it. */
interface Head {
  readonly result: SyncResult;
  readonly block: ProvenBlock;
  readonly servers: readonly LiteServerClient[];
  readonly signal: FactOptions['signal'];
}

/** @throws TrustError `trust/stale-start`, `trust/too-few-witnesses`; SourceError `source/not-ready` for a head that is old */
async function reachHead(servers: readonly LiteServerClient[], from: Checkpoint, options: FactOptions): Promise<Head> {
  const result = await syncCheckpoint(servers, from, options);
  const { verdict, report, tip, tipHeader, checkpoint } = result;
  if (verdict.status === 'undecided') {
    const { reason } = verdict;
    if (reason === 'stale-head') throw new SourceError('source/not-ready', `the newest block, ${tip.seqno}, is old`);
    const code = reason === 'too-few-witnesses' ? 'trust/too-few-witnesses' : 'trust/stale-start';
    throw new TrustError(code, `block ${tip.seqno} is undecided: ${reason}`, { path: 'checkpoint' });
  }
  const block = report === undefined ? checkpointBlock(checkpoint) : finalBlock(report, tipHeader);
  return { result, block, servers, ...present({ signal: options.signal }) } as Head;
}

/** Asks one server after the other, who proved the head first, until the answer of one proves what it is asked for. */
async function fromOne<T>(
  { result, servers, signal }: Head,
  what: string,
  ask: (client: LiteServerClient, opts: { readonly deadlineMs: number }) => Promise<T>,
): Promise<T> {
  const fleet = new Fleet(servers);
  const own = ownHeadOf(result)!; // made by syncCheckpoint
  fleet.keepOut(own.fleet);
  const inOrder = fleet.usable().sort((a, b) => Number(b === own.prover) - Number(a === own.prover));
  const opts = { deadlineMs: QUESTION_DEADLINE_MS, ...present({ signal }) };
  for (const client of inOrder) {
    try {
      return await ask(client, opts);
    } catch (cause) {
      const error = isBrokenProof(cause) ? brokenProof(client, what, new Uint8Array(), cause) : cause;
      if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
      fleet.rest(client, error);
    }
  }
  throw noAgreement(`no lite server proves ${what}`, fleet.statements());
}

async function accountAt(head: Head, account: AccountId): Promise<AccountFact | NoAccount> {
  return await fromOne(head, 'an account', async (client, opts) => {
    const { claimed } = await client.accountState(head.block.id, account, opts);
    return verifyAccountState(claimed, head.block, account);
  });
}

/**
 * Proves an account as it is after the newest block, or that there is none.
 * @param servers one or more
 * @throws SourceError when no server has a proof that holds; TrustError `trust/stale-start` for a checkpoint that is too old;
 * ForkError with the evidence
 */
export async function proveAccount(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  account: AccountId,
  options: FactOptions = {},
): Promise<Proven<AccountFact | NoAccount>> {
  const asked = requireAccount(account);
  const head = await reachHead(servers, checkpoint, options);
  return Object.freeze({ fact: await accountAt(head, asked), checkpoint: head.result.checkpoint });
}

/** Proves one parameter of the configuration after the newest block, or that there is none. @throws as `proveAccount` */
export async function proveConfig(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  param: number,
  options: FactOptions = {},
): Promise<Proven<ConfigFact>> {
  const head = await reachHead(servers, checkpoint, options);
  const fact = await fromOne(head, 'a parameter', async (client, opts) => {
    const answer = readAnswerOf('config', await client.ask(configParamsRequest(head.block.id, [param]), opts));
    return verifyConfigParam(answer, head.block, param);
  });
  return Object.freeze({ fact, checkpoint: head.result.checkpoint });
}

/** The masterchain block of a number, at or before the head. */
async function masterchainAt({ result, block, servers, signal }: Head, { seqno }: BlockIdExt): Promise<ProvenBlock> {
  if (seqno === block.id.seqno) return block;
  if (seqno > block.id.seqno) throw new SourceError('source/not-ready', `block ${seqno} is newer than the head`);
  return olderBlock((await proveBlock(servers, result, seqno, present({ signal }))).tl, block);
}

/**
 * Proves one transaction, by the block that a server names for its time. That none is there proves no absence: the next server is asked.
 * @throws as `proveAccount`; `source/wrong-block` where no server names a block that holds it
 */
export async function proveTransaction(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: { readonly account: AccountId; readonly lt: bigint },
  options: FactOptions = {},
): Promise<Proven<TransactionFact>> {
  const { account: named, lt } = requireMembers(wanted, 'a transaction', 'wanted') as typeof wanted; // each is looked at
  const account = requireAccount(named, 'wanted.account');
  requireLt(lt, 'wanted.lt');
  const head = await reachHead(servers, checkpoint, options);
  const fact = await fromOne(head, 'a transaction', async (client, opts) => {
    const { id } = readAnswerOf('block-header', await client.ask(lookupByLtRequest(account, lt), opts));
    let block: ProvenBlock;
    if (account.workchain === MASTERCHAIN_WORKCHAIN) block = await masterchainAt(head, id);
    else {
      const { claimed } = await client.shardProof(id, opts);
      block = shardBlock(claimed, await masterchainAt(head, claimed.masterchainId), id);
    }
    const { claimed } = await client.transaction(block.id, account, lt, opts);
    const found = verifyTransaction(claimed, block, { account, lt });
    if (found.found) return found;
    throw new SourceError('source/wrong-block', `block ${block.id.seqno} does not hold the transaction`);
  });
  return Object.freeze({ fact, checkpoint: head.result.checkpoint });
}

/** What came to a vault: proof for `acceptDeposit`. */
export interface Arrival {
  /** Of the transaction: where the next scan begins, as `afterLt`. */
  readonly lt: bigint;
  /** The transaction and, where a wallet was named, its state under the same masterchain block. */
  readonly facts: readonly [HistoryFact, ...AccountFact[]];
  /** The newest one: keep it, and give it to `acceptDeposit`. */
  readonly checkpoint: Checkpoint;
}

/** Where a scan begins, and what is proven beside. */
export interface DepositsOptions extends FactOptions {
  /** Logical time of the last transaction that you have; 0n for all. Nothing after it is left out. */
  readonly afterLt: bigint;
  /** The vault's jetton wallet, whose state goes with each transaction. */
  readonly wallet?: AccountId;
  /** Transactions at most. Default 10000: with more than that, begin later. */
  readonly limit?: number;
}

const DEFAULT_LIMIT = 10_000;

/** Goes back over an account's transactions until one that is known. */
async function historyAfter(
  head: Head,
  account: AccountFact,
  afterLt: bigint,
  limit: number,
): Promise<readonly HistoryFact[]> {
  const pages: HistoryProof[] = [];
  let next = { lt: account.lastTransLt, hash: account.lastTransHash };
  for (let seen = 0; next.lt > afterLt; ) {
    if (seen > limit)
      throw new TrustError('trust/history', `more than ${limit} transactions after ${afterLt}`, { path: 'limit' });
    const start = { account: account.account, ...next };
    const page = await fromOne(head, 'a history', async (client, opts) => {
      const { claimed } = await client.transactions(start.account, { ...next, count: MAX_HISTORY_TRANSACTIONS }, opts);
      const facts = verifyHistory([claimed], start);
      const last = facts.at(-1);
      if (last === undefined) throw new SourceError('source/wrong-block', `no transaction ${start.lt}`);
      return { claimed, last, count: facts.length };
    });
    pages.push(page.claimed);
    seen += page.count;
    const { prevTransLt: lt, prevTransHash: hash } = page.last.transaction;
    next = { lt, hash };
  }
  const limited = { limit: limit + MAX_HISTORY_TRANSACTIONS };
  const all = verifyHistory(pages, account, limited).filter(({ lt }) => lt > afterLt);
  if (all.length > limit)
    throw new TrustError('trust/history', `more than ${limit} transactions after ${afterLt}`, { path: 'limit' });
  return all;
}

/**
 * Every transaction of a vault up to the newest block, the oldest first, none left out: each names the one before it, from the proven
 * state of the vault on. It ends there; call it again with the `lt` of the last one as `afterLt`.
 * @throws as `proveAccount`; `trust/history` for more transactions than `limit`
 */
export async function* depositsOf(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  vault: AccountId,
  options: DepositsOptions,
): AsyncGenerator<Arrival, void, undefined> {
  const {
    afterLt,
    wallet,
    limit = DEFAULT_LIMIT,
    ...more
  } = requireMembers(options, 'options', 'options') as DepositsOptions & Record<string, unknown>; // each is looked at
  requireLt(afterLt, 'afterLt');
  if (!(Number.isInteger(limit) && limit > 0)) throw badArgument('limit', 'a whole number above 0', limit);
  const account = requireAccount(vault, 'vault');
  const ownWallet = wallet === undefined ? undefined : requireAccount(wallet, 'wallet');
  const head = await reachHead(servers, checkpoint, more as FactOptions);
  const state = await accountAt(head, account);
  if (!state.exists) return;
  const history = await historyAfter(head, state, afterLt, limit);
  if (history.length === 0) return;
  const beside = ownWallet === undefined ? undefined : await accountAt(head, ownWallet);
  const wallets = beside?.exists === true ? [beside] : [];
  for (const fact of [...history].reverse()) {
    yield Object.freeze({
      lt: fact.lt,
      facts: Object.freeze([fact, ...wallets] as const),
      checkpoint: head.result.checkpoint,
    });
  }
}
