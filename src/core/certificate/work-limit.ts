/**
 * Limits the work of reading a certificate. Steps and facts share cells, so without a limit a small file could keep its
 * verifier busy for long. Everything that can be repeated counts: opened cells with dictionary forks, cells that are
 * visited or copied, messages and validators.
 */

import type { CertificateError } from '../base/errors.ts';
import { HASH_BYTES, WORK_AND_HASHES_PER_BYTE, WORK_PER_BYTE, WORK_PER_FACT } from '../base/limits.ts';
import { type Cell, type CellTable, tableOf, type WorkMeter } from '../cells/cell.ts';
import { certError } from './certificate-error.ts';

/** Visiting a cell without reading it; opening one costs `OPEN_COST`. */
export const VISIT_COST = 1;
/** Decoding a message; and copying and hashing each cell of a body. */
export const MESSAGE_COST = 64;
export const COPY_COST = 32;
/**
 * A validator of a key block, in addition to reading its cell: node id, weight, position in the session and in the list hash.
 */
export const VALIDATOR_COST = 40;
/** A block on the way down to a fact, which each fact lists. */
export const STEP_COST = 2;
/** Each hash of a cell when the bag is read: one for the cell, and one more for each of its levels. */
export const HASH_COST = 20;

function tooMuch(path: string): CertificateError {
  return certError('cert/too-large', 'steps or facts that share too many cells', path);
}

/** The limit before the bag is known to be a certificate. */
export function unbounded(): WorkMeter {
  return { left: Number.POSITIVE_INFINITY, error: tooMuch };
}

/** Limit of the work of reading a bag. It is lower if hashing took long because cells are small or have many levels. */
function leftFor({ bytes, hashes }: CellTable): number {
  const hashing = (HASH_COST * hashes.length) / HASH_BYTES;
  return Math.min(WORK_PER_BYTE * bytes.length, WORK_AND_HASHES_PER_BYTE * bytes.length - hashing);
}

/** Limit of the work on all parts of a bag. @param facts number of facts to verify in it */
export function workOf(cell: Cell, facts = 0): WorkMeter {
  return { left: leftFor(tableOf(cell)) + WORK_PER_FACT * facts, error: tooMuch };
}

/** Requires that hashing the cells of a bag leaves work for reading them. @throws CertificateError `cert/too-large` */
export function requireHashable(table: CellTable): void {
  if (leftFor(table) < 0) throw tooMuch('certificate');
}

/** Makes the error for too much work. @throws CertificateError `cert/too-large` */
export function spend(work: WorkMeter, cost: number, path: string): void {
  work.left -= cost;
  if (work.left < 0) throw work.error(path);
}

/** Reads a bag while all cells opened in it count. Reading them again afterwards is free. */
export function metered<T>(cell: Cell, work: WorkMeter, read: () => T): T {
  const table = tableOf(cell);
  const before = table.meter;
  table.meter = work;
  try {
    return read();
  } finally {
    table.meter = before;
    work.left = Number.POSITIVE_INFINITY; // facts keep views of the bag
  }
}
