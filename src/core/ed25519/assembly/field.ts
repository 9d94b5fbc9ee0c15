/**
 * Arithmetic modulo p = 2^255 - 19, on as many elements at once as there are lanes.
 *
 * An element is 12 doubles (`element.ts`). Doubles hold 53 bits, every sum here stays below that, so every
 * operation is exact; IEEE 754 arithmetic has no rounding left to do. docs/kernel.md derives the bounds, the debug build
 * asserts them. Nothing here is constant-time: signatures and keys are public.
 */

import { ALL_COLUMNS, ELEMENT, exponentOf, power, ROUND, STRIDE, WRAP } from './element';
import { add, and, floor, gather, LANES, Lanes, madd, mul, or, pairBits, scatter, shiftLeft, shiftRight, splat, splatBits, sub, xor } from './lanes';
import { COLUMNS, productAndFold, squareColumns } from './products';

/** 2^(52 + e(k)): its sum with a limb shows the limb's bits in the low end of the significand. */
const ANCHOR: usize = memory.data(12 * STRIDE, 64);
/** 2^e(k+1) and 2^-e(k+1). */
const TOP: usize = memory.data(12 * STRIDE, 64);
const TOP_INVERSE: usize = memory.data(12 * STRIDE, 64);
const MASK21: usize = memory.data(STRIDE, 64);
const MASK22: usize = memory.data(STRIDE, 64);

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

/**
 * The columns at `columns`, wrapped at 2^255 and carried: each limb at most half its width, limbs 2, 5, 8 and 11 at most 2^12 more. Four chains of
 * carries, 1 to 4, 4 to 7, 7 to 10 and 10 to 1, each ending with the limb where the next began once more. They stand one after the other, so that few
 * limbs are in registers at a time; processors run them side by side.
 */
export function fold(out: usize, columns: usize): void {
  const wrap = load<Lanes>(WRAP, 0);
  let round: Lanes, c: Lanes, carry: Lanes, next: Lanes, c1: Lanes, c2: Lanes;
  c1 = madd(load<Lanes>(columns, 13 * STRIDE), wrap, load<Lanes>(columns, STRIDE));
  round = load<Lanes>(ROUND, STRIDE); carry = sub(add(c1, round), round); c1 = sub(c1, carry);
  c2 = add(madd(load<Lanes>(columns, 14 * STRIDE), wrap, load<Lanes>(columns, 2 * STRIDE)), carry);
  round = load<Lanes>(ROUND, 2 * STRIDE); carry = sub(add(c2, round), round); c2 = sub(c2, carry);
  c = add(madd(load<Lanes>(columns, 15 * STRIDE), wrap, load<Lanes>(columns, 3 * STRIDE)), carry);
  round = load<Lanes>(ROUND, 3 * STRIDE); carry = sub(add(c, round), round); store<Lanes>(out, sub(c, carry), 3 * STRIDE);
  c = madd(load<Lanes>(columns, 16 * STRIDE), wrap, load<Lanes>(columns, 4 * STRIDE));
  round = load<Lanes>(ROUND, 4 * STRIDE); next = sub(add(c, round), round); c = add(sub(c, next), carry);
  carry = sub(add(c, round), round); store<Lanes>(out, sub(c, carry), 4 * STRIDE);
  c = add(madd(load<Lanes>(columns, 17 * STRIDE), wrap, load<Lanes>(columns, 5 * STRIDE)), next);
  round = load<Lanes>(ROUND, 5 * STRIDE); next = sub(add(c, round), round); store<Lanes>(out, add(sub(c, next), carry), 5 * STRIDE);
  c = add(madd(load<Lanes>(columns, 18 * STRIDE), wrap, load<Lanes>(columns, 6 * STRIDE)), next);
  round = load<Lanes>(ROUND, 6 * STRIDE); carry = sub(add(c, round), round); store<Lanes>(out, sub(c, carry), 6 * STRIDE);
  c = madd(load<Lanes>(columns, 19 * STRIDE), wrap, load<Lanes>(columns, 7 * STRIDE));
  round = load<Lanes>(ROUND, 7 * STRIDE); next = sub(add(c, round), round); c = add(sub(c, next), carry);
  carry = sub(add(c, round), round); store<Lanes>(out, sub(c, carry), 7 * STRIDE);
  c = add(madd(load<Lanes>(columns, 20 * STRIDE), wrap, load<Lanes>(columns, 8 * STRIDE)), next);
  round = load<Lanes>(ROUND, 8 * STRIDE); next = sub(add(c, round), round); store<Lanes>(out, add(sub(c, next), carry), 8 * STRIDE);
  c = add(madd(load<Lanes>(columns, 21 * STRIDE), wrap, load<Lanes>(columns, 9 * STRIDE)), next);
  round = load<Lanes>(ROUND, 9 * STRIDE); carry = sub(add(c, round), round); store<Lanes>(out, sub(c, carry), 9 * STRIDE);
  c = madd(load<Lanes>(columns, 22 * STRIDE), wrap, load<Lanes>(columns, 10 * STRIDE));
  round = load<Lanes>(ROUND, 10 * STRIDE); next = sub(add(c, round), round); c = add(sub(c, next), carry);
  carry = sub(add(c, round), round); store<Lanes>(out, sub(c, carry), 10 * STRIDE);
  c = add(load<Lanes>(columns, 11 * STRIDE), next);
  round = load<Lanes>(ROUND, 11 * STRIDE); next = sub(add(c, round), round); store<Lanes>(out, add(sub(c, next), carry), 11 * STRIDE);
  c = madd(next, wrap, madd(load<Lanes>(columns, 12 * STRIDE), wrap, load<Lanes>(columns, 0)));
  round = load<Lanes>(ROUND, 0); carry = sub(add(c, round), round); store<Lanes>(out, sub(c, carry), 0);
  c1 = add(c1, carry);
  round = load<Lanes>(ROUND, STRIDE); carry = sub(add(c1, round), round); store<Lanes>(out, sub(c1, carry), STRIDE); store<Lanes>(out, add(c2, carry), 2 * STRIDE);
  if (!ASC_NO_ASSERT) assertFolded(out);
}

/** Room for the columns of the next product, the columns of the last one, and the element that these are for. */
let columns: usize = memory.data(ALL_COLUMNS, 64);
let last: usize = memory.data(ALL_COLUMNS, 64);
const NOWHERE: usize = memory.data(ELEMENT, 64);
let waiting: usize = NOWHERE;

/**
 * out = a * b, but written only by the next `multiplyAhead` or `multiply`, which folds these columns while it makes its own, or by `settle`. For
 * products that do not need each other: a carry waits for the one before it, multiply-adds of different columns do not, so the two fill each other's
 * gaps. a and b are read now, so `out` may be one of them. Where nothing is waiting, what was folded last is folded once more, to nowhere.
 */
export function multiplyAhead(out: usize, a: usize, b: usize): void {
  if (!ASC_NO_ASSERT) {
    assert(a != waiting && b != waiting);
    assertProductBound(a, b);
  }
  productAndFold(a, b, columns, last, waiting);
  if (!ASC_NO_ASSERT) assertFolded(waiting);
  const done = columns;
  columns = last;
  last = done;
  waiting = out;
}

/** Writes the product that is waiting. */
export function settle(): void {
  fold(waiting, last);
  waiting = NOWHERE;
}

/** out = a * b. Any of the three may be the same element. */
export function multiply(out: usize, a: usize, b: usize): void {
  multiplyAhead(out, a, b);
  settle();
}

/** out = a * a. */
export function square(out: usize, a: usize): void {
  if (!ASC_NO_ASSERT) {
    assert(a != waiting);
    assertProductBound(a, a);
  }
  squareColumns(a);
  fold(out, COLUMNS);
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
  addSubtractTurned(sum, difference, a, b, 0, 0);
}

/** The same with b turned to -b in the lanes whose sign is 2^63; 0 leaves it. */
export function addSubtractTurned(sum: usize, difference: usize, a: usize, b: usize, sign0: u64, sign1: u64): void {
  const signs = pairBits(sign0, sign1);
  let x: Lanes, y: Lanes;
  x = load<Lanes>(a, 0); y = xor(load<Lanes>(b, 0), signs); store<Lanes>(sum, add(x, y), 0); store<Lanes>(difference, sub(x, y), 0);
  x = load<Lanes>(a, STRIDE); y = xor(load<Lanes>(b, STRIDE), signs); store<Lanes>(sum, add(x, y), STRIDE); store<Lanes>(difference, sub(x, y), STRIDE);
  x = load<Lanes>(a, 2 * STRIDE); y = xor(load<Lanes>(b, 2 * STRIDE), signs); store<Lanes>(sum, add(x, y), 2 * STRIDE); store<Lanes>(difference, sub(x, y), 2 * STRIDE);
  x = load<Lanes>(a, 3 * STRIDE); y = xor(load<Lanes>(b, 3 * STRIDE), signs); store<Lanes>(sum, add(x, y), 3 * STRIDE); store<Lanes>(difference, sub(x, y), 3 * STRIDE);
  x = load<Lanes>(a, 4 * STRIDE); y = xor(load<Lanes>(b, 4 * STRIDE), signs); store<Lanes>(sum, add(x, y), 4 * STRIDE); store<Lanes>(difference, sub(x, y), 4 * STRIDE);
  x = load<Lanes>(a, 5 * STRIDE); y = xor(load<Lanes>(b, 5 * STRIDE), signs); store<Lanes>(sum, add(x, y), 5 * STRIDE); store<Lanes>(difference, sub(x, y), 5 * STRIDE);
  x = load<Lanes>(a, 6 * STRIDE); y = xor(load<Lanes>(b, 6 * STRIDE), signs); store<Lanes>(sum, add(x, y), 6 * STRIDE); store<Lanes>(difference, sub(x, y), 6 * STRIDE);
  x = load<Lanes>(a, 7 * STRIDE); y = xor(load<Lanes>(b, 7 * STRIDE), signs); store<Lanes>(sum, add(x, y), 7 * STRIDE); store<Lanes>(difference, sub(x, y), 7 * STRIDE);
  x = load<Lanes>(a, 8 * STRIDE); y = xor(load<Lanes>(b, 8 * STRIDE), signs); store<Lanes>(sum, add(x, y), 8 * STRIDE); store<Lanes>(difference, sub(x, y), 8 * STRIDE);
  x = load<Lanes>(a, 9 * STRIDE); y = xor(load<Lanes>(b, 9 * STRIDE), signs); store<Lanes>(sum, add(x, y), 9 * STRIDE); store<Lanes>(difference, sub(x, y), 9 * STRIDE);
  x = load<Lanes>(a, 10 * STRIDE); y = xor(load<Lanes>(b, 10 * STRIDE), signs); store<Lanes>(sum, add(x, y), 10 * STRIDE); store<Lanes>(difference, sub(x, y), 10 * STRIDE);
  x = load<Lanes>(a, 11 * STRIDE); y = xor(load<Lanes>(b, 11 * STRIDE), signs); store<Lanes>(sum, add(x, y), 11 * STRIDE); store<Lanes>(difference, sub(x, y), 11 * STRIDE);
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
