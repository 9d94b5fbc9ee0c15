/**
 * `ton-finality/inclusion`: what stands in a final block: transactions, accounts, messages, configuration, libraries; and
 * that something does not. Runs anywhere.
 */

export { TrustError, type TrustErrorCode } from './base/errors.ts';
export type { Cell } from './cells/cell.ts';
export type { AccountData } from './inclusion/account-cell.ts';
export {
  type AccountFormat,
  type AccountId,
  formatAccountId,
  type ParsedAccountId,
  parseAccountId,
} from './inclusion/account-id.ts';
export {
  type AccountFact,
  type AccountOptions,
  type AccountProof,
  type NoAccount,
  readAccount,
  verifyAccountState,
} from './inclusion/account-state.ts';
export type { BitString, MessageAddress } from './inclusion/addresses.ts';
export {
  type BlockListProof,
  type BlockListRequest,
  type BlockTransactions,
  type ListedTransaction,
  verifyBlockTransactions,
} from './inclusion/block-list.ts';
export { type ConfigFact, type ConfigProof, verifyConfigParam } from './inclusion/config-param.ts';
export type { Currency } from './inclusion/currency.ts';
export { checkpointBlock, finalBlock, provenTip } from './inclusion/final-block.ts';
export {
  type HistoryFact,
  type HistoryOptions,
  type HistoryProof,
  type HistoryStart,
  verifyHistory,
} from './inclusion/history.ts';
export { decodeJettonNotification, type JettonNotification } from './inclusion/jetton.ts';
export { type GivenLibrary, type LibraryFact, type LibraryProof, verifyLibrary } from './inclusion/library.ts';
export { cellToBoc, type MessageFact, messagesOf } from './inclusion/messages.ts';
export type { ActionPhase, ComputePhase, TransactionOutcome, TransactionType } from './inclusion/outcome.ts';
export {
  assumeFinal,
  type BlockProvenance,
  type FactBase,
  type FinalityException,
  type ProofStep,
  type ProvenBlock,
  type StepBy,
} from './inclusion/proven-block.ts';
export type { ShardProofAnswer } from './inclusion/shard-proof-answer.ts';
export { olderBlock, type ShardListProof, type ShardTopProof, shardBlock, shardTop } from './inclusion/shard-top.ts';
export { type Fact, factToJson, INCLUSION_SCHEMA, messageToJson } from './inclusion/to-json.ts';
export {
  type NoTransaction,
  requireSuccess,
  type TransactionFact,
  type TransactionProof,
  type TransactionRequest,
  verifyTransaction,
} from './inclusion/transaction.ts';
export type { AccountStatus, TransactionData } from './inclusion/transaction-cell.ts';
export {
  type AccountStateAnswer,
  type AllShardsAnswer,
  type BlockAnswer,
  type BlockHeaderAnswer,
  type BlockListAnswer,
  type ClaimedHead,
  type ConfigAnswer,
  type ExtendedHeadAnswer,
  type HeadAnswer,
  type LibraryAnswer,
  type LiteAnswer,
  readAnswer,
  readAnswerOf,
  type ShardInfoAnswer,
  type StateAnswer,
  type TimeAnswer,
  type TransactionAnswer,
  type TransactionListAnswer,
  type VersionAnswer,
  type ZerostateId,
} from './net/lite-api/read-answers.ts';
