/**
 * Answers of toncenter-compatible servers as they are documented, and their readers. The values are claims of a server,
 * and nothing is proven.
 */
export { parseShardBlockProof, type ShardBlockProof } from '../../core/chain/shard-block-proof.ts';
export {
  type MasterchainShardState,
  masterchainRow,
  parseMasterchainShardState,
  type ShardBlock,
} from './shard-state.ts';
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
} from './transactions.ts';
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
} from './v2-answers.ts';
