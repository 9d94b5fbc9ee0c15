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
} from './masterchain-shard-state.ts';
export type {
  AccountState,
  AddressBook,
  AddressBookRow,
  BlockRef,
  BouncePhase,
  CreditPhase,
  ExtraCurrencies,
  Message,
  MessageBody,
  RawActionPhase as ActionPhase,
  RawComputePhase as ComputePhase,
  Size,
  SplitInfo,
  StoragePhase,
  Transaction,
  TransactionDescription,
} from './transactions.ts';
export {
  type ConsensusBlock,
  type MasterchainInfo,
  parseBlockHeader,
  parseConfigInfo,
  parseConsensusBlock,
  parseLookupBlock,
  parseMasterchainInfo,
  parseShards,
  type RawBlockHeader as BlockHeader,
} from './v2-answers.ts';
