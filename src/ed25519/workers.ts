/**
 * A pool of kernel workers behind the ordinary synchronous interface: a block's signatures are spread over cores, the
 * calling thread being one of them. Each key belongs to one thread, so tables exist once; requests and verdicts go through
 * shared memory and `Atomics`. For Node (node:worker_threads); docs/kernel.md shows the same with Web Workers.
 */
import { availableParallelism } from 'node:os';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { EngineError, UsageError } from '../base/errors.ts';
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '../base/limits.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';
import { createKernelEngine, createKernelEngineSync, type KernelEngine, type KernelOptions } from './kernel.ts';
import {
  type Channel,
  CLOSE,
  COUNT,
  channelOver,
  DONE,
  MAX_SHARED_KEYS,
  MAX_SHARED_MESSAGE,
  MAX_SHARED_SIGNATURES,
  MESSAGE_BYTES,
  OK,
  OPEN,
  OPERATION,
  REQUEST,
  RING,
  SHARED_BYTES,
  SPINS,
  STATUS,
  STOP,
  VERIFY,
  verifyLayout,
} from './worker-protocol.ts';

export interface WorkerPoolOptions extends KernelOptions {
  /** Threads that verify, the calling one included. Default: as many as the machine runs at once. */
  readonly threads?: number;
  /** How long a worker may take for one request before the call fails. Default 10 000. */
  readonly timeoutMs?: number;
  /** Bytes of tables a ring may hold in all threads together; by default each thread has the default of `createKernelEngine`. */
  readonly maxTableBytes?: number;
}

/** What tests may choose beside. */
export interface InternalWorkerPoolOptions extends WorkerPoolOptions {
  readonly spawn?: (options: WorkerOptions) => Worker;
}

/** An engine whose rings use several cores. Close it when done; it does not keep the process alive. */
export interface WorkerPool extends Ed25519Engine {
  readonly threads: number;
  /** Stops the workers. Rings of the pool are not for use afterwards. */
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_THREADS = 256;

/** One worker, its channel, and what became of it. */
class WorkerHandle {
  readonly worker: Worker;
  readonly ready: Promise<void>;
  readonly #channel: Channel;
  readonly #timeoutMs: number;
  /** An Int32, as in shared memory: it goes on below zero after 2^31 requests. */
  #request: number;
  #failure: EngineError | undefined;

  constructor(spawn: (options: WorkerOptions) => Worker, options: KernelOptions, timeoutMs: number) {
    const shared = new SharedArrayBuffer(SHARED_BYTES);
    this.#channel = channelOver(shared);
    this.#timeoutMs = timeoutMs;
    this.worker = spawn({ workerData: { shared, options } });
    this.#request = Atomics.load(this.#channel.control, DONE);
    this.worker.unref();
    this.ready = new Promise((resolve, reject) => {
      const failed = (reason: string, cause?: unknown): void => {
        this.#failure ??= new EngineError('engine/worker', `a verification worker ${reason}`, { cause });
        reject(this.#failure);
      };
      this.worker.once('message', () => resolve());
      this.worker.once('error', (error) => failed('failed', error));
      this.worker.once('exit', () => failed('has exited'));
    });
    // A failure after the start is thrown by the next call; nobody waits for this promise then.
    this.ready.catch(() => {});
  }

  /** Hands over a request whose data `fill` writes. @throws EngineError if the worker is gone */
  post(operation: number, ring: number, count: number, fill: (channel: Channel) => void): void {
    if (this.#failure !== undefined) throw this.#failure;
    const { control } = this.#channel;
    // After an error elsewhere in the call before, its answer may still be outstanding: the data area is not free yet.
    this.#wait();
    fill(this.#channel);
    control[OPERATION] = operation;
    control[RING] = ring;
    control[COUNT] = count;
    this.#raise();
  }

  #raise(): void {
    const { control } = this.#channel;
    this.#request = (this.#request + 1) | 0;
    Atomics.store(control, REQUEST, this.#request);
    Atomics.notify(control, REQUEST);
  }

  /**
   * Waits for the answer to the last request. While this thread waits it hears of no exit, so time is the judge: a dead
   * worker is an error, never a hang. @throws EngineError
   */
  #wait(): void {
    const { control } = this.#channel;
    for (let n = 0; n < SPINS && Atomics.load(control, DONE) !== this.#request; n++);
    for (let done = Atomics.load(control, DONE); done !== this.#request; done = Atomics.load(control, DONE)) {
      if (Atomics.wait(control, DONE, done, this.#timeoutMs) === 'timed-out') {
        this.#failure ??= new EngineError(
          'engine/worker',
          `a verification worker gave no answer in ${this.#timeoutMs} ms`,
        );
        throw this.#failure;
      }
    }
  }

  /** The answer to the last request. @throws EngineError */
  answer(): Channel {
    this.#wait();
    const { control, bytes } = this.#channel;
    if (control[STATUS] !== OK) {
      const text = new TextDecoder().decode(bytes.slice(0, control[COUNT]));
      throw new EngineError('engine/worker', `a verification worker failed: ${text}`);
    }
    return this.#channel;
  }

  async stop(): Promise<void> {
    this.#failure ??= new EngineError('engine/worker', 'the worker pool is closed');
    const { control } = this.#channel;
    control[OPERATION] = STOP;
    this.#raise();
    await this.worker.terminate();
  }
}

/** The part of a block that one thread checks: key indexes of that thread's ring, and positions in the block. */
interface Share {
  readonly keys: number[];
  readonly positions: number[];
}

class PooledRing implements KeyRing {
  readonly #id: number;
  readonly #handles: readonly WorkerHandle[];
  readonly #own: KeyRing;
  /** By key: the thread that has it and its index there; undefined for a key of a wrong length. Thread 0 is this one. */
  readonly #places: readonly ({ readonly thread: number; readonly index: number } | undefined)[];
  readonly #openWhole: () => KeyRing;
  #whole: KeyRing | undefined;
  #isClosed = false;

  constructor(id: number, engine: KernelEngine, handles: readonly WorkerHandle[], publicKeys: readonly Uint8Array[]) {
    this.#id = id;
    this.#handles = handles;
    const owned: Uint8Array[][] = [[], ...handles.map(() => [])];
    let next = 0;
    this.#places = publicKeys.map((publicKey) => {
      if (publicKey.length !== PUBLIC_KEY_BYTES) return undefined;
      const thread = next++ % owned.length;
      return { thread, index: owned[thread]!.push(publicKey.slice()) - 1 };
    });
    const most = Math.max(0, ...owned.slice(1).map((keys) => keys.length));
    if (most > MAX_SHARED_KEYS) {
      throw new EngineError(
        'engine/out-of-memory',
        `${most} keys for one worker do not fit into its shared memory, which takes ${MAX_SHARED_KEYS}`,
      );
    }
    handles.forEach((handle, n) => {
      const keys = owned[n + 1]!;
      handle.post(OPEN, id, keys.length, ({ bytes }) => {
        keys.forEach((key, at) => {
          bytes.set(key, PUBLIC_KEY_BYTES * at);
        });
      });
    });
    this.#own = engine.open(owned[0]!);
    for (const handle of handles) handle.answer();
    const copies = publicKeys.map((publicKey) => publicKey.slice());
    this.#openWhole = () => createKernelEngineSync({ tableWidth: 0 }).open(copies);
  }

  verify(message: Uint8Array, keyIndexes: readonly number[], signatures: readonly Uint8Array[]): boolean[] {
    if (this.#isClosed) throw new TypeError('this key ring is closed');
    if (message.length > MAX_SHARED_MESSAGE) {
      this.#whole ??= this.#openWhole();
      return this.#whole.verify(message, keyIndexes, signatures);
    }
    const verdicts = new Array<boolean>(keyIndexes.length).fill(false);
    for (let from = 0; from < keyIndexes.length; from += MAX_SHARED_SIGNATURES) {
      this.#verifyPart(message, keyIndexes, signatures, from, verdicts);
    }
    return verdicts;
  }

  #verifyPart(
    message: Uint8Array,
    keyIndexes: readonly number[],
    signatures: readonly Uint8Array[],
    from: number,
    verdicts: boolean[],
  ): void {
    const shares = Array.from({ length: this.#handles.length + 1 }, (): Share => ({ keys: [], positions: [] }));
    for (let n = from; n < Math.min(from + MAX_SHARED_SIGNATURES, keyIndexes.length); n++) {
      const place = this.#places[keyIndexes[n]!];
      if (place === undefined || signatures[n]?.length !== SIGNATURE_BYTES) continue;
      const share = shares[place.thread]!;
      share.keys.push(place.index);
      share.positions.push(n);
    }
    const asked = this.#handles.filter((_, n) => shares[n + 1]!.keys.length > 0);
    this.#handles.forEach((handle, n) => {
      const { keys, positions } = shares[n + 1]!;
      if (keys.length === 0) return;
      handle.post(VERIFY, this.#id, keys.length, ({ control, bytes, words }) => {
        const layout = verifyLayout(message.length, keys.length);
        control[MESSAGE_BYTES] = message.length;
        bytes.set(message);
        words.set(keys, layout.indexes / 4);
        positions.forEach((position, at) => {
          bytes.set(signatures[position]!, layout.signatures + SIGNATURE_BYTES * at);
        });
      });
    });
    const own = shares[0]!;
    const ownVerdicts = this.#own.verify(
      message,
      own.keys,
      own.positions.map((position) => signatures[position]!),
    );
    own.positions.forEach((position, at) => {
      verdicts[position] = ownVerdicts[at]!;
    });
    this.#handles.forEach((handle, n) => {
      if (!asked.includes(handle)) return;
      const { bytes } = handle.answer();
      shares[n + 1]!.positions.forEach((position, at) => {
        verdicts[position] = bytes[at] === 1;
      });
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#own.close();
    this.#whole?.close();
    for (const handle of this.#handles) {
      try {
        handle.post(CLOSE, this.#id, 0, () => {});
        handle.answer();
      } catch {
        // A worker that is gone holds no tables; the others are still to free theirs.
      }
    }
  }
}

const spawnWorker = (options: WorkerOptions): Worker =>
  new Worker(new URL('./worker-thread.js', import.meta.url), options);

/**
 * Starts workers and gives an engine over them, self-tested in every thread. A worker that fails makes the call an
 * `EngineError` and never hangs it.
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
  const handles = Array.from({ length: threads - 1 }, () => new WorkerHandle(spawn, perThread, timeoutMs));
  const close = async (): Promise<void> => {
    await Promise.allSettled(handles.map((handle) => handle.stop()));
  };
  try {
    await Promise.all(handles.map((handle) => handle.ready));
  } catch (error) {
    await close();
    throw error;
  }
  let rings = 0;
  return Object.freeze({
    name: 'kernel-workers',
    threads,
    open: (publicKeys: readonly Uint8Array[]): KeyRing => new PooledRing(++rings, engine, handles, publicKeys),
    close,
  });
}
