/**
 * Owns the ledger of a fleet: hands out parts, a few ahead, and appends the results in order. Several workers may work on one part, and
 * Redis may lose it. The part is then handed out again, and the ledger contains it once.
 */

import { existsSync } from 'node:fs';
import type { Job, Queue } from 'bullmq';
import { AuditError, printable, SourceError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import { sleep } from '../../../net/async/timer.ts';
import { type AuditOptions, resolveAudit } from '../audit-options.ts';
import { isOfSource, type LedgerState } from '../ledger-check.ts';
import { LedgerFile } from '../ledger-file.ts';
import { type AuditRow, seqnoOf } from '../ledger-lines.ts';
import { type FleetPart, type PartLine, partId, unpackPart } from './packed-part.ts';
import { type FleetQueue, openQueue, requireRedis } from './redis.ts';

/** A part that was handed out again, and why. */
export interface RefusedPart {
  readonly from: number;
  readonly to: number;
  /** Name that the worker gave itself: its machine and process id. */
  readonly worker: string;
  readonly error: AuditError | SourceError;
}

/** The plan, the trust and the ledger of a fleet's audit. The workers know the source of the blocks. */
export interface EnqueueOptions
  extends FleetQueue,
    Omit<AuditOptions, 'whole' | 'blocks' | 'out' | 'engine' | 'signal'> {
  readonly out: string;
  /** Blocks in one part, at most `MAX_PART_BLOCKS`. Default 500. */
  readonly partBlocks?: number;
  /** Called for every row that is appended. */
  readonly onRow?: (row: AuditRow) => void;
  /** Called for every part that is handed out again. */
  readonly onRefused?: (refused: RefusedPart) => void;
}

const PART_BLOCKS = 500;
/** Parts handed out at a time. */
const AHEAD = 64;
const POLL_MS = 100;
/** Tries of one part that fails because of a server, and milliseconds before the second try. */
const ATTEMPTS = 5;
const BACKOFF_MS = 1000;
/** How often a rejected part goes back to the queue. */
const MAX_PART_REFUSALS = 3;
const MAX_NAME = 100;

function planOf(opts: EnqueueOptions): FleetPart {
  const { from, to, validators, checkpoint, signEvery, threshold, acceptUnbound, maxFailures, requireBoundId } = opts;
  const open = () => Promise.reject(new TypeError('the workers have the blocks'));
  const plan = resolveAudit({
    ...{ from, to, blocks: { name: 'fleet', bindsIds: true, open } },
    ...present({ validators, checkpoint, signEvery, threshold, acceptUnbound, requireBoundId, maxFailures }),
  });
  return { head: plan.head, maxFailures: plan.maxFailures };
}

/** Hands out the parts of a plan until the last one is in the ledger. An existing ledger is continued. */
async function coordinate(opts: EnqueueOptions, plan: FleetPart, queue: Queue): Promise<LedgerState> {
  const { head, maxFailures } = plan;
  /** Parts that this run handed out, and the workers whose result was rejected. Other parts in the queue are from earlier runs. */
  const refused = new Map<string, string[]>();
  // Parts end at signed blocks of the whole range.
  const step = head.signEvery * Math.ceil((opts.partBlocks ?? PART_BLOCKS) / head.signEvery);
  let ledger: LedgerFile | undefined;

  function partAt(index: number): FleetPart | undefined {
    const from = head.from + index * step;
    if (from > head.to) return undefined;
    return { head: { ...head, from, to: Math.min(head.to, from + step - 1) }, maxFailures };
  }

  /** @throws AuditError `audit/plan` for a ledger of another audit */
  async function open(): Promise<LedgerFile> {
    ledger ??= await LedgerFile.open(opts.out, head);
    return ledger;
  }

  /** Makes sure that a part is in the queue. */
  async function handOut(part: FleetPart): Promise<void> {
    const id = partId(plan, part);
    if ((await queue.getJob(id)) !== undefined) return;
    const backoff = { type: 'exponential', delay: BACKOFF_MS };
    if (!refused.has(id)) refused.set(id, []);
    await queue.add('part', part, { jobId: id, attempts: ATTEMPTS, backoff });
  }

  /**
   * Takes in the result of a part. A result from an earlier run counts only if it is valid.
   * @returns whether the whole part is in the ledger
   * @throws SourceError; AuditError, with the names of the workers, when the part was rejected too often or ends the audit
   */
  async function take(part: FleetPart): Promise<boolean> {
    const id = partId(plan, part);
    const state = await (await queue.getJob(id))?.getState();
    if (state !== 'completed' && state !== 'failed') return false; // a worker has it, or Redis has lost it
    const job = await queue.getJob(id); // with its result
    if (job === undefined) return false;
    const remove = () =>
      job.remove().then(
        () => true,
        () => false, // a late worker still has the job: the next round removes it
      );
    let tooMany: SourceError | undefined;
    try {
      if (state === 'failed') throw new SourceError('source/upstream', String(job.failedReason));
      const lines = await unpackPart(job.returnvalue, part, id);
      // A failure of a source is often temporary, so the part is tried again.
      const isAnother = !refused.has(id) && lines.some(isOfSource);
      if (isAnother) throw new SourceError('source/missing', 'of an earlier run');
      tooMany = await append(lines);
    } catch (error) {
      if (!(error instanceof AuditError || error instanceof SourceError) || error.code === 'audit/write') throw error;
      const isSpent = state === 'failed' && job.attemptsMade >= ATTEMPTS;
      if (await remove()) refuse(id, part, job, error, isSpent);
      return false;
    }
    await remove();
    if (tooMany !== undefined) throw tooMany;
    refused.delete(id);
    return true;
  }

  /** @throws the error if the part was rejected too often */
  function refuse(id: string, part: FleetPart, job: Job, error: RefusedPart['error'], isSpent: boolean): void {
    const workers = refused.get(id);
    if (workers === undefined) return; // of an earlier run
    const { from, to } = part.head;
    const worker = printable(String(job.processedBy ?? 'unknown'), MAX_NAME);
    workers.push(worker);
    if (workers.length <= MAX_PART_REFUSALS && !isSpent) {
      opts.onRefused?.({ from, to, worker, error });
      return;
    }
    const names = [...new Set(workers)].join(', ');
    const message = `blocks ${from} to ${to} by worker ${names}: ${error.message}`;
    const hint = error.hint ?? 'run the same command again to resume';
    throw error instanceof AuditError
      ? new AuditError(error.code, message, { hint, cause: error })
      : new SourceError(error.code, message, { hint, cause: error });
  }

  /**
   * Writes the lines that the ledger does not have yet, up to one failure too many.
   * @returns the error of that failure
   * @throws SourceError `source/disagree` for a line that contradicts earlier ones. Nothing of that part is written then: the correct part
   * would contradict invented rows
   */
  async function append(lines: readonly PartLine[]): Promise<SourceError | undefined> {
    const own = await open();
    const { check } = own;
    const first = check.next;
    const { tooMany, wrong } = check.stageNew(lines, maxFailures);
    if (wrong !== undefined) {
      // Opened again, the ledger may end earlier: blocks at its end that could not be fetched are tried again.
      own.close();
      ledger = undefined;
      await open();
      throw new SourceError('source/disagree', wrong.message, { hint: wrong.hint });
    }
    own.flush();
    for (const line of lines) {
      if (line.type !== 'set' && seqnoOf(line) >= first && seqnoOf(line) < check.next) opts.onRow?.(line);
    }
    if (tooMany === undefined) return undefined;
    const words = `more than ${maxFailures} blocks could not be fetched, now block ${tooMany.seqno}: ${tooMany.code}`;
    return new SourceError('source/missing', words, { hint: 'run the same command again to retry these blocks' });
  }

  try {
    if (existsSync(opts.out)) await open();
    for (;;) {
      const next = ledger?.check.next ?? head.from;
      const index = Math.floor((next - head.from) / step);
      const part = next > head.to ? undefined : partAt(index);
      if (part === undefined) break;
      for (let at = index; at < index + AHEAD; at++) {
        const later = partAt(at);
        if (later !== undefined) await handOut(later);
      }
      if (!(await take(part))) await sleep(POLL_MS);
    }
    if (ledger === undefined) throw new TypeError('an audit without parts');
    return ledger.check;
  } finally {
    ledger?.close();
  }
}

/**
 * Hands out the parts of an audit to workers through Redis, and writes their results in order into one ledger with the bytes of
 * an audit by one process. After an interruption, the same call resumes. Any process that can write to that Redis can be a worker.
 * The coordinator checks each part against itself, the plan and earlier rows, but it trusts the worker's blocks.
 * @param opts Redis, range, trust, policy and ledger (`out`) of the audit
 * @returns the state of the ledger, when every part is in it
 * @throws UsageError for invalid options, and if `bullmq` or `ioredis` is not installed; AuditError; SourceError if no Redis answers, for
 * a part that failed or was rejected too often, or for one failure too many
 */
export async function enqueueAudit(opts: EnqueueOptions): Promise<LedgerState> {
  const plan = planOf(opts);
  await requireRedis(opts.redis);
  const queue = await openQueue(opts);
  try {
    return await coordinate(opts, plan, queue);
  } finally {
    await queue.close().catch(() => {}); // errors at the end change nothing: the ledger is written
  }
}

/**
 * Returns the progress of a fleet: the connected workers, and the parts that wait, are worked on, are done but not yet in
 * a ledger, and failed too often.
 * @throws UsageError for options, and where `bullmq` or `ioredis` is not installed; SourceError where no Redis answers
 */
export async function auditFleetStatus(fleet: FleetQueue) {
  await requireRedis(fleet.redis);
  const queue = await openQueue(fleet);
  try {
    const counts = await queue.getJobCounts();
    const sum = (...states: readonly string[]) => states.reduce((all, state) => all + (counts[state] ?? 0), 0);
    const waiting = sum('waiting', 'delayed', 'prioritized');
    const workers = await queue.getWorkersCount();
    return { waiting, active: sum('active'), done: sum('completed'), failed: sum('failed'), workers };
  } finally {
    await queue.close();
  }
}
