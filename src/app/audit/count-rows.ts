/** Counts the rows of a ledger, and derives the thinnest margin and the conclusion. */
import { type AuditBlock, type AuditRow, isSigned, reasonOf, seqnoOf } from './ledger-lines.ts';
import { millionthsOf } from './millionths.ts';

/** The smallest margin of a final block above the required weight. */
export interface ThinnestMargin {
  readonly seqno: number;
  readonly margin: string;
  readonly totalWeight: string;
  /** Margin divided by total weight, with six digits, rounded down. */
  readonly share: number;
}

/** Counts rows by outcome. */
export class AuditTally {
  rows = 0;
  final = 0;
  /** Insufficient or rejected. */
  notFinal = 0;
  undecided = 0;
  /** Blocks that could not be fetched or read. */
  failures = 0;
  /** Final blocks whose number neither signatures nor a proof of the header cover. */
  unbound = 0;
  /** Final blocks that depend on a start with old keys that was accepted. */
  staleStart = 0;
  /** Final blocks with signatures of their own. */
  signed = 0;
  /** How often each reason of `undecided` and each code of a failure occurs. */
  readonly reasons = new Map<string, number>();
  /** The seqno of the first block with each reason. */
  readonly firstBlocks = new Map<string, number>();
  /**
   * The thinnest margin among final blocks with signatures of their own, the first of equals; `undefined` if there is
   * no such block.
   */
  thinnest: ThinnestMargin | undefined;

  /** Called by `JSON.stringify`, which leaves out maps. */
  toJSON() {
    const [reasons, firstBlocks] = [this.reasons, this.firstBlocks].map((map) => Object.fromEntries(map));
    return { ...this, reasons, firstBlocks };
  }

  add(row: AuditRow): void {
    this.rows += 1;
    const reason = reasonOf(row);
    if (reason !== undefined) {
      this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
      if (!this.firstBlocks.has(reason)) this.firstBlocks.set(reason, seqnoOf(row));
    }
    if (row.type === 'failure') this.failures += 1;
    else if (row.verdict.status === 'final') this.#addFinal(row);
    else if (row.verdict.status === 'undecided') this.undecided += 1;
    else this.notFinal += 1;
  }

  #addFinal(row: AuditBlock): void {
    this.final += 1;
    if (!row.bound.includes('seqno')) this.unbound += 1;
    if (row.staleStart !== undefined) this.staleStart += 1;
    if (!isSigned(row)) return;
    this.signed += 1;
    const { thinnest } = this;
    const { margin, totalWeight } = row;
    const isThinner =
      thinnest === undefined ||
      BigInt(margin) * BigInt(thinnest.totalWeight) < BigInt(thinnest.margin) * BigInt(totalWeight);
    if (!isThinner) return;
    const share = millionthsOf(BigInt(margin), BigInt(totalWeight)) / 1e6;
    this.thinnest = { seqno: row.block.seqno, margin, totalWeight, share };
  }
}

/** The number of rows by outcome. */
export type AuditCounts = Omit<Readonly<AuditTally>, 'add' | 'toJSON' | 'reasons' | 'firstBlocks'> &
  Readonly<Record<'reasons' | 'firstBlocks', ReadonlyMap<string, number>>>;

/** Outcome of a whole audit, the worst first: some block is not final; some are missing; some are undecided; all are final. */
export type Conclusion = 'not-final' | 'not-fetched' | 'undecided' | 'final';

export function conclusionOfCounts(counts: Pick<AuditCounts, 'notFinal' | 'failures' | 'undecided'>): Conclusion {
  const { notFinal, failures, undecided } = counts;
  if (notFinal > 0) return 'not-final';
  if (failures > 0) return 'not-fetched';
  return undecided > 0 ? 'undecided' : 'final';
}
