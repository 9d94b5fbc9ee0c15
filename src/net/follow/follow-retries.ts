/** Handles failures of `followBlocks`: retries, pauses that servers ask for, and the end of its patience. */

import { SourceError } from '../../core/base/errors.ts';
import { RETRY_BASE_MS, RETRY_CAP_MS } from '../../core/base/limits.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { tell } from '../async/callbacks.ts';
import { sleep, untilAborted } from '../async/timer.ts';
import { isOlderForAll } from '../machine/newer-network.ts';
import { isA, OUTCOMES } from '../machine/outcome.ts';
import { backoffMs } from '../machine/retry.ts';
import type { FollowSettings } from './follow-options.ts';
import type { Voice } from './stall-reports.ts';

/**
 * Rejections of the key in a row, or answers in an unknown form, after which the run ends: fewer may be a slip of the
 * server.
 */
const MAX_REFUSALS = 3;

/** Longest pause before a block that does not exist yet is asked for again, because it may come at any moment. */
const NOT_READY_CAP_MS = 1000;

/** Returns the milliseconds before the next try. */
function delayBefore(error: SourceError, tries: number, pollMs: number): number {
  const chance = Math.random();
  const ms =
    OUTCOMES[error.code] === 'not-yet'
      ? backoffMs(pollMs, NOT_READY_CAP_MS, tries, chance, 1.5)
      : backoffMs(RETRY_BASE_MS, RETRY_CAP_MS, tries, chance);
  return Math.max(ms, error.retryAfterMs ?? 0);
}

/**
 * Makes the patience of one run: a function that repeats work until it succeeds. It throws the reason of the voice's
 * signal after a stop, a SourceError when another try cannot help, or none has for `maxOutageMs`, and any other error at
 * once.
 * @param voice ends the run, and has its patience
 * @param onFailure called with every failure, and without one for each answer
 */
export function createPatience(
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

  return async function persist<T>(work: (signal: Signal) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      if (signal.aborted) throw signal.reason;
      try {
        const value = await untilAborted(work(signal), signal);
        hasAnswered = true;
        refusals = 0;
        onFailure(undefined);
        return value;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (!(error instanceof SourceError) || isHopeless(error)) throw error;
        onFailure(error);
        voice.requirePatience(error);
        tell('onTrouble', onTrouble, error);
        await sleep(Math.min(Math.max(0, voice.leftMs), delayBefore(error, tries, pollMs)), signal);
      }
    }
  };
}
