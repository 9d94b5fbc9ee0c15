/**
 * Converts a report to JSON, schema `ton-finality/report@3`, a public contract: see `schemas/report-3.json`.
 * `reportToJson` of `ton-finality/report` adds texts for people, a headline and hints.
 */
import { encodeHex } from '../base/bytes.ts';
import { blockIdToJson } from '../block/block-id-json.ts';
import { signerIndex } from '../validators/signer-index.ts';
import { ownProvenance, type Provenance } from '../validators/validator-set.ts';
import { sourceOf } from './check-signatures.ts';
import type { Coverage, SignatureOutcome, Verdict, VerificationReport } from './report.ts';

/**
 * Signed weight over total weight, rounded down to six digits so that it never looks like more. It is for people;
 * programs compare the weights.
 */
export function coverageRatio(signedWeight: bigint, totalWeight: bigint): number {
  return Number((signedWeight * 1_000_000n) / totalWeight) / 1e6;
}

/** Entries by outcome. */
export function countOutcomes({ signatures }: Coverage): Readonly<Record<SignatureOutcome, number>> {
  const counts = { valid: 0, 'bad-signature': 0, 'unknown-signer': 0, 'duplicate-signer': 0 };
  for (const { outcome } of signatures) counts[outcome] += 1;
  return counts;
}

/** Writes the verdict alone, as in the report. */
export function verdictToJson(verdict: Verdict) {
  return verdict.status === 'rejected' ? { ...verdict, defects: verdict.defects.map(({ index }) => index) } : verdict;
}

function provenanceToJson(provenance: Provenance) {
  if (provenance.kind !== 'proven') return provenance;
  const { kind, keyBlock, anchor } = provenance;
  return { kind, keyBlock: blockIdToJson(keyBlock), anchor: blockIdToJson(anchor) };
}

/** Converts a report for `JSON.stringify`. Hashes and keys are hex, weights and shard decimal strings. */
export function reportFacts(report: VerificationReport) {
  const { coverage, verdict, requiredWeight, bound, network, policy, warnings, engine } = report;
  const { blockId, validators, signatures } = sourceOf(coverage); // a caller can write to what the report shows
  const { kind, signedWeight, totalWeight } = coverage;
  const { nodeIds, weights, publicKeys, find } = signerIndex(validators);
  const counts = countOutcomes(coverage);
  const signers = coverage.signatures.map(({ index, weight, outcome }) => {
    const { nodeIdShort } = signatures[index]!; // one for each entry
    const position = find(nodeIdShort);
    return {
      index,
      nodeIdShort: encodeHex(nodeIdShort),
      ...(position === undefined ? {} : { publicKey: encodeHex(publicKeys[position]!) }),
      weight: String(weight),
      outcome,
    };
  });
  const present = new Set(signers.map(({ nodeIdShort }) => nodeIdShort));
  const missing = nodeIds
    .map((id, position) => ({ nodeIdShort: encodeHex(id), weight: String(weights[position]) }))
    .filter(({ nodeIdShort }) => !present.has(nodeIdShort));
  return {
    /** The number grows when a member is changed or removed, not when one is added. */
    schema: 'ton-finality/report@3',
    block: blockIdToJson(blockId),
    kind,
    verdict: verdictToJson(verdict),
    signedWeight: String(signedWeight),
    totalWeight: String(totalWeight),
    requiredWeight: String(requiredWeight),
    coverage: coverageRatio(signedWeight, totalWeight),
    counts: {
      entries: signers.length,
      valid: counts.valid,
      badSignature: counts['bad-signature'],
      unknownSigner: counts['unknown-signer'],
      duplicateSigner: counts['duplicate-signer'],
      validators: nodeIds.length,
      missing: missing.length,
    },
    bound,
    validatorSet: { provenance: provenanceToJson(ownProvenance(validators)), setCheck: report.validators.setCheck },
    network,
    policy: { ...policy, threshold: `${policy.threshold.num}/${policy.threshold.den}` },
    warnings,
    engine,
    signers,
    missing,
  };
}
