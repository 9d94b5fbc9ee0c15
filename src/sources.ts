/**
 * `ton-finality/sources`: what is done over any sources of blocks, whatever they are reached by: one after the other,
 * several that must agree, second opinions, every new block as it comes. Knows no transport; `ton-finality/http` has one.
 */
export { SourceError, type SourceErrorCode, type SourceStatement } from './base/errors.ts';
export { bodyOf } from './sources/answer-body.ts';
export type { AskOptions, BlockSource, OtherAnswers } from './sources/block-source.ts';
export { type AskConfigParam, type ConfigReaders, claimedValidatorSet } from './sources/claimed-set.ts';
export {
  type CrossCheck,
  crossCheck,
  type HeaderWitness,
  type ShardStateWitness,
  type Witnesses,
} from './sources/cross-check.ts';
export {
  type FirstOfOptions,
  firstOf,
  type RaceOfOptions,
  raceOf,
  type SeveralOptions,
} from './sources/first-and-race.ts';
export { followBlocks } from './sources/follow.ts';
export type { FollowLag, FollowOptions, ValidatorsQuestion } from './sources/follow-options.ts';
export { type Network, onlyOn, requireNetwork, type ZerostateSource } from './sources/network-guard.ts';
export { createPace, type Pace } from './sources/pace.ts';
export { askQuorum, gatherQuorum, type QuorumOptions, type QuorumOutcome } from './sources/quorum.ts';
export { type QuorumOfOptions, quorumOf } from './sources/quorum-source.ts';
export type { HealthChange, ServerEvent, ServerObservers, ServerState } from './sources/server-events.ts';
export type { FollowStall } from './sources/stall-watch.ts';
