/** The newest block, proven, and the servers that are asked for what is below it: what every call that fetches a fact begins with. */
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
import { Voice } from '../follow/voice.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import type { WitnessReport } from '../sources/witness-report.ts';
import { askFact, type FactQuestion, firstThatProves, judged, type ProveOver } from './ask-fact.ts';
import type { LiteServerClient } from './client.ts';
import { Fleet, requireDistinctServers, withinTime } from './fleet.ts';
import { proveOlder } from './prove.ts';
import { syncOver, type TellReason } from './sync.ts';
import type { FactOptions } from './sync-options.ts';
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

/** Who is asked, from where, and how. */
export interface Call {
  readonly fleet: Fleet;
  /** In bytes that no caller can change. */
  readonly from: Checkpoint;
  readonly options: FactOptions;
  /** Where the call says itself why it has no result yet. */
  readonly onReason?: TellReason;
}

/** Milliseconds for all of a call: a server may answer each of its questions, and all of them slowly. */
const CALL_MS = 600_000;

/** What a call is made with, read when it is made. @throws UsageError */
export function readCall(servers: readonly LiteServerClient[], checkpoint: Checkpoint, options: FactOptions) {
  const clients = requireDistinctServers(servers);
  return { clients, from: ownCheckpoint(checkpoint).checkpoint, options };
}

/** One fleet, one time limit and one report of stalls for all of a call. @throws as `withinTime` */
export async function overFleet<T>(
  { clients, from, options }: ReturnType<typeof readCall>,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const { deadlineMs = CALL_MS, onStall, signal, ...rest } = options;
  const fleet = new Fleet(clients, 'run', options.countEachServer);
  const limits = { deadlineMs, ...present({ signal }) };
  return await withinTime(
    fleet,
    limits,
    () => 'not proven',
    async (limited) => {
      const { seqno } = from.keyBlock;
      let reason: Parameters<TellReason>[0] = () => ({ code: 'no-server', head: seqno, said: seqno });
      const voice = new Voice({
        signal: limited,
        onStall,
        maxOutageMs: Number.POSITIVE_INFINITY,
        reason: () => reason(),
      });
      const onReason: TellReason = (next) => {
        reason = next;
      };
      voice.listen();
      try {
        return await work({ fleet, from, options: { ...rest, signal: voice.signal }, onReason });
      } catch (error) {
        voice.requireNoFault();
        throw error;
      } finally {
        voice.close();
      }
    },
  );
}

/** @throws as `syncedBlock` */
export async function reachHead({ fleet, from, options, onReason }: Call): Promise<Head> {
  const result = await syncOver(fleet, from, options, onReason);
  const block = syncedBlock(result);
  onReason?.(notProven(fleet, block));
  return { result, block, fleet, signal: options.signal };
}

/** Why a call whose block is proven has no result yet. */
export function notProven(fleet: Fleet, { id: { seqno } }: ProvenBlock): Parameters<TellReason>[0] {
  return () => {
    const error = fleet.statements().at(-1)?.error as SourceError | undefined; // all that a fleet keeps are
    return { code: 'not-proven', head: seqno, said: seqno, ...present({ error }) };
  };
}

/** Asks one server after the other, who proved the head first, until the answers of one prove what they are asked for. */
export async function fromOne<T extends { readonly answers: readonly Uint8Array[]; readonly links?: number }>(
  { result, fleet, signal }: Head,
  what: string,
  prove: ProveOver<T>,
  order: (servers: readonly LiteServerClient[]) => readonly LiteServerClient[] = (servers) => servers,
): Promise<T> {
  const { prover } = ownHeadOf(result)!; // made by syncOver
  const inOrder = fleet.usable().sort((a, b) => Number(b === prover) - Number(a === prover));
  const proven = await firstThatProves(fleet, order(inOrder), what, signal, prove);
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
