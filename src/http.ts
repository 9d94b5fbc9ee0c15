/**
 * `ton-finality/http`: blocks from toncenter-compatible servers. A server is never believed: what it sends is read strictly,
 * looked at for the block asked for, and left to the verifier to judge. What several servers say is `ton-finality/sources`.
 */
export type { BackLink } from './core/chain/block-proof.ts';
export { parseShardBlockProof, type ShardBlockProof } from './core/chain/shard-block-proof.ts';
export type { RecordedAnswer, ToncenterOptions } from './net/toncenter/toncenter-options.ts';
export { type BlockPosition, type LookupBy, type ToncenterV2, toncenterV2 } from './net/toncenter/toncenter-v2.ts';
export { type ToncenterV3, toncenterV3 } from './net/toncenter/toncenter-v3.ts';
export {
  type MasterchainShardState,
  masterchainRow,
  parseMasterchainShardState,
  type ShardBlock,
} from './net/toncenter-api/shard-state.ts';
export type {
  AccountState,
  ActionPhase,
  AddressBook,
  AddressBookRow,
  BlockRef,
  BouncePhase,
  ComputePhase,
  CreditPhase,
  ExtraCurrencies,
  Message,
  MessageBody,
  Size,
  SplitInfo,
  StoragePhase,
  Transaction,
  TransactionDescription,
} from './net/toncenter-api/transactions.ts';
export {
  type BlockHeader,
  type ConsensusBlock,
  type MasterchainInfo,
  parseBlockHeader,
  parseConfigInfo,
  parseConsensusBlock,
  parseLookupBlock,
  parseMasterchainInfo,
  parseShards,
} from './net/toncenter-api/v2-answers.ts';
