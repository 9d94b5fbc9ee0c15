/**
 * The signed message of simplex signatures: a finalize vote for a candidate, together with the session id, 84 bytes.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '../base/bytes.ts';
import type { Hash256 } from '../base/fields.ts';
import { CANDIDATE_ID, DATA_TO_SIGN, FINALIZE_VOTE } from '../tl/constructors.ts';
import { tlBytes, tlUint32 } from '../tl/writer.ts';

/**
 * consensus.dataToSign session_id:int256 data:bytes = consensus.DataToSign, where data is a boxed
 * consensus.simplex.finalizeVote id:consensus.CandidateId and the hash in the id is SHA-256 of the candidate. Only a
 * finalize vote makes a block final. The JSON does not name the kind of vote, so only this kind is accepted. Source:
 * ton `crypto/block/signature-set.cpp`, BlockSignatureSetSimplex::to_sign.
 */
export function finalizeVoteMessage(sessionId: Hash256, slot: number, candidate: Uint8Array): Uint8Array {
  const vote = concatBytes(tlUint32(FINALIZE_VOTE), tlUint32(CANDIDATE_ID), tlUint32(slot), sha256(candidate));
  return concatBytes(tlUint32(DATA_TO_SIGN), sessionId, tlBytes(vote));
}
