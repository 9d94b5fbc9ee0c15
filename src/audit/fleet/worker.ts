/** A worker of a fleet: takes parts of audits, one at a time, until it is told to stop. It may die at any moment. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FinalityError, SourceError } from '../../base/errors.ts';
import { requireNumber } from '../../base/option-values.ts';
import type { Signal } from '../../base/runtime-types.ts';
import type { Ed25519Engine } from '../../ed25519/engine.ts';
import { createWorkerPool } from '../../ed25519/workers.ts';
import { onAbort } from '../../sources/on-abort.ts';
import type { AuditOptions } from '../options.ts';
import type { AuditRow } from '../row.ts';
import { auditRange } from '../run.ts';
import { type FleetOptions, requireFleet } from './fleet-options.ts';
import { packPart, readFleetPlan } from './part.ts';
import { openWorker, requireRedis } from './redis.ts';

/** Who is believed, and where the blocks are: the parts say which. */
export interface FleetWorkerOptions
  extends FleetOptions,
    Pick<AuditOptions, 'blocks' | 'validators' | 'checkpoint' | 'engine'> {
  /** Milliseconds without a sign of life after which another worker takes a part over. Default 30 000. */
  readonly lockMs?: number;
  /** Milliseconds without a part after which it ends by itself. Default: never. */
  readonly idleMs?: number;
  readonly signal?: Signal;
  /** Told of each row as it is made; of those of a part that is begun again, again. */
  readonly onRow?: (row: AuditRow) => void;
  /** Told of each part that is done. */
  readonly onPart?: (part: { readonly from: number; readonly to: number }) => void;
}

const DEFAULT_LOCK_MS = 30_000;

/** Trying again helps against a server that fails, and against nothing else. */
function isFinal(error: unknown): boolean {
  return error instanceof FinalityError && !(error instanceof SourceError);
}

function threshold(text: string): { readonly num: bigint; readonly den: bigint } {
  const [num = '0', den = '1'] = text.split('/');
  return { num: BigInt(num), den: BigInt(den) };
}

/** Runs one part. @returns its ledger, packed */
async function runPart(data: unknown, opts: FleetWorkerOptions, engine: Ed25519Engine): Promise<string> {
  const part = readFleetPlan(data);
  const { blocks, validators, checkpoint, signal } = opts;
  const folder = mkdtempSync(join(tmpdir(), 'ton-finality-part-'));
  try {
    const out = join(folder, 'part.ndjson');
    const rows = auditRange({
      from: part.from,
      to: part.to,
      signEvery: part.signEvery,
      threshold: threshold(part.threshold),
      acceptUnbound: part.acceptUnbound,
      maxFailures: part.maxFailures,
      blocks,
      engine,
      out,
      ...(validators === undefined ? {} : { validators }),
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(signal === undefined ? {} : { signal }),
    });
    for (let next = await rows.next(); next.done !== true; next = await rows.next()) opts.onRow?.(next.value);
    const packed = await packPart(readFileSync(out, 'latin1'));
    opts.onPart?.(part);
    return packed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Works on parts of audits until the signal fires, or `idleMs` pass without one. A part that it does not finish is taken over
 * by another worker; one that both finish counts once.
 * @throws UsageError for options, and where `bullmq` or `ioredis` is not installed; SourceError where no Redis answers at first
 */
export async function runAuditWorker(opts: FleetWorkerOptions): Promise<void> {
  const fleet = requireFleet(opts);
  const { signal, lockMs = DEFAULT_LOCK_MS, idleMs = Number.POSITIVE_INFINITY } = opts;
  requireNumber(lockMs, 500, 3_600_000, 'lockMs');
  await requireRedis(fleet.redis);
  const pool = opts.engine === undefined ? await createWorkerPool() : undefined;
  const engine = opts.engine ?? pool;
  if (engine === undefined) throw new TypeError('an engine'); // one of the two is there
  let isBusy = false;
  let doneMs = performance.now();
  const work = async (data: unknown): Promise<string> => {
    isBusy = true;
    try {
      return await runPart(data, opts, engine);
    } finally {
      isBusy = false;
      doneMs = performance.now();
    }
  };
  const worker = await openWorker(fleet, { lockMs }, work, isFinal);
  try {
    await new Promise<void>((resolve) => {
      const watch = setInterval(() => {
        if (!isBusy && performance.now() - doneMs > idleMs) stop();
      }, 200);
      const stop = () => {
        clearInterval(watch);
        resolve();
      };
      if (signal?.aborted) stop();
      else if (signal !== undefined) onAbort(signal, stop);
    });
  } finally {
    await worker.close(true);
    await pool?.close();
  }
}
