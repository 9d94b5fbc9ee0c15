/**
 * Points of -x^2 + y^2 = 1 + d x^2 y^2, as many at once as there are lanes. d is no square and -1 is one, so the addition
 * formulas are complete: they hold for every pair of points of the curve, the neutral one, equal ones and points of
 * small order included. That is why no case distinction stands here.
 *
 * Formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited" (2008), sections 3.1 to 3.3.
 */

import { addElements, addSubtract, copyElement, D2, flipSigns, multiply, ONE, square, subtractElements, unpack } from './field';
import { LANES, Lanes } from './lanes';
import { ELEMENT } from './products';

/** Extended coordinates X, Y, Z, T with x = X/Z, y = Y/Z, T = XY/Z. */
export const POINT: i32 = 4 * ELEMENT;
export const X: i32 = 0;
export const Y: i32 = ELEMENT;
export const Z: i32 = 2 * ELEMENT;
export const T: i32 = 3 * ELEMENT;

/** A table entry: (y + x)/2, (y - x)/2 and dxy of an affine point, 32 bytes each. */
export const ENTRY: i32 = 96;

const SCRATCH: usize = memory.data(8 * ELEMENT, 64);
const E: usize = SCRATCH;
const F: usize = SCRATCH + ELEMENT;
const G: usize = SCRATCH + 2 * ELEMENT;
const H: usize = SCRATCH + 3 * ELEMENT;
const A: usize = SCRATCH + 4 * ELEMENT;
const B: usize = SCRATCH + 5 * ELEMENT;
const C: usize = SCRATCH + 6 * ELEMENT;
const Q: usize = SCRATCH + 7 * ELEMENT;

/** The sign bits for `addEntry`, a lane each: 0 or 2^63. */
const SIGN: usize = memory.data(8 * LANES, 64);

@inline function finish(out: usize, withT: bool): void {
  multiply(out + X, E, F);
  multiply(out + Y, G, H);
  multiply(out + Z, F, G);
  if (withT) multiply(out + T, E, H);
}

/**
 * point += entry or point -= entry. A reference is the address of an entry, plus 1 to subtract it; minus (x, y) is
 * (-x, y), so that swaps y + x with y - x and turns the sign of dxy. 7 multiplications, 6 when T is not wanted. Halved entries save
 * the doubling of Z: every coordinate of the sum comes out a quarter of the textbook's.
 */
export function addEntry(point: usize, reference0: usize, reference1: usize, withT: bool): void {
  const minus0 = reference0 & 1;
  const minus1 = reference1 & 1;
  const entry0 = reference0 - minus0;
  const entry1 = reference1 - minus1;
  store<u64>(SIGN, <u64>minus0 << 63);
  if (LANES > 1) store<u64>(SIGN, <u64>minus1 << 63, 8);
  addSubtract(B, A, point + Y, point + X);
  unpack(Q, entry0 + (minus0 << 5), entry1 + (minus1 << 5));
  multiply(B, B, Q);
  unpack(Q, entry0 + 32 - (minus0 << 5), entry1 + 32 - (minus1 << 5));
  multiply(A, A, Q);
  unpack(Q, entry0 + 64, entry1 + 64);
  flipSigns(Q, SIGN);
  multiply(C, point + T, Q);
  addSubtract(H, E, B, A);
  addSubtract(G, F, point + Z, C);
  finish(point, withT);
}

/** point = entry or -entry. */
export function loadEntry(point: usize, reference0: usize, reference1: usize): void {
  const minus0 = reference0 & 1;
  const minus1 = reference1 & 1;
  const entry0 = reference0 - minus0;
  const entry1 = reference1 - minus1;
  unpack(B, entry0 + (minus0 << 5), entry1 + (minus1 << 5));
  unpack(A, entry0 + 32 - (minus0 << 5), entry1 + 32 - (minus1 << 5));
  addSubtract(point + Y, point + X, B, A);
  copyElement(point + Z, ONE);
  multiply(point + T, point + X, point + Y);
}

/** out = 2 * point. T of `point` is not read; T of `out` is written only when wanted. */
export function double(out: usize, point: usize, withT: bool): void {
  square(A, point + X);
  square(B, point + Y);
  square(C, point + Z);
  addElements(E, point + X, point + Y);
  square(E, E);
  addSubtract(H, G, A, B); // A + B, A - B
  subtractElements(E, H, E); // -2XY
  // The textbook has E = 2XY, F = B - A - 2C, G = B - A, H = -A - B: all four signs are turned here, the products are not.
  addElements(C, C, C);
  addElements(F, C, G);
  finish(out, withT);
}

/** A point prepared for `addPrepared`: Y + X, Y - X, 2Z, 2dT. */
export const PREPARED: i32 = 4 * ELEMENT;

export function prepare(out: usize, point: usize): void {
  addSubtract(out, out + ELEMENT, point + Y, point + X);
  addElements(out + 2 * ELEMENT, point + Z, point + Z);
  multiply(out + 3 * ELEMENT, point + T, D2);
}

/** out = point + prepared. 8 multiplications. */
export function addPrepared(out: usize, point: usize, prepared: usize): void {
  addSubtract(B, A, point + Y, point + X);
  multiply(B, B, prepared);
  multiply(A, A, prepared + ELEMENT);
  multiply(C, point + Z, prepared + 2 * ELEMENT);
  multiply(Q, point + T, prepared + 3 * ELEMENT);
  addSubtract(H, E, B, A);
  addSubtract(G, F, C, Q);
  finish(out, true);
}
