/**
 * The bytes that every signer of a list signed, for both kinds, and the fields of the block id that these bytes cover.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '../base/bytes.ts';
import { DecodeError } from '../base/errors.ts';
import type { Hash256 } from '../base/fields.ts';
import { BLOCK_ID_FIELDS, type BlockIdExt, type BlockIdField, differingField } from '../block/block-id.ts';
import { copySignedParts, type SignatureList, type SignedParts } from '../block/signature-list.ts';
import { CANDIDATE_ID, DATA_TO_SIGN, FINALIZE_VOTE, TON_BLOCK_ID } from '../tl/constructors.ts';
import { tlBytes, tlUint32 } from '../tl/writer.ts';
import { candidateBlockId } from './candidate.ts';

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

/**
 * The signed message of an ordinary list, 68 bytes. It contains two hashes, but neither seqno nor shard.
 *
 * ton.blockId root_cell_hash:int256 file_hash:int256 = ton.BlockId
 * Source: ton `crypto/block/signature-set.cpp`, BlockSignatureSetOrdinary::to_sign.
 */
function ordinaryMessage(blockId: BlockIdExt): Uint8Array {
  return concatBytes(tlUint32(TON_BLOCK_ID), blockId.rootHash, blockId.fileHash);
}

/**
 * The signed message of a simplex list, 84 bytes: a finalize vote for a candidate, together with the session id.
 *
 * consensus.dataToSign session_id:int256 data:bytes = consensus.DataToSign, where data is a boxed
 * consensus.simplex.finalizeVote id:consensus.CandidateId and the hash in the id is SHA-256 of the candidate. Only a
 * finalize vote makes a block final. The JSON does not name the kind of vote, so only this kind is accepted. Source:
 * ton `crypto/block/signature-set.cpp`, BlockSignatureSetSimplex::to_sign.
 */
function finalizeVoteMessage(sessionId: Hash256, slot: number, candidate: Uint8Array): Uint8Array {
  const vote = concatBytes(tlUint32(FINALIZE_VOTE), tlUint32(CANDIDATE_ID), tlUint32(slot), sha256(candidate));
  return concatBytes(tlUint32(DATA_TO_SIGN), sessionId, tlBytes(vote));
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
