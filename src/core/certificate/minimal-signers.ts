/**
 * Selects the fewest signatures that still make a block final, by a fixed rule, so that every maker selects the same.
 */

import { badArgument } from '../base/arguments.ts';
import { FINALITY_THRESHOLD } from '../base/limits.ts';
import { requireOptions } from '../base/options.ts';
import { signerIndex } from '../validators/signer-index.ts';
import { sourceOf } from '../verify/check-signatures.ts';
import { requireOwnReport } from '../verify/own-report.ts';
import { resolvePolicy } from '../verify/policy.ts';
import type { VerificationReport } from '../verify/report.ts';
import { exceeds } from '../verify/weights.ts';
import { certError } from './certificate-error.ts';

/** One signer, by its index in the list of config parameter 34. */
export interface PickedSigner {
  readonly index: number;
  readonly weight: bigint;
  /** The checked bytes themselves: do not return them to a caller. */
  readonly signature: Uint8Array;
}

/** Which signatures a certificate keeps. */
export interface SignerOptions {
  /** Default 'minimal'. 'all' keeps every valid signature, so that the coverage stays visible. */
  readonly keep?: 'minimal' | 'all';
  /** Keep more than this share of the weight; at least 2/3, the default. */
  readonly threshold?: { readonly num: bigint; readonly den: bigint };
}

/**
 * Selects the signers that a certificate keeps: the heaviest first, equal ones in list order, until their weight
 * exceeds 2/3. Fewer signers cannot reach it. The result is in the order of the list.
 * @param report a final report made here
 * @throws CertificateError `cert/insufficient` when the report is not final, or all valid signatures together do not
 * reach the threshold; UsageError
 */
export function minimalSigners(report: VerificationReport, given: SignerOptions = {}): readonly PickedSigner[] {
  const { keep = 'minimal', threshold = FINALITY_THRESHOLD } = requireOptions(given, ['keep', 'threshold']);
  if (keep !== 'minimal' && keep !== 'all') throw badArgument('keep', "'minimal' or 'all'", keep);
  requireOwnReport(report);
  const { coverage, verdict } = report;
  const source = sourceOf(coverage);
  if (verdict.status !== 'final') {
    throw certError('cert/insufficient', `expected a final block, got one that is ${verdict.status}`, 'report.verdict');
  }
  resolvePolicy({ threshold }); // rejects a threshold below 2/3
  const index = signerIndex(source.validators);
  const valid = coverage.signatures.flatMap((entry): PickedSigner[] => {
    const signed = source.signatures[entry.index];
    const position = signed === undefined ? undefined : index.find(signed.nodeIdShort);
    if (entry.outcome !== 'valid' || signed === undefined || position === undefined) return [];
    return [{ index: position, weight: index.weights[position]!, signature: signed.signature }];
  });
  valid.sort((a, b) => (a.weight === b.weight ? a.index - b.index : a.weight < b.weight ? 1 : -1));
  let signed = 0n;
  let count = 0;
  while (count < valid.length && (keep === 'all' || !exceeds(signed, index.totalWeight, threshold))) {
    signed += valid[count++]!.weight;
  }
  if (!exceeds(signed, index.totalWeight, threshold)) {
    const weighed = `all valid signatures weigh ${signed} of ${index.totalWeight}`;
    const message = `${weighed}, which is not more than ${threshold.num}/${threshold.den}`;
    throw certError('cert/insufficient', message, 'signatures');
  }
  return valid.slice(0, count).sort((a, b) => a.index - b.index);
}
