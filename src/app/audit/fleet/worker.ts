/** Runs a worker of a fleet: it takes parts of audits, one at a time, until it is stopped. It may die at any moment. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AuditError, FinalityError, SourceError } from '../../../core/base/errors.ts';
import { asGiven, callback, number, readOptions } from '../../../core/base/options.ts';
import { present } from '../../../core/base/present.ts';
import type { Signal } from '../../../core/base/runtime-types.ts';
import type { Ed25519Engine } from '../../../core/ed25519/engine.ts';
import { onAbort } from '../../../net/async/on-abort.ts';
import { auditRange } from '../audit-range.ts';
import { engineOrPool } from '../judge-batch.ts';
import { type AuditRow, planDifference, thresholdOf } from '../ledger-lines.ts';
import { AUDIT_READERS } from '../option-readers.ts';
import { type AuditOptions, resolveAudit } from '../options.ts';
import { FLEET_READERS, type FleetOptions } from './fleet-options.ts';
import { packPart, readFleetPart } from './packed-part.ts';
import { openWorker, requireRedis } from './redis.ts';
import { makeWorkFolder, workerName } from './work-folder.ts';

/** The trust of a worker and its source of blocks. Each part says which blocks. */
export interface FleetWorkerOptions
  extends FleetOptions,
    Pick<AuditOptions, 'blocks' | 'validators' | 'checkpoint' | 'engine'> {
  /** Milliseconds without a sign of life, after which another worker takes a part. Default 30,000. */
  readonly lockMs?: number;
  /** Milliseconds without a part after which the worker ends. Default: never. */
  readonly idleMs?: number;
  readonly signal?: Signal;
  /** Called for each row, again if a part is begun again. */
  readonly onRow?: (row: AuditRow) => void;
  /** Called for each part that is done. */
  readonly onPart?: (part: { readonly from: number; readonly to: number }) => void;
}

function readWorker(given: FleetWorkerOptions) {
  const { validators, checkpoint, engine, signal } = AUDIT_READERS;
  return readOptions(given, '', {
    ...{ ...FLEET_READERS, blocks: asGiven, validators, checkpoint, engine },
    ...{
      lockMs: number(500, 3_600_000, 30_000),
      idleMs: number(0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
    },
    ...{ signal, onRow: callback(), onPart: callback() },
  });
}

/** Returns whether trying again is useless: it helps only against a failing server. */
function isFinal(error: unknown): boolean {
  return error instanceof FinalityError && !(error instanceof SourceError);
}

/**
 * Makes the options of a part. Most are the coordinator's. The trust, and whether unbound numbers are accepted, are the worker's own and
 * have to be equal.
 */
function optionsOf(data: unknown, opts: FleetWorkerOptions, engine: Ed25519Engine, out: string): AuditOptions {
  const { head, maxFailures } = readFleetPart(data);
  const { blocks, validators, checkpoint, signal } = opts;
  const options: AuditOptions = {
    from: head.from,
    to: head.to,
    signEvery: head.signEvery,
    threshold: thresholdOf(head.policy.threshold),
    acceptUnbound: head.policy.acceptUnbound,
    maxFailures,
    blocks,
    engine,
    out,
    ...present({ validators, checkpoint, signal }),
  };
  const difference = planDifference(resolveAudit(options).head, head);
  if (difference === undefined) return options;
  throw new AuditError('audit/plan', `this worker cannot do its part of the audit: ${difference}`, {
    hint: 'run the worker with the --validators or --checkpoint of enqueue, and enqueue with --require-bound-id for workers over --base-url',
  });
}

/** Runs one part. @returns its ledger, packed */
async function runPart(options: AuditOptions, out: string, opts: FleetWorkerOptions): Promise<string> {
  const { from, to } = options;
  const rows = auditRange(options);
  for (let next = await rows.next(); next.done !== true; next = await rows.next()) opts.onRow?.(next.value);
  const packed = await packPart(readFileSync(out, 'latin1'));
  opts.onPart?.({ from, to });
  return packed;
}

/**
 * Works on parts of audits until the signal fires, or until `idleMs` pass without a part. Another worker takes a part that this one
 * does not finish; a part that both finish counts once. Temporary files are in a folder of its own, which it removes at the end.
 * @param given Redis, source of the blocks, and the same trust as the audit's
 * @throws UsageError for invalid options, and if `bullmq` or `ioredis` is not installed; SourceError if no Redis answers at first;
 * AuditError `audit/plan` for a part of an audit with a different trust or policy: the worker then ends, and leaves the part to others
 */
export async function runAuditWorker(given: FleetWorkerOptions): Promise<void> {
  const opts = readWorker(given);
  const { signal, lockMs, idleMs } = opts;
  await requireRedis(opts.redis);
  const { engine, close } = await engineOrPool(opts.engine);
  const folder = makeWorkFolder();
  const end = new AbortController();
  let refusal: AuditError | undefined;
  let isBusy = false;
  let doneMs = performance.now();
  const work = async (data: unknown): Promise<string> => {
    const place = mkdtempSync(join(folder.path, 'part-'));
    const out = join(place, 'part.ndjson');
    isBusy = true;
    try {
      return await runPart(optionsOf(data, opts, engine, out), out, opts);
    } catch (error) {
      if (error instanceof AuditError && error.code === 'audit/plan') {
        refusal = error;
        end.abort();
      }
      throw error;
    } finally {
      rmSync(place, { recursive: true, force: true });
      isBusy = false;
      doneMs = performance.now();
    }
  };
  const worker = await openWorker(opts, { lockMs, name: workerName() }, work, isFinal);
  const watch = setInterval(() => {
    if (!isBusy && performance.now() - doneMs > idleMs) end.abort();
  }, 200);
  try {
    await new Promise<void>((resolve) => {
      onAbort(end.signal, resolve);
      if (signal?.aborted) resolve();
      else if (signal !== undefined) onAbort(signal, resolve);
    });
  } finally {
    clearInterval(watch);
    await worker.close(refusal === undefined); // the error ends the run after the worker has closed
    await close();
    folder.remove();
  }
  if (refusal !== undefined) throw refusal;
}
