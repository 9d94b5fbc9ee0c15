/**
 * `ton-finality/audit`: a range of blocks checked and written down, one row a block, in a ledger that can be gone on with,
 * shared between machines, and read again. For Node.
 */

export type { LedgerState } from './audit/ledger-check.ts';
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
  type BlockIdJson,
  bitmapHas,
  isSigned,
  type SignedAuditBlock,
  seqnoOf,
} from './audit/row.ts';
export { AuditError, type AuditErrorCode } from './base/errors.ts';
