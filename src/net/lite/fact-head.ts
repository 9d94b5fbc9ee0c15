/**
 * Proves the newest block, and keeps the servers that are asked for facts below it. Every call that fetches a fact
 * begins here.
 */
import { SourceError, TrustError } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type Checkpoint, ownCheckpoint } from '../../core/chain/checkpoint.ts';
import type { AccountFact, NoAccount } from '../../core/facts/account-state.ts';
import type { ConfigFact } from '../../core/facts/config-param.ts';
import { blockOfCheckpoint, blockOfReport } from '../../core/facts/final-block.ts';
import type { ProvenBlock } from '../../core/facts/proven-block.ts';
import { verifyOlderBlock } from '../../core/facts/shard-top.ts';
import type { TransactionFact } from '../../core/facts/transaction.ts';
import type { Warning } from '../../core/verify/report.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import type { WitnessReport } from '../sources/witness-report.ts';
import { askFact, type FactQuestion, firstThatProves, judged, type ProveOver } from './ask-fact.ts';
import type { LiteServerClient } from './client.ts';
import { requireServerFault } from './climb.ts';
import { Fleet, requireDistinctServers } from './fleet.ts';
import { askHeads } from './heads.ts';
import { proveOlder } from './prove.ts';
import { syncOver } from './sync.ts';
import type { FactOptions, SyncOptions } from './sync-options.ts';
import { ownHeadOf, type SyncResult } from './sync-result.ts';
import { runOver, type TellReason } from './timed-call.ts';

/** The newest proven block of a run, and what other servers said about it. */
export interface Reached {
  /** The newest checkpoint: keep it, and pass it to `acceptDeposit`. */
  readonly checkpoint: Checkpoint;
  /** Warnings, for example that a server named a different block. */
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

/** The newest block, and the run that proved it. */
export interface Head {
  readonly result: SyncResult;
  readonly block: ProvenBlock;
  readonly fleet: Fleet;
  readonly signal: Signal | undefined;
}

/**
 * Returns the block that a synchronisation ended at. @throws TrustError `trust/stale-start`, `trust/too-few-witnesses`;
 * SourceError `source/not-ready` for an old head
 */
export function syncedBlock({ verdict, report, tip, tipHeader, checkpoint }: SyncResult): ProvenBlock {
  if (verdict.status === 'undecided') {
    const { reason } = verdict;
    if (reason === 'stale-head') {
      const hint = 'wait, or ask other servers';
      throw new SourceError('source/not-ready', `the newest block, ${tip.seqno}, is old`, { hint });
    }
    const code = reason === 'too-few-witnesses' ? 'trust/too-few-witnesses' : 'trust/stale-start';
    throw new TrustError(code, `block ${tip.seqno} is undecided: ${reason}`, { path: 'checkpoint' });
  }
  return report === undefined ? blockOfCheckpoint(checkpoint) : blockOfReport(report, tipHeader);
}

/** The servers, the start and the options of one call. */
export interface Call {
  readonly fleet: Fleet;
  /** A copy that the caller cannot change. */
  readonly from: Checkpoint;
  readonly options: SyncOptions;
  /** Given where the call itself reports why it has no result yet. */
  readonly onReason?: TellReason | undefined;
}

/** Milliseconds for a whole call, because a server may answer each of its questions, but slowly. */
const CALL_MS = 600_000;

/** Reads the arguments of a call when it is made. @throws UsageError */
export function readCall(clients: readonly LiteServerClient[], checkpoint: Checkpoint, options: FactOptions) {
  return { clients: requireDistinctServers(clients), from: ownCheckpoint(checkpoint).checkpoint, options };
}

/** Runs a call with one fleet, one time limit and one report of stalls. @throws as `runOver` */
export async function overFleet<T>(
  { clients, from, options }: ReturnType<typeof readCall>,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const { deadlineMs = CALL_MS, onStall: _, ...rest } = options;
  const fleet = new Fleet(clients, 'run', options.countEachServer);
  return await runOver(fleet, { ...options, deadlineMs }, from.keyBlock, (signal, onReason) =>
    work({ fleet, from, options: { ...rest, signal }, onReason }),
  );
}

/** Proves facts below the newest block. @throws as `syncedBlock` */
export async function provenBelow<Fact>(
  call: ReturnType<typeof readCall>,
  prove: (head: Head) => Promise<{ readonly fact: Fact }>,
): Promise<Proven<Fact>> {
  return await overFleet(call, async (run) => {
    const head = await reachHead(run);
    const { fact } = await prove(head);
    return Object.freeze({ fact, ...reached(head.result) });
  });
}

/** Proves the head, or the block of the number that the options name. @throws as `syncedBlock` */
export async function reachHead({ fleet, from, options, onReason }: Call): Promise<Head> {
  const result = await syncOver(fleet, from, options, onReason);
  const block = syncedBlock(result);
  onReason?.(() => {
    const { seqno } = block.id;
    const error = fleet.statements().at(-1)?.error as SourceError | undefined; // all that a fleet keeps are
    return { code: 'not-proven', head: seqno, said: seqno, ...present({ error }) };
  });
  return { result, block, fleet, signal: options.signal };
}

/**
 * Asks one server after the other until the answers of one prove the fact. The server that proved the head is first.
 */
export async function fromOne<T extends { readonly answers: readonly Uint8Array[]; readonly links?: number }>(
  { result, fleet, signal }: Head,
  what: string,
  prove: ProveOver<T>,
  order: (servers: readonly LiteServerClient[]) => readonly LiteServerClient[] = (servers) => servers,
): Promise<T> {
  const { prover } = ownHeadOf(result)!; // syncOver made it
  const proven = await firstThatProves(fleet, order(fleet.usable(prover)), what, signal, prove);
  if (proven === undefined) throw noAgreement(`no lite server proves ${what}`, fleet.statements());
  return proven;
}

/** The type of fact for each kind of question. */
interface FactOf {
  readonly transaction: TransactionFact;
  readonly account: AccountFact | NoAccount;
  readonly config: ConfigFact;
}

const WORDS = { transaction: 'a transaction', account: 'an account', config: 'a parameter' } as const;

/** Proves a fact below the head, and returns it with its block. */
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

/** Returns the masterchain block of a number, at or before the head; without a number, the head. */
export async function masterchainAt(
  { result, block, fleet, signal }: Head,
  seqno: number = block.id.seqno,
): Promise<ProvenBlock> {
  if (seqno === block.id.seqno) return block;
  if (seqno > block.id.seqno) throw new SourceError('source/not-ready', `block ${seqno} is newer than the head`);
  const head = ownHeadOf(result)!; // syncOver made it
  return verifyOlderBlock((await proveOlder(fleet, head, seqno, present({ signal }))).tl, block);
}

/**
 * Makes a check of block numbers that servers name. Without it, every server would be asked to wait for a block that no
 * server has. A number up to the lowest head that a server names is accepted. Above it, the newest block is proven
 * once, because a liar can name any head.
 * @returns a function that throws SourceError `source/not-ready` for a block above the newest one
 */
export function requireUpToHead(fleet: Fleet, from: Checkpoint, options: SyncOptions, onReason?: TellReason) {
  const { clock = () => Date.now() / 1000, signal } = options;
  let said: Promise<number> | undefined;
  let proven: Promise<number> | undefined;
  const lowest = async () => {
    try {
      return Math.min(...(await askHeads(fleet, signal, clock)).map(({ head }) => head.last.seqno));
    } catch (error) {
      requireServerFault(error);
      return Number.POSITIVE_INFINITY; // servers that name no head can still prove a block
    }
  };
  const newest = async () => (await syncOver(fleet, from, options, onReason)).tip.seqno;
  return async (seqno: number): Promise<void> => {
    said ??= lowest();
    if (seqno <= (await said)) return;
    proven ??= newest();
    if (seqno <= (await proven)) return;
    throw new SourceError('source/not-ready', `block ${seqno} is newer than the head`);
  };
}
