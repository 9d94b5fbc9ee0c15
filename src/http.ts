/**
 * `ton-finality/http`: blocks from toncenter-compatible servers. A server is never believed: what it sends is read strictly,
 * looked at for the block asked for, and left to the verifier to judge. What several servers say is `ton-finality/sources`.
 */
export {
  type BlockLinkBack,
  parseShardBlockProof,
  type ShardBlockLink,
  type ShardBlockProof,
} from './core/chain/shard-block-proof.ts';
export type { RecordedAnswer, ToncenterOptions } from './net/toncenter/toncenter-options.ts';
export { type BlockPosition, type LookupBy, type ToncenterV2, toncenterV2 } from './net/toncenter/toncenter-v2.ts';
export { type ToncenterV3, toncenterV3 } from './net/toncenter/toncenter-v3.ts';
export { type BlockHeader, parseBlockHeader, parseLookupBlock, parseShards } from './net/toncenter-api/block-header.ts';
export { parseConfigInfo } from './net/toncenter-api/config-info.ts';
export {
  type ConsensusBlock,
  type MasterchainInfo,
  parseConsensusBlock,
  parseMasterchainInfo,
} from './net/toncenter-api/masterchain-info.ts';
export type { BlockRef, ShardBlock } from './net/toncenter-api/shard-block.ts';
export {
  type MasterchainShardState,
  masterchainRow,
  parseMasterchainShardState,
} from './net/toncenter-api/shard-state.ts';
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
} from './net/toncenter-api/transaction-description.ts';
export type {
  AccountState,
  AddressBook,
  AddressBookRow,
  Message,
  MessageBody,
  Transaction,
} from './net/toncenter-api/transactions.ts';
