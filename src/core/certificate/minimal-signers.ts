/**
 * Selects the fewest signatures that still make a block final, by a fixed rule, so that every maker selects the same.
 */
import { badArgument } from '../base/arguments.ts';
import { equalBytes } from '../base/bytes.ts';
import { CertificateError, UsageError } from '../base/errors.ts';
import { FINALITY_THRESHOLD } from '../base/limits.ts';
import { requireOptions } from '../base/options.ts';
import { differingField } from '../block/block-id.ts';
import { copySignatureSet } from '../block/copy-signature-set.ts';
import type { SignatureList } from '../block/signature-set.ts';
import { signerIndex } from '../validators/signer-index.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import { sourceOf } from '../verify/check-signatures.ts';
import { requireOwnReport } from '../verify/own-report.ts';
import { resolvePolicy } from '../verify/policy.ts';
import type { VerificationReport } from '../verify/report.ts';
import { exceeds } from '../verify/weights.ts';

/** One signer, by its index in the list of config parameter 34. */
export interface PickedSigner {
  readonly index: number;
  readonly publicKey: Uint8Array;
  readonly weight: bigint;
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
 * @param report a final report of this list and these validators
 * @throws CertificateError `cert/insufficient` when the report is not final, or all valid signatures together do not
 * reach the threshold; UsageError for a report of a different list or of different validators
 */
export function minimalSigners(
  set: SignatureList,
  report: VerificationReport,
  validators: ValidatorSet,
  given: SignerOptions = {},
): readonly PickedSigner[] {
  const { keep = 'minimal', threshold = FINALITY_THRESHOLD } = requireOptions(given, ['keep', 'threshold']);
  if (keep !== 'minimal' && keep !== 'all') throw badArgument('keep', "'minimal' or 'all'", keep);
  requireOwnReport(report);
  const { coverage, verdict } = report;
  const source = sourceOf(coverage);
  const own = copySignatureSet(set);
  const isSame =
    source.passed === validators &&
    differingField(source.blockId, own.blockId) === undefined &&
    source.signatures.length === own.signatures.length &&
    source.signatures.every(({ nodeIdShort, signature }, k) => {
      const other = own.signatures[k]!; // both lists have the same length
      return equalBytes(nodeIdShort, other.nodeIdShort) && equalBytes(signature, other.signature);
    });
  if (!isSame) {
    throw new UsageError('usage/bad-option', 'expected the report of this set under these validators', {
      path: 'report',
    });
  }
  if (verdict.status !== 'final') {
    throw new CertificateError('cert/insufficient', `expected a final block, got one that is ${verdict.status}`, {
      path: 'report.verdict',
    });
  }
  resolvePolicy({ threshold }); // rejects a threshold below 2/3
  const index = signerIndex(source.validators);
  const valid = coverage.signatures.flatMap((entry): PickedSigner[] => {
    const signed = source.signatures[entry.index];
    const position = signed === undefined ? undefined : index.find(signed.nodeIdShort);
    if (entry.outcome !== 'valid' || signed === undefined || position === undefined) return [];
    const publicKey = index.publicKeys[position]!;
    return [{ index: position, publicKey, weight: index.weights[position]!, signature: signed.signature }];
  });
  valid.sort((a, b) => (a.weight === b.weight ? a.index - b.index : a.weight < b.weight ? 1 : -1));
  let signed = 0n;
  let count = 0;
  while (count < valid.length && (keep === 'all' || !exceeds(signed, index.totalWeight, threshold))) {
    signed += valid[count++]!.weight;
  }
  if (!exceeds(signed, index.totalWeight, threshold)) {
    throw new CertificateError(
      'cert/insufficient',
      `all valid signatures weigh ${signed} of ${index.totalWeight}, which is not more than ${threshold.num}/${threshold.den}`,
      { path: 'signatures' },
    );
  }
  return Object.freeze(
    valid
      .slice(0, count)
      .sort((a, b) => a.index - b.index)
      .map((signer) =>
        Object.freeze({ ...signer, publicKey: signer.publicKey.slice(), signature: signer.signature.slice() }),
      ),
  );
}
