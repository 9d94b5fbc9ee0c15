/** How long a run pauses before it tries again. Pure: chance comes in from outside. */

/** Returns milliseconds that grow with each time, up to a cap. */
export function grownMs(baseMs: number, capMs: number, times: number, factor = 2): number {
  return Math.min(capMs, baseMs * factor ** Math.min(times, 64)); // Infinity times 0 is NaN
}

/**
 * Returns the milliseconds before a failed question is tried again. The pause grows with each failure, and is random,
 * so that many clients that failed together do not return together.
 * @param times how often it failed before
 * @param chance a random number from 0 to 1
 */
export function backoffMs(baseMs: number, capMs: number, times: number, chance: number, factor = 2): number {
  return grownMs(baseMs, capMs, times, factor) * (0.5 + chance / 2);
}
