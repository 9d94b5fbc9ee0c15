/** Which thread has which key, so which signatures of a batch it checks, and where their verdicts go. */
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '../base/limits.ts';
import type { KeyRing } from './engine.ts';
import type { RingInputs } from './ring-inputs.ts';
import { type Channel, segmentAt } from './worker-protocol.ts';
import type { Request, WorkerSlot } from './worker-slot.ts';

/** Where a key is: the thread that has it, 0 being the calling one, and its index there; `undefined` for one of a wrong length. */
export type KeyPlace = { readonly thread: number; readonly index: number } | undefined;

/**
 * The part of an even share that each worker takes off a calling thread which has other things to do besides.
 */
const BUSY_SHARE = 0.2;

/** Assigns keys to threads: the next key goes to the thread that has the least for its weight. */
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

/** A block, or a part of one: signatures that are there, by keys that are there, and where their verdicts go. */
export interface Part {
  readonly inputs: RingInputs;
  readonly positions: readonly number[];
  readonly verdicts: boolean[];
}

/** The share of one thread in a part: key indexes of that thread's ring, and positions in the block. */
export interface Share {
  readonly part: Part;
  readonly keys: number[];
  readonly positions: number[];
}

/** A request to a worker. */
export interface SlotRequest {
  readonly slot: WorkerSlot;
  readonly shares: readonly Share[];
  request: Request | undefined;
  /** Whether the verdicts are there, from the worker or from this thread; later ones are ignored. */
  isDone: boolean;
}

/** Whether nothing more comes of what a worker was asked; its verdicts, where they are there, are taken in. */
export function isOver({ slot, request, isDone }: SlotRequest): boolean {
  return isDone || request === undefined || slot.isOver(request);
}

/** A batch that is being checked: by the workers since they were asked, by the calling thread whenever it has time. */
export interface Flight {
  readonly own: readonly Share[];
  readonly asked: readonly SlotRequest[];
  /** How many of its own shares the calling thread has done, and what they took. */
  ownDone: number;
  ownMs: number;
  /** All of its verdicts are there. */
  isLanded: boolean;
  /** The failure that ended the check early; the verdicts are then missing. */
  fault: unknown;
}

/** The shares of each thread, the calling one first; none is empty. */
export function sharesOf(batch: readonly Part[], places: readonly KeyPlace[], threads: number): Share[][] {
  const ofThread = Array.from({ length: threads }, (): Share[] => []);
  for (const part of batch) {
    const shares = ofThread.map((): Share => ({ part, keys: [], positions: [] }));
    for (const position of part.positions) {
      const { thread, index } = places[part.inputs.keyIndexes[position]!]!; // known positions have a place
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

function put({ part, positions }: Share, answers: readonly boolean[]): void {
  positions.forEach((position, at) => {
    part.verdicts[position] = answers[at]!;
  });
}

/** Checks a share here. @param ring which numbers keys as the share does */
export function checkShare(share: Share, ring: KeyRing, keyIndexes: readonly number[] = share.keys): void {
  const { message, signatures } = share.part.inputs;
  const own = share.positions.map((at) => signatures[at]!); // only signatures that are there have a place
  put(share, ring.verify(message, keyIndexes, own));
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

/** Takes the verdicts of one worker out of its memory, a byte each. */
export function readShares({ bytes }: Channel, shares: readonly Share[]): void {
  let at = 0;
  for (const { part, positions } of shares) {
    for (const position of positions) part.verdicts[position] = bytes[at++] === 1;
  }
}
