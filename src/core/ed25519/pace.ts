/**
 * Spreads work over calls. It decides how long building continues after a call, so that no call takes much longer than a check
 * of the same signatures without any tables. This holds on every machine, under any load.
 */

/** How long a call may take while some of its keys have no table, and once all have one, in times of what it takes without. */
const WITHOUT_TABLES = 1.3;
const WITH_TABLES = 0.7;
/** Milliseconds that a call may always continue: half a millisecond is not noticed, and small sets get their tables in time. */
const LEAST_MS = 0.5;

export interface Pace {
  /** Milliseconds that only grow. */
  now(): number;
  /** Notes what a call took in which all signatures were checked without tables. */
  note(signatures: number, milliseconds: number): void;
  /**
   * Takes steps until there are no more or the call has taken its time; at least one, so that all get done in the end.
   * @param start when the call began
   * @param hasTables whether all signatures of the call were checked with tables
   * @param step does a little; whether there may be more
   */
  work(start: number, signatures: number, hasTables: boolean, step: () => boolean): void;
}

/**
 * @param now for tests: another clock, in milliseconds
 */
export function createPace(now: () => number = () => performance.now()): Pace {
  /** Milliseconds of a signature without tables, when nothing disturbed. */
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

/** Never builds anything: for who builds all at once, later. */
export const NO_PACE: Pace = { now: () => 0, note() {}, work() {} };
