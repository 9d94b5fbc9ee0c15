/**
 * [S]B + [k](-A) for keys without tables: doublings, with the multiples 1 to 8 of -A made on the spot and the first row of
 * a base table of width 8. A key's first blocks take this path.
 */

import { copyElement, ONE } from './field';
import { gather, Lanes, LANES, neg } from './lanes';
import { addEntry, addPrepared, double, ENTRY, POINT, PREPARED, prepare, X, Y, Z } from './point';
import { ELEMENT, STRIDE } from './element';

/** Windows of four bits for the key, of eight for the base point. */
const WINDOWS: i32 = 64;
const MULTIPLES: i32 = 8;

/** The prepared neutral point, then 1 to 8 times -A. */
const TABLE: usize = memory.data(9 * PREPARED, 64);
const MULTIPLE: usize = memory.data(POINT, 64);
const CHOSEN: usize = memory.data(PREPARED, 64);
/** Signed digits, 16 bits each, one lane after the other. */
const KEY_DIGITS: usize = memory.data(2 * 2 * 64, 16);
const BASE_DIGITS: usize = memory.data(2 * 2 * 32, 16);

/** Digits in [-2^(width-1) + 1, 2^(width-1)] of the 32-byte number at `scalar`, least significant first. */
function recode(out: usize, scalar: usize, width: i32, count: i32): void {
  let carry = 0;
  for (let n = 0; n < count; n++) {
    const at = n * width;
    let digit = ((<i32>load<u8>(scalar + (at >> 3)) >> (at & 7)) & ((1 << width) - 1)) + carry;
    carry = i32(digit > 1 << (width - 1));
    digit -= carry << width;
    store<i16>(out + 2 * n, <i16>digit);
  }
}

/** CHOSEN = digit0 and digit1 times -A. Minus swaps Y + X with Y - X and turns 2dT. */
function choose(digit0: i32, digit1: i32): void {
  const entry0 = TABLE + abs(digit0) * PREPARED;
  const entry1 = TABLE + abs(digit1) * PREPARED + 8 * (LANES - 1);
  const swap0 = digit0 < 0 ? ELEMENT : 0;
  const swap1 = digit1 < 0 ? ELEMENT : 0;
  for (let k = 0; k < ELEMENT; k += STRIDE) {
    store<Lanes>(CHOSEN + k, gather(entry0 + swap0 + k, entry1 + swap1 + k));
    store<Lanes>(CHOSEN + k, gather(entry0 + ELEMENT - swap0 + k, entry1 + ELEMENT - swap1 + k), ELEMENT);
    store<Lanes>(CHOSEN + k, gather(entry0 + 2 * ELEMENT + k, entry1 + 2 * ELEMENT + k), 2 * ELEMENT);
    store<Lanes>(CHOSEN + k, gather(entry0 + 3 * ELEMENT + k, entry1 + 3 * ELEMENT + k), 3 * ELEMENT);
    if (digit0 < 0) f64.store(CHOSEN + 3 * ELEMENT + k, -f64.load(CHOSEN + 3 * ELEMENT + k));
    if (LANES > 1 && digit1 < 0) f64.store(CHOSEN + 3 * ELEMENT + k + 8, -f64.load(CHOSEN + 3 * ELEMENT + k + 8));
  }
}

/** point = the neutral point. */
export function setNeutral(point: usize): void {
  memory.fill(point, 0, POINT);
  copyElement(point + Y, ONE);
  copyElement(point + Z, ONE);
}

@inline function reference(row: usize, neutral: usize, digit: i32): usize {
  return digit == 0 ? neutral : row + (abs(digit) - 1) * ENTRY + usize(digit < 0);
}

/** out = [s]B + [k] key, a scalar a lane; `baseRow` holds 1 to 128 times B, `neutral` the entry of the neutral point. */
export function multiplyPlain(out: usize, key: usize, k0: usize, k1: usize, s0: usize, s1: usize, baseRow: usize, neutral: usize): void {
  recode(KEY_DIGITS, k0, 4, 64);
  recode(KEY_DIGITS + 128, k1, 4, 64);
  recode(BASE_DIGITS, s0, 8, 32);
  recode(BASE_DIGITS + 64, s1, 8, 32);
  setNeutral(MULTIPLE);
  prepare(TABLE, MULTIPLE);
  prepare(TABLE + PREPARED, key);
  memory.copy(MULTIPLE, key, POINT);
  for (let n = 2; n <= MULTIPLES; n++) {
    if (n == 2) double(MULTIPLE, MULTIPLE, true);
    else addPrepared(MULTIPLE, MULTIPLE, TABLE + PREPARED);
    prepare(TABLE + n * PREPARED, MULTIPLE);
  }
  setNeutral(out);
  for (let n = WINDOWS - 1; n >= 0; n--) {
    if (n < WINDOWS - 1) {
      double(out, out, false);
      double(out, out, false);
      double(out, out, false);
      double(out, out, true);
    }
    choose(<i32>load<i16>(KEY_DIGITS + 2 * n), <i32>load<i16>(KEY_DIGITS + 128 + 2 * n));
    addPrepared(out, out, CHOSEN);
    if ((n & 1) == 0) {
      const digit0 = <i32>load<i16>(BASE_DIGITS + n);
      const digit1 = <i32>load<i16>(BASE_DIGITS + 64 + n);
      addEntry(out, reference(baseRow, neutral, digit0), reference(baseRow, neutral, digit1), true);
    }
  }
}
