/** Whether the head that a follower sees moves on. One that stands, or goes back, is told, and ends the run at last. */
import { SourceError } from '../../base/errors.ts';
import { FAR_BEHIND_BLOCKS } from '../../base/limits.ts';
import { tell } from '../async/callbacks.ts';
import { HEAD_JITTER } from '../sources/head-watch.ts';
import type { FollowSettings } from './follow-options.ts';

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
  /** The first block that is wanted: a head that is far before it is told now. */
  begin(from: number): void;
  /** @throws SourceError `source/not-ready` when nothing new came for `maxOutageMs` */
  saw(said: number, isWaiting: boolean): void;
  /** The head is known to be this after all: what was waited for is not there. @throws SourceError as `saw` */
  correct(head: number): void;
  /** Time that the caller spends on a report is no stall of the source. */
  resume(): void;
}

export function createStallWatch(name: string, opts: FollowSettings): StallWatch {
  let head = 0;
  let highest = 0; // ever said: a head that was taken back is nothing new when it is said again
  let lastSaid = 0;
  let movedAt = performance.now();
  let tellAfterMs = opts.stallAfterMs;

  function moved(): void {
    movedAt = performance.now();
    tellAfterMs = opts.stallAfterMs;
  }

  function saw(said: number, isWaiting: boolean): void {
    const before = lastSaid;
    lastSaid = said;
    if (said > highest) {
      head = said;
      highest = said;
      moved();
      return;
    }
    const wasHead = head;
    head = Math.max(head, said);
    const forMs = performance.now() - movedAt;
    const wentBack = said < wasHead - HEAD_JITTER && said !== before;
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
  }

  return Object.freeze({
    saw,
    begin(from: number): void {
      if (head + FAR_BEHIND_BLOCKS < from - 1)
        tell('onStall', opts.onStall, Object.freeze({ head, said: lastSaid, forMs: 0 }));
    },
    correct(seqno: number): void {
      head = seqno;
      lastSaid = seqno;
      saw(seqno, true);
    },
    resume: moved,
  });
}
