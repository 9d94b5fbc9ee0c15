/**
 * The bytes that every signer of a list signed, for both kinds, and the fields of the block id that these bytes cover.
 */
import { DecodeError } from '../base/errors.ts';
import { BLOCK_ID_FIELDS, type BlockIdExt, type BlockIdField, differingField } from '../block/block-id.ts';
import { copySignedParts, type SignedParts } from '../block/copy-signature-set.ts';
import type { SignatureList } from '../block/signature-set.ts';
import { candidateBlockId } from './candidate.ts';
import { ordinaryMessage } from './ordinary.ts';
import { finalizeVoteMessage } from './simplex.ts';

/**
 * Requires the candidate to name exactly this block, in all five fields. Otherwise valid signatures could be moved to a
 * different block id. Source: ton `crypto/block/signature-set.cpp`, BlockSignatureSetSimplex::to_sign.
 */
function requireCandidateNames(blockId: BlockIdExt, candidate: Uint8Array): void {
  const field = differingField(candidateBlockId(candidate), blockId);
  if (field === undefined) return;
  throw new DecodeError('decode/candidate-mismatch', `names another block than the id: ${field} differs`, {
    path: 'candidate',
  });
}

/** Returns the signed bytes of parts that no other code can change. @throws as `signedMessage` */
export function messageOf(parts: SignedParts): Uint8Array {
  if (parts.kind === 'ordinary') return ordinaryMessage(parts.blockId);
  requireCandidateNames(parts.blockId, parts.candidate);
  return finalizeVoteMessage(parts.sessionId, parts.slot, parts.candidate);
}

/**
 * Returns the bytes that every signer of this list signed: 68 for an ordinary list, 84 for a simplex one.
 * @param signatures the signature list, read once at the time of the call
 * @returns a new array
 * @throws DecodeError `decode/tl` if the simplex candidate is unreadable or has trailing bytes,
 * `decode/candidate-mismatch` if it names a different block, `decode/length`, `decode/range` for a hash, a number or a
 * shard that no id has; UsageError for anything but a signature list. Source: ton `crypto/block/signature-set.cpp`,
 * to_sign.
 * @example
 * ```ts
 * import { parseSignatureList, signedMessage } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * const signatures = parseSignatureList(simplexSample.signatures);
 * console.log(signedMessage(signatures).length); // 84
 * ```
 */
export function signedMessage(signatures: SignatureList): Uint8Array {
  return messageOf(copySignedParts(signatures));
}

const HASHES: readonly BlockIdField[] = Object.freeze(['rootHash', 'fileHash'] as const);

/**
 * Returns the fields of the block id that the signed bytes cover. An ordinary message covers two hashes only, so the seqno of an ordinary answer is a
 * claim of its sender. A simplex message covers all five.
 */
export function signedFields(kind: SignatureList['kind']): readonly BlockIdField[] {
  return kind === 'simplex' ? BLOCK_ID_FIELDS : HASHES;
}
