/**
 * `ton-finality/http`: blocks from toncenter-compatible servers, one or several. A server is never believed: what it
 * sends is read strictly, looked at for the block asked for, and left to the verifier to judge.
 */
export { SourceError, type SourceErrorCode, type SourceStatement } from './base/errors.ts';
export { type BlockHeader, parseBlockHeader, parseLookupBlock, parseShards } from './decode/block-header.ts';
export {
  type ConsensusBlock,
  type MasterchainInfo,
  parseConsensusBlock,
  parseMasterchainInfo,
} from './decode/masterchain-info.ts';
export type { BlockRef, ShardBlock } from './decode/shard-block.ts';
export {
  type BlockLinkBack,
  parseConfigInfo,
  parseShardBlockProof,
  type ShardBlockLink,
  type ShardBlockProof,
} from './decode/shard-block-proof.ts';
export { type MasterchainShardState, masterchainRow, parseMasterchainShardState } from './decode/shard-state.ts';
export type {
  ActionPhase,
  BouncePhase,
  ComputePhase,
  CreditPhase,
  ExtraCurrencies,
  Size,
  SplitInfo,
  StoragePhase,
  TransactionDescription,
} from './decode/transaction-description.ts';
export type {
  AccountState,
  AddressBook,
  AddressBookRow,
  Message,
  MessageBody,
  Transaction,
} from './decode/transactions.ts';
export { type AskConfigParam, type ConfigReaders, claimedValidatorSet } from './http/claimed-set.ts';
export { type CrossCheck, crossCheck, type Witnesses } from './http/cross-check.ts';
export { firstOf, raceOf } from './http/first-and-race.ts';
export { type FollowLag, type FollowOptions, followBlocks } from './http/follow.ts';
export { type Network, onlyOn, requireNetwork } from './http/network.ts';
export { createPace, type Pace } from './http/pace.ts';
export { askQuorum, gatherQuorum, type QuorumOptions, type QuorumOutcome, quorumOf } from './http/quorum.ts';
export { bodyOf } from './http/request.ts';
export type { AskOptions, BlockSource, RecordedAnswer, ToncenterOptions } from './http/source.ts';
export { type BlockPosition, type LookupBy, type ToncenterV2, toncenterV2 } from './http/toncenter-v2.ts';
export { type ToncenterV3, toncenterV3 } from './http/toncenter-v3.ts';
