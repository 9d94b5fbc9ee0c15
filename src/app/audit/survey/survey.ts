/** What a ledger comes to, for reports: counted line by line in memory that does not grow with the range. Computes no verdict. */

import { AuditTally, type ThinnestMargin } from '../count-rows.ts';
import {
  type AuditHead,
  type AuditLine,
  type AuditRow,
  isOfItsSet,
  isSigned,
  type SignedAuditBlock,
  seqnoOf,
} from '../ledger-lines.ts';
import { meanMillionths, millionthsOf } from '../millionths.ts';
import { knownMembers } from '../parse-line.ts';
import { type Bin, Bins, OUTCOMES, type Outcome, outcomeOf } from './block-bins.ts';
import { type Column, Participation, type SurveySet, type Tally } from './participation.ts';

/** Runs of blocks that are not final, and changes of set, that are listed one by one; beyond that they are only counted. */
const MAX_LISTED = 10_000;

/** Blocks in a row that are not final for the same reason. */
export interface Run {
  readonly first: number;
  last: number;
  readonly outcome: Exclude<Outcome, 'final'>;
  /** The reason of the undecided, the code of the failure, the bad entries of the rejected; else empty. */
  readonly detail: string;
}

/** The first signed block under another set than the signed block before it. */
export interface SetChange {
  readonly seqno: number;
  /** Index of the set. */
  readonly set: number;
  /** Validators that the set before does not have, and those of it that are gone. */
  readonly joined: number;
  readonly left: number;
}

/** Buckets of one percent of the total weight: bucket `n` has margins from `n + HISTOGRAM_FROM` percent to one more. */
export const HISTOGRAM_FROM = -100;
const HISTOGRAM_BUCKETS = 135;

export interface Survey {
  readonly head: AuditHead;
  /** The last block that is asked for. */
  readonly to: number;
  /** The last that has a row; one before the first where there is none. */
  readonly last: number;
  /** Unix seconds of the first and the last block that has a proven header. */
  readonly times: readonly [first: number, last: number] | undefined;
  /** Whether every block asked for has a row. */
  readonly isFinished: boolean;
  /** Hash of the last whole line of the file: it stands for all before. */
  readonly hash: string;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** How often each reason of the undecided, and each code of failures. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Blocks judged by their own signatures, and by a later block. */
  readonly bySignatures: number;
  readonly byDescendant: number;
  /** Final blocks whose number nothing vouches for: neither their signatures nor a proof of the header. */
  readonly unbound: number;
  /** Blocks with signatures whose set was not compared with a header. */
  readonly unchecked: number;
  readonly thinnest: ThinnestMargin | undefined;
  /** Of blocks with signatures of the set that they are counted by: six digits, rounded down. */
  readonly meanCoverage: number | undefined;
  readonly histogram: { readonly final: readonly number[]; readonly other: readonly number[] };
  readonly bins: readonly Bin[];
  readonly keys: readonly string[];
  readonly sets: readonly SurveySet[];
  readonly columns: readonly Column[];
  readonly totals: readonly Tally[];
  readonly changes: readonly SetChange[];
  readonly runs: readonly Run[];
  /** Runs and changes that are not listed. */
  readonly unlisted: { readonly runs: number; readonly changes: number };
}

function detailOf(row: AuditRow): string {
  if (row.type === 'failure') return row.code;
  const { verdict } = row;
  if (verdict.status === 'undecided') return verdict.reason;
  if (verdict.status !== 'rejected') return '';
  return `${verdict.defects.length} bad ${verdict.defects.length === 1 ? 'entry' : 'entries'}`;
}

export class Surveyor {
  readonly #bins = new Bins();
  readonly #participation = new Participation();
  readonly #outcomes: Record<Outcome, number> = { final: 0, insufficient: 0, rejected: 0, undecided: 0, failed: 0 };
  readonly #reasons = new Map<string, number>();
  readonly #final = new Array<number>(HISTOGRAM_BUCKETS).fill(0);
  readonly #other = new Array<number>(HISTOGRAM_BUCKETS).fill(0);
  readonly #runs: Run[] = [];
  readonly #changes: SetChange[] = [];
  #open: Run | undefined;
  #unlistedRuns = 0;
  #unlistedChanges = 0;
  #head: AuditHead | undefined;
  #last: number | undefined;
  #times: readonly [number, number] | undefined;
  #set: number | undefined;
  readonly #tally = new AuditTally();
  #signed = 0;
  #linked = 0;
  #unchecked = 0;
  /** Rows under their own set, and their signed weights by total weight. */
  #covered = 0;
  readonly #coverage = new Map<string, bigint>();

  add(line: AuditLine): void {
    if (line.type === 'audit') this.#head = knownMembers(line);
    else if (line.type === 'set') this.#participation.addSet(knownMembers(line));
    else this.#addRow(line);
  }

  #addRow(row: AuditRow): void {
    const seqno = seqnoOf(row);
    const outcome = outcomeOf(row);
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
    if (signed !== undefined) this.#signed += 1;
    else if (row.type === 'block') this.#linked += 1;
    if (signed?.setCheck === 'not-checked') this.#unchecked += 1;
  }

  #addToRuns(seqno: number, outcome: Outcome, detail: string): void {
    if (outcome === 'final') {
      this.#open = undefined;
      return;
    }
    if (outcome === 'undecided' || outcome === 'failed') {
      this.#reasons.set(detail, (this.#reasons.get(detail) ?? 0) + 1);
    }
    const open = this.#open;
    if (open?.outcome === outcome && open.detail === detail) {
      open.last = seqno;
      return;
    }
    this.#open = { first: seqno, last: seqno, outcome, detail };
    if (this.#runs.length < MAX_LISTED) this.#runs.push(this.#open);
    else this.#unlistedRuns += 1;
  }

  #addOwn(row: SignedAuditBlock): void {
    const { seqno } = row.block;
    const { totalWeight, margin } = row;
    this.#covered += 1;
    this.#coverage.set(totalWeight, (this.#coverage.get(totalWeight) ?? 0n) + BigInt(row.signedWeight));
    const bucket = Math.floor(millionthsOf(BigInt(margin), BigInt(totalWeight)) / 1e4) - HISTOGRAM_FROM;
    const counts = row.verdict.status === 'final' ? this.#final : this.#other;
    counts[Math.min(HISTOGRAM_BUCKETS - 1, Math.max(0, bucket))]! += 1;
    const set = this.#participation.indexOfSet(row.set);
    if (this.#set !== undefined && set !== this.#set) this.#addChange(seqno, this.#set, set);
    this.#set = set;
  }

  #addChange(seqno: number, from: number, to: number): void {
    if (this.#changes.length >= MAX_LISTED) {
      this.#unlistedChanges += 1;
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
   * @param to the last block that is asked for; default: the last of the audit
   * @returns `undefined` before a first line
   */
  finish(hash: string, to?: number): Survey | undefined {
    const head = this.#head;
    if (head === undefined) return undefined;
    this.#participation.close();
    const asked = to ?? head.to;
    const last = this.#last ?? head.from - 1;
    const { keys, sets, columns } = this.#participation;
    return {
      head,
      to: asked,
      last,
      times: this.#times,
      isFinished: last >= asked,
      hash,
      outcomes: this.#outcomes,
      reasons: this.#reasons,
      bySignatures: this.#signed,
      byDescendant: this.#linked,
      unbound: this.#tally.unbound,
      unchecked: this.#unchecked,
      thinnest: this.#tally.thinnest,
      meanCoverage: this.#meanCoverage(),
      histogram: { final: this.#final, other: this.#other },
      bins: this.#bins.list,
      keys,
      sets,
      columns,
      totals: this.#participation.totals(),
      changes: this.#changes,
      runs: this.#runs,
      unlisted: { runs: this.#unlistedRuns, changes: this.#unlistedChanges },
    };
  }
}

/** How many rows there are. */
export function rowsOf({ outcomes }: Survey): number {
  return OUTCOMES.reduce((sum, outcome) => sum + outcomes[outcome], 0);
}

/** What a whole audit comes to, the worst first: some block is not final; some was not had; some is undecided; all are final. */
export type Conclusion = 'not-final' | 'not-fetched' | 'undecided' | 'final';

export function conclusionOf({ outcomes, isFinished }: Survey): Conclusion {
  if (outcomes.insufficient + outcomes.rejected > 0) return 'not-final';
  if (outcomes.failed > 0 || !isFinished) return 'not-fetched';
  return outcomes.undecided > 0 ? 'undecided' : 'final';
}
