/**
 * A key ring over the threads of a pool, with the calling thread as one of them. Each key belongs to one thread, so
 * each table exists once. Many blocks go to a thread in one request, so that threads do not wait for each other between
 * blocks. The calling thread checks whatever a worker does not answer in time.
 */
import { requireMembers } from '../base/arguments.ts';
import { EngineError, UsageError } from '../base/errors.ts';
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '../base/limits.ts';
import { ownList } from '../base/own-bytes.ts';
import type { KeyRing, RingBlock } from './engine.ts';
import { createKernelEngineSync, type KernelEngine } from './kernel.ts';
import {
  type BatchPart,
  checkShare,
  type Flight,
  isOver,
  type KeyPlace,
  placeKeys,
  readShares,
  type Share,
  type SlotRequest,
  sharesOf,
  signaturesIn,
  writeShares,
} from './pooled-batch.ts';
import { copyInputs, copyKeys, type RingInputs } from './ring-inputs.ts';
import {
  BATCH_BYTES,
  type Channel,
  CLOSE,
  MAX_SHARED_KEYS,
  MAX_SHARED_MESSAGE,
  MAX_SHARED_SIGNATURES,
  OPEN,
  segmentAt,
  VERIFY,
} from './worker-protocol.ts';
import type { Request, WorkerSlot } from './worker-slot.ts';

/** Shortest time to wait for an answer. */
const PATIENCE_MS = 25;
/**
 * Wait up to this multiple of this thread's own time. Larger: a dead worker costs more once. Smaller: busy machines repeat work.
 */
const PATIENCE = 4;
/** Longest time for a signature if this thread has no measurement of its own. */
const SLOW_MS = 0.5;

/** The state that the rings of one pool share. */
export interface PoolState {
  readonly engine: KernelEngine;
  readonly slots: readonly WorkerSlot[];
  isClosed: boolean;
  rings: number;
}

/** Requires an open pool. @throws UsageError `usage/closed` */
export function requireOpen(state: PoolState): void {
  if (state.isClosed) throw new UsageError('usage/closed', 'the worker pool is closed');
}

export class PooledRing implements KeyRing {
  readonly #state: PoolState;
  readonly #id: number;
  readonly #own: KeyRing;
  /** All keys, and those of each thread; thread 0 is this one. */
  readonly #keys: readonly Uint8Array[];
  readonly #owned: readonly (readonly Uint8Array[])[];
  /** The place of each key. */
  readonly #places: readonly KeyPlace[];
  /** All keys, without tables: for long messages, and for the share of a thread that does not answer. */
  #whole: KeyRing | undefined;
  /**
   * The batch that the workers check, and the previous batch. The workers have finished the previous one, but this
   * thread may not have.
   */
  #flight: Flight | undefined;
  #behind: Flight | undefined;
  #isClosed = false;

  /**
   * Opens a ring.
   * @param isBusy the calling thread does other work while workers check, so it gets fewer keys
   * @throws EngineError `engine/out-of-memory` for more keys than a worker can take
   */
  constructor(state: PoolState, publicKeys: readonly Uint8Array[], isBusy = false) {
    this.#state = state;
    this.#id = ++state.rings;
    this.#keys = copyKeys(publicKeys);
    const owned: Uint8Array[][] = [[], ...state.slots.map(() => [])];
    this.#places = placeKeys(this.#keys, state.slots.length, isBusy);
    this.#places.forEach((place, n) => {
      if (place !== undefined) owned[place.thread]!.push(this.#keys[n]!);
    });
    this.#owned = owned;
    const most = Math.max(0, ...owned.slice(1).map((keys) => keys.length));
    if (most > MAX_SHARED_KEYS) {
      throw new EngineError(
        'engine/out-of-memory',
        `${most} keys for one worker do not fit into its shared memory, which takes ${MAX_SHARED_KEYS}`,
      );
    }
    state.slots.forEach((slot, n) => {
      this.#openIn(slot, n + 1);
    });
    this.#own = state.engine.open(owned[0]!);
  }

  /** Lets a worker prepare the keys of this ring, unless this was done. A new worker has none. */
  #openIn(slot: WorkerSlot, thread: number): void {
    if (slot.hasOpened(this.#id)) return;
    const keys = this.#owned[thread]!;
    const fill = ({ bytes }: Channel): void => {
      keys.forEach((key, at) => {
        bytes.set(key, PUBLIC_KEY_BYTES * at);
      });
    };
    slot.post({ operation: OPEN, ring: this.#id, count: keys.length, fill }, PATIENCE_MS);
  }

  verify(message: Uint8Array, keyIndexes: readonly number[], signatures: readonly Uint8Array[]): boolean[] {
    return this.verifyMany([{ message, keyIndexes, signatures }])[0]!;
  }

  /** Blocks are sent in batches: the threads synchronize once for each batch, not for each block. */
  verifyMany(blocks: readonly RingBlock[]): boolean[][] {
    return this.beginMany(blocks)();
  }

  beginMany(blocks: readonly RingBlock[]): () => boolean[][] {
    this.#requireOpen();
    const inputs = ownList(blocks, 'blocks').map((block, at) => {
      requireMembers(block, 'a block', `blocks[${at}]`, 'write { message, keyIndexes, signatures }');
      const { message, keyIndexes, signatures } = block;
      return copyInputs(message, keyIndexes, signatures);
    });
    this.#requireOpen(); // arguments that are proxies run code of the caller
    return this.#begin(inputs);
  }

  #begin(blocks: readonly RingInputs[]): () => boolean[][] {
    const answers: boolean[][] = [];
    const long: Share[] = [];
    const batches: BatchPart[][] = [];
    let batchBytes = Number.POSITIVE_INFINITY;
    for (const inputs of blocks) {
      const { keyIndexes, signatures } = inputs;
      const verdicts = new Array<boolean>(keyIndexes.length).fill(false);
      answers.push(verdicts);
      const known: number[] = [];
      for (let n = 0; n < keyIndexes.length; n++) {
        const isKnown = this.#places[keyIndexes[n]!] !== undefined && signatures[n]?.length === SIGNATURE_BYTES;
        if (isKnown) known.push(n);
      }
      if (inputs.message.length > MAX_SHARED_MESSAGE) {
        long.push({ part: { inputs, positions: known, verdicts }, keys: [], positions: known });
        continue;
      }
      for (let from = 0; from < known.length; from += MAX_SHARED_SIGNATURES) {
        const positions = known.slice(from, from + MAX_SHARED_SIGNATURES);
        const bytes = segmentAt(0, inputs.message.length, positions.length).end; // the size if one thread had to check all of it
        if (batchBytes + bytes > BATCH_BYTES) {
          batches.push([]);
          batchBytes = 0;
        }
        batches.at(-1)!.push({ inputs, positions, verdicts }); // there is a batch after the first part
        batchBytes += bytes;
      }
    }
    const flights = batches.map((batch) => this.#flightOf(batch));
    const first = flights[0] && this.#post(flights[0]);
    let isDone = false;
    return () => {
      if (isDone) return answers;
      for (const flight of flights) {
        if (flight !== first && !flight.isLanded && flight.fault === undefined) {
          this.#requireOpen();
          this.#post(flight);
        }
        this.#land(flight);
        if (!flight.isLanded) throw flight.fault;
      }
      for (const share of long) this.#verifyHere(share);
      isDone = true;
      return answers;
    };
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new UsageError('usage/closed', 'this key ring is closed');
    requireOpen(this.#state);
  }

  /** Checks a share without workers and without tables. */
  #verifyHere(share: Share): void {
    this.#whole ??= createKernelEngineSync({ tableWidth: 0 }).open(this.#keys);
    const { keyIndexes } = share.part.inputs;
    checkShare(
      share,
      this.#whole,
      share.positions.map((position) => keyIndexes[position]!),
    );
  }

  #flightOf(batch: readonly BatchPart[]): Flight {
    const { slots } = this.#state;
    const [own, ...others] = sharesOf(batch, this.#places, slots.length + 1);
    return {
      own: own!,
      asked: slots.map((slot, n) => ({
        slot,
        shares: others[n]!,
        request: undefined,
        isDone: others[n]!.length === 0,
      })),
      ownDone: 0,
      ownMs: 0,
      isLanded: false,
      fault: undefined,
    };
  }

  /**
   * Sends each worker new shares when its earlier shares of this ring are finished. Meanwhile this thread does its own earlier shares, and the rest while the workers check the next batch. Threads therefore do not wait for each
   * other, as long as the next batch begins before the results of this one are requested.
   */
  #post(flight: Flight): Flight {
    if (this.#behind !== undefined) this.#land(this.#behind);
    const before = this.#flight;
    const waiting = new Set(flight.asked.keys());
    const handOver = (isFree: (thread: number) => boolean): void => {
      for (const n of waiting) {
        if (!isFree(n)) continue;
        waiting.delete(n);
        this.#ask(flight.asked[n]!, n + 1);
      }
    };
    if (before !== undefined) {
      this.#noteFault(before, () => {
        do handOver((n) => isOver(before.asked[n]!));
        while (waiting.size > 0 && this.#checkOwn(before));
        if (waiting.size > 0) this.#awaitAll(before);
      });
    }
    handOver(() => true);
    this.#behind = this.#flight;
    this.#flight = flight;
    return flight;
  }

  /** Completes all verdicts of a batch, or throws the failure that prevented it. */
  #land(flight: Flight): void {
    if (flight.isLanded || flight.fault !== undefined) return;
    this.#noteFault(flight, () => {
      while (this.#checkOwn(flight));
      this.#awaitAll(flight);
      flight.isLanded = true;
    });
    this.#letGo(flight);
  }

  /** Releases the flight early, so that the garbage collector frees it soon. */
  #letGo(flight: Flight): void {
    if (this.#flight === flight) this.#flight = undefined;
    if (this.#behind === flight) this.#behind = undefined;
  }

  /** Keeps the failure for the caller that requests these verdicts. */
  #noteFault(flight: Flight, work: () => void): void {
    try {
      work();
    } catch (fault) {
      flight.fault = fault;
      this.#letGo(flight);
    }
  }

  /** Checks the next share of this thread. @returns whether there was one */
  #checkOwn(flight: Flight): boolean {
    const share = flight.own[flight.ownDone];
    if (share === undefined) return false;
    const startedAtMs = performance.now();
    checkShare(share, this.#own);
    flight.ownMs += performance.now() - startedAtMs;
    flight.ownDone += 1;
    return true;
  }

  /** Reads the shares of the workers, after this thread has done its own. */
  #awaitAll({ own, ownMs, asked: all }: Flight): void {
    const ownSignatures = signaturesIn(own);
    for (const asked of all) {
      if (asked.isDone) continue;
      // A worker that takes much longer than this thread would may be gone: this thread then does its share, once.
      const signatures = signaturesIn(asked.shares);
      const patienceMs = Math.max(
        PATIENCE_MS,
        ownSignatures === 0 ? signatures * SLOW_MS : (PATIENCE * signatures * ownMs) / ownSignatures,
      );
      if (asked.request !== undefined) asked.slot.await(asked.request, patienceMs);
      if (asked.isDone) continue;
      for (const share of asked.shares) this.#verifyHere(share);
      asked.isDone = true;
    }
  }

  /** Sends a worker its shares, if there are any and a worker accepts them. */
  #ask(asked: SlotRequest, thread: number): void {
    const { slot, shares } = asked;
    if (asked.isDone) return;
    this.#openIn(slot, thread);
    if (!slot.hasOpened(this.#id)) return;
    const fill = (channel: Channel): void => writeShares(channel, shares);
    const take = (channel: Channel): void => {
      if (!asked.isDone) readShares(channel, shares);
      asked.isDone = true;
    };
    const request: Request = { operation: VERIFY, ring: this.#id, count: shares.length, fill, take };
    if (slot.post(request, PATIENCE_MS)) asked.request = request;
  }

  close(): void {
    if (this.#isClosed) return;
    for (const flight of [this.#behind, this.#flight]) {
      if (flight === undefined) continue;
      if (!this.#state.isClosed) this.#land(flight);
      this.#letGo(flight);
    }
    this.#isClosed = true;
    this.#own.close();
    this.#whole?.close();
    for (const slot of this.#state.slots) {
      // A lost worker has no tables.
      if (slot.hasOpened(this.#id)) slot.post({ operation: CLOSE, ring: this.#id, count: 0 }, PATIENCE_MS);
    }
  }
}
