/** Whether the head that a follower sees moves on. One that stands, or goes back, is told, and ends the run at last. */
import { SourceError } from '../base/errors.ts';
import { tell } from './callbacks.ts';
import type { FollowSettings } from './follow-options.ts';
import { HEAD_JITTER } from './head-watch.ts';

/** A head that does not move on. */
export interface FollowStall {
  /** Seqno of the newest block seen so far. */
  readonly head: number;
  /** What the source says its newest block is now; less than `head` where it went back. */
  readonly said: number;
  /** Milliseconds without a new block. */
  readonly forMs: number;
}

export interface StallWatch {
  /** @throws SourceError `source/not-ready` when nothing new came for `maxOutageMs` */
  saw(said: number, isWaiting: boolean): void;
  /** The head is known to be this after all. */
  correct(head: number): void;
  /** Time that the caller spends on a report is no stall of the source. */
  resume(): void;
}

export function createStallWatch(name: string, opts: FollowSettings): StallWatch {
  let head = 0;
  let lastSaid = 0;
  let movedAt = performance.now();
  let tellAfterMs = opts.stallAfterMs;

  function moved(): void {
    movedAt = performance.now();
    tellAfterMs = opts.stallAfterMs;
  }

  return Object.freeze({
    saw(said: number, isWaiting: boolean): void {
      const before = lastSaid;
      lastSaid = said;
      if (said > head) {
        head = said;
        moved();
        return;
      }
      const forMs = performance.now() - movedAt;
      const wentBack = said < head - HEAD_JITTER && said !== before;
      const isDue = isWaiting && forMs >= tellAfterMs;
      if (isDue) tellAfterMs *= 2; // ever more rarely
      if (wentBack || isDue) tell('onStall', opts.onStall, Object.freeze({ head, said, forMs: Math.round(forMs) }));
      if (isWaiting && forMs >= Math.max(opts.maxOutageMs, opts.stallAfterMs)) {
        const seconds = Math.round(forMs / 1000);
        throw new SourceError(
          'source/not-ready',
          `${name}: no block after ${head} for ${seconds} s, its head is ${said}`,
          {
            hint: 'ask another server: this one may have stopped, or the chain itself',
          },
        );
      }
    },
    correct(seqno: number): void {
      head = seqno;
    },
    resume(): void {
      movedAt = performance.now();
    },
  });
}
