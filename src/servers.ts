/**
 * `ton-finality/servers`: blocks and proofs from toncenter-compatible servers and lite servers, from one or several,
 * and a stream of new blocks. The library trusts none of these servers. Runs anywhere; lite servers need TCP, such as
 * that of Node, or a transport that you supply.
 */

export { SourceError, type SourceErrorCode, type SourceStatement } from './core/base/errors.ts';
export type { BackLink } from './core/chain/block-proof.ts';
export type { KeyBlock } from './core/chain/key-blocks.ts';
export type { Pace } from './net/async/pace.ts';
export { followBlocks } from './net/follow/follow-blocks.ts';
export type { FollowOptions, ValidatorsQuestion } from './net/follow/follow-options.ts';
export type { FollowStall } from './net/follow/stall-reports.ts';
export { type Certified, certifyTransaction, type WantedCertificate } from './net/lite/certify.ts';
export {
  type Answered,
  connectLite,
  type LiteClientOptions,
  type LiteServerClient,
  type LookedUpBlock,
  type Network,
} from './net/lite/client.ts';
export { type Arrival, type DepositsOptions, depositsOf } from './net/lite/deposits.ts';
export type { Proven, Reached } from './net/lite/fact-head.ts';
export { type FollowedBlock, followLite } from './net/lite/follow-lite.ts';
export type { FollowLiteOptions } from './net/lite/follow-lite-options.ts';
export { type ForkProof, type ForkSide, verifyForkEvidence } from './net/lite/fork-evidence.ts';
export { type OlderBlockProof, type ProveOptions, proveOlderBlock } from './net/lite/prove.ts';
export {
  type NoTransactionAfter,
  proveAccount,
  proveConfig,
  proveTransaction,
  type TransactionOptions,
  type WantedByHash,
  type WantedTransaction,
} from './net/lite/prove-facts.ts';
export type { LiteAskOptions, LiteOptions, RecordedLiteAnswer } from './net/lite/requester.ts';
export { syncCheckpoint } from './net/lite/sync.ts';
export type { FactOptions, SyncOptions, SyncProgress, SyncStall } from './net/lite/sync-options.ts';
export type { SyncResult } from './net/lite/sync-result.ts';
export type { OpenTransport, Transport, TransportEvents } from './net/lite/tcp.ts';
export {
  type FinalBlock,
  type FinalTransaction,
  type WaitOptions,
  type WaitProgress,
  type WantedBlock,
  waitForFinal,
} from './net/lite/wait-for-final.ts';
export { type GlobalConfig, type LiteServer, parseGlobalConfig } from './net/lite-api/global-config.ts';
export type { FollowLag } from './net/machine/follow-blocks.ts';
export type { AskOptions, BlockSource, SignedAnswer } from './net/sources/block-source.ts';
export {
  type CrossCheck,
  crossCheck,
  type HeaderWitness,
  type ShardStateWitness,
  type Witnesses,
} from './net/sources/cross-check.ts';
export { type FirstOfOptions, firstOf } from './net/sources/first-of.ts';
export { ForkError, type ForkEvidence } from './net/sources/fork-error.ts';
export { type NetworkName, onNetwork, type ZerostateSource } from './net/sources/network-guard.ts';
export { type QuorumOfOptions, quorumOf } from './net/sources/quorum-of.ts';
export type { HealthChange, ServerEvent, ServerObservers, ServerState } from './net/sources/server-events.ts';
export type { LiveWarning, WitnessReport } from './net/sources/witness-report.ts';
export type { RecordedAnswer, ToncenterOptions } from './net/toncenter/toncenter-options.ts';
export { type BlockPosition, type LookupBy, type ToncenterV2, toncenterV2 } from './net/toncenter/toncenter-v2.ts';
export { type ToncenterV3, toncenterV3 } from './net/toncenter/toncenter-v3.ts';
export * as toncenter from './net/toncenter-api/toncenter.ts';
