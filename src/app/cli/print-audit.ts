/** Prints the result of an audit as text or JSON. */
import { type AuditCounts, exitCodeOfCounts } from '../audit/count-rows.ts';
import type { LedgerState } from '../audit/ledger-check.ts';
import { percent } from '../report/layout.ts';
import { printJson, printResult } from './output.ts';

function marginIn({ thinnest, signed, final }: AuditCounts): string {
  if (thinnest === undefined) return '';
  const of = signed < final ? `, of ${blocksOf(signed)} with signatures` : '';
  return `\n  thinnest   ${percent(thinnest.share)} of the weight above what is needed, block ${thinnest.seqno}${of}`;
}

function blocksOf(count: number): string {
  return count === 1 ? '1 block' : `${count} blocks`;
}

/** Says why blocks are undecided or missing. */
function reasonsIn({ reasons }: AuditCounts): string {
  if (reasons.size === 0) return '';
  return `\n  reasons    ${[...reasons].map(([reason, count]) => `${count} ${reason}`).join(', ')}`;
}

function warningOf({ unbound }: AuditCounts): string {
  if (unbound === 0) return '';
  return `\n  warning    unbound-seqno: the numbers of ${unbound} final blocks are unverified claims`;
}

/** Prints the result of a complete ledger. @returns the exit code */
export async function printAudit({ head, counts }: LedgerState, out: string, asJson: boolean): Promise<number> {
  const { final, notFinal, undecided, failures, unbound, rows, thinnest } = counts;
  const range = { from: head?.from, to: head?.to };
  if (asJson) {
    const reasons = Object.fromEntries(counts.reasons);
    const counted = { rows, final, notFinal, undecided, failures, unbound, reasons };
    await printJson({
      schema: 'ton-finality/audit-result@1',
      ledger: out,
      ...range,
      ...counted,
      thinnest: thinnest ?? null,
    });
  } else {
    const others = `${notFinal} not final, ${failures} not fetched, ${undecided} undecided`;
    await printResult(
      `${blocksOf(rows)}, ${range.from} to ${range.to}: ${final} final, ${others}\n  ledger     ${out}${reasonsIn(counts)}${marginIn(counts)}${warningOf(counts)}`,
    );
  }
  return exitCodeOfCounts(counts);
}
