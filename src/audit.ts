/**
 * `ton-finality/audit`: a range of blocks checked and written down, one row a block, in a ledger that can be gone on with,
 * shared between machines, and read again. For Node.
 */

export type { AuditItem, AuditLead, AuditRange, AuditSource, BlockGetter, FetchedBlock } from './app/audit/blocks.ts';
export {
  type CheckAgainOptions,
  type CheckAgainResult,
  checkAgain,
  exitCodeOfCheck,
  type RowDifference,
} from './app/audit/check-again.ts';
export type { RowComparison } from './app/audit/compare-rows.ts';
export { auditFiles } from './app/audit/files.ts';
export {
  auditFleetStatus,
  type EnqueueOptions,
  enqueueAudit,
  type FleetStatus,
  type RefusedPart,
} from './app/audit/fleet/coordinator.ts';
export type { FleetOptions } from './app/audit/fleet/fleet-options.ts';
export { type FleetWorkerOptions, runAuditWorker } from './app/audit/fleet/worker.ts';
export type { LedgerState } from './app/audit/ledger-check.ts';
export { type AuditLiteOptions, auditLite } from './app/audit/lite.ts';
export { type MergeOptions, mergeLedgers } from './app/audit/merge.ts';
export type { AuditOptions } from './app/audit/options.ts';
export { type LedgerEnd, readLedger } from './app/audit/read-ledger.ts';
export {
  AUDIT_ROW_SCHEMA,
  type AuditBlock,
  type AuditFailure,
  type AuditHead,
  type AuditHeader,
  type AuditLine,
  type AuditProvenance,
  type AuditRow,
  type AuditSet,
  type AuditSetProvenance,
  type AuditSigned,
  type AuditTrust,
  type AuditUndecidedReason,
  type AuditVerdict,
  bitmapHas,
  isSigned,
  type SignedAuditBlock,
  seqnoOf,
} from './app/audit/row.ts';
export { type AuditEnd, auditRange } from './app/audit/run.ts';
export { type AskHeader, type AuditServerOptions, auditServers } from './app/audit/servers.ts';
export { type AuditShard, shardOf } from './app/audit/shard.ts';
export { type AuditCounts, exitCodeOfCounts, type ThinnestMargin } from './app/audit/tally.ts';
export { AuditError, type AuditErrorCode } from './core/base/errors.ts';
export type { BlockIdJson } from './core/block/block-id-json.ts';
