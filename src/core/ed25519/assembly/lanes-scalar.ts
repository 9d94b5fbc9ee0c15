/**
 * `lanes.ts` for runtimes without SIMD: the same operations on one double, so one point at a time. The build swaps the
 * two files; nothing else differs between the two kernels.
 */

import { assertExact } from './exact';

export type Lanes = f64;
export const LANES: i32 = 1;

@inline export function add(a: Lanes, b: Lanes): Lanes { return a + b; }
@inline export function sub(a: Lanes, b: Lanes): Lanes { return a - b; }
@inline export function mul(a: Lanes, b: Lanes): Lanes { return a * b; }
@inline export function neg(a: Lanes): Lanes { return -a; }
@inline export function floor(a: Lanes): Lanes { return f64.floor(a); }
@inline export function madd(a: Lanes, b: Lanes, c: Lanes): Lanes {
  if (!ASC_NO_ASSERT) assertExact(a, b, c);
  return c + a * b;
}

@inline export function splat(value: f64): Lanes { return value; }
@inline export function splatBits(value: u64): Lanes { return f64.reinterpret_i64(value); }

@inline export function gather(at0: usize, at1: usize): Lanes { return f64.load(at0); }
@inline export function scatter(value: Lanes, at0: usize, at1: usize): void {
  f64.store(at0, value);
}
@inline export function pair(lane0: f64, lane1: f64): Lanes { return lane0; }
@inline export function pairBits(lane0: u64, lane1: u64): Lanes { return f64.reinterpret_i64(lane0); }

@inline function bits(a: Lanes): u64 { return i64.reinterpret_f64(a); }
@inline export function and(a: Lanes, b: Lanes): Lanes { return f64.reinterpret_i64(bits(a) & bits(b)); }
@inline export function or(a: Lanes, b: Lanes): Lanes { return f64.reinterpret_i64(bits(a) | bits(b)); }
@inline export function xor(a: Lanes, b: Lanes): Lanes { return f64.reinterpret_i64(bits(a) ^ bits(b)); }
@inline export function shiftLeft(a: Lanes, by: i32): Lanes { return f64.reinterpret_i64(bits(a) << by); }
@inline export function shiftRight(a: Lanes, by: i32): Lanes { return f64.reinterpret_i64(bits(a) >> by); }
