/**
 * TL constructor ids of proofs and signed messages, each with its schema line. An id is the CRC-32 of the line; a test
 * recomputes every id. Ids that only requests to servers use are in `net/adnl` and `net/lite-api`. Schemas:
 * ton-blockchain/ton at ca7d6e4, tl/generate/scheme/ton_api.tl and lite_api.tl.
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

/** boolTrue = Bool */
export const BOOL_TRUE = 0x997275b5;

/** boolFalse = Bool */
export const BOOL_FALSE = 0xbc799737;

/** liteServer.error code:int message:string = liteServer.Error */
export const LITE_SERVER_ERROR = 0xbba9e148;

// Some proxies send this; the schemas of ton do not have it. Source: xssnick/tonutils-go at 749603a,
// liteclient/types.go.
/** liteServer.serverBusy code:int message:string = liteServer.ServerBusy */
export const LITE_SERVER_BUSY = 0x092e9c55;

/** liteServer.partialBlockProof complete:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt steps:(vector liteServer.BlockLink) = liteServer.PartialBlockProof */
export const PARTIAL_BLOCK_PROOF = 0x8ed0d2c1;

/** liteServer.blockLinkBack to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes proof:bytes state_proof:bytes = liteServer.BlockLink */
export const BLOCK_LINK_BACK = 0xef7e1bef;

/** liteServer.blockLinkForward to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes config_proof:bytes signatures:liteServer.SignatureSet = liteServer.BlockLink */
export const BLOCK_LINK_FORWARD = 0x520fce1c;

// The present name is liteServer.signatureSet.ordinary; the schema keeps the id of the older name.
/** liteServer.signatureSet validator_set_hash:int catchain_seqno:int signatures:(vector liteServer.signature) = liteServer.SignatureSet */
export const LITE_SIGNATURE_SET_ORDINARY = 0xf644a6e6;

/** liteServer.signatureSet.simplex cc_seqno:int validator_set_hash:int signatures:(vector liteServer.signature) session_id:int256 slot:int candidate:bytes = liteServer.SignatureSet */
export const LITE_SIGNATURE_SET_SIMPLEX = 0xac249800;

/** liteServer.shardBlockProof masterchain_id:tonNode.blockIdExt links:(vector liteServer.shardBlockLink) = liteServer.ShardBlockProof */
export const SHARD_BLOCK_PROOF = 0x1d62a07a;

/** validator.groupNew workchain:int shard:long vertical_seqno:int last_key_block_seqno:int catchain_seqno:int config_hash:int256 members:(vector validator.groupMember) = validator.Group */
export const VALIDATOR_GROUP_NEW = 0x9843a14d;

/** validatorSession.configVersionedV2 catchain_opts:validatorSession.CatChainOptions round_candidates:int next_candidate_delay:double round_attempt_duration:int max_round_attempts:int max_block_size:int max_collated_data_size:int version:int = validatorSession.Config */
export const VALIDATOR_SESSION_CONFIG_V2 = 0xa97b11af;

/** validatorSession.catchainOptions idle_timeout:double max_deps:int max_block_size:int block_hash_covers_data:Bool max_block_height_ceoff:int debug_disable_db:Bool = validatorSession.CatChainOptions */
export const VALIDATOR_SESSION_CATCHAIN_OPTIONS = 0x70e249e6;
