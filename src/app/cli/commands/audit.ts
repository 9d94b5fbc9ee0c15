/** `ton-finality audit`: a range of blocks checked and written down, one row a block; goes on where it stopped. */

import { FinalityError, UsageError } from '../../../core/base/errors.ts';
import { auditRange, failuresAllowed } from '../../audit/audit-range.ts';
import { type AuditCounts, exitCodeOfCounts } from '../../audit/count-rows.ts';
import type { LedgerState } from '../../audit/ledger-check.ts';
import { mergeLedgers } from '../../audit/merge.ts';
import { percent } from '../../report/layout.ts';
import { auditProgress } from '../audit-progress.ts';
import {
  AUDIT_RANGE_OPTIONS,
  AUDIT_RANGE_USAGE,
  AUDIT_SOURCE_OPTIONS,
  AUDIT_SOURCE_USAGE,
  readAuditPlan,
  readAuditSource,
  readAuditTrust,
  readFailureLimit,
  readPart,
} from '../input/audit-inputs.ts';
import { type OptionTable, parseOptions } from '../input/options.ts';
import { METRICS_OPTIONS, METRICS_USAGE, startMetrics } from '../metrics-option.ts';
import { printJson, printNote, printNoteNow, printResult } from '../output.ts';
import { beforeStop } from '../stop.ts';
import { requireNoInput, requireWritable } from '../write-file.ts';

const AUDIT_USAGE = `usage: ton-finality audit --from N --to N --out FILE.ndjson (--from-files DIR|FILE | --base-url URL | --lite ...)
                          (--validators FILE | --checkpoint FILE) [options]
       ton-finality audit merge --out FILE.ndjson [--max-failures N] PART ...
       ton-finality audit check LEDGER ...         the blocks of a ledger judged again: ton-finality audit check --help
       ton-finality audit enqueue|worker|status    many machines over one Redis: ton-finality audit enqueue --help

Checks every block of a range and writes one row for each, in order. Interrupted in any way, the same command goes on after
the last row, without checking again what stands there; a row that was changed is noticed.

${AUDIT_RANGE_USAGE}
  --out FILE                        the ledger, schema audit-row-1.json; beside it FILE.run, who gave the blocks and how long
                                    it took, and FILE.sets, the sets that were proven
  --shard I/N                       part I of N of the range, for as many machines; audit merge joins the ledgers
  --quiet                           no progress
${METRICS_USAGE}
  --json                            the result as one object

${AUDIT_SOURCE_USAGE}

exit code: 0 all final; else 1 some are not; else 3 some could not be had; else 4 some are undecided. 2 bad input, a
ledger that was changed, or a full disk; 3 also when the run ended early: run it again`;

const OPTIONS = {
  ...AUDIT_RANGE_OPTIONS,
  ...AUDIT_SOURCE_OPTIONS,
  ...METRICS_OPTIONS,
  out: { type: 'string' },
  shard: { type: 'string' },
  quiet: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

const MERGE_OPTIONS = {
  out: { type: 'string' },
  'max-failures': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

function requireOut(out: string | undefined): string {
  if (out !== undefined) return out;
  throw new UsageError('usage/bad-option', 'expected --out FILE', { path: '--out', hint: 'the ledger goes there' });
}

function marginIn({ thinnest, signed, final }: AuditCounts): string {
  if (thinnest === undefined) return '';
  const of = signed < final ? `, of ${blocksOf(signed)} with signatures` : '';
  return `\n  thinnest   ${percent(thinnest.share)} of the weight above what is needed, block ${thinnest.seqno}${of}`;
}

function blocksOf(count: number): string {
  return count === 1 ? '1 block' : `${count} blocks`;
}

/** Why blocks are undecided, or could not be had. */
function reasonsIn({ reasons }: AuditCounts): string {
  if (reasons.size === 0) return '';
  return `\n  reasons    ${[...reasons].map(([reason, count]) => `${count} ${reason}`).join(', ')}`;
}

function standsIn(out: string, why = 'not finished'): string {
  return `${why}: what is in ${out} stands, and the same command goes on after it`;
}

function warningOf({ unbound }: AuditCounts): string {
  if (unbound === 0) return '';
  return `\n  warning    unbound-seqno: nothing but their sender's word vouches for the numbers of ${unbound} of the final blocks`;
}

/** The result of a ledger that is whole. @returns the exit code */
export async function printAudit({ head, counts }: LedgerState, out: string, asJson: boolean): Promise<number> {
  const { final, notFinal, undecided, failures, unbound, rows, thinnest } = counts;
  const range = { from: head?.from, to: head?.to };
  if (asJson) {
    const reasons = Object.fromEntries(counts.reasons);
    const counted = { rows, final, notFinal, undecided, failures, unbound, reasons };
    await printJson({
      schema: 'ton-finality/audit-result@1',
      ledger: out,
      ...range,
      ...counted,
      thinnest: thinnest ?? null,
    });
  } else {
    const others = `${notFinal} not, ${failures} could not be had, ${undecided} undecided`;
    await printResult(
      `${blocksOf(rows)}, ${range.from} to ${range.to}: ${final} final, ${others}\n  ledger     ${out}${reasonsIn(counts)}${marginIn(counts)}${warningOf(counts)}`,
    );
  }
  return exitCodeOfCounts(counts);
}

async function mergeCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals: parts } = parseOptions(words, MERGE_OPTIONS);
  if (options.help === true) {
    await printResult(AUDIT_USAGE);
    return 0;
  }
  const out = requireOut(options.out);
  requireWritable(out);
  requireNoInput(out, parts);
  const state = await mergeLedgers(parts, out, readFailureLimit(options['max-failures']));
  return await printAudit(state, out, options.json === true);
}

async function runCommand(words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseOptions(words, OPTIONS);
  if (options.help === true) {
    await printResult(AUDIT_USAGE);
    return 0;
  }
  if (positionals.length > 0) {
    const got = JSON.stringify(positionals[0]?.slice(0, 80));
    throw new UsageError(
      'usage/bad-option',
      `expected options, or first merge, check, enqueue, worker or status; got ${got}`,
      {
        hint: 'see ton-finality audit --help',
      },
    );
  }
  const plan = readPart(readAuditPlan(options), options.shard);
  const out = requireOut(options.out);
  requireWritable(out);
  requireNoInput(out, [options['from-files'], options.validators, options.checkpoint]);
  const trust = await readAuditTrust(options);
  const metrics = await startMetrics(options.metrics, 'audit');
  const { blocks, close } = await readAuditSource(options, undefined, metrics);
  const progress = auditProgress(plan.from, plan.to, options.quiet === true);
  const isSilent = options.json === true || options.quiet === true;
  const unwatch = beforeStop(() => isSilent || printNoteNow(standsIn(out, 'stopped')));
  try {
    const rows = auditRange({ ...plan, ...trust, blocks, out });
    for (let next = await rows.next(); ; next = await rows.next()) {
      if (next.done !== true) {
        progress.add(next.value);
        metrics?.row(next.value);
      } else {
        progress.end();
        return await printAudit(next.value, out, options.json === true);
      }
    }
  } catch (error) {
    progress.end();
    const stands = error instanceof FinalityError && !/^(?:audit|usage)\//.test(error.code);
    if (stands && !isSilent) {
      const most = failuresAllowed(error);
      const why = most === undefined ? undefined : `more than ${most} blocks could not be had (--max-failures)`;
      await printNote(standsIn(out, why));
    }
    throw error;
  } finally {
    unwatch();
    progress.end();
    close();
    metrics?.close();
  }
}

/** @param words the command line after `audit` @returns the exit code */
export async function auditCommand(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words;
  if (first === 'merge') return await mergeCommand(rest);
  if (first === 'check') return await (await import('./audit-check.ts')).auditCheckCommand(rest);
  if (first === 'enqueue' || first === 'worker' || first === 'status') {
    return await (await import('./audit-fleet.ts')).auditFleetCommand(words); // and with it bullmq, which few have
  }
  return await runCommand(words);
}
