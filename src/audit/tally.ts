/** What the rows of a ledger come to: counts, the thinnest margin, and the exit code that stands for them. */
import { type AuditRow, seqnoOf } from './row.ts';

/** The least that a block had above what it needed, or the most that one lacked. */
export interface ThinnestMargin {
  readonly seqno: number;
  /** Margin over total weight. */
  readonly share: number;
}

/** Rows by what they say. */
export interface AuditCounts {
  readonly rows: number;
  readonly final: number;
  /** Insufficient or rejected. */
  readonly notFinal: number;
  readonly undecided: number;
  /** Could not be had, or not be read. */
  readonly failures: number;
  /** Of blocks with signatures of their own, under a set that their header does not contradict; `undefined` when there is none. */
  readonly thinnest: ThinnestMargin | undefined;
}

export class AuditTally implements AuditCounts {
  rows = 0;
  final = 0;
  notFinal = 0;
  undecided = 0;
  failures = 0;
  thinnest: ThinnestMargin | undefined;

  add(row: AuditRow): void {
    this.rows += 1;
    if (row.type === 'failure') {
      this.failures += 1;
      return;
    }
    const { status } = row.verdict;
    if (status === 'final') this.final += 1;
    else if (status === 'undecided') this.undecided += 1;
    else this.notFinal += 1;
    if (row.margin === null || row.totalWeight === null || row.setCheck === 'mismatch') return; // of another set, a margin says nothing
    const share = Number(row.margin) / Number(row.totalWeight);
    if (this.thinnest === undefined || share < this.thinnest.share) this.thinnest = { seqno: seqnoOf(row), share };
  }
}

/** 0 all final; else 1 some are not; else 3 some could not be had; else 4 some are undecided. */
export function exitCodeOfCounts({ notFinal, failures, undecided }: AuditCounts): 0 | 1 | 3 | 4 {
  if (notFinal > 0) return 1;
  if (failures > 0) return 3;
  return undecided > 0 ? 4 : 0;
}
