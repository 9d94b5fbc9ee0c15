/** `ton-finality/chain`: key blocks, proofs and checkpoints: who signs is proven, not believed. Runs anywhere. */

export { TrustError, type TrustErrorCode } from './core/base/errors.ts';
export { advance, type KeyBlockStep, verifyStoredProof } from './core/chain/advance.ts';
export { MAINNET_INIT_BLOCK, MAINNET_ZEROSTATE } from './core/chain/anchors.ts';
export { type ProvenHeader, provenHeader } from './core/chain/block-header.ts';
export {
  type AdvancedCheckpoint,
  type Checkpoint,
  checkpointFromKeyBlock,
  checkpointFromZerostate,
  checkpointToJson,
  parseCheckpoint,
  validatorSetAt,
} from './core/chain/checkpoint.ts';
export type { LinkOptions } from './core/chain/link.ts';
export { verifyShardLink } from './core/chain/shard-link.ts';
export { type BlockWalk, type WalkOptions, walkBlockProof } from './core/chain/walk.ts';
export { parseValidatorConfig } from './core/validators/from-config.ts';
export { checkSessionId, type SessionIdCheck, type SessionParts } from './core/validators/session-id.ts';
