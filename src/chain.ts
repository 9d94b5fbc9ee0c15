/** `ton-finality/chain`: key blocks, proofs and checkpoints: who signs is proven, not believed. Runs anywhere. */

export { TrustError, type TrustErrorCode } from './base/errors.ts';
export { advance, type KeyBlockStep, verifyStoredProof } from './chain/advance.ts';
export { MAINNET_INIT_BLOCK, MAINNET_ZEROSTATE } from './chain/anchors.ts';
export { type ProvenHeader, provenHeader } from './chain/block-header.ts';
export {
  type AdvancedCheckpoint,
  type Checkpoint,
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  checkpointToJson,
  parseCheckpoint,
  validatorSetAt,
} from './chain/checkpoint.ts';
export type { LinkOptions } from './chain/link.ts';
export { verifyShardLink } from './chain/shard-link.ts';
export { type BlockWalk, type WalkOptions, walkBlockProof } from './chain/walk.ts';
export { parseValidatorConfig } from './validators/from-config.ts';
export { checkSessionId, type SessionIdCheck, type SessionParts } from './validators/session-id.ts';
