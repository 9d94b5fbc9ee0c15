/**
 * Time in which this process had its turns. A timer counts it, so what the machine does in between is left out: a limit on it says how
 * long something was waited for, on a busy machine as on a quiet one. What computes without a pause is not counted.
 */
const TICK_MS = 20;
const everyTick = globalThis.setInterval; // not one that a test has put in its place
let ticks: number | undefined;

/** Milliseconds since it was first asked. */
export function ownMs(): number {
  if (ticks === undefined) {
    ticks = 0;
    everyTick(() => {
      ticks! += 1;
    }, TICK_MS).unref();
  }
  return ticks * TICK_MS;
}
