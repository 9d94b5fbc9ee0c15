/** How this engine rounds `f64x2.relaxed_madd`: the standard leaves it the choice between one rounding and two. */

/** (a: f64, b: f64, c: f64) -> f64, lane 0 of relaxed_madd over all three, splat. */
const MODULE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 1, 96, 3, 124, 124, 124, 1, 124, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 22, 1, 20,
  0, 32, 0, 253, 20, 32, 1, 253, 20, 32, 2, 253, 20, 253, 135, 2, 253, 33, 0, 11,
];

/** True if a product and its sum are rounded together; needs relaxed SIMD. */
export function roundsOnce(): boolean {
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(MODULE))).exports;
  const madd = f as (a: number, b: number, c: number) => number; // the module above
  // (1 + 2^-30)^2 - (1 + 2^-29) is 2^-60, which a rounded product has lost.
  return madd(1 + 2 ** -30, 1 + 2 ** -30, -(1 + 2 ** -29)) === 2 ** -60;
}
