/** Knows the reports that were made here. A copy or a look-alike does not count as a report. */
import { badArgument } from '../base/arguments.ts';
import { registry } from '../base/registry.ts';
import type { StaleStart, StaleStartMark } from '../validators/validator-set.ts';
import type { VerificationReport, Warning } from './report.ts';
import { reportFacts } from './report-facts.ts';
import { STALE_START } from './warnings.ts';

/** The reports, each with how the trust behind it began. */
const reports = registry<StaleStartMark>();

/** Called by `JSON.stringify`. */
function toJSON(this: VerificationReport) {
  return reportFacts(this);
}

/** Freezes a report and registers it. @param start how the trust behind it began */
export function makeOwn(report: VerificationReport, start: StaleStartMark = 'none'): VerificationReport {
  return reports.make(Object.defineProperty(report, 'toJSON', { value: toJSON }), start);
}

/**
 * Whether this object is a report that was made here. For its block id use `sourceOf(report.coverage).blockId`, since a
 * caller can write to the hashes in a report.
 */
export function isOwnReport(report: unknown): report is VerificationReport {
  return reports.has(report);
}

/** Requires a report that was made here. @throws UsageError `bad-option` for anything else */
export function requireOwnReport(report: unknown): asserts report is VerificationReport {
  if (isOwnReport(report)) return;
  const hint = 'instead of a copy, verify the block again from its bytes';
  throw badArgument('report', 'the report object of verifyBlock', report, hint);
}

/**
 * Whether the trust behind a report began with free stakes; `undefined` if it did not or if this is unknown.
 * @param report made here
 */
export function staleStartOf(report: VerificationReport): StaleStart | undefined {
  const mark = reports.own(report);
  return mark === 'none' || mark === 'unknown' ? undefined : mark;
}

/** Marks a report whose trust began with a stale start. */
export function withStaleStart(report: VerificationReport, start: StaleStart): VerificationReport {
  requireOwnReport(report);
  return makeOwn({ ...report }, start);
}

/** Returns a report with further warnings. */
export function withWarnings(report: VerificationReport, warnings: readonly Warning[]): VerificationReport {
  requireOwnReport(report);
  const more = warnings.map(({ code, message }) => Object.freeze({ code, message }));
  return makeOwn({ ...report, warnings: Object.freeze([...report.warnings, ...more]) }, reports.own(report));
}

/** Returns a report with the warning that a stale start was accepted. */
export function withAcceptedStart(report: VerificationReport): VerificationReport {
  if (staleStartOf(report) === 'accepted') return report;
  return withStaleStart(withWarnings(report, [STALE_START]), 'accepted');
}

/** Marks how the trust of a report began. */
export function withMark(report: VerificationReport, mark: StaleStartMark): VerificationReport {
  if (mark === 'accepted') return withAcceptedStart(report);
  return mark === 'refused' ? withStaleStart(report, mark) : report;
}
