/** Computes parts of a weight in whole millionths, rounded down: a part below a threshold never looks as if it reached it. */

const MILLION = 1_000_000n;

/** Returns the part in millionths. @param whole above zero, else the result is 0 */
export function millionthsOf(part: bigint, whole: bigint): number {
  if (whole <= 0n) return 0;
  const scaled = part * MILLION;
  const down = scaled / whole;
  return Number(scaled < 0n && down * whole !== scaled ? down - 1n : down);
}

/** Precision of sums of parts with different wholes. */
const SCALE = 10n ** 24n;

/**
 * Returns the mean of shares. Shares of the same whole are added exactly.
 * @param sums by whole
 * @param count number of shares
 */
export function meanMillionths(sums: ReadonlyMap<bigint, bigint>, count: number): number {
  let scaled = BigInt(sums.size); // more than the rounding cut off, and far less than a digit that is shown
  for (const [whole, part] of sums) scaled += whole <= 0n ? 0n : (part * SCALE) / whole;
  return Number((scaled * MILLION) / (SCALE * BigInt(count)));
}
