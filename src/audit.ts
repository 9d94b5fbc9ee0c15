/**
 * `ton-finality/audit`: checks a range of blocks and writes one row for each block into a ledger. A ledger can be
 * resumed, shared between machines, and read again. For Node.
 */

export type { AuditOptions } from './app/audit/audit-options.ts';
export { auditRange } from './app/audit/audit-range.ts';
export type { AuditLead, AuditRange, AuditSource, BlockGetter, FetchedBlock } from './app/audit/audit-source.ts';
export type { AuditItem } from './app/audit/block-items.ts';
export {
  type CheckAgainOptions,
  type CheckAgainResult,
  checkAgain,
  type RowDifference,
} from './app/audit/check-again.ts';
export type { RowComparison } from './app/audit/compare-rows.ts';
export type { AuditCounts, ThinnestMargin } from './app/audit/count-rows.ts';
export { auditFiles } from './app/audit/file-source.ts';
export { type AskHeader, type AuditServerOptions, auditServers } from './app/audit/http-source.ts';
export type { LedgerState } from './app/audit/ledger-check.ts';
export type {
  AuditBlock,
  AuditFailure,
  AuditHeader,
  AuditLine,
  AuditPlan,
  AuditProvenance,
  AuditRow,
  AuditSet,
  AuditSetProvenance,
  AuditSigned,
  AuditTrust,
  AuditUndecidedReason,
  AuditVerdict,
  SignedAuditBlock,
} from './app/audit/ledger-lines.ts';
export { type AuditLiteOptions, auditLite } from './app/audit/lite-source.ts';
export { type MergeOptions, mergeLedgers } from './app/audit/merge-ledgers.ts';
export { type LedgerEnd, readLedger } from './app/audit/read-ledger.ts';
export type { SeqnoRange } from './app/audit/split-range.ts';
export { AuditError, type AuditErrorCode } from './core/base/errors.ts';
export type { BlockIdJson } from './core/block/block-id-json.ts';
