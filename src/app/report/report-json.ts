/** The report as JSON with its words for people, `schemas/report-3.json`. Computes no verdict. */
import { requireOwnReport } from '../../core/verify/own-report.ts';
import type { Coverage, SignatureOutcome, Verdict, VerificationReport } from '../../core/verify/report.ts';
import { millionthsOf } from '../audit/millionths.ts';
import { headlineOf } from './headline.ts';
import { hintsOf } from './hints.ts';

/** The identifier in `schema`; its number changes when a member changes or goes, not when one is added. */
const REPORT_SCHEMA = 'ton-finality/report@2';

/** Signed over total for people, since machines compare the weights: rounded down to six digits, so that it never looks like more than it is. */
export function coverageRatio(signedWeight: bigint, totalWeight: bigint): number {
  return millionthsOf(signedWeight, totalWeight) / 1e6;
}

/** Entries by outcome. */
export function countOutcomes(coverage: Coverage): Readonly<Record<SignatureOutcome, number>> {
  const counts = { valid: 0, 'bad-signature': 0, 'unknown-signer': 0, 'duplicate-signer': 0 };
  for (const { outcome } of coverage.signatures) counts[outcome] += 1;
  return counts;
}

function provenanceToJson(provenance: Provenance) {
  if (provenance.kind !== 'proven') return provenance;
  return {
    kind: provenance.kind,
    keyBlock: blockIdToJson(provenance.keyBlock),
    anchor: blockIdToJson(provenance.anchor),
  };
}

/** The verdict alone, as it stands in the report. */
export function verdictToJson(verdict: Verdict) {
  switch (verdict.status) {
    case 'rejected':
      return { status: verdict.status, defects: verdict.defects.map(({ index }) => index) };
    case 'undecided':
      return { status: verdict.status, reason: verdict.reason };
    default:
      return { status: verdict.status };
  }
}

/**
 * A report as an object for `JSON.stringify`, its verdict in one line and what to do about it included; `verify --json` prints it with
 * a member `run` beside. Hashes and keys are hex, weights and shard decimal strings.
 * @throws UsageError `bad-option` for anything but a report that was made here
 */
export function reportToJson(report: VerificationReport) {
  requireOwnReport(report);
  const { schema, ...facts } = reportFacts(report);
  return { schema, headline: headlineOf(report), ...facts, hints: hintsOf(report) };
}

/** What `reportToJson` gives. */
export type ReportJson = ReturnType<typeof reportToJson>;
