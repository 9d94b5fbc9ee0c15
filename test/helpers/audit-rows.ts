/** The rows of an audit, and how often each says what. */

import type { AuditOptions } from '../../src/app/audit/audit-options.ts';
import { auditRange } from '../../src/app/audit/audit-range.ts';
import type { AuditRow } from '../../src/app/audit/ledger-lines.ts';

export async function rowsOf(opts: AuditOptions): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for await (const row of auditRange(opts)) rows.push(row);
  return rows;
}

/** What a row says: its verdict, the reason of an undecided one, or the code of a failure. */
export const said = (row: AuditRow): string => {
  if (row.type === 'failure') return row.code;
  const { verdict } = row;
  return verdict.status === 'undecided' ? verdict.reason : verdict.status;
};

/** Counts rows by what they say. */
export const tally = (rows: readonly AuditRow[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[said(row)] = (counts[said(row)] ?? 0) + 1;
  return counts;
};
