/** What `followBlocks` does about trouble: tries again, keeps the pauses that servers ask for, and knows when to give up. */

import { SourceError } from '../../core/base/errors.ts';
import { RETRY_BASE_MS, RETRY_CAP_MS } from '../../core/base/limits.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { tell } from '../async/callbacks.ts';
import { sleep, untilAborted } from '../async/timer.ts';
import { isA, OUTCOMES } from '../machine/outcome.ts';
import { backoffMs } from '../machine/pause.ts';
import { isOlderForAll } from '../machine/upgrade.ts';
import type { FollowSettings } from './follow-options.ts';
import type { Voice } from './voice.ts';

/** Thrown where the caller stopped: ends the iteration without an error. */
export class Stopped extends Error {}

/** Refusals in a row, or answers in a form that is not known, that are no slip of the server. */
const MAX_REFUSALS = 3;

/** Longest pause before a block that is not there yet is asked for again: it comes at any moment. */
const NOT_READY_CAP_MS = 1000;

/** Milliseconds before the next try. */
function delayBefore(error: SourceError, tries: number, pollMs: number): number {
  const chance = Math.random();
  const ms =
    OUTCOMES[error.code] === 'not-yet'
      ? backoffMs(pollMs, NOT_READY_CAP_MS, tries, chance, 1.5)
      : backoffMs(RETRY_BASE_MS, RETRY_CAP_MS, tries, chance);
  return Math.max(ms, error.retryAfterMs ?? 0);
}

/** The pauses and the patience of one run. @param voice of the run: its end, and its patience @param onFailure told of every failure, and of each answer without one */
export function createTrouble(
  { pollMs, onTrouble }: FollowSettings,
  voice: Voice,
  onFailure: (error: SourceError | undefined) => void,
) {
  const { signal } = voice;
  let hasAnswered = false;
  let refusals = 0;

  function isHopeless(error: SourceError): boolean {
    refusals = isA(error.code, 'refusal') || isOlderForAll(error) ? refusals + 1 : 0;
    return refusals >= MAX_REFUSALS || (!hasAnswered && isA(error.code, 'wrong-at-first'));
  }

  /** @throws Stopped when the caller stops first */
  async function pause(ms: number): Promise<void> {
    await sleep(ms, signal).catch(() => {
      throw new Stopped();
    });
  }

  /**
   * Does the work until it works.
   * @throws Stopped; SourceError when it cannot get better, or has not for `maxOutageMs`; what is no SourceError at once
   */
  async function persist<T>(work: (signal: Signal) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      if (signal.aborted) throw new Stopped();
      try {
        const value = await untilAborted(work(signal), signal);
        hasAnswered = true;
        refusals = 0;
        onFailure(undefined);
        return value;
      } catch (error) {
        if (signal.aborted) throw new Stopped();
        if (!(error instanceof SourceError) || isHopeless(error)) throw error;
        onFailure(error);
        voice.requirePatience(error);
        tell('onTrouble', onTrouble, error);
        await pause(Math.min(Math.max(0, voice.leftMs), delayBefore(error, tries, pollMs)));
      }
    }
  }
  return { persist, pause };
}
