/**
 * What reading a certificate may take. Its steps and facts share cells, so without an end a small file could keep its reader busy
 * for long. Everything that can be repeated is counted: cells that are opened, dictionary forks among them, cells that are looked
 * at or copied, messages, validators.
 */
import { CertificateError } from '../base/errors.ts';
import { HASH_BYTES, WORK_AND_HASHES_PER_BYTE, WORK_PER_BYTE, WORK_PER_FACT } from '../base/limits.ts';
import { type Cell, type CellTable, type Meter, tableOf } from '../cells/cell.ts';

/** Looking at a cell without reading it; opening one is `OPEN_COST`. */
export const VISIT_COST = 1;
/** Decoding a message, and each cell of a body that is copied and hashed again. */
export const MESSAGE_COST = 64;
export const COPY_COST = 32;
/** A validator of a key block, beside reading its cell: names, weights, its place in the session and in the hash of the list. */
export const VALIDATOR_COST = 40;
/** A block on the way down to a fact, which each fact shows. */
export const STEP_COST = 2;
/** Each hash of a cell when the bag is read: one, and one more for each of its levels. */
export const HASH_COST = 20;

function tooMuch(path: string): CertificateError {
  return new CertificateError('cert/too-large', 'steps or facts that share too many cells', { path });
}

/** For what is no certificate yet. */
export function unbounded(): Meter {
  return { left: Number.POSITIVE_INFINITY, error: tooMuch };
}

/** What reading a bag may take: less where its cells are so small, or of so many levels, that hashing them takes long. */
function leftFor({ bytes, hashes }: CellTable): number {
  const hashing = (HASH_COST * hashes.length) / HASH_BYTES;
  return Math.min(WORK_PER_BYTE * bytes.length, WORK_AND_HASHES_PER_BYTE * bytes.length - hashing);
}

/** What all parts of the bag of a cell may take together. @param facts that are to be judged in it */
export function workOf(cell: Cell, facts = 0): Meter {
  return { left: leftFor(tableOf(cell)) + WORK_PER_FACT * facts, error: tooMuch };
}

/** Requires that hashing the cells of a bag leaves something for reading them. @throws CertificateError `cert/too-large` */
export function requireHashable(table: CellTable): void {
  if (leftFor(table) < 0) throw tooMuch('certificate');
}

/** @throws CertificateError `cert/too-large` */
export function spend(work: Meter, cost: number, path: string): void {
  work.left -= cost;
  if (work.left < 0) throw work.error(path);
}

/** Reads a bag while all that is opened in it counts. What was read of it is free afterwards. */
export function metered<T>(cell: Cell, work: Meter, read: () => T): T {
  const table = tableOf(cell);
  const before = table.meter;
  table.meter = work;
  try {
    return read();
  } finally {
    table.meter = before;
    work.left = Number.POSITIVE_INFINITY; // facts hold on to views of the bag
  }
}
