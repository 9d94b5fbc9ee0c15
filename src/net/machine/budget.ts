/**
 * The most that one server may cost a run: bytes of answers beyond what they proved, and questions about one thing. Each server
 * has a part of its own, so liars never use up the part of an honest server. Pure: the time comes in, from a monotonic clock.
 */
import { FREE_BYTES_PER_LINK, MAX_SAME_QUESTIONS } from '../../core/base/limits.ts';

/** Milliseconds after which a follower or an audit, which has no end, gets its budget again. */
const SHARE_REFILL_MS = 600_000;

/** Milliseconds after which a follower or an audit asks one server the same question again. */
const SAME_QUESTION_MS = 4_000;

/** Budget of a run over lite servers in bytes of answers: for the run, and for each server. */
const RUN_BYTES = 67_108_864;
const RUN_BYTES_PER_SERVER = 8_388_608;

/**
 * run: the run ends, so its cost is never forgotten. lasting: a follower or an audit, whose cost is forgotten over
 * time.
 */
export type Length = 'run' | 'lasting';

/** The cost of one server so far. */
export interface Cost {
  /** Bytes that proved nothing yet. */
  readonly bytes: number;
  readonly atMs: number;
}

export const NO_COST: Cost = Object.freeze({ bytes: 0, atMs: 0 });

/** Returns the bytes that each of so many servers may cost: an equal part of the budget of the run. */
export function shareOf(servers: number): number {
  return RUN_BYTES_PER_SERVER + Math.floor(RUN_BYTES / servers);
}

/**
 * Returns the cost that still counts at a later time. A lasting run forgets a whole share in ten minutes, bit by bit.
 */
function costAt({ bytes, atMs }: Cost, nowMs: number, share: number, length: Length): number {
  const forgotten = length === 'run' ? 0 : (share * (nowMs - atMs)) / SHARE_REFILL_MS;
  return Math.max(0, bytes - forgotten);
}

/** Returns the cost after an answer, whatever the answer proves. */
export function costAfter(cost: Cost, bytes: number, nowMs: number, share: number, length: Length): Cost {
  return { bytes: costAt(cost, nowMs, share, length) + bytes, atMs: nowMs };
}

/**
 * Returns the cost after an answer proved links or blocks: bytes of a proof are free up to a limit, further bytes stay
 * counted.
 */
export function costProven(cost: Cost, bytes: number, links: number): Cost {
  return { ...cost, bytes: Math.max(0, cost.bytes - Math.min(bytes, links * FREE_BYTES_PER_LINK)) };
}

/** Returns the bytes that the server may still send. */
export function leftOf(cost: Cost, nowMs: number, share: number, length: Length): number {
  return Math.max(0, share - costAt(cost, nowMs, share, length));
}

/** How often a server has answered one question, when it did last, and how many answers open questions may still bring. */
export interface AskedBefore {
  readonly times: number;
  readonly atMs: number;
  readonly open: number;
}

const NEVER_ASKED: AskedBefore = { times: 0, atMs: 0, open: 0 };

/**
 * Returns the answers that still count. A lasting run may ask again some seconds after the last answer: an honest
 * server may lack a block for a moment.
 */
function timesAt({ times, atMs }: AskedBefore, nowMs: number, length: Length): number {
  return length === 'lasting' && nowMs - atMs >= SAME_QUESTION_MS ? 0 : times;
}

/** Returns how often the server may still answer. The answers that open questions may bring count, however old these are. */
export function timesLeft(asked: AskedBefore | undefined, nowMs: number, length: Length): number {
  const { open } = asked ?? NEVER_ASKED;
  return Math.max(0, MAX_SAME_QUESTIONS - timesAt(asked ?? NEVER_ASKED, nowMs, length) - open);
}

/** Counts a question that is sent. @param most answers that it may bring: it may be asked again when the first one fails */
export function askedAgain(asked: AskedBefore = NEVER_ASKED, most = 1): AskedBefore {
  return { ...asked, open: asked.open + most };
}

/** Counts the answers to a question that is over. @param most as it was sent */
export function answeredAgain(
  asked: AskedBefore | undefined,
  { answers, most = 1 }: { readonly answers: number; readonly most?: number },
  nowMs: number,
  length: Length,
): AskedBefore {
  const before = asked ?? askedAgain(undefined, most);
  const times = timesAt(before, nowMs, length) + answers;
  return { times, atMs: answers > 0 ? nowMs : before.atMs, open: before.open - most };
}
