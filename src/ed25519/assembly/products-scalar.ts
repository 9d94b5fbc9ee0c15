/**
 * `products.ts` for runtimes without SIMD: the same columns in loops, a fraction of the code. Those runtimes are rare enough
 * that bytes count for more than speed there.
 */

import { LANES, Lanes, madd, splat } from './lanes';

export const STRIDE: i32 = 8 * LANES;
export const ELEMENT: i32 = 12 * STRIDE;
export const COLUMNS: usize = memory.data(23 * STRIDE, 64);

export function productColumns(a: usize, b: usize): void {
  for (let k = 0; k < 23; k++) {
    let column = splat(0);
    const last = min(k, 11);
    for (let i = max(0, k - 11); i <= last; i++) {
      column = madd(load<Lanes>(a + i * STRIDE), load<Lanes>(b + (k - i) * STRIDE), column);
    }
    store<Lanes>(COLUMNS + k * STRIDE, column);
  }
}

export function squareColumns(a: usize): void {
  productColumns(a, a);
}
