/**
 * `ton-finality/audit`: a range of blocks checked and written down, one row a block, in a ledger that can be gone on with,
 * shared between machines, and read again. For Node.
 */

export { type AuditEnd, auditRange } from './app/audit/audit-range.ts';
export type { AuditLead, AuditRange, AuditSource, BlockGetter, FetchedBlock } from './app/audit/audit-source.ts';
export type { AuditItem } from './app/audit/block-items.ts';
export {
  type CheckAgainOptions,
  type CheckAgainResult,
  checkAgain,
  exitCodeOfCheck,
  type RowDifference,
} from './app/audit/check-again.ts';
export type { RowComparison } from './app/audit/compare-rows.ts';
export { type AuditCounts, exitCodeOfCounts, type ThinnestMargin } from './app/audit/count-rows.ts';
export { auditFiles } from './app/audit/file-source.ts';
export {
  auditFleetStatus,
  type EnqueueOptions,
  enqueueAudit,
  type FleetStatus,
  type RefusedPart,
} from './app/audit/fleet/coordinator.ts';
export type { FleetOptions } from './app/audit/fleet/fleet-options.ts';
export { type FleetWorkerOptions, runAuditWorker } from './app/audit/fleet/worker.ts';
export { type AskHeader, type AuditServerOptions, auditServers } from './app/audit/http-source.ts';
export type { LedgerState } from './app/audit/ledger-check.ts';
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
} from './app/audit/ledger-lines.ts';
export { type AuditLiteOptions, auditLite } from './app/audit/lite-source.ts';
export { type MergeOptions, mergeLedgers } from './app/audit/merge.ts';
export type { AuditOptions } from './app/audit/options.ts';
export { type LedgerEnd, readLedger } from './app/audit/read-ledger.ts';
export { partOfRange, type SeqnoRange } from './app/audit/split-range.ts';
export { AuditError, type AuditErrorCode } from './core/base/errors.ts';
export type { BlockIdJson } from './core/block/block-id-json.ts';
