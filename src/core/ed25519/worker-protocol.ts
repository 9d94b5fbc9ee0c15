/**
 * The protocol between the main thread and one worker in shared memory. The main thread raises a request number, and the
 * worker raises a done number to the same value when the answer is in the data area. Both sides, `worker-slot.ts` and
 * `worker-thread.ts`, use it.
 */

/** Words of the control area. */
export const REQUEST = 0;
export const DONE = 1;
export const OPERATION = 2;
export const RING = 3;
export const COUNT = 4;
export const STATUS = 6;
export const READY = 7; // 1 once the worker listens
export const CONTROL_WORDS = 16;

/** Operations. */
export const OPEN = 1; // COUNT keys of 32 bytes
export const VERIFY = 2; // COUNT segments, see segmentAt; the verdicts, a byte each, replace the data
export const CLOSE = 3;
export const STOP = 4;

/** Statuses. */
export const OK = 0;
export const FAILED = 1; // the data area holds COUNT bytes of text

/** How often a thread reads the other side's number before it sleeps, about 0.1 ms in all. */
export const SPINS = 20_000;

export const SHARED_BYTES = 4 * 2 ** 20;
/** Largest number of keys for one worker: 32 bytes each, after the control area. */
export const MAX_SHARED_KEYS = Math.floor((SHARED_BYTES - 4 * CONTROL_WORDS) / 32);
/** Larger messages are checked without workers. */
export const MAX_SHARED_MESSAGE = 2 ** 20;
/** Signatures of one segment. Together with the largest message they fit into the data area. */
export const MAX_SHARED_SIGNATURES = 32_768;
/** Segments follow each other in one request up to this number of bytes. */
export const BATCH_BYTES = 2 ** 20;

export interface Channel {
  readonly control: Int32Array;
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

export function channelOver(shared: SharedArrayBuffer): Channel {
  const offset = 4 * CONTROL_WORDS;
  return {
    control: new Int32Array(shared, 0, CONTROL_WORDS),
    bytes: new Uint8Array(shared, offset),
    words: new Uint32Array(shared, offset),
  };
}

/**
 * A segment is one message with signatures. It begins with the length of the message and the number of signatures, 4 bytes
 * each, and the message. For each signature an index of 4 bytes and the signature of 64 follow.
 * @param at its offset, a multiple of four
 * @returns the places of its parts in the data area, all multiples of four
 */
export function segmentAt(at: number, messageBytes: number, count: number) {
  const message = at + 8;
  const indexes = message + Math.ceil(messageBytes / 4) * 4;
  const signatures = indexes + 4 * count;
  return { message, indexes, signatures, end: signatures + 64 * count };
}
