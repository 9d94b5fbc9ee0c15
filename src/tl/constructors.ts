/**
 * TL constructor ids, each beside its schema line. An id is the CRC-32 of the line; a test recomputes every one.
 * Schemas: ton-blockchain/ton at ca7d6e4, tl/generate/scheme/ton_api.tl and lite_api.tl.
 */

/** pub.ed25519 key:int256 = PublicKey */
export const PUB_ED25519 = 0x4813b4c6;

/** ton.blockId root_cell_hash:int256 file_hash:int256 = ton.BlockId */
export const TON_BLOCK_ID = 0xc50b6e70;

/** consensus.dataToSign session_id:int256 data:bytes = consensus.DataToSign */
export const DATA_TO_SIGN = 0xa8e33df8;

/** consensus.candidateId slot:int hash:int256 = consensus.CandidateId */
export const CANDIDATE_ID = 0xb691cd3f;

/** consensus.candidateParent id:consensus.CandidateId = consensus.CandidateParent */
export const CANDIDATE_PARENT = 0x1a4b9af1;

/** consensus.candidateWithoutParents = consensus.CandidateParent */
export const CANDIDATE_WITHOUT_PARENTS = 0x22cbcca9;

/** consensus.candidateHashDataOrdinary block:tonNode.blockIdExt collated_file_hash:int256 parent:consensus.CandidateParent = consensus.CandidateHashData */
export const CANDIDATE_HASH_DATA_ORDINARY = 0xe8f9bcdc;

/** consensus.candidateHashDataEmpty block:tonNode.blockIdExt parent:consensus.candidateId = consensus.CandidateHashData */
export const CANDIDATE_HASH_DATA_EMPTY = 0x72b4d933;

/** consensus.simplex.finalizeVote id:consensus.CandidateId = consensus.simplex.UnsignedVote */
export const FINALIZE_VOTE = 0x40a7e105;
