/** `ton-finality audit enqueue|worker|status`: one audit by many machines that meet at one Redis. */

import { UsageError } from '../../../core/base/errors.ts';
import { readOptions } from '../../../core/base/options.ts';
import { present } from '../../../core/base/present.ts';
import { auditFleetStatus, enqueueAudit } from '../../audit/fleet/coordinator.ts';
import { connectRedis, DEFAULT_QUEUE, FLEET_READERS } from '../../audit/fleet/redis.ts';
import { sharedPace } from '../../audit/fleet/shared-pace.ts';
import { runAuditWorker } from '../../audit/fleet/worker.ts';
import { auditProgress } from '../audit-progress.ts';
import { EXIT } from '../exit-code.ts';
import {
  AUDIT_RANGE_OPTIONS,
  AUDIT_RANGE_USAGE,
  AUDIT_SOURCE_OPTIONS,
  AUDIT_SOURCE_USAGE,
  readAuditPlan,
  readAuditSource,
  readAuditTrust,
} from '../input/audit-inputs.ts';
import { readCount } from '../input/counts.ts';
import { type OptionTable, type ParsedOptions, parseOptions } from '../input/options.ts';
import { METRICS_OPTIONS, METRICS_USAGE, startMetrics } from '../metrics-option.ts';
import { printJson, printNote, printResult } from '../output.ts';
import { requireNoInput, requireWritable } from '../write-file.ts';
import { printAudit } from './audit.ts';

const FLEET_USAGE = `usage: ton-finality audit enqueue --redis URL --from N --to N (--validators FILE | --checkpoint FILE) --out FILE.ndjson [options]
       ton-finality audit worker --redis URL (--from-files ... | --base-url URL | --lite ...) (--validators FILE | --checkpoint FILE)
       ton-finality audit status --redis URL

One audit by many machines. enqueue hands out parts of the range and writes what comes back into one ledger, in order; workers
join and die at will. It needs the packages bullmq and ioredis, and a Redis 6.2 or newer that all of them reach.

  --redis URL                       redis://HOST:PORT or rediss://...; or --redis-env NAME, the variable that holds it
  --queue NAME                      default ${DEFAULT_QUEUE}

enqueue: until the last part stands in the ledger; ended at any moment, the same command goes on
${AUDIT_RANGE_USAGE}
  --validators FILE | --checkpoint FILE
                                    who is believed: workers that believe another are refused
  --require-bound-id                for workers over --base-url without --accept-unbound: numbers of blocks have to be bound
  --out FILE                        the ledger: the very bytes of an audit by one process
  --part-blocks N                   blocks in one part; default 500
  --quiet, --json                   as in audit

worker: until a signal
  --rate N                          requests a second to a server by all workers together; default 1 without a key, 10 with one
  --idle SECONDS                    ends after so long without a part
  --lock SECONDS                    without a sign of life for so long, its part goes to another; default 30
${METRICS_USAGE}

${AUDIT_SOURCE_USAGE}

exit code: enqueue as audit; worker 0; status 0`;

const REDIS_OPTIONS = {
  redis: { type: 'string' },
  'redis-env': { type: 'string' },
  queue: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

const ENQUEUE_OPTIONS = {
  ...REDIS_OPTIONS,
  ...AUDIT_RANGE_OPTIONS,
  validators: { type: 'string' },
  checkpoint: { type: 'string' },
  'require-bound-id': { type: 'boolean' },
  out: { type: 'string' },
  'part-blocks': { type: 'string' },
  quiet: { type: 'boolean' },
} as const satisfies OptionTable;

const WORKER_OPTIONS = {
  ...REDIS_OPTIONS,
  ...AUDIT_SOURCE_OPTIONS,
  ...METRICS_OPTIONS,
  idle: { type: 'string' },
  lock: { type: 'string' },
} as const satisfies OptionTable;

function bad(option: string, message: string): UsageError {
  return new UsageError('usage/bad-option', message, {
    path: `--${option}`,
    hint: 'see ton-finality audit enqueue --help',
  });
}

function readFleet(options: ParsedOptions<typeof REDIS_OPTIONS>['values']) {
  const { redis, 'redis-env': variable, queue } = options;
  if ((redis === undefined) === (variable === undefined))
    throw bad('redis', 'expected --redis URL or --redis-env NAME');
  const url = redis ?? process.env[variable ?? '']?.trim();
  if (url === undefined || url === '') throw bad('redis-env', 'the environment variable named is not set');
  return readOptions({ redis: url, ...present({ queue }) }, '', FLEET_READERS);
}

async function enqueueCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, ENQUEUE_OPTIONS);
  if (options.help === true) {
    await printResult(FLEET_USAGE);
    return 0;
  }
  if (positionals.length > 0) throw bad('out', 'expected options only');
  const { out, 'part-blocks': partBlocks } = options;
  if (out === undefined) throw bad('out', 'expected --out FILE');
  const plan = readAuditPlan(options);
  const fleet = readFleet(options);
  requireWritable(out);
  requireNoInput(out, [options.validators, options.checkpoint]);
  const trust = await readAuditTrust(options);
  const progress = auditProgress(plan.from, plan.to, options.quiet === true);
  try {
    const state = await enqueueAudit({
      ...plan,
      ...fleet,
      ...trust,
      out,
      requireBoundId: options['require-bound-id'] === true,
      ...(partBlocks === undefined ? {} : { partBlocks: readCount('part-blocks', partBlocks, 1, 100_000) }),
      onRow: (row) => progress.add(row),
      onRefused({ from, to, worker, error }) {
        void printNote(
          `blocks ${from} to ${to} by worker ${worker} are refused and handed out again: ${error.message}`,
        );
      },
    });
    progress.end();
    return await printAudit(state, out, options.json === true);
  } finally {
    progress.end();
  }
}

async function workerCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, WORKER_OPTIONS);
  if (options.help === true) {
    await printResult(FLEET_USAGE);
    return 0;
  }
  if (positionals.length > 0) throw bad('redis', 'expected options only');
  const fleet = readFleet(options);
  const idleMs = options.idle === undefined ? undefined : 1000 * readCount('idle', options.idle, 1, 86_400);
  const lockMs = options.lock === undefined ? undefined : 1000 * readCount('lock', options.lock, 1, 3600);
  const trust = await readAuditTrust(options);
  const redis = options['base-url'] === undefined ? undefined : await connectRedis(fleet.redis);
  const pace = redis && ((server: string, perSecond: number) => sharedPace(redis, server, perSecond));
  const metrics = await startMetrics(options.metrics, 'audit worker');
  const { blocks, close } = await readAuditSource(options, pace, metrics);
  let parts = 0;
  try {
    await runAuditWorker({
      ...fleet,
      ...trust,
      blocks,
      ...(idleMs === undefined ? {} : { idleMs }),
      ...(lockMs === undefined ? {} : { lockMs }),
      onRow: (row) => metrics?.row(row),
      onPart({ from, to }) {
        parts += 1;
        void printNote(`blocks ${from} to ${to} are done`);
      },
    });
    await printResult(`${parts} parts`);
    return EXIT.final;
  } finally {
    close();
    metrics?.close();
    redis?.disconnect();
  }
}

async function statusCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, REDIS_OPTIONS);
  if (options.help === true) {
    await printResult(FLEET_USAGE);
    return 0;
  }
  if (positionals.length > 0) throw bad('redis', 'expected options only');
  const status = await auditFleetStatus(readFleet(options));
  if (options.json === true) await printJson({ schema: 'ton-finality/audit-fleet@1', ...status });
  else {
    const { waiting, active, done, failed, workers } = status;
    await printResult(
      `${workers} workers; parts: ${waiting} wait, ${active} are worked on, ${done} are done, ${failed} failed`,
    );
  }
  return EXIT.final;
}

/** @param words the command line after `audit` @returns the exit code */
export async function auditFleetCommand([first, ...rest]: readonly string[]): Promise<number> {
  if (first === 'enqueue') return await enqueueCommand(rest);
  if (first === 'worker') return await workerCommand(rest);
  return await statusCommand(rest);
}
