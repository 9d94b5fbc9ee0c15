/**
 * The vector this kernel computes with: two doubles, one for each of two independent points. Everything above is
 * written in these operations only, so that `lanes-scalar.ts` (one double, for runtimes without SIMD) can stand in for
 * this file. No arithmetic of the curve here.
 */

import { assertExact } from './exact';

export type Lanes = v128;
export const LANES: i32 = 2;

@inline export function add(a: Lanes, b: Lanes): Lanes { return f64x2.add(a, b); }
@inline export function sub(a: Lanes, b: Lanes): Lanes { return f64x2.sub(a, b); }
@inline export function mul(a: Lanes, b: Lanes): Lanes { return f64x2.mul(a, b); }
@inline export function neg(a: Lanes): Lanes { return f64x2.neg(a); }
@inline export function floor(a: Lanes): Lanes { return f64x2.floor(a); }

/**
 * a * b + c: one operation where the build has relaxed SIMD, two elsewhere. Engines may round once or twice in the one; product and sum
 * are exact here (docs/kernel.md), so it is the same number. The debug build checks that at each of them.
 */
@inline export function madd(a: Lanes, b: Lanes, c: Lanes): Lanes {
  if (!ASC_NO_ASSERT) {
    assertExact(f64x2.extract_lane(a, 0), f64x2.extract_lane(b, 0), f64x2.extract_lane(c, 0));
    assertExact(f64x2.extract_lane(a, 1), f64x2.extract_lane(b, 1), f64x2.extract_lane(c, 1));
    if (ASC_FEATURE_RELAXED_SIMD) {
      assert(i64x2.all_true(f64x2.eq(f64x2.relaxed_madd(a, b, c), f64x2.add(c, f64x2.mul(a, b)))));
    }
  }
  if (ASC_FEATURE_RELAXED_SIMD) return f64x2.relaxed_madd(a, b, c);
  return f64x2.add(c, f64x2.mul(a, b));
}

/** Both lanes from one double, or from 64 bits. */
@inline export function splat(value: f64): Lanes { return f64x2.splat(value); }
@inline export function splatBits(value: u64): Lanes { return i64x2.splat(value); }

/** The 64-bit words at `at0` and `at1`, one a lane. */
@inline export function gather(at0: usize, at1: usize): Lanes {
  return v128.load64_lane(at1, v128.load64_zero(at0), 1);
}
@inline export function scatter(value: Lanes, at0: usize, at1: usize): void {
  v128.store64_lane(at0, value, 0);
  v128.store64_lane(at1, value, 1);
}
/** One double a lane. */
@inline export function pair(lane0: f64, lane1: f64): Lanes {
  return f64x2.replace_lane(f64x2.splat(lane0), 1, lane1);
}
/** 64 bits a lane. */
@inline export function pairBits(lane0: u64, lane1: u64): Lanes {
  return i64x2.replace_lane(i64x2.splat(lane0), 1, lane1);
}

@inline export function and(a: Lanes, b: Lanes): Lanes { return v128.and(a, b); }
@inline export function or(a: Lanes, b: Lanes): Lanes { return v128.or(a, b); }
@inline export function xor(a: Lanes, b: Lanes): Lanes { return v128.xor(a, b); }
@inline export function shiftLeft(a: Lanes, bits: i32): Lanes { return i64x2.shl(a, bits); }
@inline export function shiftRight(a: Lanes, bits: i32): Lanes { return i64x2.shr_u(a, bits); }
