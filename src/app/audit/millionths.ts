/** Parts of a weight in whole millionths, rounded down: what is below a line never looks as if it were on it. */

const MILLION = 1_000_000n;

/** @param whole above zero, else the part is nothing */
export function millionthsOf(part: bigint, whole: bigint): number {
  if (whole <= 0n) return 0;
  const scaled = part * MILLION;
  const down = scaled / whole;
  return Number(scaled < 0n && down * whole !== scaled ? down - 1n : down);
}

/** Digits that sums of parts of different wholes are carried with. */
const SCALE = 10n ** 24n;

/**
 * The mean of shares, of which those with the same whole are added exactly.
 * @param sums by whole
 * @param count of the shares
 */
export function meanMillionths(sums: ReadonlyMap<bigint, bigint>, count: number): number {
  let scaled = BigInt(sums.size); // more than was cut off below, and far less than a digit that is shown
  for (const [whole, part] of sums) scaled += whole <= 0n ? 0n : (part * SCALE) / whole;
  return Number((scaled * MILLION) / (SCALE * BigInt(count)));
}
