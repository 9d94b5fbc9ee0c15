/**
 * For the debug build: whether a product and a sum of doubles are rounded at all. Both tests are themselves exact, in any
 * engine: Dekker's product (1971) and Knuth's sum (TAOCP 2, 4.2.2) give the part that rounding took away.
 */

/** 2^27 + 1 takes a double apart into two halves of 26 bits, whose products are exact. */
const SPLITTER: f64 = 134217729.0;

@inline function high(a: f64): f64 {
  const scaled = SPLITTER * a;
  return scaled - (scaled - a);
}

/** Traps unless a * b is a double and a * b + c is one too: then nothing depends on when, or how often, is rounded. */
export function assertExact(a: f64, b: f64, c: f64): void {
  const product = a * b;
  const a1 = high(a);
  const b1 = high(b);
  const a2 = a - a1;
  const b2 = b - b1;
  assert(a2 * b2 - (product - a1 * b1 - a2 * b1 - a1 * b2) == 0.0);
  const sum = product + c;
  const added = sum - product;
  assert(product - (sum - added) + (c - added) == 0.0);
}
