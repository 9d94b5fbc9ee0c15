/** Runs a worker of a fleet: it takes parts of audits, one at a time, until it is stopped. It may die at any moment. */

import { hostname } from 'node:os';
import { AuditError, FinalityError, SourceError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import type { Ed25519Engine } from '../../../core/ed25519/engine.ts';
import { createWorkerPool } from '../../../core/ed25519/workers.ts';
import { onAbort } from '../../../net/async/on-abort.ts';
import { type AuditOptions, type ResolvedAudit, resolveAudit } from '../audit-options.ts';
import { runAudit } from '../audit-range.ts';
import { type AuditRow, requireEqualPlans, thresholdOf } from '../ledger-lines.ts';
import { packPart, readFleetPart } from './packed-part.ts';
import { type FleetQueue, openWorker, requireRedis } from './redis.ts';

/** The trust of a worker and its source of blocks. Each part says which blocks. */
export interface FleetWorkerOptions extends FleetQueue, Pick<AuditOptions, 'blocks' | 'validators' | 'checkpoint'> {
  /** Milliseconds without a sign of life, after which another worker takes a part. Default 30,000. */
  readonly lockMs?: number;
  /** Milliseconds without a part after which the worker ends. Default: never. */
  readonly idleMs?: number;
  /** Called for each row, again if a part is begun again. */
  readonly onRow?: (row: AuditRow) => void;
  /** Called for each part that is done. */
  readonly onPart?: (part: { readonly from: number; readonly to: number }) => void;
}

const LOCK_MS = 30_000;

/** Returns the name of this process among workers: its machine or container, and its id. */
function workerName(): string {
  const host = hostname().replace(/[^\w.-]/g, '_');
  return `${host.slice(0, 64)}:${process.pid}`;
}

/** Returns whether trying again is useless: it helps only against a failing server. */
function isFinal(error: unknown): boolean {
  return error instanceof FinalityError && !(error instanceof SourceError);
}

/**
 * Makes the audit of a part. Most options are the coordinator's. The trust, and whether unbound numbers are accepted, are the worker's own and
 * have to be equal.
 */
function auditOf(data: unknown, opts: FleetWorkerOptions, engine: Ed25519Engine): ResolvedAudit {
  const { head, maxFailures } = readFleetPart(data);
  const { from, to, signEvery, policy } = head;
  const { blocks, validators, checkpoint } = opts;
  const { acceptUnbound, requireBoundId } = policy;
  const judging = { threshold: thresholdOf(policy.threshold), acceptUnbound, requireBoundId, engine };
  const trust = present({ validators, checkpoint });
  const audit = resolveAudit({ from, to, signEvery, ...judging, maxFailures, blocks, ...trust });
  const hint =
    'run the worker with the --validators or --checkpoint of enqueue, and enqueue with --require-bound-id for workers over --base-url';
  requireEqualPlans(audit.head, head, 'this worker cannot do its part of the audit', { hint });
  return audit;
}

/** Runs one part. @returns its ledger, packed */
async function runPart(audit: ResolvedAudit, opts: FleetWorkerOptions): Promise<string> {
  const { from, to } = audit.head;
  const ledger: string[] = [];
  for await (const row of runAudit(audit, (text) => ledger.push(text))) opts.onRow?.(row);
  const packed = await packPart(ledger.join(''));
  opts.onPart?.({ from, to });
  return packed;
}

/**
 * Works on parts of audits until `idleMs` pass without a part, or a signal ends the process. Another worker takes a part that this one
 * does not finish; a part that both finish counts once.
 * @param opts Redis, source of the blocks, and the same trust as the audit's
 * @throws UsageError for invalid options, and if `bullmq` or `ioredis` is not installed; SourceError if no Redis answers at first;
 * AuditError `audit/plan` for a part of an audit with a different trust or policy: the worker then ends, and leaves the part to others
 */
export async function runAuditWorker(opts: FleetWorkerOptions): Promise<void> {
  const { lockMs = LOCK_MS, idleMs = Number.POSITIVE_INFINITY } = opts;
  await requireRedis(opts.redis);
  const engine = await createWorkerPool();
  const end = new AbortController();
  let refusal: AuditError | undefined;
  let isBusy = false;
  let doneMs = performance.now();
  const work = async (data: unknown): Promise<string> => {
    isBusy = true;
    try {
      return await runPart(auditOf(data, opts, engine), opts);
    } catch (error) {
      if (error instanceof AuditError && error.code === 'audit/plan') {
        refusal = error;
        end.abort();
      }
      throw error;
    } finally {
      isBusy = false;
      doneMs = performance.now();
    }
  };
  const worker = await openWorker(opts, lockMs, workerName(), work, isFinal);
  const watch = setInterval(() => {
    if (!isBusy && performance.now() - doneMs > idleMs) end.abort();
  }, 200);
  try {
    await new Promise<void>((resolve) => onAbort(end.signal, resolve));
  } finally {
    clearInterval(watch);
    await worker.close(refusal === undefined); // the error ends the run after the worker has closed
    await engine.close();
  }
  if (refusal !== undefined) throw refusal;
}
