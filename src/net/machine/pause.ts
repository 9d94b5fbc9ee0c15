/** How long a run pauses before it tries again. Pure: chance comes in from outside. */

/** Milliseconds, more with each time, up to a cap. */
export function grownMs(baseMs: number, capMs: number, times: number, factor = 2): number {
  return Math.min(capMs, baseMs * factor ** Math.min(times, 64)); // Infinity times 0 is NaN
}

/**
 * Milliseconds before what failed is tried again: more with each failure, and at random, so that many that failed together do not
 * come back together.
 * @param times it failed before
 * @param chance at random from 0 to 1
 */
export function backoffMs(baseMs: number, capMs: number, times: number, chance: number, factor = 2): number {
  return grownMs(baseMs, capMs, times, factor) * (0.5 + chance / 2);
}
