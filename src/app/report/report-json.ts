/** Converts a report to JSON with a headline and a hint, `schemas/report-3.json`. It computes no verdict. */
import { requireOwnReport } from '../../core/verify/own-report.ts';
import type { VerificationReport } from '../../core/verify/report.ts';
import { reportFacts } from '../../core/verify/report-facts.ts';
import { headlineOf } from './headline.ts';
import { hintsOf } from './hints.ts';

/**
 * Converts a report to an object for `JSON.stringify`, with the verdict in one line and a hint. `verify --json` adds a
 * member `run`. Hashes and keys are hex,
 * weights and shard decimal strings.
 * @param report the report of a verification, as the library returned it
 * @returns an object of the format `ton-finality/report@3`
 * @throws UsageError `bad-option` for anything but a report that was made here
 * @example
 * ```ts
 * import { parseSignatureList, parseValidatorSet, verifyBlock } from 'ton-finality';
 * import { reportToJson } from 'ton-finality/report';
 * import { simplexSample } from 'ton-finality/sample';
 * const signatures = parseSignatureList(simplexSample.signatures);
 * const validators = parseValidatorSet(simplexSample.validators);
 * const json = reportToJson(verifyBlock(signatures, validators));
 * console.log(json.schema); // ton-finality/report@3
 * ```
 */
export function reportToJson(report: VerificationReport) {
  requireOwnReport(report);
  const { schema, ...facts } = reportFacts(report);
  return { schema, headline: headlineOf(report), ...facts, hints: hintsOf(report) };
}

/** The JSON object that `reportToJson` returns. */
export type ReportJson = ReturnType<typeof reportToJson>;
