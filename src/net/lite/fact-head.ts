/** The newest block, proven, and the servers that are asked for what is below it: what every call that fetches a fact begins with. */
import { SourceError, TrustError } from '../../core/base/errors.ts';
import { MAX_HISTORY_TRANSACTIONS } from '../../core/base/limits.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type Checkpoint, ownCheckpoint } from '../../core/chain/checkpoint.ts';
import type { AccountId } from '../../core/facts/account-id.ts';
import type { AccountFact, NoAccount } from '../../core/facts/account-state.ts';
import type { ConfigFact } from '../../core/facts/config-param.ts';
import { blockOfCheckpoint, blockOfReport } from '../../core/facts/final-block.ts';
import { type HistoryFact, type HistoryProof, verifyHistory } from '../../core/facts/history.ts';
import type { ProvenBlock } from '../../core/facts/proven-block.ts';
import { verifyOlderBlock } from '../../core/facts/shard-top.ts';
import type { TransactionFact } from '../../core/facts/transaction.ts';
import type { Warning } from '../../core/verify/report.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import type { WitnessReport } from '../sources/witness-report.ts';
import { askFact, type FactQuestion, firstThatProves, judged } from './ask-fact.ts';
import type { LiteServerClient } from './client.ts';
import { Fleet, requireDistinctServers, withinTime } from './fleet.ts';
import type { Questions } from './meter.ts';
import { proveOlder } from './prove.ts';
import type { LiteAskOptions } from './requester.ts';
import { syncOver } from './sync.ts';
import type { FactOptions, SyncOptions } from './sync-options.ts';
import { ownHeadOf, type SyncResult } from './sync-result.ts';

/** The newest proven block of a run, and what other servers said about it. */
export interface Reached {
  /** The newest one: keep it, and give it to `acceptDeposit`. */
  readonly checkpoint: Checkpoint;
  /** What else is to be known, such as a server that named another block. */
  readonly warnings: readonly Warning[];
  /** Which servers named the same block, and which did not. */
  readonly witnesses: WitnessReport;
}

/** A proven fact, with the result of the run that proved it. */
export interface Proven<Fact> extends Reached {
  readonly fact: Fact;
}

export function reached({ checkpoint, warnings, witnesses }: SyncResult): Reached {
  return { checkpoint, warnings, witnesses };
}

/** The newest block, and the run that it was proven in. */
export interface Head {
  readonly result: SyncResult;
  readonly block: ProvenBlock;
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
  return report === undefined ? blockOfCheckpoint(checkpoint) : blockOfReport(report, tipHeader);
}

/** One fleet for all of a call, and what it is asked. @throws as `withinTime` */
export async function overFleet<T>(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  options: FactOptions,
  work: (fleet: Fleet, from: Checkpoint, options: FactOptions) => Promise<T>,
): Promise<T> {
  const { deadlineMs, ...rest } = options;
  const from = ownCheckpoint(checkpoint).checkpoint; // in bytes that no caller can change
  const fleet = new Fleet(requireDistinctServers(servers), 'run', options.countEachServer);
  return await withinTime(
    fleet,
    options,
    () => 'not proven',
    (signal) => work(fleet, from, signal === undefined ? rest : { ...rest, signal }),
  );
}

/** @throws as `syncedBlock` */
export async function reachHead(fleet: Fleet, from: Checkpoint, options: SyncOptions): Promise<Head> {
  const result = await syncOver(fleet, from, options);
  return { result, block: syncedBlock(result), fleet, signal: options.signal };
}

/** Asks one server after the other, who proved the head first, until the answers of one prove what they are asked for. */
export async function fromOne<T extends { readonly answers: readonly Uint8Array[]; readonly links?: number }>(
  { result, fleet, signal }: Head,
  what: string,
  prove: (questions: Questions, opts: LiteAskOptions) => Promise<T>,
): Promise<T> {
  const { prover } = ownHeadOf(result)!; // made by syncOver
  const inOrder = fleet.usable().sort((a, b) => Number(b === prover) - Number(a === prover));
  const proven = await firstThatProves(fleet, inOrder, what, signal, prove);
  if (proven === undefined) throw noAgreement(`no lite server proves ${what}`, fleet.statements());
  return proven;
}

/** The fact that answers to each kind of question prove. */
interface FactOf {
  readonly transaction: TransactionFact;
  readonly account: AccountFact | NoAccount;
  readonly config: ConfigFact;
}

const WORDS = { transaction: 'a transaction', account: 'an account', config: 'a parameter' } as const;

/** A fact below the head, and the block that it was read in. */
export async function proveOne<K extends keyof FactOf>(
  head: Head,
  question: FactQuestion & { readonly kind: K },
): Promise<{ readonly fact: FactOf[K]; readonly block: ProvenBlock }> {
  const reach = async (seqno: number | undefined) => ({ block: await masterchainAt(head, seqno) });
  const { fact, block } = await fromOne(head, WORDS[question.kind], async (questions, opts) =>
    judged(await askFact(questions, question, reach, undefined, opts)),
  );
  return { fact: fact as FactOf[K], block }; // of the kind that was asked for
}

/** The masterchain block of a number, at or before the head; the head without one. */
export async function masterchainAt(
  { result, block, fleet, signal }: Head,
  seqno: number = block.id.seqno,
): Promise<ProvenBlock> {
  if (seqno === block.id.seqno) return block;
  if (seqno > block.id.seqno) throw new SourceError('source/not-ready', `block ${seqno} is newer than the head`);
  const { tip, prover } = ownHeadOf(result)!; // made by syncOver
  const asked = signal === undefined ? {} : { signal };
  return verifyOlderBlock((await proveOlder(fleet, { tip, ...(prover && { prover }) }, seqno, asked)).tl, block);
}

function tooMany(limit: number, afterLt: bigint): TrustError {
  return new TrustError('trust/history', `more than ${limit} transactions after ${afterLt}`, {
    path: 'limit',
    hint: 'allow more: to begin later leaves transactions out',
  });
}

/** The account's state after the head. @throws TrustError `trust/no-account` */
export async function requireState(head: Head, account: AccountId, path: string): Promise<AccountFact> {
  const { fact } = await proveOne(head, { kind: 'account', account });
  if (fact.found) return fact;
  const words = `there is no such account after block ${head.block.id.seqno} (${fact.reason})`;
  throw new TrustError('trust/no-account', words, {
    path,
    hint: 'compare its address and the network; deploy it first',
  });
}

/**
 * Goes back over an account's transactions, until one that is known or one that is looked for.
 * @returns those after `afterLt`, the newest first; of a search up to the one with the hash, if there is one
 * @throws TrustError `trust/history` for more than `limit`; SourceError `source/not-ready` where `afterLt` is after the newest
 */
export async function historyAfter(
  head: Head,
  account: AccountFact,
  afterLt: bigint,
  limit: number,
  isSought: (fact: HistoryFact) => boolean = () => false,
): Promise<readonly HistoryFact[]> {
  if (afterLt > account.lastTransLt) {
    const words = `the newest transaction is lt ${account.lastTransLt}, which is before ${afterLt}`;
    throw new SourceError('source/not-ready', words, {
      hint: 'wait, if the servers are behind; else afterLt is of another account or network',
    });
  }
  const pages: HistoryProof[] = [];
  let next = { lt: account.lastTransLt, hash: account.lastTransHash };
  for (let seen = 0; next.lt > afterLt; ) {
    if (seen > limit) throw tooMany(limit, afterLt);
    const start = { account: account.account, ...next };
    const page = await fromOne(head, 'a history', async (questions, opts) => {
      const newest = { ...next, count: MAX_HISTORY_TRANSACTIONS };
      const { claimed, tl } = await questions.transactions(start.account, newest, opts);
      const facts = verifyHistory([claimed], start);
      if (facts.length === 0) throw new SourceError('source/wrong-block', `no transaction ${start.lt}`);
      return { claimed, facts, answers: [tl], links: facts.length };
    });
    pages.push(page.claimed);
    seen += page.links;
    const { prevTransLt: lt, prevTransHash: hash } = page.facts.at(-1)!.transaction; // there is one
    next = { lt, hash };
    if (page.facts.some(isSought)) break;
  }
  const limited = { limit: limit + MAX_HISTORY_TRANSACTIONS };
  const all = verifyHistory(pages, account, limited).filter(({ lt }) => lt > afterLt);
  const at = all.findIndex(isSought);
  const wanted = at < 0 ? all : all.slice(0, at + 1);
  if (wanted.length > limit) throw tooMany(limit, afterLt);
  return wanted;
}
