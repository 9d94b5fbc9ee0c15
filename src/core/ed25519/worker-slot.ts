/**
 * One worker of a pool and its replacements. It passes requests to the worker, and detects that the worker died or is
 * silent. It knows operations and rings by number only. A blocked thread does not receive exit events. The calling
 * thread therefore waits a short while for an answer, and then does the work itself.
 */
import { EngineError } from '../base/errors.ts';
import type { KernelOptions } from './kernel.ts';
import {
  type Channel,
  CLOSE,
  COUNT,
  channelOver,
  DONE,
  OK,
  OPEN,
  OPERATION,
  READY,
  REQUEST,
  RING,
  SHARED_BYTES,
  SPINS,
  STATUS,
  STOP,
  VERIFY,
} from './worker-protocol.ts';

/** The part of a `Worker` of node:worker_threads that a slot uses. */
export interface Thread {
  on(event: 'error' | 'exit', listener: (value: unknown) => void): unknown;
  once(event: 'message' | 'error' | 'exit', listener: (value: unknown) => void): unknown;
  unref(): void;
  terminate(): Promise<unknown>;
}

/** The data that a worker starts with. */
export interface WorkerData {
  readonly shared: SharedArrayBuffer;
  readonly options: KernelOptions;
}

export type Spawn = (options: { readonly workerData: WorkerData }) => Thread;

/** A request to a worker. */
export interface Request {
  readonly operation: number;
  readonly ring: number;
  readonly count: number;
  /** Writes the data when the area is free. */
  readonly fill?: (channel: Channel) => void;
  /** Reads the answer, once, before another request overwrites it. */
  readonly take?: (channel: Channel) => void;
}

/** One worker and its state. */
interface Life {
  readonly worker: Thread;
  readonly channel: Channel;
  /** The rings that the worker has opened. */
  readonly rings: Set<number>;
  /**
   * The number of the last request: an Int32, as in shared memory, which wraps to negative numbers after 2^31 requests.
   */
  request: number;
  /** The last request, until its answer is seen. */
  pending: Request | undefined;
  askedAtMs: number;
  /** True if a call waited for the worker without an answer: no call waits again until the worker answers. */
  isLate: boolean;
}

/** After this number of workers in a row died without verifying anything, no more are started. */
const MAX_LOSSES = 3;

/** A worker that is silent for this long after its start runs a different program. */
const START_LIMIT_MS = 30_000;

const IN_A_BUNDLE = 'in a bundle, build ton-finality/node/worker as a file of its own and pass its URL as workerUrl';

/** The runtime's message, on one line. */
function because(cause: unknown): string {
  return cause instanceof Error ? `: ${cause.message.split('\n', 1)[0]}` : '';
}

/** Makes the error for a worker that does not run. @param what happened to it */
function workerError(what: string, cause: unknown): EngineError {
  const message = `a verification worker ${what}${because(cause)}`;
  return new EngineError('engine/worker', message, { cause, hint: IN_A_BUNDLE });
}

function notStarted(cause: unknown): EngineError {
  const isDenied = cause instanceof Error && 'code' in cause && cause.code === 'ERR_ACCESS_DENIED';
  if (!isDenied) return workerError('cannot be started', cause);
  const hint = 'run Node with --allow-worker, or use createKernelEngine, which needs no threads';
  return new EngineError('engine/worker', 'this process may not start verification workers', { cause, hint });
}

export class WorkerSlot {
  /** Rejects if the first worker does not start. */
  readonly ready: Promise<void>;
  readonly #spawn: Spawn;
  readonly #options: KernelOptions;
  readonly #timeoutMs: number;
  #life: Life | undefined;
  /** Number of workers lost since one verified something. */
  #losses = 0;
  #isClosed = false;

  /**
   * Opens the place of a worker.
   * @param timeoutMs silence after which a worker is replaced
   * @throws EngineError `engine/worker` if no worker can be started
   */
  constructor(spawn: Spawn, options: KernelOptions, timeoutMs: number) {
    this.#spawn = spawn;
    this.#options = options;
    this.#timeoutMs = timeoutMs;
    const life = this.#start();
    this.#life = life;
    this.ready = new Promise((resolve, reject) => {
      // The timer also keeps the process alive until the outcome is known; a worker does not.
      const limit = setTimeout(() => failed(`gave no sign of life in ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS);
      const failed = (what: string, cause?: unknown): void => {
        clearTimeout(limit);
        reject(workerError(what, cause));
      };
      life.worker.once('message', () => {
        clearTimeout(limit);
        resolve();
      });
      life.worker.once('error', (error) => failed('failed', error));
      life.worker.once('exit', () => failed('has exited'));
    });
    this.ready.catch(() => {}); // not awaited if the start of another worker has already failed
  }

  #start(): Life {
    try {
      const shared = new SharedArrayBuffer(SHARED_BYTES);
      const channel = channelOver(shared);
      const worker = this.#spawn({ workerData: { shared, options: this.#options } });
      const request = Atomics.load(channel.control, DONE);
      const life: Life = {
        worker,
        channel,
        rings: new Set(),
        request,
        pending: undefined,
        askedAtMs: 0,
        isLate: false,
      };
      worker.unref();
      worker.on('error', () => this.#replace(life));
      worker.on('exit', () => this.#replace(life));
      return life;
    } catch (cause) {
      throw notStarted(cause);
    }
  }

  /** Starts a worker in the place of a lost one. */
  #replace(life: Life): void {
    if (this.#life !== life) return;
    this.#life = undefined;
    void life.worker.terminate();
    if (this.#isClosed || ++this.#losses > MAX_LOSSES) return;
    try {
      this.#life = this.#start();
    } catch {
      // The place stays empty, and the calling thread does its part.
    }
  }

  /** Whether this place has a worker that has opened a ring, or will open it. */
  hasOpened(ring: number): boolean {
    const { rings, pending } = this.#life ?? {};
    return rings?.has(ring) === true || (pending?.operation === OPEN && pending.ring === ring);
  }

  /**
   * Passes a request to the worker.
   * @param patienceMs how long to wait for the answer to the previous request
   * @returns whether a worker accepted the request
   */
  post(request: Request, patienceMs: number): boolean {
    const life = this.#life;
    if (life === undefined || Atomics.load(life.channel.control, READY) === 0) return false;
    if (!this.#settle(life, life.isLate ? 0 : patienceMs)) return false;
    const { control } = life.channel;
    request.fill?.(life.channel);
    control[OPERATION] = request.operation;
    control[RING] = request.ring;
    control[COUNT] = request.count;
    life.pending = request;
    life.askedAtMs = performance.now();
    this.#raise(life);
    return true;
  }

  /**
   * Waits for the answer to a request and calls its `take`, at once if the answer is already there.
   * @param request the posted object; the memory of a different worker is never read as its answer
   */
  await(request: Request, patienceMs: number): void {
    const life = this.#life;
    if (life?.pending === request) this.#settle(life, patienceMs);
  }

  /** Whether no answer to a request can come any more. Does not wait; `take` is called for an answer that is there. */
  isOver(request: Request): boolean {
    const life = this.#life;
    if (life?.pending !== request) return true;
    if (Atomics.load(life.channel.control, DONE) !== life.request) return false;
    this.#settle(life, 0);
    return true;
  }

  #raise(life: Life): void {
    const { control } = life.channel;
    life.request = (life.request + 1) | 0;
    Atomics.store(control, REQUEST, life.request);
    Atomics.notify(control, REQUEST);
  }

  /** Waits for the answer to the last request, if one is open. Returns whether the worker is free and succeeded. */
  #settle(life: Life, patienceMs: number): boolean {
    const { pending } = life;
    if (pending === undefined) return true;
    const { control } = life.channel;
    if (!this.#wait(life, patienceMs)) {
      life.isLate = true;
      if (performance.now() - life.askedAtMs > this.#timeoutMs) this.#replace(life);
      return false;
    }
    life.pending = undefined;
    life.isLate = false;
    if (control[STATUS] !== OK) {
      this.#replace(life);
      return false;
    }
    pending.take?.(life.channel);
    if (pending.operation === OPEN) life.rings.add(pending.ring);
    if (pending.operation === CLOSE) life.rings.delete(pending.ring);
    if (pending.operation === VERIFY) this.#losses = 0;
    return true;
  }

  #wait(life: Life, patienceMs: number): boolean {
    const { control } = life.channel;
    const isDone = (): boolean => Atomics.load(control, DONE) === life.request;
    if (isDone() || patienceMs === 0) return isDone();
    for (let n = 0; n < SPINS; n++) if (isDone()) return true;
    const end = performance.now() + patienceMs;
    for (let done = Atomics.load(control, DONE); done !== life.request; done = Atomics.load(control, DONE)) {
      const left = end - performance.now();
      if (left <= 0 || Atomics.wait(control, DONE, done, left) === 'timed-out') return isDone();
    }
    return true;
  }

  async stop(): Promise<void> {
    this.#isClosed = true;
    const life = this.#life;
    if (life === undefined) return;
    this.#life = undefined;
    life.channel.control[OPERATION] = STOP;
    this.#raise(life);
    await life.worker.terminate();
  }
}
