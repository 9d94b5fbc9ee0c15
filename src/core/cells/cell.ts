/**
 * One cell of a parsed bag: its kind, its bits as a place in the buffer, its references, and its hashes and depths at
 * every level. Nothing here parses or hashes: `boc.ts` has done both for the whole bag, each cell once.
 *
 * Levels: a cell above a pruned branch stands for two trees, the one with the branch cut and the one it was cut from.
 * Level 0 is the original tree, so the identity of a block is always the level-0 hash.
 */
import { HASH_BYTES, MAX_CELL_LEVEL } from '../base/limits.ts';

/** Source: ton `crypto/vm/cells/CellTraits.h`, SpecialType. */
export const CELL_KINDS = ['ordinary', 'pruned', 'library', 'merkle-proof', 'merkle-update'] as const;
export type CellKind = (typeof CELL_KINDS)[number];

/** All cells of one bag, side by side in typed arrays: no object is made for a cell until somebody looks at it. */
export interface CellTable {
  /** A private copy of the file. */
  readonly bytes: Uint8Array;
  readonly refSize: number;
  /** Where the data of cell i starts in `bytes`. Its references follow the data. */
  readonly dataAt: Uint32Array;
  readonly bitLength: Uint16Array;
  /** References in the low three bits, level mask in bits 5 to 7, as the first descriptor byte has them. */
  readonly descriptor: Uint8Array;
  /** Index into CELL_KINDS. */
  readonly kind: Uint8Array;
  /** Number of the first hash of cell i; a cell has one for its mask and one for each bit set in it. */
  readonly firstHash: Uint32Array;
  readonly hashes: Uint8Array;
  readonly depths: Uint16Array;
  /** 1 for every cell that a `Slice` was opened on: what a proof of the same reading has to show. */
  readonly opened: Uint8Array | number[];
  /** What reading may still take, where that is bounded: cells may be shared, so the size of a bag bounds nothing. */
  meter: Meter | undefined;
}

/** A bound on reading. */
export interface Meter {
  left: number;
  /** The error when nothing is left. */
  readonly error: (path: string) => Error;
}

/** What opening a cell takes of a meter. */
export const OPEN_COST = 4;

/** Bits set in a level mask, 0 to 7. */
export const MASK_BITS: Uint8Array = Uint8Array.of(0, 1, 1, 2, 1, 2, 2, 3);

/** The number of the hash of cell `index` at `level`: significant levels below it come before. */
export function hashNumber(table: CellTable, index: number, level: number): number {
  const mask = table.descriptor[index]! >> 5;
  return table.firstHash[index]! + MASK_BITS[mask & ((1 << level) - 1)]!;
}

/** The index of reference `k`, which the caller knows to exist. References are big-endian, 1 to 4 bytes. */
export function refIndex(table: CellTable, index: number, k: number): number {
  const { bytes, refSize } = table;
  let at = table.dataAt[index]! + ((table.bitLength[index]! + 7) >> 3) + k * refSize;
  let value = 0;
  for (const end = at + refSize; at < end; at++) value = value * 256 + bytes[at]!;
  return value;
}

/** The table of a cell, for those inside: whoever could write to it would change what was proven. */
export let tableOf: (cell: Cell) => CellTable;

/** A view of one cell. Two views of the same cell are different objects; compare hashes. */
export class Cell {
  readonly #table: CellTable;
  readonly #index: number;

  static {
    tableOf = (cell) => cell.#table;
  }

  constructor(table: CellTable, index: number) {
    this.#table = table;
    this.#index = index;
  }

  /** Which cell of its bag this is. */
  get index(): number {
    return this.#index;
  }

  get kind(): CellKind {
    return CELL_KINDS[this.#table.kind[this.#index]!]!;
  }

  get bitLength(): number {
    return this.#table.bitLength[this.#index]!;
  }

  get refCount(): number {
    return this.#table.descriptor[this.#index]! & 7;
  }

  /** Bit i set: the cell's hash at level i + 1 differs from that at level i. */
  get levelMask(): number {
    return this.#table.descriptor[this.#index]! >> 5;
  }

  /** 0 to 3: how many Merkle cells above it this cell needs. */
  get level(): number {
    return 32 - Math.clz32(this.levelMask);
  }

  /** A copy of the hash at a level; at level 3 that is the representation hash. */
  hash(level = MAX_CELL_LEVEL): Uint8Array {
    const at = hashNumber(this.#table, this.#index, level) * HASH_BYTES;
    return this.#table.hashes.slice(at, at + HASH_BYTES);
  }

  depth(level = MAX_CELL_LEVEL): number {
    return this.#table.depths[hashNumber(this.#table, this.#index, level)]!;
  }

  /** @throws RangeError for a reference that is not there */
  ref(k: number): Cell {
    if (!(k >= 0 && k < this.refCount)) throw new RangeError(`cell has ${this.refCount} references, asked for ${k}`);
    return new Cell(this.#table, refIndex(this.#table, this.#index, k));
  }

  /** Another cell of the same bag, whose index the caller knows to exist. */
  at(index: number): Cell {
    return new Cell(this.#table, index);
  }
}

/** The same cell for a reading of its own: what is opened through it counts as opened through no other. */
export function ownReading(cell: Cell): Cell {
  return new Cell({ ...tableOf(cell), opened: [] }, cell.index);
}
