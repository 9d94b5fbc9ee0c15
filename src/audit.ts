/**
 * `ton-finality/audit`: a range of blocks checked and written down, one row a block, in a ledger that can be gone on with,
 * shared between machines, and read again. For Node.
 */

export type { AuditItem, AuditLead, AuditRange, AuditSource, BlockGetter, FetchedBlock } from './audit/blocks.ts';
export {
  type CheckAgainOptions,
  type CheckAgainResult,
  checkAgain,
  exitCodeOfCheck,
  type RowDifference,
} from './audit/check-again.ts';
export type { RowComparison } from './audit/compare-rows.ts';
export { auditFiles } from './audit/files.ts';
export {
  auditFleetStatus,
  type EnqueueOptions,
  enqueueAudit,
  type FleetStatus,
  type RefusedPart,
} from './audit/fleet/coordinator.ts';
export type { FleetOptions } from './audit/fleet/fleet-options.ts';
export { type FleetWorkerOptions, runAuditWorker } from './audit/fleet/worker.ts';
export type { LedgerState } from './audit/ledger-check.ts';
export { type AuditLiteOptions, auditLite } from './audit/lite.ts';
export { type MergeOptions, mergeLedgers } from './audit/merge.ts';
export type { AuditOptions } from './audit/options.ts';
export { type LedgerEnd, readLedger } from './audit/read-ledger.ts';
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
} from './audit/row.ts';
export { type AuditEnd, auditRange } from './audit/run.ts';
export { type AskHeader, type AuditServerOptions, auditServers } from './audit/servers.ts';
export { type AuditShard, shardOf } from './audit/shard.ts';
export { type AuditCounts, exitCodeOfCounts, type ThinnestMargin } from './audit/tally.ts';
export { AuditError, type AuditErrorCode } from './base/errors.ts';
export type { BlockIdJson } from './decode/block-id-json.ts';
