/**
 * How an element of the field lies in memory, and the constants of its limbs. An element is 12 doubles a lane, the lanes in turns: limb i is a
 * multiple of 2^e(i) with e(i) = ceil(21.25 i) = 0, 22, 43, 64, 85, 107, 128, 149, 170, 192, 213, 234, and the element is their sum.
 */

import { LANES } from './lanes';

/** Bytes between two limbs, and bytes of a field element. */
export const STRIDE: i32 = 8 * LANES;
export const ELEMENT: i32 = 12 * STRIDE;

/** Bytes of the 23 columns of a product, of weight 2^ceil(21.25 k). */
export const ALL_COLUMNS: i32 = 23 * STRIDE;

/** 1.5 * 2^(52 + e(k+1)): adding and subtracting it rounds to a multiple of 2^e(k+1). */
export const ROUND: usize = memory.data(12 * STRIDE, 64);
/** 19 * 2^-255: what a column of weight 2^(255 + n) counts at 2^n. */
export const WRAP: usize = memory.data(STRIDE, 64);

@inline export function power(exponent: i32): f64 {
  return reinterpret<f64>((<u64>(1023 + exponent)) << 52);
}

/** e(i) = ceil(21.25 i). */
@inline export function exponentOf(limb: i32): i32 {
  return (85 * limb + 3) >> 2;
}
