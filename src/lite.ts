/**
 * `ton-finality/lite`: heads, proofs and signatures from lite servers, none of which is believed. Needs a runtime with TCP,
 * such as Node, or a transport of your own.
 */
export { proveAncestor, readParent } from './core/chain/ancestor.ts';
export type { KeyBlock } from './core/chain/key-blocks.ts';
export type { ShardProofAnswer } from './core/chain/shard-block-proof.ts';
export type { BlockWalk } from './core/chain/walk.ts';
export type { AccountId } from './core/facts/account-id.ts';
export { type Certified, certifyTransaction } from './net/lite/certify.ts';
export {
  type Answered,
  connectLite,
  type LiteClientOptions,
  type LiteNetwork,
  type LiteServerClient,
  type LookedUpBlock,
} from './net/lite/client.ts';
export { type FollowedBlock, followHead } from './net/lite/follow.ts';
export type { FollowHeadOptions } from './net/lite/follow-options.ts';
export { type ForkProof, type ForkSide, verifyForkEvidence } from './net/lite/fork-evidence.ts';
export { type AncestorProof, type ProveOptions, proveBlock } from './net/lite/prove.ts';
export {
  type Arrival,
  type DepositsOptions,
  depositsOf,
  type FactOptions,
  type Proven,
  proveAccount,
  proveConfig,
  proveTransaction,
  type WantedTransaction,
} from './net/lite/prove-facts.ts';
export type { LiteAskOptions, LiteOptions, RecordedLiteAnswer } from './net/lite/requester.ts';
export { liteServerLabel, parseLiteServer } from './net/lite/server.ts';
export { syncCheckpoint } from './net/lite/sync.ts';
export type { SyncOptions, SyncProgress, SyncStall } from './net/lite/sync-options.ts';
export type { SyncResult } from './net/lite/sync-result.ts';
export { type OpenTransport, openTcp, type Transport, type TransportEvents } from './net/lite/tcp.ts';
export { type GlobalConfig, type LiteServer, parseGlobalConfig } from './net/lite-api/global-config.ts';
export type {
  AccountStateAnswer,
  BlockAnswer,
  ClaimedHead,
  ConfigAnswer,
  StateAnswer,
  TimeAnswer,
  TransactionAnswer,
  TransactionListAnswer,
  VersionAnswer,
  ZerostateId,
} from './net/lite-api/read-answers.ts';
export { EVIDENCE_SCHEMA, ForkError, type ForkEvidence, SIGNED_TWICE_SCHEMA } from './net/sources/fork-error.ts';
export type { LiveWarning, WitnessReport } from './net/sources/witness-report.ts';
