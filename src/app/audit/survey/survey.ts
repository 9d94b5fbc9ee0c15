/** Summarises a ledger for reports, line by line, in memory that does not grow with the range. It computes no verdict. */

import { badOption } from '../../../core/base/arguments.ts';
import { AuditError } from '../../../core/base/errors.ts';
import { AuditTally, type Conclusion, conclusionOfCounts } from '../count-rows.ts';
import {
  type AuditLine,
  type AuditPlan,
  type AuditRow,
  defectsOf,
  isOfItsSet,
  isSigned,
  reasonOf,
  type SignedAuditBlock,
  seqnoOf,
} from '../ledger-lines.ts';
import { meanMillionths, millionthsOf } from '../millionths.ts';
import { knownMembers } from '../parse-line.ts';
import { checkLedger } from '../read-ledger.ts';
import { Bins, type RowOutcome, rowOutcomeOf } from './block-bins.ts';
import { Participation } from './participation.ts';

/** Most runs of blocks that are not final, and most changes of set, that are listed. Beyond that they are only counted. */
const MAX_LISTED = 10_000;

/** Blocks in a row that are not final for the same reason. */
export interface Run {
  readonly first: number;
  last: number;
  readonly outcome: Exclude<RowOutcome, 'final'>;
  /** The reason of `undecided`, the code of a failure, or the entries of a rejected block; else empty. */
  readonly detail: string;
}

/** The first signed block under another set than the signed block before it. */
export interface SetChange {
  readonly seqno: number;
  /** Index of the set. */
  readonly set: number;
  /** Validators that the previous set does not have, and members of the previous set that are gone. */
  readonly joined: number;
  readonly left: number;
}

/** Histogram of margins in percent of the total weight: bucket `n` has margins from `n + HISTOGRAM_FROM` percent up to one more. */
export const HISTOGRAM_FROM = -100;
const HISTOGRAM_BUCKETS = 135;

function detailOf(row: AuditRow): string {
  const count = defectsOf(row)?.length;
  return reasonOf(row) ?? (count === undefined ? '' : `${count} bad ${count === 1 ? 'entry' : 'entries'}`);
}

export class Surveyor {
  readonly #tally = new AuditTally();
  readonly #bins = new Bins();
  readonly #participation = new Participation();
  readonly #outcomes: Record<RowOutcome, number> = { final: 0, insufficient: 0, rejected: 0, undecided: 0, failed: 0 };
  readonly #judged = { bySignatures: 0, byDescendant: 0, unchecked: 0 };
  readonly #histogram = {
    final: new Array<number>(HISTOGRAM_BUCKETS).fill(0),
    other: new Array<number>(HISTOGRAM_BUCKETS).fill(0),
  };
  readonly #runs: Run[] = [];
  readonly #changes: SetChange[] = [];
  readonly #unlisted = { runs: 0, changes: 0 };
  #open: Run | undefined;
  #head: AuditPlan | undefined;
  #last: number | undefined;
  #times: readonly [first: number, last: number] | undefined;
  #set: number | undefined;
  /** Rows under their own set, and the sums of their signed weights by total weight. */
  #covered = 0;
  readonly #coverage = new Map<string, bigint>();

  add(line: AuditLine): void {
    if (line.type === 'audit') this.#head = knownMembers(line);
    else if (line.type === 'set') this.#participation.addSet(knownMembers(line));
    else this.#addRow(line);
  }

  #addRow(row: AuditRow): void {
    const seqno = seqnoOf(row);
    const outcome = rowOutcomeOf(row);
    this.#last = seqno;
    const made = row.type === 'block' ? row.header?.genUtime : undefined;
    if (made !== undefined) this.#times = [this.#times?.[0] ?? made, made];
    this.#outcomes[outcome] += 1;
    this.#tally.add(row);
    this.#bins.add(row);
    this.#addToRuns(seqno, outcome, detailOf(row));
    const signed = row.type === 'block' && isSigned(row) ? row : undefined;
    const own = signed !== undefined && isOfItsSet(signed) ? signed : undefined;
    this.#participation.add(seqno, own);
    if (own !== undefined) this.#addOwn(own);
    if (signed !== undefined) this.#judged.bySignatures += 1;
    else if (row.type === 'block') this.#judged.byDescendant += 1;
    if (signed?.setCheck === 'not-checked') this.#judged.unchecked += 1;
  }

  #addToRuns(seqno: number, outcome: RowOutcome, detail: string): void {
    if (outcome === 'final') {
      this.#open = undefined;
      return;
    }
    const open = this.#open;
    if (open?.outcome === outcome && open.detail === detail) {
      open.last = seqno;
      return;
    }
    this.#open = { first: seqno, last: seqno, outcome, detail };
    if (this.#runs.length < MAX_LISTED) this.#runs.push(this.#open);
    else this.#unlisted.runs += 1;
  }

  #addOwn(row: SignedAuditBlock): void {
    const { seqno } = row.block;
    const { totalWeight, margin } = row;
    this.#covered += 1;
    this.#coverage.set(totalWeight, (this.#coverage.get(totalWeight) ?? 0n) + BigInt(row.signedWeight));
    const bucket = Math.floor(millionthsOf(BigInt(margin), BigInt(totalWeight)) / 1e4) - HISTOGRAM_FROM;
    const counts = this.#histogram[row.verdict.status === 'final' ? 'final' : 'other'];
    counts[Math.min(HISTOGRAM_BUCKETS - 1, Math.max(0, bucket))]! += 1;
    const set = this.#participation.indexOfSet(row.set);
    if (this.#set !== undefined && set !== this.#set) this.#addChange(seqno, this.#set, set);
    this.#set = set;
  }

  #addChange(seqno: number, from: number, to: number): void {
    if (this.#changes.length >= MAX_LISTED) {
      this.#unlisted.changes += 1;
      return;
    }
    const { sets } = this.#participation;
    const [before, after] = [new Set(sets[from]!.members), new Set(sets[to]!.members)];
    const joined = [...after].filter((validator) => !before.has(validator)).length;
    const left = [...before].filter((validator) => !after.has(validator)).length;
    this.#changes.push({ seqno, set: to, joined, left });
  }

  #meanCoverage(): number | undefined {
    if (this.#covered === 0) return undefined;
    const sums = new Map([...this.#coverage].map(([total, signed]) => [BigInt(total), signed] as const));
    return meanMillionths(sums, this.#covered) / 1e6;
  }

  /**
   * @param hash of the last line
   * @param to the last block that counts; default: the last of the audit
   * @returns `undefined` before the first line
   */
  finish(hash: string, to?: number) {
    const head = this.#head;
    if (head === undefined) return undefined;
    this.#participation.close();
    const asked = to ?? head.to;
    const last = this.#last ?? head.from - 1;
    const { rows, unbound, staleStart, thinnest, reasons } = this.#tally;
    const { keys, sets, columns } = this.#participation;
    return {
      head,
      /** The last block that counts. */
      to: asked,
      /** The last block with a row; one before the first if there is none. */
      last,
      /** Unix seconds of the first and the last proven header. */
      times: this.#times,
      /** Whether every block up to `to` has a row. */
      isFinished: last >= asked,
      /** Hash of the last complete line of the file; it covers all lines before. */
      hash,
      rows,
      outcomes: this.#outcomes as Readonly<Record<RowOutcome, number>>, // counting has ended
      /** How often each reason of `undecided` and each code of a failure occurs. */
      reasons,
      /** Blocks judged by their own signatures, by a later block, and with signatures whose set was not compared with a header. */
      ...this.#judged,
      /** Final blocks whose number neither signatures nor a proof of the header cover. */
      unbound,
      /** Final blocks that depend on a start with old keys that was accepted. */
      staleStart,
      thinnest,
      /** Mean coverage of blocks with signatures of their own set: six digits, rounded down. */
      meanCoverage: this.#meanCoverage(),
      histogram: this.#histogram,
      bins: this.#bins.list,
      keys,
      sets,
      columns,
      totals: this.#participation.totals(),
      changes: this.#changes,
      runs: this.#runs,
      /** Number of runs and changes that are not listed. */
      unlisted: this.#unlisted,
    };
  }
}

export type Survey = NonNullable<ReturnType<Surveyor['finish']>>;

/** Returns the conclusion. An audit that is unfinished has blocks that are missing. */
export function conclusionOf({ outcomes, isFinished }: Survey): Conclusion {
  const { insufficient, rejected, failed: failures, undecided } = outcomes;
  const conclusion = conclusionOfCounts({ notFinal: insufficient + rejected, failures, undecided });
  return isFinished || conclusion === 'not-final' ? conclusion : 'not-fetched';
}

/**
 * Surveys a ledger. Every line of the file is checked, those after `to` too.
 * @param to the last block that counts, within the range of the audit; default: the last of the audit
 * @returns the survey, and the bytes after the last newline: an unfinished line
 * @throws AuditError `audit/ledger` for a file that is not a ledger or was changed; UsageError for a file that cannot be read, or a `to`
 * outside of the range
 */
export async function surveyLedger(file: string, { to }: { readonly to?: number } = {}) {
  const surveyor = new Surveyor();
  const { tailBytes, state } = await checkLedger(file, (line) => {
    if (line.type === 'audit' && to !== undefined && (to < line.from || to > line.to)) {
      throw badOption(`expected ${line.from} to ${line.to}, got ${to}`, 'to');
    }
    const isRow = line.type === 'block' || line.type === 'failure';
    if (!isRow || to === undefined || seqnoOf(line) <= to) surveyor.add(line);
  });
  const survey = surveyor.finish(state.hash, to);
  if (survey !== undefined) return { survey, tailBytes };
  throw new AuditError('audit/ledger', 'expected the first line of an audit, got none', { path: `${file}:1` });
}
