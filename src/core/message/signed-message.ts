/** The bytes every signer of a set signed, for both kinds, and the fields of the block id that those bytes cover. */
import { DecodeError } from '../base/errors.ts';
import { BLOCK_ID_FIELDS, type BlockIdExt, type BlockIdField, differingField } from '../block/block-id.ts';
import { copySignedParts, type SignedParts } from '../block/copy-signature-set.ts';
import type { SignatureList } from '../block/signature-set.ts';
import { candidateBlockId } from './candidate.ts';
import { ordinaryMessage } from './ordinary.ts';
import { finalizeVoteMessage } from './simplex.ts';

/**
 * Requires that the candidate names this very block in all five fields: without it a valid set could be moved to
 * another block id. Source: ton `crypto/block/signature-set.cpp`, BlockSignatureSetSimplex::to_sign.
 */
function requireCandidateNames(blockId: BlockIdExt, candidate: Uint8Array): void {
  const field = differingField(candidateBlockId(candidate), blockId);
  if (field === undefined) return;
  throw new DecodeError('decode/candidate-mismatch', `names another block than the id: ${field} differs`, {
    path: 'candidate',
  });
}

/** The signed bytes of parts that no other code can change. @throws as `signedMessage` */
export function messageOf(parts: SignedParts): Uint8Array {
  if (parts.kind === 'ordinary') return ordinaryMessage(parts.blockId);
  requireCandidateNames(parts.blockId, parts.candidate);
  return finalizeVoteMessage(parts.sessionId, parts.slot, parts.candidate);
}

/**
 * Returns the bytes that every signer of this set signed: 68 for an ordinary set, 84 for a simplex one. The set is read once, as it is
 * at the time of the call.
 * @throws DecodeError `decode/tl` if the simplex candidate is unreadable or has trailing bytes,
 * `decode/candidate-mismatch` if it names a different block, `decode/length`, `decode/range` for a hash, a number or a shard that no id has; UsageError for a value that is not a signature set
 * Source: ton `crypto/block/signature-set.cpp`, to_sign.
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
