/** `ton-finality audit`: checks a range of blocks and writes one row for each. An interrupted run can resume. */

import { FinalityError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import { auditRange, failuresAllowed } from '../../audit/audit-range.ts';
import { mergeLedgers } from '../../audit/merge-ledgers.ts';
import { requireNoInput, requireWritable } from '../../files/write-file.ts';
import { defineCommand } from '../command.ts';
import {
  AUDIT_RANGE_OPTIONS,
  AUDIT_SOURCE_OPTIONS,
  MAX_FAILURES_OPTION,
  readAuditPlan,
  readAuditSource,
  readAuditTrust,
  readPart,
} from '../input/audit-inputs.ts';
import { flagOfOption } from '../input/flag-in-error.ts';
import { option } from '../input/option-rows.ts';
import { JSON_OPTION, QUIET_OPTION } from '../input/shared-options.ts';
import { auditProgress } from '../output/audit-progress.ts';
import { METRICS_OPTIONS, startMetrics } from '../output/metrics.ts';
import { printEventNow, printNote } from '../output/print.ts';
import { printAudit } from '../output/print-audit.ts';
import { beforeStop } from '../stop.ts';

function standsIn(out: string, why = 'not finished'): string {
  return `${why}: the rows in ${out} are kept; run the same command again to resume`;
}

export const auditMergeCommand = defineCommand({
  usage: ['--out FILE.ndjson [--max-failures N] PART ...'],
  about: 'Joins the ledgers of the parts of a range, as written by audit --part, into one ledger.',
  words: { wanted: 'PART ..., the ledgers of the parts', count: [0, 1_000_000], rows: [['PART ...', 'the ledgers']] },
  options: {
    out: option.text('FILE', 'ledger to write; a ledger of the same audit is replaced, any other file is refused'),
    ...MAX_FAILURES_OPTION,
    ...JSON_OPTION,
  },
  requires: [['out']],
  examples: [
    'audit merge --out rows.ndjson part-1.ndjson part-2.ndjson',
    'audit merge --out rows.ndjson part-*.ndjson --json',
  ],
  exit: '0 all blocks final; else 1 some not final; else 3 some not fetched; else 4 some undecided. 2 bad input or a modified ledger',
  async run({ options, words: parts }) {
    const out = options.out!; // required
    const more = present({ maxFailures: options['max-failures'] });
    const state = await mergeLedgers(parts, out, more).catch(flagOfOption('out'));
    return await printAudit(state, out, options.json);
  },
});

export const auditCommand = defineCommand({
  usage: [
    '--from N --to N --out FILE.ndjson (--from-files DIR|FILE | --base-url URL | --lite ...) (--validators FILE | --checkpoint FILE) [options]',
  ],
  about:
    'Checks every block of a range and writes one row for each, in order. After any interruption, the same command resumes after the last complete row and does not check earlier blocks again. It detects modified rows.',
  words: { wanted: 'options, or first merge, check, enqueue, worker or status', count: [0, 0] },
  options: {
    ...AUDIT_RANGE_OPTIONS,
    out: option.text(
      'FILE',
      'ledger to write, schema audit-row-1.json; also writes FILE.run (sources and duration) and FILE.sets (proven validator sets)',
    ),
    part: option.text('I/N', 'audit only part I of N of the range, to use N machines; audit merge joins the ledgers'),
    ...QUIET_OPTION,
    ...METRICS_OPTIONS,
    ...JSON_OPTION,
    ...AUDIT_SOURCE_OPTIONS,
  },
  requires: [['from'], ['to'], ['out']],
  examples: [
    'audit --from 1 --to 999 --config g.json --checkpoint c.json --out rows.ndjson',
    'audit --from 1 --to 99 --from-files answers --validators set.json --out rows.ndjson',
  ],
  exit: '0 all blocks final; else 1 some not final; else 3 some not fetched; else 4 some undecided. 2 bad input, a modified ledger or a full disk; 3 also if the run ended early: run it again',
  async run({ options }) {
    const plan = readPart(readAuditPlan(options), options.part);
    const out = options.out!; // required
    requireWritable(out);
    requireNoInput(out, [options['from-files'], options.validators, options.checkpoint]);
    const trust = await readAuditTrust(options);
    const metrics = await startMetrics(options.metrics, 'audit', options.json);
    const { blocks, close } = await readAuditSource(options, undefined, metrics);
    const progress = auditProgress(plan.from, plan.to, options);
    const isSilent = options.json || options.quiet;
    const unwatch = beforeStop(() => isSilent || printEventNow('stopped', standsIn(out, 'stopped'), false));
    try {
      const rows = auditRange({ ...plan, ...trust, blocks, out });
      let next = await rows.next();
      for (; next.done !== true; next = await rows.next()) {
        progress.add(next.value);
        metrics?.row(next.value);
      }
      progress.end();
      return await printAudit(next.value, out, options.json);
    } catch (error) {
      progress.end();
      const stands = error instanceof FinalityError && !/^(?:audit|usage)\//.test(error.code);
      if (stands && !isSilent) {
        const most = failuresAllowed(error);
        const why = most === undefined ? undefined : `more than ${most} blocks could not be fetched (--max-failures)`;
        await printNote(standsIn(out, why));
      }
      throw error;
    } finally {
      unwatch();
      await close();
      metrics?.close();
    }
  },
});
