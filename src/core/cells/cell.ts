/**
 * One cell of a parsed bag: the kind, the place of the bits in the buffer, the references, and the hashes and depths at
 * every level. `boc.ts` has parsed and hashed each cell of the bag once.
 *
 * Levels: a cell above a pruned branch represents two trees, one with the branch cut and the original one. Level 0 is
 * the original tree, so the hash that identifies a block is always the level-0 hash.
 */
import { HASH_BYTES, MAX_CELL_LEVEL } from '../base/limits.ts';

/** Source: ton `crypto/vm/cells/CellTraits.h`, SpecialType. */
export const CELL_KINDS = ['ordinary', 'pruned', 'library', 'merkle-proof', 'merkle-update'] as const;
export type CellKind = (typeof CELL_KINDS)[number];
/** Indexes into `CELL_KINDS`, which `CellTable.kind` has. */
export const ORDINARY = 0;
export const PRUNED = 1;
export const LIBRARY = 2;
export const MERKLE_PROOF = 3;
export const MERKLE_UPDATE = 4;
/** The bit of a first descriptor byte that marks an exotic cell. */
export const EXOTIC_BIT = 0x08;

/** All cells of one bag in typed arrays. A cell object is only made on access. */
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
  /** Number of the first hash of cell i. A cell has one hash for its mask and one for each bit set in the mask. */
  readonly firstHash: Uint32Array;
  readonly hashes: Uint8Array;
  readonly depths: Uint16Array;
  /** 1 for every cell on which a `Slice` was opened: a proof of the same reading has to show these cells. */
  readonly opened: Uint8Array | number[];
  /** Remaining work of reading, if it is limited. Cells may be shared, so the size of a bag limits nothing. */
  meter: WorkMeter | undefined;
}

/** A limit on the work of reading. */
export interface WorkMeter {
  left: number;
  /** Makes the error when the work is used up. */
  readonly error: (path: string) => Error;
}

/** What opening a cell takes from a meter. */
export const OPEN_COST = 4;

/** Bits set in a level mask, 0 to 7. */
export const MASK_BITS: Uint8Array = Uint8Array.of(0, 1, 1, 2, 1, 2, 2, 3);

/** The number of the hash of cell `index` at `level`: the hashes of lower significant levels come before. */
export function hashNumber(table: CellTable, index: number, level: number): number {
  const mask = table.descriptor[index]! >> 5;
  return table.firstHash[index]! + MASK_BITS[mask & ((1 << level) - 1)]!;
}

/** Reads a big-endian number of up to eight bytes. Above 2^53 it is inexact, but every limit is far lower. */
export function bigEndian(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let k = 0; k < size; k++) value = value * 256 + bytes[at + k]!;
  return value;
}

/** The index of reference `k`, which the caller knows to exist. References are big-endian, 1 to 4 bytes. */
export function refIndex(table: CellTable, index: number, k: number): number {
  const at = table.dataAt[index]! + ((table.bitLength[index]! + 7) >> 3) + k * table.refSize;
  return bigEndian(table.bytes, at, table.refSize);
}

/** The table of a cell, for this library only: code that could write to it could change what was proven. */
export let tableOf: (cell: Cell) => CellTable;

/** Whether a value is a cell that this library made. A proxy of a cell is not. */
export let isCell: (value: unknown) => value is Cell;

/** A view of one cell. Two views of the same cell are different objects; compare hashes. */
export class Cell {
  readonly #table: CellTable;
  readonly #index: number;

  static {
    tableOf = (cell) => cell.#table;
    isCell = (value): value is Cell => #table in Object(value); // `Object` never returns a primitive
  }

  constructor(table: CellTable, index: number) {
    this.#table = table;
    this.#index = index;
  }

  /** Index of the cell in its bag. */
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

  /** The cell of a reference. @throws RangeError for a reference that does not exist */
  ref(k: number): Cell {
    if (!(k >= 0 && k < this.refCount)) throw new RangeError(`cell has ${this.refCount} references, asked for ${k}`);
    return new Cell(this.#table, refIndex(this.#table, this.#index, k));
  }

  /** A different cell of the same bag, whose index the caller knows to exist. */
  at(index: number): Cell {
    return new Cell(this.#table, index);
  }
}

/** A view of the cell for a separate reading, which records the opened cells in a table of its own. */
export function ownReading(cell: Cell): Cell {
  return new Cell({ ...tableOf(cell), opened: [] }, cell.index);
}
