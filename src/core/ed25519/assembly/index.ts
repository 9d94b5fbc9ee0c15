/** What the host calls (`../kernel.ts`). Addresses and counts only; the host owns all memory from `heapStart` on. */

import { prepareField } from './field';
import { decodeKeys as decodeKeyPair, KEY_RECORD, loadAffine, loadNegatedKeys } from './key';
import { LANES } from './lanes';
import { double, ENTRY, POINT } from './point';
import { STRIDE } from './element';
import { rowsOf, topDigit } from './scalar';
import { buildPart, buildTable, CHUNK, prepareTables, ROW, tableBytes } from './table';

export { verifyJobs } from './verify';
export { tableBytes } from './table';
export { rowsOf } from './scalar';

const POINT_PAIR: usize = memory.data(POINT, 64);
/** The base point, x then y. RFC 8032, 5.1. */
const BASE: usize = memory.data<u64>([
  0xc9562d608f25d51a, 0x692cc7609525a7b2, 0xc0a4e231fdd6dc5c, 0x216936d3cd6e53fe,
  0x6666666666666658, 0x6666666666666666, 0x6666666666666666, 0x6666666666666666,
]);

/** The first address the host may use. */
export function heapStart(): usize {
  return (__heap_base + 63) & ~63;
}

/** Writes the constants. The host calls it once, before anything else. */
export function prepare(): void {
  prepareField();
  prepareTables();
}

/** Decodes `count` key records. */
export function decodeKeys(records: usize, count: i32): void {
  for (let n = 0; n < count; n += LANES) {
    const record = records + n * KEY_RECORD;
    decodeKeyPair(record, n + LANES - 1 < count ? record + (LANES - 1) * KEY_RECORD : record);
  }
}

/** Builds the tables of two keys; the same key twice is fine. Without vectors the second is built after the first. */
export function buildKeyTables(record0: usize, record1: usize, out0: usize, out1: usize, width: i32): void {
  loadNegatedKeys(POINT_PAIR, record0, record1);
  buildTable(POINT_PAIR, out0, out1, width);
  if (LANES == 1 && out1 != out0) {
    loadNegatedKeys(POINT_PAIR, record1, record1);
    buildTable(POINT_PAIR, out1, out1, width);
  }
}

/** Base tables are built in parts: the row under way, and without vectors that of the upper half. */
const BASE_ROW: usize = memory.data(2 * ROW, 64);

/** The first row of a base table of width 8: 1 to 128 times B. All that the plain path needs. */
export function buildBaseRow(out: usize): void {
  loadAffine(POINT_PAIR, BASE, BASE);
  buildPart(BASE_ROW, POINT_PAIR, out, out, 1, 128, 128);
}

/** The points that the next rows of the lower and the upper half start from, and the last of the upper ones. */
const BASE_NEXT: usize = memory.data(2 * POINT, 64);
const BASE_TOP: usize = memory.data(POINT, 64);

/** Bytes to reserve for a base table: whole rows, also where the top row is shorter. */
export function baseTableBytes(width: i32): i32 {
  return max(rowsOf(width) * (ENTRY << (width - 1)), tableBytes(width));
}

/** to = lane `lane` of from, in all lanes from `first` on. */
function copyLane(to: usize, first: i32, from: usize, lane: i32): void {
  for (let k = 0; k < POINT; k += STRIDE) {
    for (let n = first; n < LANES; n++) f64.store(to + k + 8 * n, f64.load(from + k + 8 * lane));
  }
}

/** Steps that a row of `count` entries takes. */
function partsOf(count: i32): i32 {
  return (count + CHUNK - 1) / CHUNK;
}

/**
 * One step of the base table of `width`, from step 0 on; whether it was the last. A step is at most `CHUNK` entries of a row of the
 * lower half of the table and as many of the upper half, a lane each; the last steps are the top row, which can be longer. Steps of
 * two tables must not mix.
 */
export function buildBaseStep(out: usize, width: i32, step: i32): bool {
  const rows = rowsOf(width);
  const half = (rows + 1) / 2;
  const count = 1 << (width - 1);
  const parts = partsOf(count);
  const row = step / parts;
  if (row >= half) return buildTopStep(out + (rows - 1) * count * ENTRY, topDigit(width), step - half * parts);
  const next = BASE_NEXT + (LANES == 1 ? POINT : 0);
  if (step == 0) {
    loadAffine(BASE_NEXT, BASE, BASE);
    memory.copy(BASE_TOP, BASE_NEXT, POINT);
    for (let n = width * half; n > 0; n--) double(BASE_TOP, BASE_TOP, true);
    if (LANES == 1) memory.copy(next, BASE_TOP, POINT);
    else copyLane(BASE_NEXT, 1, BASE_TOP, 0);
  }
  const part = step % parts;
  if (part == 0 && row + half == rows - 1) copyLane(BASE_TOP, 0, next, LANES - 1);
  if (part == 0 && row + half >= rows) copyLane(BASE_NEXT, 1, BASE_NEXT, 0);
  const lower = out + row * count * ENTRY;
  const upper = row + half < rows ? lower + half * count * ENTRY : lower;
  const first = part * CHUNK + 1;
  const now = min(CHUNK, count);
  buildPart(BASE_ROW, BASE_NEXT, lower, LANES == 1 ? lower : upper, first, now, count);
  if (LANES == 1 && upper != lower) buildPart(BASE_ROW + ROW, next, upper, upper, first, now, count);
  return false;
}

/** A step of the top row, whose entries end at `count`; whether it was the last. */
function buildTopStep(top: usize, count: i32, part: i32): bool {
  const first = part * CHUNK + 1;
  buildPart(BASE_ROW, BASE_TOP, top, top, first, min(CHUNK, count + 1 - first), count);
  return part + 1 == partsOf(count);
}
