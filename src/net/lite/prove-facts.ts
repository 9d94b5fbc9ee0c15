/**
 * Facts below the newest block, fetched from lite servers and proven: an account, a transaction, a parameter of the configuration,
 * and all that came to an account. No server is believed: one whose proof does not hold is passed over for the next.
 */
import { badArgument, requireMembers } from '../../core/base/arguments.ts';
import { SourceError, TrustError } from '../../core/base/errors.ts';
import { MAX_HISTORY_TRANSACTIONS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import { type AccountId, requireAccount } from '../../core/facts/account-id.ts';
import type { AccountFact, NoAccount } from '../../core/facts/account-state.ts';
import type { ConfigFact } from '../../core/facts/config-param.ts';
import { checkpointBlock, finalBlock } from '../../core/facts/final-block.ts';
import { type HistoryFact, type HistoryProof, verifyHistory } from '../../core/facts/history.ts';
import type { ProvenBlock } from '../../core/facts/proven-block.ts';
import { requireLt } from '../../core/facts/refusals.ts';
import { olderBlock } from '../../core/facts/shard-top.ts';
import type { TransactionFact } from '../../core/facts/transaction.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import { askFact, type FactQuestion, firstThatProves, judged } from './ask-fact.ts';
import type { LiteServerClient } from './client.ts';
import { Fleet } from './fleet.ts';
import type { Questions } from './meter.ts';
import { proveBlock } from './prove.ts';
import type { LiteAskOptions } from './requester.ts';
import { syncCheckpoint } from './sync.ts';
import type { SyncOptions } from './sync-options.ts';
import { ownHeadOf, type SyncResult } from './sync-result.ts';

type FactMember =
  | 'now'
  | 'witnesses'
  | 'strict'
  | 'countEachServer'
  | 'maxHeadAgeSeconds'
  | 'deadlineMs'
  | 'onProgress'
  | 'onStall'
  | 'signal';

/** How the way to the newest block is gone: `syncCheckpoint` has the same options. */
export type FactOptions = Pick<SyncOptions, FactMember>;

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
  readonly fleet: Fleet;
  readonly signal: Signal | undefined;
}

/**
 * The block that a synchronisation ended at.
 * @throws TrustError `trust/stale-start`, `trust/too-few-witnesses`; SourceError `source/not-ready` for a head that is old
 */
export function syncedBlock({ verdict, report, tip, tipHeader, checkpoint }: SyncResult): ProvenBlock {
  if (verdict.status === 'undecided') {
    const { reason } = verdict;
    if (reason === 'stale-head') throw new SourceError('source/not-ready', `the newest block, ${tip.seqno}, is old`);
    const code = reason === 'too-few-witnesses' ? 'trust/too-few-witnesses' : 'trust/stale-start';
    throw new TrustError(code, `block ${tip.seqno} is undecided: ${reason}`, { path: 'checkpoint' });
  }
  return report === undefined ? checkpointBlock(checkpoint) : finalBlock(report, tipHeader);
}

/** @throws as `syncedBlock` */
async function reachHead(servers: readonly LiteServerClient[], from: Checkpoint, options: FactOptions): Promise<Head> {
  const result = await syncCheckpoint(servers, from, options);
  const block = syncedBlock(result);
  const fleet = new Fleet(servers);
  fleet.keepOut(ownHeadOf(result)!.fleet); // made by syncCheckpoint
  return { result, block, servers, fleet, signal: options.signal };
}

/** Asks one server after the other, who proved the head first, until the answers of one prove what they are asked for. */
async function fromOne<T extends { readonly answers: readonly Uint8Array[]; readonly links?: number }>(
  { result, fleet, signal }: Head,
  what: string,
  prove: (questions: Questions, opts: LiteAskOptions) => Promise<T>,
): Promise<T> {
  const { prover } = ownHeadOf(result)!; // made by syncCheckpoint
  const inOrder = fleet.usable().sort((a, b) => Number(b === prover) - Number(a === prover));
  const proven = await firstThatProves(fleet, inOrder, what, signal, prove);
  if (proven === undefined) throw noAgreement(`no lite server proves ${what}`, fleet.statements());
  return proven;
}

/** What is proven of each kind. */
interface FactOf {
  readonly transaction: TransactionFact;
  readonly account: AccountFact | NoAccount;
  readonly config: ConfigFact;
}

async function proveOne<K extends keyof FactOf>(
  head: Head,
  question: FactQuestion & { readonly kind: K },
): Promise<FactOf[K]> {
  const reach = async (seqno: number | undefined) => ({ block: await masterchainAt(head, seqno) });
  const { fact } = await fromOne(head, WORDS[question.kind], async (questions, opts) =>
    judged(await askFact(questions, question, reach, undefined, opts)),
  );
  return fact as FactOf[K]; // of the kind that was asked for
}

const WORDS = { transaction: 'a transaction', account: 'an account', config: 'a parameter' } as const;

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
  return Object.freeze({
    fact: await proveOne(head, { kind: 'account', account: asked }),
    checkpoint: head.result.checkpoint,
  });
}

/** Proves one parameter of the configuration after the newest block, or that there is none. @throws as `proveAccount` */
export async function proveConfig(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  param: number,
  options: FactOptions = {},
): Promise<Proven<ConfigFact>> {
  const head = await reachHead(servers, checkpoint, options);
  return Object.freeze({ fact: await proveOne(head, { kind: 'config', param }), checkpoint: head.result.checkpoint });
}

/** The masterchain block of a number, at or before the head; the head without one. */
async function masterchainAt(
  { result, block, servers, signal }: Head,
  seqno: number = block.id.seqno,
): Promise<ProvenBlock> {
  if (seqno === block.id.seqno) return block;
  if (seqno > block.id.seqno) throw new SourceError('source/not-ready', `block ${seqno} is newer than the head`);
  return olderBlock((await proveBlock(servers, result, seqno, present({ signal }))).tl, block);
}

/** Which transaction. */
export type WantedTransaction = { readonly account: AccountId; readonly lt: bigint };

/**
 * Proves one transaction, by the block that a server names for its time. That none is there proves no absence: the next server is asked.
 * @throws as `proveAccount`; `source/wrong-block` where no server names a block that holds it
 */
export async function proveTransaction(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  wanted: WantedTransaction,
  options: FactOptions = {},
): Promise<Proven<TransactionFact>> {
  const { account: named, lt } = requireMembers(wanted, 'a transaction', 'wanted') as typeof wanted; // each is looked at
  const account = requireAccount(named, 'wanted.account');
  requireLt(lt, 'wanted.lt');
  const head = await reachHead(servers, checkpoint, options);
  const fact = await proveOne(head, { kind: 'transaction', account, lt });
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
export interface DepositsOptions extends Pick<SyncOptions, FactMember> {
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
    const page = await fromOne(head, 'a history', async (questions, opts) => {
      const newest = { ...next, count: MAX_HISTORY_TRANSACTIONS };
      const { claimed, tl } = await questions.transactions(start.account, newest, opts);
      const facts = verifyHistory([claimed], start);
      const last = facts.at(-1);
      if (last === undefined) throw new SourceError('source/wrong-block', `no transaction ${start.lt}`);
      return { claimed, last, answers: [tl], links: facts.length };
    });
    pages.push(page.claimed);
    seen += page.links;
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
  const state = await proveOne(head, { kind: 'account', account });
  if (!state.exists) return;
  const history = await historyAfter(head, state, afterLt, limit);
  if (history.length === 0) return;
  const beside = ownWallet === undefined ? undefined : await proveOne(head, { kind: 'account', account: ownWallet });
  const wallets = beside?.exists === true ? [beside] : [];
  for (const fact of [...history].reverse()) {
    yield Object.freeze({
      lt: fact.lt,
      facts: Object.freeze([fact, ...wallets] as const),
      checkpoint: head.result.checkpoint,
    });
  }
}
