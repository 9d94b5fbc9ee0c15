/** `ton-finality audit enqueue|worker|status`: shares one audit among machines that use one Redis. */

import { present } from '../../../core/base/present.ts';
import { auditFleetStatus, enqueueAudit } from '../../audit/fleet/coordinator.ts';
import { connectRedis, DEFAULT_QUEUE, type FleetQueue, sharedPace } from '../../audit/fleet/redis.ts';
import { runAuditWorker } from '../../audit/fleet/worker.ts';
import { requireNoInput, requireWritable } from '../../files/write-file.ts';
import { defineCommand } from '../command.ts';
import {
  AUDIT_RANGE_OPTIONS,
  AUDIT_SOURCE_OPTIONS,
  readAuditPlan,
  readAuditSource,
  readAuditTrust,
} from '../input/audit-inputs.ts';
import { badFlag, type OptionTable, type OptionValues, option } from '../input/option-rows.ts';
import { JSON_OPTION, QUIET_OPTION, TRUST_OPTIONS } from '../input/shared-options.ts';
import { auditProgress } from '../output/audit-progress.ts';
import { EXIT } from '../output/exit-code.ts';
import { METRICS_OPTIONS, startMetrics } from '../output/metrics.ts';
import { printEvent, printJson, printResult } from '../output/print.ts';
import { printAudit } from '../output/print-audit.ts';

const REDIS_OPTIONS = {
  redis: {
    ...option.text('URL', 'redis://HOST:PORT or rediss://..., version 6.2 or newer, reachable from all machines'),
    not: ['redis-env'],
  },
  'redis-env': option.text('NAME', 'environment variable that holds the URL'),
  queue: option.text('NAME', `default ${DEFAULT_QUEUE}`),
  ...JSON_OPTION,
} satisfies OptionTable;

const FLEET_NOTES = 'Needs the packages bullmq and ioredis, and a Redis that all machines reach.';

function readFleet(options: OptionValues<typeof REDIS_OPTIONS>): FleetQueue {
  const { redis, 'redis-env': variable = '', queue = DEFAULT_QUEUE } = options;
  const url = redis ?? process.env[variable]?.trim() ?? '';
  if (url === '') throw badFlag('redis-env', 'expected the name of an environment variable that is set');
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) {
    const name = redis === undefined ? 'redis-env' : 'redis';
    throw badFlag(name, 'expected a URL such as redis://127.0.0.1:6379'); // the URL may contain a password
  }
  if (!/^[\w.-]{1,100}$/.test(queue)) throw badFlag('queue', 'expected letters, digits, dots and dashes');
  return { redis: url, queue };
}

export const auditEnqueueCommand = defineCommand({
  usage: ['--redis URL --from N --to N (--validators FILE | --checkpoint FILE) --out FILE.ndjson [options]'],
  about:
    'Hands out the parts of a range to workers on many machines and writes their rows into one ledger, in order. After any interruption, the same command resumes. Workers can join and leave at any time.',
  options: {
    ...REDIS_OPTIONS,
    ...AUDIT_RANGE_OPTIONS,
    ...TRUST_OPTIONS,
    'require-bound-id': option.flag(
      'require bound block numbers; needed for workers that use --base-url without --accept-unbound',
    ),
    out: option.text('FILE', 'ledger to write; identical to that of an audit by one process'),
    'part-blocks': option.count('N', 1, 100_000, 'blocks in one part; default 500'),
    ...QUIET_OPTION,
  },
  notes: `Rejects workers that use a different validator set or checkpoint. ${FLEET_NOTES}`,
  requires: [['out'], ['redis', 'redis-env'], ['from'], ['to']],
  examples: [
    'audit enqueue --redis redis://host --from 1 --to 9 --checkpoint c.json --out r.ndjson',
    'audit enqueue --redis-env REDIS --from 1 --to 99 --validators set.json --out r.ndjson',
  ],
  exit: 'as of audit',
  async run({ options }) {
    const out = options.out!; // required
    const plan = readAuditPlan(options);
    const fleet = readFleet(options);
    requireWritable(out);
    requireNoInput(out, [options.validators, options.checkpoint]);
    const trust = await readAuditTrust(options);
    const progress = auditProgress(plan.from, plan.to, options);
    const state = await enqueueAudit({
      ...plan,
      ...fleet,
      ...trust,
      out,
      ...present({ partBlocks: options['part-blocks'] }),
      onRow: (row) => progress.add(row),
      onRefused({ from, to, worker, error }) {
        const words = `blocks ${from} to ${to} by worker ${worker} are rejected and handed out again: ${error.message}`;
        void printEvent('part-rejected', words, options.json, { from, to });
      },
    }).finally(() => progress.end());
    return await printAudit(state, out, options.json);
  },
});

export const auditWorkerCommand = defineCommand({
  usage: ['--redis URL (--from-files ... | --base-url URL | --lite ...) (--validators FILE | --checkpoint FILE)'],
  about:
    'Works on parts that audit enqueue hands out, until a signal. --rate applies to all workers together. If a worker is silent for the time of --lock, its part goes to another worker.',
  options: {
    ...REDIS_OPTIONS,
    idle: option.count('SECONDS', 1, 86_400, 'exit after this time without a part'),
    lock: option.count('SECONDS', 1, 3600, 'default 30'),
    ...METRICS_OPTIONS,
    ...AUDIT_SOURCE_OPTIONS,
  },
  notes: FLEET_NOTES,
  requires: [['redis', 'redis-env']],
  examples: [
    'audit worker --redis redis://host --config g.json --checkpoint c.json',
    'audit worker --redis-env REDIS --from-files answers --validators set.json --idle 60',
  ],
  exit: '0 done, 130 or 143 ended by a signal, 2 bad input, 3 the sources failed',
  async run({ options }) {
    const fleet = readFleet(options);
    const { idle, lock } = options;
    const trust = await readAuditTrust(options);
    const redis = options['base-url'].length === 0 ? undefined : await connectRedis(fleet.redis);
    const pace = redis && ((server: string, perSecond: number) => sharedPace(redis, server, perSecond));
    const metrics = await startMetrics(options.metrics, 'audit worker', options.json);
    const { blocks, close } = await readAuditSource(options, pace, metrics);
    let parts = 0;
    try {
      await runAuditWorker({
        ...fleet,
        ...trust,
        blocks,
        ...present({ idleMs: idle && 1000 * idle, lockMs: lock && 1000 * lock }), // neither is 0
        onRow: (row) => metrics?.row(row),
        onPart({ from, to }) {
          parts += 1;
          void printEvent('part-done', `blocks ${from} to ${to} are done`, options.json, { from, to });
        },
      });
      if (options.json) await printJson({ schema: 'ton-finality/audit-worker@1', parts });
      else await printResult(`${parts} parts`);
      return EXIT.final;
    } finally {
      await close();
      metrics?.close();
      redis?.disconnect();
    }
  },
});

export const auditStatusCommand = defineCommand({
  usage: ['--redis URL [--queue NAME] [--json]'],
  about: 'Prints how many parts of a shared audit are done.',
  options: REDIS_OPTIONS,
  notes: FLEET_NOTES,
  requires: [['redis', 'redis-env']],
  examples: ['audit status --redis redis://host', 'audit status --redis-env REDIS --json'],
  exit: '0 printed, 2 bad input, 3 no Redis',
  async run({ options }) {
    const status = await auditFleetStatus(readFleet(options));
    if (options.json) await printJson({ schema: 'ton-finality/audit-fleet@1', ...status });
    else {
      const { waiting, active, done, failed, workers } = status;
      await printResult(
        `${workers} workers; parts: ${waiting} waiting, ${active} active, ${done} done, ${failed} failed`,
      );
    }
    return EXIT.final;
  },
});
