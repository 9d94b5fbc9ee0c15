/**
 * Converts a report to JSON, schema `ton-finality/report@3`, a public contract: see `schemas/report-3.json`.
 * `reportToJson` of `ton-finality/report` adds texts for people, a headline and hints.
 */
import { plain } from '../base/plain-json.ts';
import { signerIndex } from '../validators/signer-index.ts';
import { ownProvenance } from '../validators/validator-set.ts';
import { sourceOf } from './check-signatures.ts';
import type { SignatureOutcome, Verdict, VerificationReport } from './report.ts';

/**
 * Signed weight over total weight, rounded down to six digits so that it never looks like more. It is for people;
 * programs compare the weights.
 */
export function coverageRatio(signedWeight: bigint, totalWeight: bigint): number {
  return Number((signedWeight * 1_000_000n) / totalWeight) / 1e6;
}

/** Writes the verdict alone, as in the report. */
export function verdictToJson(verdict: Verdict) {
  return verdict.status === 'rejected' ? { ...verdict, defects: verdict.defects.map(({ index }) => index) } : verdict;
}

/** Converts a report for `JSON.stringify`. Hashes and keys are hex, weights and shard decimal strings. */
export function reportFacts(report: VerificationReport) {
  const { coverage, verdict, requiredWeight, bound, network, policy, warnings, engine } = report;
  const { blockId, validators, signatures, positions, missing } = sourceOf(coverage); // a caller can write to what the report shows
  const { kind, signedWeight, totalWeight } = coverage;
  const { nodeIds, weights, publicKeys } = signerIndex(validators);
  const count = (wanted: SignatureOutcome) => coverage.signatures.filter(({ outcome }) => outcome === wanted).length;
  return plain({
    /** The number grows when a member is changed or removed, not when one is added. */
    schema: 'ton-finality/report@3' as const,
    block: blockId,
    kind,
    verdict: verdictToJson(verdict),
    signedWeight,
    totalWeight,
    requiredWeight,
    coverage: coverageRatio(signedWeight, totalWeight),
    counts: {
      entries: signatures.length,
      valid: count('valid'),
      badSignature: count('bad-signature'),
      unknownSigner: count('unknown-signer'),
      duplicateSigner: count('duplicate-signer'),
      validators: nodeIds.length,
      missing: missing.length,
    },
    bound,
    validatorSet: { provenance: ownProvenance(validators), setCheck: report.validators.setCheck },
    network,
    policy: { ...policy, threshold: `${policy.threshold.num}/${policy.threshold.den}` },
    warnings,
    engine,
    signers: signatures.map(({ nodeIdShort }, index) => {
      const { weight, outcome } = coverage.signatures[index]!; // one for each entry
      const publicKey = publicKeys[positions[index] ?? -1]; // `undefined` for an unknown signer
      return { index, nodeIdShort, publicKey, weight, outcome };
    }),
    missing: missing.map((position) => ({ nodeIdShort: nodeIds[position]!, weight: weights[position]! })),
  });
}
