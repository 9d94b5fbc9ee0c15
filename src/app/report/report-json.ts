/** The report as JSON, schema `ton-finality/report@2`: a public contract, see `schemas/report-2.json`. Computes no verdict. */
import { encodeHex } from '../../core/base/bytes.ts';
import { blockIdToJson } from '../../core/block/block-id-json.ts';
import { signerIndex } from '../../core/validators/signer-index.ts';
import { ownProvenance, type Provenance } from '../../core/validators/validator-set.ts';
import { sourceOf } from '../../core/verify/check-signatures.ts';
import { requireOwnReport } from '../../core/verify/own-report.ts';
import type { Coverage, SignatureOutcome, Verdict, VerificationReport } from '../../core/verify/report.ts';
import { headlineOf } from './headline.ts';
import { hintsOf } from './hints.ts';

/** The identifier in `schema`; its number changes when a member changes or goes, not when one is added. */
const REPORT_SCHEMA = 'ton-finality/report@2';

/** Digits of `coverage`; for people, machines compare the weights. */
const COVERAGE_SCALE = 1_000_000n;

/** Signed over total, rounded down to six digits, so that it never looks like more than it is. */
export function coverageRatio(signedWeight: bigint, totalWeight: bigint): number {
  return Number((signedWeight * COVERAGE_SCALE) / totalWeight) / Number(COVERAGE_SCALE);
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
 * A report as an object for `JSON.stringify`; `verify --json` prints it with a member `run` beside. Hashes and keys are hex,
 * weights and shard decimal strings.
 * @throws UsageError `bad-option` for anything but a report that was made here
 */
export function reportToJson(report: VerificationReport) {
  requireOwnReport(report);
  const { coverage, policy } = report;
  const { blockId, validators, signatures } = sourceOf(coverage); // what the report shows can be written to
  const index = signerIndex(validators);
  const counts = countOutcomes(coverage);
  const present = new Set(signatures.map(({ nodeIdShort }) => index.find(nodeIdShort)));
  return {
    schema: REPORT_SCHEMA,
    headline: headlineOf(report),
    block: blockIdToJson(blockId),
    kind: coverage.kind,
    verdict: verdictToJson(report.verdict),
    signedWeight: coverage.signedWeight.toString(),
    totalWeight: coverage.totalWeight.toString(),
    requiredWeight: report.requiredWeight.toString(),
    coverage: coverageRatio(coverage.signedWeight, coverage.totalWeight),
    counts: {
      entries: coverage.signatures.length,
      valid: counts.valid,
      badSignature: counts['bad-signature'],
      unknownSigner: counts['unknown-signer'],
      duplicateSigner: counts['duplicate-signer'],
      validators: report.validators.count,
      missing: coverage.missing.length,
    },
    bound: report.bound,
    validatorSet: { provenance: provenanceToJson(ownProvenance(validators)), setCheck: report.validators.setCheck },
    network: report.network,
    policy: {
      threshold: `${policy.threshold.num}/${policy.threshold.den}`,
      onDefect: policy.onDefect,
      acceptClaimed: policy.acceptClaimed,
      acceptUnbound: policy.acceptUnbound,
      requireBoundId: policy.requireBoundId,
      requireProvenSet: policy.requireProvenSet,
      requireHeader: policy.requireHeader,
    },
    warnings: report.warnings,
    hints: hintsOf(report),
    engine: report.engine,
    signers: coverage.signatures.map((entry) => {
      const { nodeIdShort } = signatures[entry.index]!; // one for each
      const position = index.find(nodeIdShort);
      return {
        index: entry.index,
        nodeIdShort: encodeHex(nodeIdShort),
        ...(position === undefined ? {} : { publicKey: encodeHex(index.publicKeys[position]!) }),
        weight: entry.weight.toString(),
        outcome: entry.outcome,
      };
    }),
    missing: index.nodeIds.flatMap((nodeId, position) =>
      present.has(position) ? [] : [{ nodeIdShort: encodeHex(nodeId), weight: index.weights[position]!.toString() }],
    ),
  };
}

/** What `reportToJson` gives. */
export type ReportJson = ReturnType<typeof reportToJson>;
