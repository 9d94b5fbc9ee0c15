/**
 * Spreads work over calls. It decides how long building continues after a call, so that no call takes much longer than a check
 * of the same signatures without any tables. This holds on every machine, under any load.
 */

/**
 * Limits for a call while some of its keys have no table, and when all have one, as multiples of the time without
 * tables.
 */
const WITHOUT_TABLES = 1.3;
const WITH_TABLES = 0.7;
/** Milliseconds that every call may use: half a millisecond does not matter, and small sets get their tables soon. */
const LEAST_MS = 0.5;

export interface TablePace {
  /** A monotonic time in milliseconds. */
  now(): number;
  /** Notes the time of a call that checked all signatures without tables. */
  note(signatures: number, milliseconds: number): void;
  /**
   * Does steps until none is left or the time of the call is used up, but at least one, so that the work ends.
   * @param start when the call began
   * @param hasTables whether all signatures of the call were checked with tables
   * @param step does a little work; returns whether more is left
   */
  work(start: number, signatures: number, hasTables: boolean, step: () => boolean): void;
}

/** Makes a pace. @param now a different clock for tests, in milliseconds */
export function createTablePace(now: () => number = () => performance.now()): TablePace {
  /** Milliseconds for a signature without tables, measured without disturbance. */
  let signatureMs = Number.POSITIVE_INFINITY;
  return {
    now,
    note(signatures, milliseconds) {
      if (signatures > 0) signatureMs = Math.min(signatureMs, milliseconds / signatures);
    },
    work(start, signatures, hasTables, step) {
      const plain = Number.isFinite(signatureMs) ? signatureMs * signatures : 0;
      const until = Math.max(now() + LEAST_MS, start + (hasTables ? WITH_TABLES : WITHOUT_TABLES) * plain);
      while (step() && now() < until);
    },
  };
}

/** A pace that never builds tables, for a caller that builds all of them later. */
export const NO_PACE: TablePace = { now: () => 0, note() {}, work() {} };
