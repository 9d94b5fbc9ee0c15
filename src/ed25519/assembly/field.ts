/**
 * Arithmetic modulo p = 2^255 - 19, on as many elements at once as there are lanes.
 *
 * An element is 12 doubles: limb i is a multiple of 2^e(i) with e(i) = ceil(21.25 i) = 0, 22, 43, 64, 85, 107, 128, 149,
 * 170, 192, 213, 234, and the element is their sum. Doubles hold 53 bits, every sum here stays below that, so every
 * operation is exact; IEEE 754 arithmetic has no rounding left to do. docs/kernel.md derives the bounds, the debug build
 * asserts them. Nothing here is constant-time: signatures and keys are public.
 */

import { add, and, floor, gather, LANES, Lanes, madd, mul, or, scatter, shiftLeft, shiftRight, splat, splatBits, sub, xor } from './lanes';
import { COLUMNS, ELEMENT, productColumns, squareColumns, STRIDE } from './products';

/** 1.5 * 2^(52 + e(k+1)): adding and subtracting it rounds to a multiple of 2^e(k+1). */
const ROUND: usize = memory.data(12 * STRIDE, 64);
/** 2^(52 + e(k)): its sum with a limb shows the limb's bits in the low end of the significand. */
const ANCHOR: usize = memory.data(12 * STRIDE, 64);
/** 2^e(k+1) and 2^-e(k+1). */
const TOP: usize = memory.data(12 * STRIDE, 64);
const TOP_INVERSE: usize = memory.data(12 * STRIDE, 64);
const MASK21: usize = memory.data(STRIDE, 64);
const MASK22: usize = memory.data(STRIDE, 64);
/** 19 * 2^-255: what a column of weight 2^(255 + n) counts at 2^n. */
const WRAP: usize = memory.data(STRIDE, 64);

export const ONE: usize = memory.data(ELEMENT, 64);
export const D: usize = memory.data(ELEMENT, 64);
export const D2: usize = memory.data(ELEMENT, 64);
export const SQRT_M1: usize = memory.data(ELEMENT, 64);

const SCRATCH: usize = memory.data(4 * ELEMENT, 64);
const S0: usize = SCRATCH;
const S1: usize = SCRATCH + ELEMENT;
const S2: usize = SCRATCH + 2 * ELEMENT;
const S3: usize = SCRATCH + 3 * ELEMENT;

const CONSTANTS: usize = memory.data<u64>([
  // d = -121665/121666
  0x75eb4dca135978a3, 0x00700a4d4141d8ab, 0x8cc740797779e898, 0x52036cee2b6ffe73,
  // 2^((p-1)/4), a square root of -1
  0xc4ee1b274a0ea0b0, 0x2f431806ad2fe478, 0x2b4d00993dfbd7a7, 0x2b8324804fc1df0b,
]);

@inline function power(exponent: i32): f64 {
  return reinterpret<f64>((<u64>(1023 + exponent)) << 52);
}

/** e(i) = ceil(21.25 i). */
@inline function exponentOf(limb: i32): i32 {
  return (85 * limb + 3) >> 2;
}

/** Writes the constants. Once, before anything else. */
export function prepareField(): void {
  for (let k = 0; k < 12; k++) {
    const at = <usize>k * STRIDE;
    store<Lanes>(ROUND + at, splat(1.5 * power(52 + exponentOf(k + 1))), 0);
    store<Lanes>(ANCHOR + at, splat(power(52 + exponentOf(k))), 0);
    store<Lanes>(TOP + at, splat(power(exponentOf(k + 1))), 0);
    store<Lanes>(TOP_INVERSE + at, splat(power(-exponentOf(k + 1))), 0);
  }
  store<Lanes>(MASK21, splatBits((1 << 21) - 1), 0);
  store<Lanes>(MASK22, splatBits((1 << 22) - 1), 0);
  store<Lanes>(WRAP, splat(19.0 * power(-255)), 0);
  store<Lanes>(ONE, splat(1.0), 0);
  unpack(D, CONSTANTS, CONSTANTS);
  unpack(SQRT_M1, CONSTANTS + 32, CONSTANTS + 32);
  addElements(D2, D, D);
}

/** The columns, wrapped at 2^255 and carried: each limb at most half its width, limbs 2, 5, 8 and 11 at most 2^12 more. */
function fold(out: usize): void {
  const wrap = load<Lanes>(WRAP, 0);
  let c0 = madd(load<Lanes>(COLUMNS, 12 * STRIDE), wrap, load<Lanes>(COLUMNS, 0));
  let c1 = madd(load<Lanes>(COLUMNS, 13 * STRIDE), wrap, load<Lanes>(COLUMNS, STRIDE));
  let c2 = madd(load<Lanes>(COLUMNS, 14 * STRIDE), wrap, load<Lanes>(COLUMNS, 2 * STRIDE));
  let c3 = madd(load<Lanes>(COLUMNS, 15 * STRIDE), wrap, load<Lanes>(COLUMNS, 3 * STRIDE));
  let c4 = madd(load<Lanes>(COLUMNS, 16 * STRIDE), wrap, load<Lanes>(COLUMNS, 4 * STRIDE));
  let c5 = madd(load<Lanes>(COLUMNS, 17 * STRIDE), wrap, load<Lanes>(COLUMNS, 5 * STRIDE));
  let c6 = madd(load<Lanes>(COLUMNS, 18 * STRIDE), wrap, load<Lanes>(COLUMNS, 6 * STRIDE));
  let c7 = madd(load<Lanes>(COLUMNS, 19 * STRIDE), wrap, load<Lanes>(COLUMNS, 7 * STRIDE));
  let c8 = madd(load<Lanes>(COLUMNS, 20 * STRIDE), wrap, load<Lanes>(COLUMNS, 8 * STRIDE));
  let c9 = madd(load<Lanes>(COLUMNS, 21 * STRIDE), wrap, load<Lanes>(COLUMNS, 9 * STRIDE));
  let c10 = madd(load<Lanes>(COLUMNS, 22 * STRIDE), wrap, load<Lanes>(COLUMNS, 10 * STRIDE));
  let c11 = load<Lanes>(COLUMNS, 11 * STRIDE);
  let round: Lanes, carry: Lanes;
  // Four chains at once, 1 to 4, 4 to 7, 7 to 10 and 10 to 1, each ending with the limb where the next began once more.
  round = load<Lanes>(ROUND, STRIDE); carry = sub(add(c1, round), round); c1 = sub(c1, carry); c2 = add(c2, carry);
  round = load<Lanes>(ROUND, 4 * STRIDE); carry = sub(add(c4, round), round); c4 = sub(c4, carry); c5 = add(c5, carry);
  round = load<Lanes>(ROUND, 7 * STRIDE); carry = sub(add(c7, round), round); c7 = sub(c7, carry); c8 = add(c8, carry);
  round = load<Lanes>(ROUND, 10 * STRIDE); carry = sub(add(c10, round), round); c10 = sub(c10, carry); c11 = add(c11, carry);
  round = load<Lanes>(ROUND, 2 * STRIDE); carry = sub(add(c2, round), round); c2 = sub(c2, carry); c3 = add(c3, carry);
  round = load<Lanes>(ROUND, 5 * STRIDE); carry = sub(add(c5, round), round); c5 = sub(c5, carry); c6 = add(c6, carry);
  round = load<Lanes>(ROUND, 8 * STRIDE); carry = sub(add(c8, round), round); c8 = sub(c8, carry); c9 = add(c9, carry);
  round = load<Lanes>(ROUND, 11 * STRIDE); carry = sub(add(c11, round), round); c11 = sub(c11, carry); c0 = madd(carry, wrap, c0);
  round = load<Lanes>(ROUND, 3 * STRIDE); carry = sub(add(c3, round), round); c3 = sub(c3, carry); c4 = add(c4, carry);
  round = load<Lanes>(ROUND, 6 * STRIDE); carry = sub(add(c6, round), round); c6 = sub(c6, carry); c7 = add(c7, carry);
  round = load<Lanes>(ROUND, 9 * STRIDE); carry = sub(add(c9, round), round); c9 = sub(c9, carry); c10 = add(c10, carry);
  round = load<Lanes>(ROUND, 0); carry = sub(add(c0, round), round); c0 = sub(c0, carry); c1 = add(c1, carry);
  round = load<Lanes>(ROUND, 4 * STRIDE); carry = sub(add(c4, round), round); c4 = sub(c4, carry); c5 = add(c5, carry);
  round = load<Lanes>(ROUND, 7 * STRIDE); carry = sub(add(c7, round), round); c7 = sub(c7, carry); c8 = add(c8, carry);
  round = load<Lanes>(ROUND, 10 * STRIDE); carry = sub(add(c10, round), round); c10 = sub(c10, carry); c11 = add(c11, carry);
  round = load<Lanes>(ROUND, STRIDE); carry = sub(add(c1, round), round); c1 = sub(c1, carry); c2 = add(c2, carry);
  store<Lanes>(out, c0, 0);
  store<Lanes>(out, c1, STRIDE);
  store<Lanes>(out, c2, 2 * STRIDE);
  store<Lanes>(out, c3, 3 * STRIDE);
  store<Lanes>(out, c4, 4 * STRIDE);
  store<Lanes>(out, c5, 5 * STRIDE);
  store<Lanes>(out, c6, 6 * STRIDE);
  store<Lanes>(out, c7, 7 * STRIDE);
  store<Lanes>(out, c8, 8 * STRIDE);
  store<Lanes>(out, c9, 9 * STRIDE);
  store<Lanes>(out, c10, 10 * STRIDE);
  store<Lanes>(out, c11, 11 * STRIDE);
  if (!ASC_NO_ASSERT) assertFolded(out);
}

/** out = a * b. Any of the three may be the same element. */
export function multiply(out: usize, a: usize, b: usize): void {
  if (!ASC_NO_ASSERT) assertProductBound(a, b);
  productColumns(a, b);
  fold(out);
}

/** out = a * a. */
export function square(out: usize, a: usize): void {
  if (!ASC_NO_ASSERT) assertProductBound(a, a);
  squareColumns(a);
  fold(out);
}

/** out = a^(2^times). */
function squareTimes(out: usize, a: usize, times: i32): void {
  square(out, a);
  for (let n = 1; n < times; n++) square(out, out);
}

/** out = a + b, not carried: bounds add up. */
export function addElements(out: usize, a: usize, b: usize): void {
  for (let k: usize = 0; k < <usize>ELEMENT; k += STRIDE) {
    store<Lanes>(out + k, add(load<Lanes>(a + k), load<Lanes>(b + k)));
  }
}

/** out = a - b, not carried: bounds add up. */
export function subtractElements(out: usize, a: usize, b: usize): void {
  for (let k: usize = 0; k < <usize>ELEMENT; k += STRIDE) {
    store<Lanes>(out + k, sub(load<Lanes>(a + k), load<Lanes>(b + k)));
  }
}

/** sum = a + b and difference = a - b, reading each limb once. Outputs may be the inputs. */
export function addSubtract(sum: usize, difference: usize, a: usize, b: usize): void {
  let x: Lanes, y: Lanes;
  x = load<Lanes>(a, 0); y = load<Lanes>(b, 0); store<Lanes>(sum, add(x, y), 0); store<Lanes>(difference, sub(x, y), 0);
  x = load<Lanes>(a, STRIDE); y = load<Lanes>(b, STRIDE); store<Lanes>(sum, add(x, y), STRIDE); store<Lanes>(difference, sub(x, y), STRIDE);
  x = load<Lanes>(a, 2 * STRIDE); y = load<Lanes>(b, 2 * STRIDE); store<Lanes>(sum, add(x, y), 2 * STRIDE); store<Lanes>(difference, sub(x, y), 2 * STRIDE);
  x = load<Lanes>(a, 3 * STRIDE); y = load<Lanes>(b, 3 * STRIDE); store<Lanes>(sum, add(x, y), 3 * STRIDE); store<Lanes>(difference, sub(x, y), 3 * STRIDE);
  x = load<Lanes>(a, 4 * STRIDE); y = load<Lanes>(b, 4 * STRIDE); store<Lanes>(sum, add(x, y), 4 * STRIDE); store<Lanes>(difference, sub(x, y), 4 * STRIDE);
  x = load<Lanes>(a, 5 * STRIDE); y = load<Lanes>(b, 5 * STRIDE); store<Lanes>(sum, add(x, y), 5 * STRIDE); store<Lanes>(difference, sub(x, y), 5 * STRIDE);
  x = load<Lanes>(a, 6 * STRIDE); y = load<Lanes>(b, 6 * STRIDE); store<Lanes>(sum, add(x, y), 6 * STRIDE); store<Lanes>(difference, sub(x, y), 6 * STRIDE);
  x = load<Lanes>(a, 7 * STRIDE); y = load<Lanes>(b, 7 * STRIDE); store<Lanes>(sum, add(x, y), 7 * STRIDE); store<Lanes>(difference, sub(x, y), 7 * STRIDE);
  x = load<Lanes>(a, 8 * STRIDE); y = load<Lanes>(b, 8 * STRIDE); store<Lanes>(sum, add(x, y), 8 * STRIDE); store<Lanes>(difference, sub(x, y), 8 * STRIDE);
  x = load<Lanes>(a, 9 * STRIDE); y = load<Lanes>(b, 9 * STRIDE); store<Lanes>(sum, add(x, y), 9 * STRIDE); store<Lanes>(difference, sub(x, y), 9 * STRIDE);
  x = load<Lanes>(a, 10 * STRIDE); y = load<Lanes>(b, 10 * STRIDE); store<Lanes>(sum, add(x, y), 10 * STRIDE); store<Lanes>(difference, sub(x, y), 10 * STRIDE);
  x = load<Lanes>(a, 11 * STRIDE); y = load<Lanes>(b, 11 * STRIDE); store<Lanes>(sum, add(x, y), 11 * STRIDE); store<Lanes>(difference, sub(x, y), 11 * STRIDE);
}

export function copyElement(out: usize, a: usize): void {
  memory.copy(out, a, ELEMENT);
}

/** S0 = a^(2^250 - 1), S1 = a^11: the common part of the two powers below. */
function powerChain(a: usize): void {
  square(S0, a); // 2
  squareTimes(S1, S0, 2); // 8
  multiply(S1, a, S1); // 9
  multiply(S0, S0, S1); // 11
  copyElement(S3, S0);
  square(S0, S0); // 22
  multiply(S0, S1, S0); // 31 = 2^5 - 1
  squareTimes(S1, S0, 5);
  multiply(S0, S1, S0); // 2^10 - 1
  squareTimes(S1, S0, 10);
  multiply(S1, S1, S0); // 2^20 - 1
  squareTimes(S2, S1, 20);
  multiply(S1, S2, S1); // 2^40 - 1
  squareTimes(S1, S1, 10);
  multiply(S0, S1, S0); // 2^50 - 1
  squareTimes(S1, S0, 50);
  multiply(S1, S1, S0); // 2^100 - 1
  squareTimes(S2, S1, 100);
  multiply(S1, S2, S1); // 2^200 - 1
  squareTimes(S1, S1, 50);
  multiply(S0, S1, S0); // 2^250 - 1
}

/** out = a^(p-2), the inverse; 0 for 0. `a` is read before `out` is written. */
export function invert(out: usize, a: usize): void {
  powerChain(a);
  squareTimes(S0, S0, 5);
  multiply(out, S0, S3); // 2^255 - 32 + 11
}

/** out = a^((p-5)/8). */
export function powerForRoot(out: usize, a: usize): void {
  powerChain(a);
  squareTimes(S0, S0, 2);
  multiply(out, S0, a); // 2^252 - 4 + 1
}

/**
 * Reads 32 bytes a lane, a number below 2^255 (bit 255 is ignored) that need not be below p. Three limbs fill each
 * 64-bit word exactly, because 3 * 21.25 bits and the rounding up agree there.
 */
export function unpack(out: usize, at0: usize, at1: usize): void {
  const mask21 = load<Lanes>(MASK21, 0);
  const mask22 = load<Lanes>(MASK22, 0);
  let word: Lanes, anchor: Lanes;
  word = gather(at0, at1);
  anchor = load<Lanes>(ANCHOR, 0); store<Lanes>(out, sub(or(and(word, mask22), anchor), anchor), 0);
  anchor = load<Lanes>(ANCHOR, STRIDE); store<Lanes>(out, sub(or(and(shiftRight(word, 22), mask21), anchor), anchor), STRIDE);
  anchor = load<Lanes>(ANCHOR, 2 * STRIDE); store<Lanes>(out, sub(or(shiftRight(word, 43), anchor), anchor), 2 * STRIDE);
  word = gather(at0 + 8, at1 + 8);
  anchor = load<Lanes>(ANCHOR, 3 * STRIDE); store<Lanes>(out, sub(or(and(word, mask21), anchor), anchor), 3 * STRIDE);
  anchor = load<Lanes>(ANCHOR, 4 * STRIDE); store<Lanes>(out, sub(or(and(shiftRight(word, 21), mask22), anchor), anchor), 4 * STRIDE);
  anchor = load<Lanes>(ANCHOR, 5 * STRIDE); store<Lanes>(out, sub(or(shiftRight(word, 43), anchor), anchor), 5 * STRIDE);
  word = gather(at0 + 16, at1 + 16);
  anchor = load<Lanes>(ANCHOR, 6 * STRIDE); store<Lanes>(out, sub(or(and(word, mask21), anchor), anchor), 6 * STRIDE);
  anchor = load<Lanes>(ANCHOR, 7 * STRIDE); store<Lanes>(out, sub(or(and(shiftRight(word, 21), mask21), anchor), anchor), 7 * STRIDE);
  anchor = load<Lanes>(ANCHOR, 8 * STRIDE); store<Lanes>(out, sub(or(shiftRight(word, 42), anchor), anchor), 8 * STRIDE);
  word = gather(at0 + 24, at1 + 24);
  anchor = load<Lanes>(ANCHOR, 9 * STRIDE); store<Lanes>(out, sub(or(and(word, mask21), anchor), anchor), 9 * STRIDE);
  anchor = load<Lanes>(ANCHOR, 10 * STRIDE); store<Lanes>(out, sub(or(and(shiftRight(word, 21), mask21), anchor), anchor), 10 * STRIDE);
  anchor = load<Lanes>(ANCHOR, 11 * STRIDE); store<Lanes>(out, sub(or(and(shiftRight(word, 42), mask21), anchor), anchor), 11 * STRIDE);
}

/** Turns the sign of each lane whose sign bit at `signs` is set. */
export function flipSigns(a: usize, signs: usize): void {
  const sign = load<Lanes>(signs);
  for (let k: usize = 0; k < <usize>ELEMENT; k += STRIDE) store<Lanes>(a + k, xor(load<Lanes>(a + k), sign));
}

/**
 * Writes 32 bytes a lane: a number below 2^255 congruent to `a`, not always below p. Two rounds of downward carries: the
 * first leaves a number in (-19 n, 2^255 + 19 n) for the few multiples n of 2^255 in it, the second ends at 2^255.
 */
export function pack(at0: usize, at1: usize, a: usize): void {
  const wrap = load<Lanes>(WRAP);
  let from = a;
  for (let round = 0; round < 2; round++) {
    let carry = splat(0);
    for (let k: usize = 0; k < <usize>ELEMENT; k += STRIDE) {
      const limb = add(load<Lanes>(from + k), carry);
      carry = mul(floor(mul(limb, load<Lanes>(TOP_INVERSE + k))), load<Lanes>(TOP + k));
      store<Lanes>(S0 + k, sub(limb, carry));
    }
    store<Lanes>(S0, madd(carry, wrap, load<Lanes>(S0)));
    from = S0;
  }
  scatter(or(lowBits(0), or(shiftLeft(lowBits(1), 22), shiftLeft(lowBits(2), 43))), at0, at1);
  scatter(or(lowBits(3), or(shiftLeft(lowBits(4), 21), shiftLeft(lowBits(5), 43))), at0 + 8, at1 + 8);
  scatter(or(lowBits(6), or(shiftLeft(lowBits(7), 21), shiftLeft(lowBits(8), 42))), at0 + 16, at1 + 16);
  scatter(or(lowBits(9), or(shiftLeft(lowBits(10), 21), shiftLeft(lowBits(11), 42))), at0 + 24, at1 + 24);
}

/** Limb k of S0, in [0, 2^w(k)), as an integer in the low bits. */
@inline function lowBits(k: usize): Lanes {
  const anchor = load<Lanes>(ANCHOR + k * STRIDE);
  return xor(add(load<Lanes>(S0 + k * STRIDE), anchor), anchor);
}

// Debug build only -----------------------------------------------------------------------------------------------------

/** Every limb is a multiple of its weight, and no column of |a| * |b| needs more than 53 bits. */
function assertProductBound(a: usize, b: usize): void {
  for (let lane = 0; lane < LANES; lane++) {
    const x = a + 8 * lane;
    const y = b + 8 * lane;
    for (let k = 0; k < 12; k++) {
      const unit = power(-exponentOf(k));
      const scaled = f64.load(x + k * STRIDE) * unit;
      assert(scaled == Math.floor(scaled) && Math.abs(scaled) < 9007199254740992.0);
      let low = 0.0;
      let high = 0.0;
      for (let i = 0; i < 12; i++) {
        for (let j = 0; j < 12; j++) {
          const term = Math.abs(f64.load(x + i * STRIDE) * f64.load(y + j * STRIDE));
          if (i + j == k) low += term;
          if (i + j == k + 12) high += term;
        }
      }
      // The sums here are rounded: 1e-9 is more than they can be off by.
      const column = (low + high * 19.0 * power(-255)) * unit;
      assert(column <= 9007199254740992.0 * (1.0 - 1e-9));
      if (column > widest) widest = column;
    }
  }
}

function assertFolded(out: usize): void {
  for (let lane = 0; lane < LANES; lane++) {
    for (let k = 0; k < 12; k++) {
      const slack = k % 3 == 2 ? power(12 + exponentOf(k)) : 0.0;
      assert(Math.abs(f64.load(out + 8 * lane + k * STRIDE)) <= 0.5 * power(exponentOf(k + 1)) + slack);
    }
  }
}

/** The largest column any product so far could have reached, in units of its weight. */
let widest: f64 = 0.0;
export function widestColumn(): f64 {
  return widest;
}
