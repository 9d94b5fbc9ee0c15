/** Assigns keys to threads, and with them the signatures of a batch; collects the verdicts. */
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '../base/limits.ts';
import type { KeyRing } from './engine.ts';
import type { RingInputs } from './ring-inputs.ts';
import { type Channel, segmentAt } from './worker-protocol.ts';
import type { Request, WorkerSlot } from './worker-slot.ts';

/**
 * The place of a key: the thread that has it (0 is the calling thread) and its index there; `undefined` for a key with
 * a wrong length.
 */
export type KeyPlace = { readonly thread: number; readonly index: number } | undefined;

/** The part of an even share that each worker takes over from a calling thread that does other work. */
const BUSY_SHARE = 0.2;

/** Assigns keys to threads: the next key goes to the thread with the smallest load in relation to its weight. */
export function placeKeys(keys: readonly Uint8Array[], workers: number, isBusy: boolean): KeyPlace[] {
  const own = isBusy ? Math.max(0, 1 - BUSY_SHARE * workers) : 1;
  const weights = [own, ...Array.from({ length: workers }, () => (workers + 1 - own) / workers)];
  const counts = weights.map(() => 0);
  return keys.map((key) => {
    if (key.length !== PUBLIC_KEY_BYTES) return undefined;
    let thread = workers > 0 && own === 0 ? 1 : 0;
    for (let other = thread + 1; other <= workers; other++) {
      if ((counts[other]! + 1) / weights[other]! < (counts[thread]! + 1) / weights[thread]!) thread = other;
    }
    return { thread, index: counts[thread]!++ };
  });
}

/** A block or a part of it: the signatures with valid length and key, and the place of their verdicts. */
export interface BatchPart {
  readonly inputs: RingInputs;
  readonly positions: readonly number[];
  readonly verdicts: boolean[];
}

/** The share of one thread in a part: key indexes of that thread's ring, and positions in the block. */
export interface Share {
  readonly part: BatchPart;
  readonly keys: number[];
  readonly positions: number[];
}

/** A request to a worker. */
export interface SlotRequest {
  readonly slot: WorkerSlot;
  readonly shares: readonly Share[];
  request: Request | undefined;
  /** Whether the verdicts are there, from the worker or from this thread. Later ones are ignored. */
  isDone: boolean;
}

/** Whether no verdicts can come from the worker any more. Reads them if they are there. */
export function isOver({ slot, request, isDone }: SlotRequest): boolean {
  return isDone || request === undefined || slot.isOver(request);
}

/** A batch in progress: the workers check it from the start, and the calling thread when it has time. */
export interface Flight {
  readonly own: readonly Share[];
  readonly asked: readonly SlotRequest[];
  /** How many of its own shares the calling thread has done, and how long they took. */
  ownDone: number;
  ownMs: number;
  /** True when all verdicts are there. */
  isLanded: boolean;
  /** The failure that ended the check early; the verdicts are then missing. */
  fault: unknown;
}

/** The shares of each thread, the calling one first; none is empty. */
export function sharesOf(batch: readonly BatchPart[], places: readonly KeyPlace[], threads: number): Share[][] {
  const ofThread = Array.from({ length: threads }, (): Share[] => []);
  for (const part of batch) {
    const shares = ofThread.map((): Share => ({ part, keys: [], positions: [] }));
    for (const position of part.positions) {
      const { thread, index } = places[part.inputs.keyIndexes[position]!]!; // known positions have a key with a place
      shares[thread]!.keys.push(index);
      shares[thread]!.positions.push(position);
    }
    shares.forEach((share, thread) => {
      if (share.keys.length > 0) ofThread[thread]!.push(share);
    });
  }
  return ofThread;
}

export function signaturesIn(shares: readonly Share[]): number {
  return shares.reduce((sum, { keys }) => sum + keys.length, 0);
}

/** Checks a share in this thread. @param ring numbers the keys as the share does */
export function checkShare(share: Share, ring: KeyRing, keyIndexes: readonly number[] = share.keys): void {
  const { part, positions } = share;
  const { message, signatures } = part.inputs;
  const own = positions.map((at) => signatures[at]!); // the share contains existing signatures only
  const answers = ring.verify(message, keyIndexes, own);
  positions.forEach((position, at) => {
    part.verdicts[position] = answers[at]!;
  });
}

/** Writes the shares of one worker into its memory, one segment each. */
export function writeShares({ bytes, words }: Channel, shares: readonly Share[]): void {
  let at = 0;
  for (const { part, keys, positions } of shares) {
    const { message, signatures } = part.inputs;
    const segment = segmentAt(at, message.length, keys.length);
    words.set([message.length, keys.length], at / 4);
    bytes.set(message, segment.message);
    words.set(keys, segment.indexes / 4);
    for (let n = 0; n < positions.length; n++) {
      bytes.set(signatures[positions[n]!]!, segment.signatures + SIGNATURE_BYTES * n);
    }
    at = segment.end;
  }
}

/** Reads the verdicts of one worker from its memory, a byte each. */
export function readShares({ bytes }: Channel, shares: readonly Share[]): void {
  let at = 0;
  for (const { part, positions } of shares) {
    for (const position of positions) part.verdicts[position] = bytes[at++] === 1;
  }
}
