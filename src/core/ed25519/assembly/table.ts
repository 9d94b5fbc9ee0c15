/**
 * Tables of multiples. Row i of a table of width w for P holds 1, 2, ..., 2^(w-1) times 2^(w i) P as entries (`point.ts`),
 * rows one after another; the top row goes on to `topDigit`. Entries are computed for two points at once, in chunks that
 * share one inversion.
 */

import { addElements, copyElement, D2, invert, multiply, ONE, pack, unpack, addSubtract } from './field';
import { addPrepared, double, ENTRY, POINT, PREPARED, prepare, T, X, Y, Z } from './point';
import { ELEMENT, STRIDE } from './element';
import { rowsOf, topDigit } from './scalar';
import { mul, splat, Lanes } from './lanes';

/** Points whose entries are still to be written. */
export const CHUNK: i32 = 256;
const PENDING: usize = memory.data(256 * POINT, 64);

/** A row under way: the multiple that was last computed, and the prepared point that makes the next one of it. */
export const ROW: i32 = POINT + PREPARED;
const LAST: i32 = 0;
const STEP: i32 = POINT;
const KEY_ROW: usize = memory.data(ROW, 64);
const INVERSE: usize = memory.data(ELEMENT, 64);
const HALF: usize = memory.data(ELEMENT, 64);
const D4: usize = memory.data(ELEMENT, 64);
const XX: usize = memory.data(ELEMENT, 64);
const YY: usize = memory.data(ELEMENT, 64);
const S: usize = memory.data(ELEMENT, 64);
const DIFFERENCE: usize = memory.data(ELEMENT, 64);

/** (p + 1)/2, the inverse of 2. */
const HALF_BYTES: usize = memory.data<u64>([0xfffffffffffffff7, 0xffffffffffffffff, 0xffffffffffffffff, 0x3fffffffffffffff]);

/** Writes the constants. Once, after `prepareField`. */
export function prepareTables(): void {
  unpack(HALF, HALF_BYTES, HALF_BYTES);
  addElements(D4, D2, D2);
  multiply(D4, D4, ONE);
}

/** Writes the entries of the first `count` pending points. The inverse of Z is taken times 1/2 throughout. */
function flush(count: i32, out0: usize, out1: usize): void {
  if (count == 0) return;
  copyElement(PENDING + T, PENDING + Z);
  for (let n = 1; n < count; n++) {
    const point = PENDING + n * POINT;
    multiply(point + T, point - POINT + T, point + Z);
  }
  invert(INVERSE, PENDING + (count - 1) * POINT + T);
  multiply(INVERSE, INVERSE, HALF);
  for (let n = count - 1; n >= 0; n--) {
    const point = PENDING + n * POINT;
    if (n > 0) {
      multiply(S, INVERSE, point - POINT + T);
      multiply(INVERSE, INVERSE, point + Z);
    } else {
      copyElement(S, INVERSE);
    }
    multiply(XX, point + X, S);
    multiply(YY, point + Y, S);
    const entry0 = out0 + n * ENTRY;
    const entry1 = out1 + n * ENTRY;
    addSubtract(S, DIFFERENCE, YY, XX);
    pack(entry0, entry1, S);
    pack(entry0 + 32, entry1 + 32, DIFFERENCE);
    multiply(S, XX, YY);
    multiply(S, S, D4);
    pack(entry0 + 64, entry1 + 64, S);
  }
}

/** PENDING[at] = n times the point of a row under way, whose multiples are asked for from 1 on. */
function nextMultiple(at: i32, row: usize, point: usize, n: i32): void {
  const out = PENDING + at * POINT;
  if (n == 1) {
    prepare(row + STEP, point);
    memory.copy(out, point, POINT);
  } else if (n == 2) {
    double(out, row + LAST, true);
  } else {
    addPrepared(out, row + LAST, row + STEP);
  }
  memory.copy(row + LAST, out, POINT);
}

/** point = what the row after starts from, once all multiples of its own are computed. */
function nextRow(point: usize, row: usize): void {
  double(point, row + LAST, true);
}

/**
 * Writes `count` entries, at most `CHUNK`, of the row for the two points at `point`, from multiple `first` on; after the last one,
 * number `ofAll`, `point` is what the next row starts from. `row` is where the caller keeps the row between two parts of it.
 */
export function buildPart(row: usize, point: usize, out0: usize, out1: usize, first: i32, count: i32, ofAll: i32): void {
  for (let n = 0; n < count; n++) nextMultiple(n, row, point, first + n);
  flush(count, out0 + (first - 1) * ENTRY, out1 + (first - 1) * ENTRY);
  if (first + count > ofAll) nextRow(point, row);
}

/** The whole table of `width` for each of the two points at `point`, which is spent then. */
export function buildTable(point: usize, out0: usize, out1: usize, width: i32): void {
  const rows = rowsOf(width);
  let pending = 0;
  for (let row = 0; row < rows; row++) {
    const count = row == rows - 1 ? topDigit(width) : 1 << (width - 1);
    for (let n = 1; n <= count; n++) {
      nextMultiple(pending, KEY_ROW, point, n);
      if (++pending == CHUNK) {
        flush(pending, out0, out1);
        out0 += pending * ENTRY;
        out1 += pending * ENTRY;
        pending = 0;
      }
    }
    nextRow(point, KEY_ROW);
  }
  flush(pending, out0, out1);
}

/** Bytes of a table of `width`. */
export function tableBytes(width: i32): i32 {
  return (((rowsOf(width) - 1) << (width - 1)) + topDigit(width)) * ENTRY;
}
