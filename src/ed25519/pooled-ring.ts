/**
 * A key ring over the threads of a pool, the calling one included: each key belongs to one thread, so tables exist once. Many
 * blocks go to a thread in one request, so that no thread waits for another between two of them. Whatever a worker does not
 * answer in time is checked by the calling thread.
 */
import { requireMembers } from '../base/arguments.ts';
import { EngineError, UsageError } from '../base/errors.ts';
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '../base/limits.ts';
import { ownList } from '../base/own-bytes.ts';
import type { KeyRing, RingBlock } from './engine.ts';
import { createKernelEngineSync, type KernelEngine } from './kernel.ts';
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

/** Shortest time for which an answer is waited for that is due. */
const PATIENCE_MS = 25;

/** What the rings of one pool share. */
export interface PoolState {
  readonly engine: KernelEngine;
  readonly slots: readonly WorkerSlot[];
  isClosed: boolean;
  rings: number;
}

/** @throws UsageError `usage/closed` */
export function requireOpen(state: PoolState): void {
  if (state.isClosed) throw new UsageError('usage/closed', 'the worker pool is closed');
}

/** A block, or a part of one: signatures that are there, by keys that are there, and where their verdicts go. */
interface Part {
  readonly inputs: RingInputs;
  readonly positions: readonly number[];
  readonly verdicts: boolean[];
}

/** What one thread checks of a part: key indexes of that thread's ring, and positions in the block. */
interface Share {
  readonly part: Part;
  readonly keys: number[];
  readonly positions: number[];
}

function put({ part, positions }: Share, answers: readonly boolean[]): void {
  positions.forEach((position, at) => {
    part.verdicts[position] = answers[at]!;
  });
}

/** Writes the shares of one worker into its memory, one segment each. */
function writeShares({ bytes, words }: Channel, shares: readonly Share[]): void {
  let at = 0;
  for (const { part, keys, positions } of shares) {
    const { message, signatures } = part.inputs;
    const segment = segmentAt(at, message.length, keys.length);
    words.set([message.length, keys.length], at / 4);
    bytes.set(message, segment.message);
    words.set(keys, segment.indexes / 4);
    positions.forEach((position, n) => {
      bytes.set(signatures[position]!, segment.signatures + SIGNATURE_BYTES * n);
    });
    at = segment.end;
  }
}

export class PooledRing implements KeyRing {
  readonly #state: PoolState;
  readonly #id: number;
  readonly #own: KeyRing;
  /** All keys, and those of each thread; thread 0 is this one. */
  readonly #keys: readonly Uint8Array[];
  readonly #owned: readonly (readonly Uint8Array[])[];
  /** By key: the thread that has it and its index there; undefined for a key of a wrong length. */
  readonly #places: readonly ({ readonly thread: number; readonly index: number } | undefined)[];
  /** All keys, without tables: for long messages, and for the part of a thread that gives no answer. */
  #whole: KeyRing | undefined;
  #isClosed = false;

  /** @throws EngineError `engine/out-of-memory` for more keys than workers can be handed */
  constructor(state: PoolState, publicKeys: readonly Uint8Array[]) {
    this.#state = state;
    this.#id = ++state.rings;
    this.#keys = copyKeys(publicKeys);
    const owned: Uint8Array[][] = [[], ...state.slots.map(() => [])];
    let next = 0;
    this.#places = this.#keys.map((publicKey) => {
      if (publicKey.length !== PUBLIC_KEY_BYTES) return undefined;
      const thread = next++ % owned.length;
      return { thread, index: owned[thread]!.push(publicKey) - 1 };
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

  /** Has a worker prepare its keys, if it has not: a new one knows none. */
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

  /** Blocks go out in batches: the threads meet once a batch, and not once a block. */
  verifyMany(blocks: readonly RingBlock[]): boolean[][] {
    this.#requireOpen();
    const given = ownList(blocks, 'blocks');
    const answers: boolean[][] = [];
    let batch: Part[] = [];
    let batchBytes = 0;
    const flush = (): void => {
      if (batch.length > 0) this.#verifyBatch(batch);
      batch = [];
      batchBytes = 0;
    };
    for (const [at, block] of given.entries()) {
      requireMembers(block, 'a block', `blocks[${at}]`, 'write { message, keyIndexes, signatures }');
      const { message, keyIndexes, signatures } = block;
      const inputs = copyInputs(message, keyIndexes, signatures);
      this.#requireOpen(); // arguments that are proxies run code of the caller
      const verdicts = new Array<boolean>(inputs.keyIndexes.length).fill(false);
      answers.push(verdicts);
      const known = [...inputs.keyIndexes.keys()].filter(
        (n) => this.#places[inputs.keyIndexes[n]!] !== undefined && inputs.signatures[n] !== undefined,
      );
      if (inputs.message.length > MAX_SHARED_MESSAGE) {
        this.#verifyHere({ part: { inputs, positions: known, verdicts }, keys: [], positions: known });
        continue;
      }
      for (let from = 0; from < known.length; from += MAX_SHARED_SIGNATURES) {
        const positions = known.slice(from, from + MAX_SHARED_SIGNATURES);
        const bytes = segmentAt(0, inputs.message.length, positions.length).end; // as if one thread had all of it
        if (batchBytes + bytes > BATCH_BYTES) flush();
        batch.push({ inputs, positions, verdicts });
        batchBytes += bytes;
      }
    }
    flush();
    return answers;
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new UsageError('usage/closed', 'this key ring is closed');
    requireOpen(this.#state);
  }

  /** Checks a share without workers and without tables. */
  #verifyHere(share: Share): void {
    this.#whole ??= createKernelEngineSync({ tableWidth: 0 }).open(this.#keys);
    const { message, keyIndexes, signatures } = share.part.inputs;
    const indexes = share.positions.map((position) => keyIndexes[position]!);
    const own = share.positions.map((position) => signatures[position]!);
    put(share, this.#whole.verify(message, indexes, own));
  }

  /** The shares of each thread, this one first; none is empty. */
  #shared(batch: readonly Part[]): Share[][] {
    const ofThread: Share[][] = [[], ...this.#state.slots.map(() => [])];
    for (const part of batch) {
      const shares = ofThread.map((): Share => ({ part, keys: [], positions: [] }));
      for (const position of part.positions) {
        const { thread, index } = this.#places[part.inputs.keyIndexes[position]!]!; // known positions have a place
        shares[thread]!.keys.push(index);
        shares[thread]!.positions.push(position);
      }
      shares.forEach((share, thread) => {
        if (share.keys.length > 0) ofThread[thread]!.push(share);
      });
    }
    return ofThread;
  }

  #verifyBatch(batch: readonly Part[]): void {
    const { slots } = this.#state;
    const [own, ...others] = this.#shared(batch);
    const startedAtMs = performance.now();
    const asked = slots.map((slot, n) => this.#ask(slot, n + 1, others[n]!));
    for (const share of own!) {
      const signatures = share.positions.map((position) => share.part.inputs.signatures[position]!);
      put(share, this.#own.verify(share.part.inputs.message, share.keys, signatures));
    }
    // The others had as much to do. Whoever takes much longer may be gone: its part is done here, once.
    const patienceMs = Math.max(PATIENCE_MS, 2 * (performance.now() - startedAtMs));
    slots.forEach((slot, n) => {
      const request = asked[n];
      const channel = request === undefined ? undefined : slot.answer(request, patienceMs);
      let at = 0;
      for (const share of others[n]!) {
        if (channel === undefined) this.#verifyHere(share);
        else
          put(
            share,
            Array.from(channel.bytes.subarray(at, at + share.keys.length), (verdict) => verdict === 1),
          );
        at += share.keys.length;
      }
    });
  }

  /** Hands a worker its shares; `undefined` where there are none, or no worker to take them. */
  #ask(slot: WorkerSlot, thread: number, shares: readonly Share[]): Request | undefined {
    if (shares.length === 0) return undefined;
    this.#openIn(slot, thread);
    if (!slot.hasOpened(this.#id)) return undefined;
    const fill = (channel: Channel): void => writeShares(channel, shares);
    const request: Request = { operation: VERIFY, ring: this.#id, count: shares.length, fill };
    return slot.post(request, PATIENCE_MS) ? request : undefined;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#own.close();
    this.#whole?.close();
    for (const slot of this.#state.slots) {
      // A worker that is gone holds no tables.
      if (slot.hasOpened(this.#id)) slot.post({ operation: CLOSE, ring: this.#id, count: 0 }, PATIENCE_MS);
    }
  }
}
