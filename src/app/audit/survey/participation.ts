/**
 * Counts who signed, for each validator and column. The cost of a row is the number of absent validators: what a whole set signed is
 * counted once, and added to its validators when the set or the column ends.
 */
import { UsageError } from '../../../core/base/errors.ts';
import { type AuditSet, positionsIn, type SignedAuditBlock, seqnoOf } from '../ledger-lines.ts';
import { Stretches } from './stretches.ts';

/** Most columns of the heat map, and fewest if there are many validators. */
const MAX_COLUMNS = 100;
const MIN_COLUMNS = 12;
/** Cells above which two columns become one. */
const MAX_CELLS = 10_000;
/** Largest number of members that all held sets have together: about 10,000 sets of the masterchain. */
const MAX_MEMBERS = 1_000_000;

/** Blocks of one validator in one column. */
export interface Tally {
  /** Blocks that the validator's set signed. */
  blocks: number;
  /** Blocks without an entry of the validator. */
  absent: number;
  /** Blocks with an entry that is not a valid signature, or with several entries. */
  bad: number;
}

export interface HeatColumn {
  readonly first: number;
  last: number;
  rows: number;
  /** Tallies by the index of the validator. */
  readonly cells: Map<number, Tally>;
}

/** A set that rows name. */
export interface SurveySet {
  readonly line: Omit<AuditSet, 'type' | 'validators'>;
  /** Index of each member among all validators, and its weight, in the order of the configuration. */
  readonly members: Uint32Array;
  readonly weights: readonly string[];
  /** Number of blocks that the set signed, the first and the last of them; 0 for none. */
  blocks: number;
  first: number;
  last: number;
}

interface Open {
  readonly at: number;
  readonly absent: Uint32Array;
  readonly bad: Uint32Array;
  blocks: number;
}

function add(cells: Map<number, Tally>, validator: number, { blocks, absent, bad }: Tally): void {
  const cell = cells.get(validator);
  if (cell === undefined) cells.set(validator, { blocks, absent, bad });
  else {
    cell.blocks += blocks;
    cell.absent += absent;
    cell.bad += bad;
  }
}

function addAll(cells: Map<number, Tally>, more: ReadonlyMap<number, Tally>): void {
  for (const [validator, cell] of more) add(cells, validator, cell);
}

function joinColumns(column: HeatColumn, next: HeatColumn): void {
  column.last = next.last;
  column.rows += next.rows;
  addAll(column.cells, next.cells);
}

function areTooMany(columns: readonly HeatColumn[]): boolean {
  if (columns.length < 2 * MIN_COLUMNS) return false;
  return columns.length >= MAX_COLUMNS || columns.reduce((sum, { cells }) => sum + cells.size, 0) > MAX_CELLS;
}

export class Participation {
  readonly keys: string[] = [];
  readonly sets: SurveySet[] = [];
  readonly #columns = new Stretches<HeatColumn>(joinColumns, areTooMany);
  readonly #indexOfKey = new Map<string, number>();
  readonly #indexOfSet = new Map<string, number>();
  #members = 0;
  #open: Open | undefined;

  get columns(): readonly HeatColumn[] {
    return this.#columns.list;
  }

  /** @throws UsageError for more validators than can be held */
  addSet({ type: _, validators, ...line }: AuditSet): void {
    this.#members += validators.length;
    if (this.#members > MAX_MEMBERS) {
      throw new UsageError('usage/bad-option', `the sets have more than ${MAX_MEMBERS} members together`, {
        hint: 'report on a shorter range, with --to',
      });
    }
    const members = Uint32Array.from(validators, ({ publicKey }) => this.#indexOf(publicKey));
    this.#indexOfSet.set(line.set, this.sets.length);
    const weights = validators.map(({ weight }) => weight);
    this.sets.push({ line, members, weights, blocks: 0, first: 0, last: 0 });
  }

  #indexOf(publicKey: string): number {
    const index = this.#indexOfKey.get(publicKey) ?? this.keys.push(publicKey) - 1;
    this.#indexOfKey.set(publicKey, index);
    return index;
  }

  /** Returns the index of a set by its hash. */
  indexOfSet(set: string): number {
    return this.#indexOfSet.get(set)!; // the reader rejects rows whose set was not named
  }

  /** @param row with signatures; `undefined` if only its seqno counts */
  add(seqno: number, row: SignedAuditBlock | undefined): void {
    if (this.#columns.isLastWhole) this.close();
    this.#columns.push({ first: seqno, last: seqno, rows: 1, cells: new Map() });
    if (row !== undefined) this.#addSigned(row);
  }

  #addSigned(row: SignedAuditBlock): void {
    const at = this.indexOfSet(row.set);
    const set = this.sets[at]!;
    if (this.#open?.at !== at) {
      this.close();
      const count = 8 * Math.ceil(set.members.length / 8);
      this.#open = { at, absent: new Uint32Array(count), bad: new Uint32Array(count), blocks: 0 };
    }
    const open = this.#open!; // set above
    open.blocks += 1;
    for (const position of positionsIn(row.absent)) open.absent[position]! += 1;
    for (const position of positionsIn(row.bad)) open.bad[position]! += 1;
    set.blocks += 1;
    set.first ||= seqnoOf(row);
    set.last = seqnoOf(row);
  }

  /** Adds the counts so far to the validators. */
  close(): void {
    const [open, column] = [this.#open, this.columns.at(-1)];
    this.#open = undefined;
    if (open === undefined || column === undefined) return;
    const { blocks, absent, bad } = open;
    for (const [n, validator] of this.sets[open.at]!.members.entries()) {
      add(column.cells, validator, { blocks, absent: absent[n]!, bad: bad[n]! });
    }
  }

  /** Returns the tally of each validator over all columns. */
  totals(): Tally[] {
    const totals = new Map<number, Tally>();
    for (const { cells } of this.columns) addAll(totals, cells);
    return this.keys.map((_, validator) => totals.get(validator) ?? { blocks: 0, absent: 0, bad: 0 });
  }
}
