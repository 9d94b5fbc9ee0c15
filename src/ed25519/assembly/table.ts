/**
 * Tables of multiples. Row i of a table of width w for P holds 1, 2, ..., 2^(w-1) times 2^(w i) P as entries (`point.ts`),
 * rows one after another; the top row goes on to `topDigit`. Entries are computed for two points at once, in chunks that
 * share one inversion.
 */

import { addElements, copyElement, D2, invert, multiply, ONE, pack, unpack, addSubtract } from './field';
import { addPrepared, double, ENTRY, POINT, PREPARED, prepare, T, X, Y, Z } from './point';
import { ELEMENT, STRIDE } from './products';
import { rowsOf, topDigit } from './scalar';
import { mul, splat, Lanes } from './lanes';

/** Points whose entries are still to be written. */
const CHUNK: i32 = 256;
const PENDING: usize = memory.data(256 * POINT, 64);

const BASE_MULTIPLE: usize = memory.data(PREPARED, 64);
const LAST: usize = memory.data(POINT, 64);
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

/**
 * Writes `rows` rows from the first on for the two points at `point`, which becomes the point that the next row starts
 * from. The last row gets `lastCount` entries, the others 2^(width-1).
 */
export function buildRows(point: usize, out0: usize, out1: usize, width: i32, rows: i32, lastCount: i32): void {
  let pending = 0;
  for (let row = 0; row < rows; row++) {
    const count = row == rows - 1 ? lastCount : 1 << (width - 1);
    prepare(BASE_MULTIPLE, point);
    for (let n = 1; n <= count; n++) {
      const at = PENDING + pending * POINT;
      if (n == 1) memory.copy(at, point, POINT);
      else if (n == 2) double(at, LAST, true);
      else addPrepared(at, LAST, BASE_MULTIPLE);
      memory.copy(LAST, at, POINT);
      if (++pending == CHUNK) {
        flush(pending, out0, out1);
        out0 += pending * ENTRY;
        out1 += pending * ENTRY;
        pending = 0;
      }
    }
    double(point, LAST, true);
  }
  flush(pending, out0, out1);
}

/** The whole table of `width` for each of the two points. */
export function buildTable(point: usize, out0: usize, out1: usize, width: i32): void {
  buildRows(point, out0, out1, width, rowsOf(width), topDigit(width));
}

/** Bytes of a table of `width`. */
export function tableBytes(width: i32): i32 {
  return (((rowsOf(width) - 1) << (width - 1)) + topDigit(width)) * ENTRY;
}
