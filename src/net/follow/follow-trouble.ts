/** What `followBlocks` does about trouble: tries again, keeps the pauses that servers ask for, and knows when to give up. */

import { SourceError } from '../../base/errors.ts';
import { RETRY_BASE_MS, RETRY_CAP_MS } from '../../base/limits.ts';
import type { Signal } from '../../base/runtime-types.ts';
import { tell } from '../async/callbacks.ts';
import { sleep, untilAborted } from '../async/timer.ts';
import { isA, OUTCOMES } from '../machine/outcome.ts';
import type { FollowSettings } from './follow-options.ts';

/** Thrown where the caller stopped: ends the iteration without an error. */
export class Stopped extends Error {}

/** Refusals in a row after a first answer that are no slip of the server. */
const MAX_REFUSALS = 3;

/** Longest pause before a block that is not there yet is asked for again: it comes at any moment. */
const NOT_READY_CAP_MS = 1000;

/** The pauses and the patience of one run. */
export interface Trouble {
  /**
   * Does the work until it works.
   * @throws Stopped; SourceError when it cannot get better, or has not for `maxOutageMs`; what is no SourceError at once
   */
  persist<T>(work: (signal: Signal) => Promise<T>): Promise<T>;
  /** @throws Stopped when the caller stops first */
  pause(ms: number): Promise<void>;
}

/** Milliseconds before the next try, at random so that many followers do not come back together. */
function delayBefore(error: SourceError, tries: number, pollMs: number): number {
  const base =
    OUTCOMES[error.code] === 'not-yet'
      ? Math.min(NOT_READY_CAP_MS, pollMs * 1.5 ** Math.min(tries, 10))
      : Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** Math.min(tries, 10));
  return Math.max(base * (0.5 + Math.random() / 2), error.retryAfterMs ?? 0);
}

/** @param signal ends all of it */
export function createTrouble(opts: FollowSettings, signal: Signal): Trouble {
  let hasAnswered = false;
  let refusals = 0;
  let since: number | undefined; // when the trouble began that is still there

  function isHopeless(error: SourceError): boolean {
    refusals = isA(error.code, 'refusal') ? refusals + 1 : 0;
    return hasAnswered ? refusals >= MAX_REFUSALS : isA(error.code, 'wrong-at-first');
  }

  async function pause(ms: number): Promise<void> {
    try {
      await sleep(ms, signal);
    } catch {
      throw new Stopped();
    }
  }

  async function persist<T>(work: (signal: Signal) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      if (signal.aborted) throw new Stopped();
      let error: SourceError;
      try {
        const value = await untilAborted(work(signal), signal);
        hasAnswered = true;
        refusals = 0;
        since = undefined;
        return value;
      } catch (thrown) {
        if (signal.aborted) throw new Stopped();
        if (!(thrown instanceof SourceError) || isHopeless(thrown)) throw thrown;
        error = thrown;
      }
      since ??= performance.now();
      const leftMs = opts.maxOutageMs - (performance.now() - since);
      if (leftMs <= 0) throw error;
      tell('onTrouble', opts.onTrouble, error);
      await pause(Math.min(leftMs, delayBefore(error, tries, opts.pollMs)));
    }
  }
  return Object.freeze({ persist, pause });
}
