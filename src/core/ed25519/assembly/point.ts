/**
 * Points of -x^2 + y^2 = 1 + d x^2 y^2, as many at once as there are lanes. d is no square and -1 is one, so the addition
 * formulas are complete: they hold for every pair of points of the curve, the neutral one, equal ones and points of
 * small order included. That is why no case distinction stands here.
 *
 * Formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited" (2008), sections 3.1 to 3.3.
 */

import { addElements, addSubtract, addSubtractTurned, copyElement, D2, multiply, multiplyAhead, ONE, settle, square, subtractElements, unpack } from './field';
import { ELEMENT } from './element';

/** Extended coordinates X, Y, Z, T with x = X/Z, y = Y/Z, T = XY/Z. */
export const POINT: i32 = 4 * ELEMENT;
export const X: i32 = 0;
export const Y: i32 = ELEMENT;
export const Z: i32 = 2 * ELEMENT;
export const T: i32 = 3 * ELEMENT;

/** A table entry: (y + x)/2, (y - x)/2 and dxy of an affine point, 32 bytes each. */
export const ENTRY: i32 = 96;

/** Bytes of scratch of one addition. There are two, for `beginAdd` and `endAdd` of two points in turns. */
export const ROOM: i32 = 8 * ELEMENT;
const SCRATCH: usize = memory.data(2 * ROOM, 64);
const E: usize = SCRATCH;
const F: usize = SCRATCH + ELEMENT;
const G: usize = SCRATCH + 2 * ELEMENT;
const H: usize = SCRATCH + 3 * ELEMENT;
const A: usize = SCRATCH + 4 * ELEMENT;
const B: usize = SCRATCH + 5 * ELEMENT;
const C: usize = SCRATCH + 6 * ELEMENT;
const Q: usize = SCRATCH + 7 * ELEMENT;

@inline function finish(out: usize, withT: bool): void {
  multiplyAhead(out + X, E, F);
  multiplyAhead(out + Y, G, H);
  multiplyAhead(out + Z, F, G);
  if (withT) multiplyAhead(out + T, E, H);
  settle();
}

/**
 * point += entry or point -= entry. A reference is the address of an entry, plus 1 to subtract it; minus (x, y) is
 * (-x, y), so that swaps y + x with y - x and turns the sign of dxy. 7 multiplications, 6 when T is not wanted. Halved entries save
 * the doubling of Z: every coordinate of the sum comes out a quarter of the textbook's.
 */
export function addEntry(point: usize, reference0: usize, reference1: usize, withT: bool): void {
  beginAdd(point, reference0, reference1, 0);
  settle();
  endAdd(point, reference0, reference1, withT, 0);
  settle();
}

/**
 * The first half of `addEntry`. Its last product is written by whatever is multiplied next: by the half of another addition, whose room is the
 * other one, 0 or `ROOM`, or else by `settle`. So it is with the second half.
 */
export function beginAdd(point: usize, reference0: usize, reference1: usize, room: usize): void {
  const minus0 = reference0 & 1;
  const minus1 = reference1 & 1;
  const entry0 = reference0 - minus0;
  const entry1 = reference1 - minus1;
  addSubtract(B + room, A + room, point + Y, point + X);
  unpack(Q + room, entry0 + (minus0 << 5), entry1 + (minus1 << 5));
  multiplyAhead(B + room, B + room, Q + room);
  unpack(Q + room, entry0 + 32 - (minus0 << 5), entry1 + 32 - (minus1 << 5));
  multiplyAhead(A + room, A + room, Q + room);
  unpack(Q + room, entry0 + 64, entry1 + 64);
  multiplyAhead(C + room, point + T, Q + room);
}

export function endAdd(point: usize, reference0: usize, reference1: usize, withT: bool, room: usize): void {
  addSubtract(H + room, E + room, B + room, A + room);
  addSubtractTurned(G + room, F + room, point + Z, C + room, <u64>reference0 << 63, <u64>reference1 << 63);
  multiplyAhead(point + X, E + room, F + room);
  multiplyAhead(point + Y, G + room, H + room);
  multiplyAhead(point + Z, F + room, G + room);
  if (withT) multiplyAhead(point + T, E + room, H + room);
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
  multiplyAhead(B, B, prepared);
  multiplyAhead(A, A, prepared + ELEMENT);
  multiplyAhead(C, point + Z, prepared + 2 * ELEMENT);
  multiplyAhead(Q, point + T, prepared + 3 * ELEMENT);
  settle();
  addSubtract(H, E, B, A);
  addSubtract(G, F, C, Q);
  finish(out, true);
}
