/**
 * `ton-finality/sources`: what is done over any sources of blocks, whatever they are reached by: one after the other,
 * several that must agree, second opinions, every new block as it comes. Knows no transport; `ton-finality/http` has one.
 */
export { SourceError, type SourceErrorCode, type SourceStatement } from './core/base/errors.ts';
export { createPace, type Pace } from './net/async/pace.ts';
export { followBlocks } from './net/follow/follow.ts';
export type { FollowLag, FollowOptions, ValidatorsQuestion } from './net/follow/follow-options.ts';
export type { FollowStall } from './net/follow/voice.ts';
export type { AskOptions, BlockSource, SignedAnswer } from './net/sources/block-source.ts';
export { type AskConfigParam, type ConfigReaders, claimedValidatorSet } from './net/sources/claimed-set.ts';
export {
  type CrossCheck,
  crossCheck,
  type HeaderWitness,
  type ShardStateWitness,
  type Witnesses,
} from './net/sources/cross-check.ts';
export {
  type FirstOfOptions,
  firstOf,
} from './net/sources/first-of.ts';
export { gatherQuorum, type QuorumOptions, type QuorumOutcome } from './net/sources/gather-quorum.ts';
export { type Network, onlyOn, requireNetwork, type ZerostateSource } from './net/sources/network-guard.ts';
export { type QuorumOfOptions, quorumOf } from './net/sources/quorum-of.ts';
export type { HealthChange, ServerEvent, ServerObservers, ServerState } from './net/sources/server-events.ts';
