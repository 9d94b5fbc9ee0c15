/**
 * `ton-finality/chain`: key blocks, proofs and checkpoints, which prove the validator set without trust in a server.
 * Runs anywhere.
 */

export { TrustError, type TrustErrorCode } from './core/base/errors.ts';
export type { CellLike } from './core/cells/boc.ts';
export { advanceCheckpoint, type KeyBlockStep, verifyStoredProof } from './core/chain/advance.ts';
export { MAINNET } from './core/chain/anchors.ts';
export { type ProvenHeader, verifyHeader } from './core/chain/block-header.ts';
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
export { type BlockWalk, verifyBlockProof, type WalkOptions } from './core/chain/walk.ts';
export { parseValidatorConfig } from './core/validators/from-config.ts';
