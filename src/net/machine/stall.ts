/**
 * Decides when a run without blocks reports why, and when its patience is over: rule R8 of live verification. Pure:
 * times are milliseconds of a clock that never goes back.
 */

/** A head that is this many blocks behind the place where a follower resumes is reported at once. */
const FAR_BEHIND_BLOCKS = 100;

/** Milliseconds of silence before the first report; the next comes after twice as long, and so on. */
export const SILENT_MS = 10_000;
/** Blocks by which servers behind one address may differ. */
export const HEAD_JITTER = 2;

/** The start of a silence, and the milliseconds after which the next report is due. */
export interface Quiet {
  readonly sinceMs: number;
  readonly dueMs: number;
}

/** The milliseconds until the next report; zero or less once it is due. */
export function leftMs({ sinceMs, dueMs }: Quiet, nowMs: number): number {
  return sinceMs + dueMs - nowMs;
}

/** Returns the silence after a report. The next report is due after twice as long, and later than now. */
export function toldAt({ sinceMs, dueMs }: Quiet, nowMs: number): Quiet {
  let nextMs = dueMs;
  while (nextMs <= nowMs - sinceMs) nextMs *= 2;
  return { sinceMs, dueMs: nextMs };
}

/** Why a run has no block to hand out; `FollowStall` explains each code. */
export type StallCode =
  | 'no-server'
  | 'head-stands'
  | 'not-proven'
  | 'too-few-witnesses'
  | 'catching-up'
  | 'behind-state';

/** The knowledge of a run while it has no block to deliver. */
export interface StallInputs {
  /**
   * The newest block that is proven or that the run resumes after, and the newest block that a server names now; 0 for
   * none.
   */
  readonly head: number;
  readonly said: number;
  /** Whether servers named their heads at the last look. */
  readonly isAnswered: boolean;
  /** Whether a proof held after the last failure, on the way to a block that is due. */
  readonly isClimbing: boolean;
  /** Whether a block is proven, and too few servers agree. */
  readonly areFew: boolean;
}

/**
 * Whether no block was proven for too long. @param stuckMs milliseconds since the last one, or since servers that are
 * behind came nearer
 */
export function isOutage(stuckMs: number, maxOutageMs: number): boolean {
  return stuckMs >= maxOutageMs;
}

/** Whether a head is so far behind the run's last block that the run reports it at once. */
export function isFarBehind(said: number, head: number): boolean {
  return said + FAR_BEHIND_BLOCKS < head;
}

export function stallCode({ head, said, isAnswered, isClimbing, areFew }: StallInputs): StallCode {
  if (!isAnswered) return 'no-server';
  if (areFew) return 'too-few-witnesses';
  if (said > head) return isClimbing ? 'catching-up' : 'not-proven';
  return isFarBehind(said, head) ? 'behind-state' : 'head-stands';
}

/** The heads that a server, or a combination of servers, named in one run. */
export interface SeenHeads {
  /** The current head, and the highest one that counts. */
  readonly said: number;
  readonly head: number;
  /** The highest head ever. A head that was taken back is not new when it is named again. */
  readonly highest: number;
}

/**
 * Takes a head. @returns the heads after it; whether it is higher than ever, or lower than before by more than a block
 * or two
 */
export function sawHead(before: SeenHeads, said: number) {
  return {
    seen: { said, head: Math.max(before.head, said), highest: Math.max(before.highest, said) },
    moved: said > before.highest,
    wentBack: said < before.head - HEAD_JITTER && said !== before.said,
  };
}
