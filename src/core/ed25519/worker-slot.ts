/**
 * The place of one worker in a pool. It hands requests to the worker, detects that the worker is gone or silent, and starts a
 * replacement. It knows operations and rings by number only. A thread that waits hears of no exit. The calling thread therefore waits a
 * short while, and does the work itself if no answer has come.
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
  /** Writes the data, when the area is free. */
  readonly fill?: (channel: Channel) => void;
  /** Reads the answer, once, before another request takes its place. */
  readonly take?: (channel: Channel) => void;
}

/** One worker and what became of it. */
interface Life {
  readonly worker: Thread;
  readonly channel: Channel;
  /** Rings that it has opened. */
  readonly rings: Set<number>;
  /** The number of the last request: an Int32, as in shared memory, which continues below zero after 2^31 requests. */
  request: number;
  /** The last request, until its answer is seen. */
  pending: Request | undefined;
  askedAtMs: number;
  /** Whether the worker was waited for once and gave no answer: no call waits for it again before it answers. */
  isLate: boolean;
}

/** Workers in a row that may be lost without having verified anything; one more would not do better. */
const MAX_LOSSES = 3;

function isDenied(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_ACCESS_DENIED';
}

/** A worker that says nothing for so long after its start never will: its file is another program. */
const START_LIMIT_MS = 30_000;

const IN_A_BUNDLE = 'in a bundle, build ton-finality/node/worker as a file of its own and pass its URL as workerUrl';

/** The runtime's message, on one line. */
function because(cause: unknown): string {
  return cause instanceof Error ? `: ${cause.message.split('\n', 1)[0]}` : '';
}

function notStarted(cause: unknown): EngineError {
  return isDenied(cause)
    ? new EngineError('engine/worker', 'this process may not start verification workers', {
        cause,
        hint: 'run Node with --allow-worker, or use createKernelEngine, which needs no threads',
      })
    : new EngineError('engine/worker', `a verification worker cannot be started${because(cause)}`, {
        cause,
        hint: IN_A_BUNDLE,
      });
}

export class WorkerSlot {
  /** Rejects when the first worker does not come up. */
  readonly ready: Promise<void>;
  readonly #spawn: Spawn;
  readonly #options: KernelOptions;
  readonly #timeoutMs: number;
  #life: Life | undefined;
  /** Workers lost since one verified something. */
  #losses = 0;
  #isClosed = false;

  /**
   * @param timeoutMs of silence after which a worker is given up and replaced
   * @throws EngineError `engine/worker` where no worker can be started
   */
  constructor(spawn: Spawn, options: KernelOptions, timeoutMs: number) {
    this.#spawn = spawn;
    this.#options = options;
    this.#timeoutMs = timeoutMs;
    const life = this.#start();
    this.#life = life;
    this.ready = new Promise((resolve, reject) => {
      //       The timer also keeps the process alive until the outcome is known: a worker alone does not.
      const limit = setTimeout(() => failed(`gave no sign of life in ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS);
      const failed = (reason: string, cause?: unknown): void => {
        clearTimeout(limit);
        reject(
          new EngineError('engine/worker', `a verification worker ${reason}${because(cause)}`, {
            cause,
            hint: IN_A_BUNDLE,
          }),
        );
      };
      life.worker.once('message', () => {
        clearTimeout(limit);
        resolve();
      });
      life.worker.once('error', (error) => failed('failed', error));
      life.worker.once('exit', () => failed('has exited'));
    });
    this.ready.catch(() => {}); // no call waits for it if the start of another worker has failed already
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

  /** Another worker for one that is gone. */
  #replace(life: Life): void {
    if (this.#life !== life) return;
    this.#life = undefined;
    void life.worker.terminate();
    if (this.#isClosed || ++this.#losses > MAX_LOSSES) return;
    try {
      this.#life = this.#start();
    } catch {
      // The place stays empty, and its part is done by the calling thread.
    }
  }

  /** Whether this place has a worker that has opened a ring, or is about to. */
  hasOpened(ring: number): boolean {
    const { rings, pending } = this.#life ?? {};
    return rings?.has(ring) === true || (pending?.operation === OPEN && pending.ring === ring);
  }

  /**
   * Hands over a request.
   * @param patienceMs how long the answer to the one before is waited for
   * @returns whether there is a worker that took it
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
   * Waits for the answer to a request, which its `take` then sees, and sees at once if the answer came before.
   * @param request the object that was posted: the memory of a different worker is never read as its answer
   */
  await(request: Request, patienceMs: number): void {
    const life = this.#life;
    if (life?.pending === request) this.#settle(life, patienceMs);
  }

  /** Whether nothing more comes of a request. Waits for nothing; an answer that is there is seen by its `take`. */
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

  /** Waits for the answer to the last request, if one is due. Whether the worker is free, and did what it was asked. */
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
