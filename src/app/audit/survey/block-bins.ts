/** Divides a range of any length into a limited number of bins, for pictures. */
import { type AuditRow, isOfItsSet, isSigned, seqnoOf } from '../ledger-lines.ts';
import { millionthsOf } from '../millionths.ts';
import { Stretches } from './stretches.ts';

/** Most bins of a picture. */
export const MAX_BINS = 10_000;

/** Outcome of a row: its verdict, or `failed` if the block is missing. */
export type RowOutcome = 'final' | 'insufficient' | 'rejected' | 'undecided' | 'failed';

export const ROW_OUTCOMES: readonly RowOutcome[] = ['final', 'insufficient', 'rejected', 'undecided', 'failed'];

export function rowOutcomeOf(row: AuditRow): RowOutcome {
  return row.type === 'failure' ? 'failed' : row.verdict.status;
}

/**
 * Returns signed weight over total weight in millionths, for pictures; the verdict is the row's own. `undefined` without signatures of the
 * set that is counted by.
 */
export function coverageOf(row: AuditRow): number | undefined {
  if (row.type === 'failure' || !isSigned(row) || !isOfItsSet(row)) return undefined;
  return millionthsOf(BigInt(row.signedWeight), BigInt(row.totalWeight));
}

/** Consecutive blocks. */
export type Bin = ReturnType<typeof binOf>;

const DOUBT: Readonly<Record<RowOutcome, number>> = { insufficient: 0, rejected: 0, failed: 1, undecided: 2, final: 3 };

/** Returns whether `a` needs attention before `b`: not final, then missing, then undecided, then by signed weight. */
function isWorse(a: AuditRow, b: AuditRow): boolean {
  const doubt = DOUBT[rowOutcomeOf(a)] - DOUBT[rowOutcomeOf(b)];
  if (doubt !== 0) return doubt < 0;
  return (coverageOf(a) ?? Number.POSITIVE_INFINITY) < (coverageOf(b) ?? Number.POSITIVE_INFINITY);
}

function binOf(row: AuditRow) {
  const seqno = seqnoOf(row);
  const coverage = coverageOf(row);
  const outcome = rowOutcomeOf(row);
  return {
    first: seqno,
    last: seqno,
    rows: 1,
    /** Number of rows with signatures of their own, and the sum of their coverage in millionths. */
    signed: coverage === undefined ? 0 : 1,
    least: coverage ?? Number.POSITIVE_INFINITY,
    sum: coverage ?? 0,
    /** Number of rows for each outcome, in the order of `ROW_OUTCOMES`. */
    outcomes: ROW_OUTCOMES.map((one) => (one === outcome ? 1 : 0)),
    /** Unix seconds of the first proven header, if any. */
    time: row.type === 'block' ? row.header?.genUtime : undefined,
    /** The row that needs attention first. */
    worst: row,
  };
}

/** Adds the bin that follows directly. */
function join(bin: Bin, next: Bin): void {
  bin.last = next.last;
  bin.rows += next.rows;
  bin.signed += next.signed;
  bin.least = Math.min(bin.least, next.least);
  bin.sum += next.sum;
  for (const [n, count] of next.outcomes.entries()) bin.outcomes[n]! += count;
  bin.time ??= next.time;
  if (isWorse(next.worst, bin.worst)) bin.worst = next.worst;
}

export class Bins extends Stretches<Bin> {
  /** @param most an even number; there are never more bins */
  constructor(most: number = MAX_BINS) {
    super(join, ({ length }) => length === most);
  }

  add(row: AuditRow): void {
    this.push(binOf(row));
  }
}
