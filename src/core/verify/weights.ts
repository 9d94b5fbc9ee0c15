/** Determines the signer of each entry before any signature is checked: known, unknown, repeated. */
import type { SignatureEntry } from '../block/signature-list.ts';
import type { SignerIndex } from '../validators/signer-index.ts';
import type { SignatureOutcome } from './report.ts';

/**
 * Finds the signer of every entry. All entries of a repeated signer are duplicates in any order; an unknown id stays
 * unknown however often it occurs. Source: ton `crypto/block/signature-set.cpp`, check_signatures ("duplicate node",
 * "unknown node").
 * @returns in the order of the entries: positions in the validator set, `undefined` for an unknown signer; and the
 * outcomes that do not depend on the signatures, `undefined` where the signatures decide
 */
export function attributeEntries(entries: readonly SignatureEntry[], index: SignerIndex) {
  const positions = entries.map((entry) => index.find(entry.nodeIdShort));
  const seen = new Set<number | undefined>();
  const repeated = new Set<number | undefined>();
  for (const position of positions) (seen.has(position) ? repeated : seen).add(position);
  const outcomes = positions.map((position): SignatureOutcome | undefined => {
    if (position === undefined) return 'unknown-signer';
    return repeated.has(position) ? 'duplicate-signer' : undefined;
  });
  return { positions, outcomes };
}

/**
 * Whether a weight is above num/den of the total, strictly and in whole numbers. Source: ton
 * `crypto/block/signature-set.cpp`, check_signatures.
 */
export function exceeds(
  signed: bigint,
  total: bigint,
  threshold: { readonly num: bigint; readonly den: bigint },
): boolean {
  return signed * threshold.den > total * threshold.num;
}

/** The smallest weight that exceeds num/den of the total. */
export function requiredWeight(total: bigint, threshold: { readonly num: bigint; readonly den: bigint }): bigint {
  return (total * threshold.num) / threshold.den + 1n;
}
