/**
 * A pool of kernel workers behind the ordinary synchronous interface: a block's signatures are spread over cores, the
 * calling thread being one of them. Each key belongs to one thread, so tables exist once; requests and verdicts go through
 * shared memory and `Atomics`. For Node (node:worker_threads); docs/kernel.md shows the same with Web Workers.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { EngineError, UsageError } from '../base/errors.ts';
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '../base/limits.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';
import { createKernelEngine, createKernelEngineSync, type KernelEngine, type KernelOptions } from './kernel.ts';
import { copyInputs, copyKeys, type RingInputs } from './ring-inputs.ts';
import {
  CLOSE,
  MAX_SHARED_KEYS,
  MAX_SHARED_MESSAGE,
  MAX_SHARED_SIGNATURES,
  MESSAGE_BYTES,
  OPEN,
  VERIFY,
  verifyLayout,
} from './worker-protocol.ts';
import { type Request, type Spawn, WorkerSlot } from './worker-slot.ts';

export interface WorkerPoolOptions extends KernelOptions {
  /** Threads that verify, the calling one included. Default: as many as the machine runs at once. */
  readonly threads?: number;
  /** How long a worker may be silent before another one takes its place. No call waits that long. Default 10 000. */
  readonly timeoutMs?: number;
  /** Bytes of tables a ring may hold in all threads together; by default each thread has the default of `createKernelEngine`. */
  readonly maxTableBytes?: number;
}

/** What tests may choose beside. */
export interface InternalWorkerPoolOptions extends WorkerPoolOptions {
  readonly spawn?: Spawn;
}

/** An engine whose rings use several cores. Close it when done; it does not keep the process alive. */
export interface WorkerPool extends Ed25519Engine {
  readonly threads: number;
  /** Stops the workers. The pool and its rings refuse whatever is asked of them afterwards. */
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** Shortest time for which an answer is waited for that is due. */
const PATIENCE_MS = 25;
const MAX_THREADS = 256;

/** The part of a block that one thread checks: key indexes of that thread's ring, and positions in the block. */
interface Share {
  readonly keys: number[];
  readonly positions: number[];
}

/** What the rings of one pool share. */
interface PoolState {
  readonly engine: KernelEngine;
  readonly slots: readonly WorkerSlot[];
  isClosed: boolean;
  rings: number;
}

function requireOpen(state: PoolState): void {
  if (state.isClosed) throw new EngineError('engine/worker', 'the worker pool is closed');
}

class PooledRing implements KeyRing {
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
    const fill = ({ bytes }: { readonly bytes: Uint8Array }): void => {
      keys.forEach((key, at) => {
        bytes.set(key, PUBLIC_KEY_BYTES * at);
      });
    };
    slot.post({ operation: OPEN, ring: this.#id, count: keys.length, fill }, PATIENCE_MS);
  }

  #verifyWhole({ message, keyIndexes, signatures }: RingInputs, positions: readonly number[]): boolean[] {
    this.#whole ??= createKernelEngineSync({ tableWidth: 0 }).open(this.#keys);
    return this.#whole.verify(
      message,
      positions.map((position) => keyIndexes[position]!),
      positions.map((position) => signatures[position]!),
    );
  }

  verify(...given: Parameters<KeyRing['verify']>): boolean[] {
    if (this.#isClosed) throw new TypeError('this key ring is closed');
    requireOpen(this.#state);
    const inputs = copyInputs(...given);
    const { message, keyIndexes, signatures } = inputs;
    const verdicts = new Array<boolean>(keyIndexes.length).fill(false);
    const known = [...keyIndexes.keys()].filter(
      (n) => this.#places[keyIndexes[n]!] !== undefined && signatures[n] !== undefined,
    );
    const put = (positions: readonly number[], answers: readonly boolean[]): void => {
      positions.forEach((position, at) => {
        verdicts[position] = answers[at]!;
      });
    };
    if (message.length > MAX_SHARED_MESSAGE) put(known, this.#verifyWhole(inputs, known));
    else {
      for (let from = 0; from < known.length; from += MAX_SHARED_SIGNATURES) {
        this.#verifyPart(inputs, known.slice(from, from + MAX_SHARED_SIGNATURES), put);
      }
    }
    return verdicts;
  }

  /** @param positions of signatures that are there, by keys that are there */
  #verifyPart(
    inputs: RingInputs,
    positions: readonly number[],
    put: (positions: readonly number[], answers: readonly boolean[]) => void,
  ): void {
    const { slots } = this.#state;
    const shares = [0, ...slots].map((): Share => ({ keys: [], positions: [] }));
    for (const position of positions) {
      const { thread, index } = this.#places[inputs.keyIndexes[position]!]!;
      const share = shares[thread]!;
      share.keys.push(index);
      share.positions.push(position);
    }
    const startedAtMs = performance.now();
    const asked = slots.map((slot, n) => this.#ask(slot, n + 1, shares[n + 1]!, inputs));
    const own = shares[0]!;
    const signatures = own.positions.map((position) => inputs.signatures[position]!);
    put(own.positions, this.#own.verify(inputs.message, own.keys, signatures));
    // The others had as much to do. Whoever takes much longer may be gone: its part is done here, once.
    const patienceMs = Math.max(PATIENCE_MS, 2 * (performance.now() - startedAtMs));
    slots.forEach((slot, n) => {
      const share = shares[n + 1]!;
      if (share.keys.length === 0) return;
      const request = asked[n];
      const channel = request === undefined ? undefined : slot.answer(request, patienceMs);
      put(
        share.positions,
        channel === undefined
          ? this.#verifyWhole(inputs, share.positions)
          : Array.from(channel.bytes.subarray(0, share.keys.length), (verdict) => verdict === 1),
      );
    });
  }

  /** Hands a worker its share; `undefined` where there is no worker to take it. */
  #ask(
    slot: WorkerSlot,
    thread: number,
    { keys, positions }: Share,
    { message, signatures }: RingInputs,
  ): Request | undefined {
    if (keys.length === 0) return undefined;
    this.#openIn(slot, thread);
    if (!slot.hasOpened(this.#id)) return undefined;
    const request: Request = {
      operation: VERIFY,
      ring: this.#id,
      count: keys.length,
      fill: ({ control, bytes, words }) => {
        const layout = verifyLayout(message.length, keys.length);
        control[MESSAGE_BYTES] = message.length;
        bytes.set(message);
        words.set(keys, layout.indexes / 4);
        positions.forEach((position, at) => {
          bytes.set(signatures[position]!, layout.signatures + SIGNATURE_BYTES * at);
        });
      },
    };
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

/** Without the flags of this process: one like --input-type is of its main program and stops a worker. */
const spawnWorker: Spawn = (options) =>
  new Worker(new URL('./worker-thread.js', import.meta.url), { ...options, execArgv: [] });

/**
 * Starts workers and gives an engine over them, self-tested in every thread. A worker that dies or falls silent costs no
 * verdict: its part of the block is checked by the calling thread, and another worker takes its place.
 * @throws EngineError `engine/no-wasm`, `engine/self-test`, `engine/worker`; UsageError `usage/bad-option`
 */
export async function createWorkerPool(options: WorkerPoolOptions = {}): Promise<WorkerPool> {
  const {
    threads = availableParallelism(),
    timeoutMs = DEFAULT_TIMEOUT_MS,
    spawn = spawnWorker,
    ...kernelOptions
  } = options as InternalWorkerPoolOptions; // a wider type of the same object; `spawn` is absent outside tests
  if (!Number.isInteger(threads) || threads < 1 || threads > MAX_THREADS) {
    throw new UsageError('usage/bad-option', `threads: got ${threads}, wanted 1 to ${MAX_THREADS}`);
  }
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) {
    throw new UsageError('usage/bad-option', `timeoutMs: got ${timeoutMs}, wanted a number of milliseconds above 0`);
  }
  const { maxTableBytes } = kernelOptions;
  // The budget is for the ring as a whole; each thread holds its part of the keys.
  const perThread: KernelOptions =
    maxTableBytes === undefined
      ? kernelOptions
      : { ...kernelOptions, maxTableBytes: Math.floor(maxTableBytes / threads) };
  const engine = await createKernelEngine(perThread);
  const slots: WorkerSlot[] = [];
  const state: PoolState = { engine, slots, isClosed: false, rings: 0 };
  const close = async (): Promise<void> => {
    state.isClosed = true;
    await Promise.allSettled(slots.map((slot) => slot.stop()));
  };
  try {
    while (slots.length < threads - 1) slots.push(new WorkerSlot(spawn, perThread, timeoutMs));
    await Promise.all(slots.map((slot) => slot.ready));
  } catch (error) {
    await close();
    throw error;
  }
  return Object.freeze({
    name: 'kernel-workers',
    threads,
    open(publicKeys: readonly Uint8Array[]): KeyRing {
      requireOpen(state);
      return new PooledRing(state, publicKeys);
    },
    close,
  });
}
