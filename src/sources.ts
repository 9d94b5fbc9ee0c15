/**
 * `ton-finality/sources`: what is done over any sources of blocks, whatever they are reached by: one after the other,
 * several that must agree, second opinions, every new block as it comes. Knows no transport; `ton-finality/http` has one.
 */
export { SourceError, type SourceErrorCode, type SourceStatement } from './base/errors.ts';
export { bodyOf } from './sources/answer-body.ts';
export type { AskOptions, BlockSource } from './sources/block-source.ts';
export { type AskConfigParam, type ConfigReaders, claimedValidatorSet } from './sources/claimed-set.ts';
export {
  type CrossCheck,
  crossCheck,
  type HeaderWitness,
  type ShardStateWitness,
  type Witnesses,
} from './sources/cross-check.ts';
export { firstOf, raceOf } from './sources/first-and-race.ts';
export { type FollowLag, type FollowOptions, followBlocks } from './sources/follow.ts';
export { type Network, onlyOn, requireNetwork, type ZerostateSource } from './sources/network-guard.ts';
export { createPace, type Pace } from './sources/pace.ts';
export { askQuorum, gatherQuorum, type QuorumOptions, type QuorumOutcome, quorumOf } from './sources/quorum.ts';
