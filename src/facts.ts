/**
 * `ton-finality/facts`: proves what a final block contains or does not contain: transactions, accounts, messages,
 * configuration, libraries and deposits. Certificates carry such proofs in one file. Runs anywhere.
 */

export {
  CertificateError,
  type CertificateErrorCode,
  DepositError,
  type DepositErrorCode,
} from './core/base/errors.ts';
export type { Cell } from './core/cells/cell.ts';
export { buildCertificate, type CertificateInput } from './core/certificate/build.ts';
export type { FactInput, ShardWay } from './core/certificate/build-fact.ts';
export { type Equivocation, findEquivocation } from './core/certificate/equivocation.ts';
export type { FactKind } from './core/certificate/fact-parts.ts';
export {
  certificateToJson,
  parseCertificateJson,
} from './core/certificate/json.ts';
export type { CertifiedFact, CertifiedMessage, ShardBlockFact } from './core/certificate/judge-fact.ts';
export type { SignerOptions } from './core/certificate/minimal-signers.ts';
export { type Certificate, certificateToBoc, parseCertificate } from './core/certificate/parse.ts';
export {
  type CertificateReport,
  type CertificateVerdict,
  type OldestSet,
  verifyCertificate,
} from './core/certificate/verify.ts';
export type { CertificateOptions, CertificateStep, SignedSummary } from './core/certificate/walk-steps.ts';
export type { ShardProofAnswer } from './core/chain/shard-block-proof.ts';
export type { AccountData } from './core/facts/account-cell.ts';
export {
  type AccountFormat,
  type AccountId,
  type AccountLike,
  formatAccountId,
  type ParsedAccountId,
  parseAccountId,
} from './core/facts/account-id.ts';
export {
  type AccountFact,
  type AccountOptions,
  type AccountProof,
  accountDataOf,
  type NoAccount,
  verifyAccount,
} from './core/facts/account-state.ts';
export type { BitString, MessageAddress } from './core/facts/addresses.ts';
export {
  type BlockListProof,
  type BlockListRequest,
  type BlockTransactions,
  type ListedTransaction,
  verifyBlockTransactions,
} from './core/facts/block-list.ts';
export { type ConfigFact, type ConfigProof, verifyConfig } from './core/facts/config-param.ts';
export type { Currency } from './core/facts/currency.ts';
export { acceptDeposit, type Deposit, requireDeposit } from './core/facts/deposit.ts';
export type { DepositProof } from './core/facts/deposit-candidate.ts';
export type { DepositTerms, JettonAsset } from './core/facts/deposit-terms.ts';
export { blockOfCheckpoint, blockOfReport, blockOfWalk } from './core/facts/final-block.ts';
export {
  type HistoryFact,
  type HistoryOptions,
  type HistoryProof,
  type HistoryStart,
  verifyHistory,
} from './core/facts/history.ts';
export { type JettonNotification, jettonNotificationOf } from './core/facts/jetton.ts';
export { type JettonLayout, jettonWalletAddress } from './core/facts/jetton-wallet.ts';
export { type ClaimedLibrary, type LibraryFact, type LibraryProof, verifyLibrary } from './core/facts/library.ts';
export { cellToBoc, type MessageFact, messagesOf } from './core/facts/messages.ts';
export type { ActionPhase, ComputePhase, TransactionOutcome, TransactionType } from './core/facts/outcome.ts';
export {
  assumeFinal,
  type BlockProvenance,
  type FactBase,
  type FinalityException,
  type ProofStep,
  type ProvenBlock,
  type StepBy,
} from './core/facts/proven-block.ts';
export {
  type ShardListProof,
  type ShardTopProof,
  verifyOlderBlock,
  verifyShardBlock,
  verifyShardTop,
} from './core/facts/shard-top.ts';
export { type Fact, factToJson } from './core/facts/to-json.ts';
export {
  type NoTransaction,
  type TransactionFact,
  type TransactionProof,
  type TransactionRequest,
  verifyTransaction,
} from './core/facts/transaction.ts';
export type { AccountStatus, TransactionData } from './core/facts/transaction-cell.ts';
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
  parseLiteAnswer,
  type ShardInfoAnswer,
  type StateAnswer,
  type TimeAnswer,
  type TransactionAnswer,
  type TransactionListAnswer,
  type VersionAnswer,
  type ZerostateId,
} from './net/lite-api/read-answers.ts';
