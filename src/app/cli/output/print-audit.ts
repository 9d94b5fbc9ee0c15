/** Prints the result of an audit as text or JSON. */
import { existsSync } from 'node:fs';
import { conclusionOfCounts } from '../../audit/count-rows.ts';
import type { LedgerState } from '../../audit/ledger-check.ts';
import { startWords } from '../../report/audit/summary-text.ts';
import { counted, percent, rows } from '../../report/layout.ts';
import { EXIT_OF_AUDIT } from './exit-code.ts';
import { printEvent, printJson, printResult } from './print.ts';

/** Renders the result in a few lines: why blocks are undecided or missing, and how thin the margin was. */
function auditText({ head, counts }: LedgerState, out: string): string {
  const { final, notFinal, undecided, failures, unbound, rows: all, reasons, firstBlocks, thinnest, signed } = counts;
  const { staleStart } = counts;
  const others = `${notFinal} not final, ${failures} not fetched, ${undecided} undecided`;
  const of = signed < final ? `, of ${counted('block', signed)} with signatures` : '';
  const where = (reason: string, count: number) =>
    `${count === 1 ? 'block' : 'first block'} ${firstBlocks.get(reason)}`;
  const listed = [...reasons].map(([reason, count]) => `${count} ${reason} (${where(reason, count)})`).join(', ');
  const warnings = [
    ...(unbound === 0 ? [] : [`unbound-seqno: the numbers of ${unbound} final blocks are unverified claims`]),
    ...(staleStart === 0 ? [] : [`stale-start: ${startWords(staleStart)}`]),
  ];
  return [
    `${counted('block', all)}, ${head?.from} to ${head?.to}: ${final} final, ${others}`,
    ...rows({
      ledger: out,
      reasons: listed || undefined,
      texts:
        failures > 0 && existsSync(`${out}.run`) ? `${out}.run, with the file or server of each failure` : undefined,
      thinnest:
        thinnest && `${percent(thinnest.share)} of the weight above what is needed, block ${thinnest.seqno}${of}`,
      warning: warnings.join('; ') || undefined,
    }),
  ].join('\n');
}

/** Makes the object of `schemas/audit-result-1.json`. */
export function auditJson({ head, counts }: LedgerState, out: string) {
  const { final, notFinal, undecided, failures, unbound, rows: all, thinnest = null } = counts;
  const range = { from: head?.from, to: head?.to };
  const [reasons, firstBlocks] = [counts.reasons, counts.firstBlocks].map((map) => Object.fromEntries(map));
  const counted = { rows: all, final, notFinal, undecided, failures, unbound, reasons, firstBlocks, thinnest };
  const staleStart = counts.staleStart || undefined; // absent for none
  return { schema: 'ton-finality/audit-result@1', ledger: out, ...range, ...counted, staleStart };
}

/** Prints the result of a complete ledger. @returns the exit code */
export async function printAudit(state: LedgerState, out: string, asJson: boolean): Promise<number> {
  if (asJson) await printJson(auditJson(state, out));
  else await printResult(auditText(state, out));
  return EXIT_OF_AUDIT[conclusionOfCounts(state.counts)];
}

/** Reports what follows the last complete row of a ledger that is not finished. */
export async function printTail(tailBytes: number, asJson: boolean): Promise<void> {
  if (tailBytes === 0) return;
  const what = 'an incomplete line, or blocks before a signed block that is not written yet';
  const next = 'if that audit has stopped, run its command again to resume';
  await printEvent('tail-ignored', `${tailBytes} bytes at the end are ignored: ${what}; ${next}`, asJson);
}
