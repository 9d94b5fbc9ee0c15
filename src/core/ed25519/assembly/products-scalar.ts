/**
 * `products.ts` for runtimes without SIMD: the same columns in loops, a fraction of the code. Those runtimes are rare enough
 * that bytes count for more than speed there.
 */

import { ALL_COLUMNS, STRIDE } from './element';
import { fold } from './field';
import { Lanes, madd, splat } from './lanes';

export const COLUMNS: usize = memory.data(ALL_COLUMNS, 64);

export function productAndFold(a: usize, b: usize, into: usize, before: usize, out: usize): void {
  columns(a, b, into);
  fold(out, before);
}

function columns(a: usize, b: usize, into: usize): void {
  for (let k = 0; k < 23; k++) {
    let column = splat(0);
    const last = min(k, 11);
    for (let i = max(0, k - 11); i <= last; i++) {
      column = madd(load<Lanes>(a + i * STRIDE), load<Lanes>(b + (k - i) * STRIDE), column);
    }
    store<Lanes>(into + k * STRIDE, column);
  }
}

export function squareColumns(a: usize): void {
  columns(a, a, COLUMNS);
}
