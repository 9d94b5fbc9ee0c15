/**
 * Who owns the ledger of a fleet: hands out parts, a few ahead, and appends what comes back in order. A part may be worked on
 * any number of times, and be lost with all of Redis: it is handed out again, and in the ledger it stands once.
 */

import type { Queue } from 'bullmq';
import { requireInteger, requireOptions } from '../../base/arguments.ts';
import { AuditError, SourceError } from '../../base/errors.ts';
import { MAX_SEQNO } from '../../base/limits.ts';
import type { Signal } from '../../base/runtime-types.ts';
import { sleep } from '../../sources/timer.ts';
import { resolvePolicy } from '../../verify/policy.ts';
import { contradictionBetween } from '../agreement.ts';
import type { LedgerState } from '../ledger-check.ts';
import { LedgerFile } from '../ledger-file.ts';
import type { AuditOptions } from '../options.ts';
import { readLedger } from '../read-ledger.ts';
import { type AuditHead, type AuditLine, type AuditRow, MAX_SIGN_EVERY, seqnoOf } from '../row.ts';
import { type FleetOptions, requireFleet } from './fleet-options.ts';
import { type FleetPlan, MAX_PART_BLOCKS, partId, type UnpackedPart, unpackPart } from './part.ts';
import { openQueue, requireRedis } from './redis.ts';

/** What is audited, and where the ledger is. Where the blocks are is for the workers to know. */
export interface EnqueueOptions
  extends FleetOptions,
    Pick<AuditOptions, 'from' | 'to' | 'signEvery' | 'threshold' | 'acceptUnbound' | 'maxFailures'> {
  readonly out: string;
  /** Blocks in one part. Default 500. */
  readonly partBlocks?: number;
  /** Parts that are handed out at a time. Default 64. */
  readonly ahead?: number;
  readonly signal?: Signal;
  /** Told of every row that is appended. */
  readonly onRow?: (row: AuditRow) => void;
}

const KEYS = [
  ...['redis', 'queue', 'from', 'to', 'signEvery', 'threshold', 'acceptUnbound', 'maxFailures'],
  ...['out', 'partBlocks', 'ahead', 'signal', 'onRow'],
];
const DEFAULT_PART_BLOCKS = 500;
const DEFAULT_AHEAD = 64;
const POLL_MS = 100;
/** Tries of one part that a server makes fail, and milliseconds before the second. */
const ATTEMPTS = 5;
const BACKOFF_MS = 1000;

function planOf(opts: EnqueueOptions): FleetPlan {
  const { signEvery = 1, acceptUnbound = false, maxFailures = 10, threshold } = opts;
  const from = requireInteger(opts.from, 'from', 1, MAX_SEQNO);
  const { num, den } = resolvePolicy({ acceptUnbound, ...(threshold === undefined ? {} : { threshold }) }).threshold;
  return {
    from,
    to: requireInteger(opts.to, 'to', from, MAX_SEQNO),
    signEvery: requireInteger(signEvery, 'signEvery', 1, MAX_SIGN_EVERY),
    threshold: `${num}/${den}`,
    acceptUnbound,
    maxFailures: requireInteger(maxFailures, 'maxFailures', 0, MAX_SEQNO),
  };
}

async function headIn(file: string): Promise<AuditHead | undefined> {
  try {
    for await (const line of readLedger(file)) {
      if (line.type !== 'audit') return undefined; // the first line always is one
      const { hash: _, ...head } = line as AuditHead & { readonly hash?: string };
      return head;
    }
  } catch (error) {
    if (!(error instanceof Error && 'path' in error && error.path === file)) throw error; // no such file yet
  }
  return undefined;
}

class Coordinator {
  readonly #opts: EnqueueOptions;
  readonly #plan: FleetPlan;
  readonly #queue: Queue;
  readonly #step: number;
  #ledger: LedgerFile | undefined;

  constructor(opts: EnqueueOptions, plan: FleetPlan, queue: Queue) {
    const { partBlocks = DEFAULT_PART_BLOCKS } = opts;
    requireInteger(partBlocks, 'partBlocks', 1, MAX_PART_BLOCKS);
    this.#opts = opts;
    this.#plan = plan;
    this.#queue = queue;
    // Parts end where signed blocks of the whole stand.
    this.#step = plan.signEvery * Math.ceil(partBlocks / plan.signEvery);
  }

  close(): void {
    this.#ledger?.close();
  }

  #partAt(index: number): FleetPlan | undefined {
    const from = this.#plan.from + index * this.#step;
    return from > this.#plan.to
      ? undefined
      : { ...this.#plan, from, to: Math.min(this.#plan.to, from + this.#step - 1) };
  }

  /** Takes up a ledger that is there. @throws AuditError `audit/plan` for one of another audit */
  async takeUp(): Promise<void> {
    const head = await headIn(this.#opts.out);
    if (head === undefined) return;
    const { from, to, signEvery, threshold, acceptUnbound } = this.#plan;
    const wanted: AuditHead = { ...head, from, to, signEvery, policy: { ...head.policy, threshold, acceptUnbound } };
    this.#ledger = await LedgerFile.open(this.#opts.out, wanted);
  }

  /** Makes sure that a part is in the queue. */
  async #handOut(part: FleetPlan): Promise<void> {
    const id = partId(this.#plan, part);
    if ((await this.#queue.getJob(id)) !== undefined) return;
    const backoff = { type: 'exponential', delay: BACKOFF_MS };
    await this.#queue.add('part', part, { jobId: id, attempts: ATTEMPTS, backoff });
  }

  /** What became of a part; `undefined` while it is worked on. @throws SourceError when it was tried too often */
  async #result(part: FleetPlan): Promise<UnpackedPart | undefined> {
    const id = partId(this.#plan, part);
    const job = await this.#queue.getJob(id);
    if (job === undefined) return undefined; // Redis has lost it
    const state = await job.getState();
    if (state === 'failed') {
      await job.remove().catch(() => {}); // a later run tries it anew
      throw new SourceError('source/upstream', `blocks ${part.from} to ${part.to}: ${job.failedReason}`, {
        hint: 'run the same command again: it goes on there',
      });
    }
    if (state !== 'completed') return undefined;
    const done = await this.#queue.getJob(id); // with what it came to
    return done === undefined ? undefined : await unpackPart(done.returnvalue, part, id);
  }

  async #append({ head, lines }: UnpackedPart): Promise<void> {
    const { from, to, maxFailures } = this.#plan;
    const whole = { ...head, from, to };
    this.#ledger ??= await LedgerFile.open(this.#opts.out, whole);
    const { state } = this.#ledger;
    if (JSON.stringify({ ...state.head, hash: undefined }) !== JSON.stringify({ ...whole, hash: undefined })) {
      throw new AuditError('audit/plan', 'a worker audits under another policy, or trusts another set or checkpoint', {
        hint: 'give all workers the same --validators or --checkpoint, and the same kind of source',
      });
    }
    const named = new Set(state.sets.keys());
    const wanted: AuditLine[] = [];
    let failures = state.counts.failures;
    let { last } = state;
    for (const line of lines) {
      if (line.type === 'audit' || (line.type === 'set' && named.has(line.set))) continue;
      if (line.type !== 'set' && seqnoOf(line) < state.next) continue; // a part that was half appended
      const between = line.type === 'set' ? undefined : contradictionBetween(last, line);
      if (between !== undefined) {
        this.#ledger.write(wanted);
        throw new SourceError('source/disagree', between.message, { hint: between.hint });
      }
      if (line.type === 'failure' && ++failures > maxFailures) {
        this.#ledger.write(wanted);
        throw new SourceError(
          'source/missing',
          `more than ${maxFailures} blocks could not be had, now block ${line.seqno}: ${line.code}`,
        );
      }
      wanted.push(line);
      if (line.type !== 'set') last = line;
    }
    this.#ledger.write(wanted);
    for (const line of wanted) if (line.type === 'block' || line.type === 'failure') this.#opts.onRow?.(line);
  }

  /** Until the last part stands in the ledger. */
  async run(signal: Signal): Promise<LedgerState> {
    const next = this.#ledger?.state.next ?? this.#plan.from;
    let index = Math.floor((next - this.#plan.from) / this.#step);
    const { ahead = DEFAULT_AHEAD } = this.#opts;
    requireInteger(ahead, 'ahead', 1, 100_000);
    for (let part = this.#partAt(index); part !== undefined; part = this.#partAt(index)) {
      for (let at = index; at < index + ahead; at++) {
        const later = this.#partAt(at);
        if (later !== undefined) await this.#handOut(later);
      }
      const result = await this.#result(part);
      if (result === undefined) {
        await sleep(POLL_MS, signal);
        continue;
      }
      await this.#append(result);
      index += 1;
      const done = await this.#queue.getJob(partId(this.#plan, part));
      await done?.remove().catch(() => {}); // locked by a late worker: it goes when the queue is cleaned
    }
    if (this.#ledger === undefined) throw new TypeError('an audit without parts');
    return this.#ledger.state;
  }
}

/**
 * Hands out the parts of an audit to whoever works on the queue, and writes what they find into one ledger, in order: the very
 * bytes of an audit by one process. Ended at any moment, the same call goes on.
 * @throws UsageError for options, and where `bullmq` or `ioredis` is not installed; AuditError; SourceError where no Redis answers,
 * for a part that failed too often, or one failure too many
 */
export async function enqueueAudit(given: EnqueueOptions): Promise<LedgerState> {
  const opts = requireOptions(given, KEYS);
  const fleet = requireFleet(opts);
  const plan = planOf(opts);
  await requireRedis(fleet.redis);
  const queue = await openQueue(fleet);
  try {
    const coordinator = new Coordinator(opts, plan, queue);
    try {
      await coordinator.takeUp();
      return await coordinator.run(opts.signal ?? new AbortController().signal);
    } finally {
      coordinator.close();
    }
  } finally {
    await queue.close().catch(() => {}); // what was to be written is written
  }
}

/** What is going on in a queue. */
export interface FleetStatus {
  /** Parts that wait, are worked on, are done and not yet in a ledger, and failed too often. */
  readonly waiting: number;
  readonly active: number;
  readonly done: number;
  readonly failed: number;
  /** Workers that are connected. */
  readonly workers: number;
}

/** How a fleet stands. @throws UsageError for options, and where `bullmq` or `ioredis` is not installed; SourceError where no Redis answers */
export async function auditFleetStatus(opts: FleetOptions): Promise<FleetStatus> {
  const fleet = requireFleet(opts);
  await requireRedis(fleet.redis);
  const queue = await openQueue(fleet);
  try {
    const {
      waiting = 0,
      active = 0,
      completed = 0,
      failed = 0,
      delayed = 0,
      prioritized = 0,
    } = await queue.getJobCounts();
    const workers = await queue.getWorkersCount();
    return { waiting: waiting + delayed + prioritized, active, done: completed, failed, workers };
  } finally {
    await queue.close();
  }
}
