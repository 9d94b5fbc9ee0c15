/**
 * A pool of kernel workers behind the ordinary synchronous interface: a block's signatures are spread over cores, the
 * calling thread being one of them. Each key belongs to one thread, so tables exist once; requests and verdicts go through
 * shared memory and `Atomics`. For Node (node:worker_threads); docs/kernel.md shows the same with Web Workers.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { badArgument, describeValue } from '../base/arguments.ts';
import { UsageError } from '../base/errors.ts';
import { requireOptions } from '../base/options.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';
import { createKernelEngine, KERNEL_OPTIONS, type KernelOptions } from './kernel.ts';
import { PooledRing, type PoolState, requireOpen } from './pooled-ring.ts';
import { type Spawn, WorkerSlot } from './worker-slot.ts';

/** How many threads a pool has, how long it waits for one, and how much memory all of them may spend. */
export interface WorkerPoolOptions extends KernelOptions {
  /** Threads that verify, the calling one included. Default: as many as the machine runs at once. */
  readonly threads?: number;
  /** How long a worker may be silent before another one takes its place. No call waits that long. Default 10 000. */
  readonly timeoutMs?: number;
  /** Bytes of tables a ring may hold in all threads together; by default each thread has the default of `createKernelEngine`. */
  readonly maxTableBytes?: number;
  /**
   * Where the program of the workers is, a path or a file URL. For bundles: a bundler does not see that the pool starts a file of its
   * own, so build `ton-finality/node/worker` as a file next to yours and name it here. Default: the file of this package.
   */
  readonly workerUrl?: string | { readonly href: string };
}

/** Options that only tests choose. */
export interface InternalWorkerPoolOptions extends WorkerPoolOptions {
  readonly spawn?: Spawn;
}

/** An engine whose rings use several cores. Close it when done; it does not keep the process alive. */
export interface WorkerPool extends Ed25519Engine {
  readonly threads: number;
  /** Stops the workers. The pool and its rings refuse whatever is asked of them afterwards. */
  close(): Promise<void>;
}

/** The names of `WorkerPoolOptions`, and of what tests may choose. */
const POOL_OPTIONS: readonly string[] = [...KERNEL_OPTIONS, 'threads', 'timeoutMs', 'workerUrl', 'spawn'];
const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_THREADS = 256;

/** Without the flags of this process: one like --input-type is of its main program and stops a worker. */
const NO_FLAGS = { execArgv: [] };

// In these very words: webpack knows them, and builds the file.
const spawnWorker: Spawn = (options) =>
  new Worker(new URL('./worker-thread.js', import.meta.url), { ...options, ...NO_FLAGS });

/** One letter is a drive of Windows. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** @throws UsageError `bad-option` */
function spawnFrom(workerUrl: unknown): Spawn {
  if (workerUrl === undefined) return spawnWorker;
  const isUrl = typeof workerUrl === 'object' && workerUrl !== null && 'href' in workerUrl;
  const where = isUrl ? workerUrl.href : workerUrl;
  if (typeof where !== 'string') throw badArgument('workerUrl', 'a path or a file URL', workerUrl);
  const hasScheme = isUrl || SCHEME.test(where);
  // Text in a URL (data:) or a server's answer must not run as a program.
  if (hasScheme && !(URL.canParse(where) && new URL(where).protocol === 'file:')) {
    throw badArgument('workerUrl', 'a path or a file URL', workerUrl);
  }
  const file = hasScheme ? new URL(where) : where;
  return (options) => new Worker(file, { ...options, ...NO_FLAGS });
}

/**
 * Starts workers and returns an engine over them, self-tested in every thread. A worker that dies or falls silent costs no
 * verdict: its part of the block is checked by the calling thread, and another worker takes its place.
 * @throws EngineError `engine/no-wasm`, `engine/self-test`, `engine/worker`; UsageError `usage/bad-option`
 */
export async function createWorkerPool(options: WorkerPoolOptions = {}): Promise<WorkerPool> {
  const {
    threads = availableParallelism(),
    timeoutMs = DEFAULT_TIMEOUT_MS,
    workerUrl,
    spawn = spawnFrom(workerUrl),
    ...kernelOptions
  } = requireOptions(options, POOL_OPTIONS) as InternalWorkerPoolOptions; // a wider type of the same object; `spawn` is absent outside tests
  if (!Number.isInteger(threads) || threads < 1 || threads > MAX_THREADS) {
    throw new UsageError('usage/bad-option', `threads: got ${describeValue(threads)}, wanted 1 to ${MAX_THREADS}`);
  }
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) {
    throw new UsageError(
      'usage/bad-option',
      `timeoutMs: got ${describeValue(timeoutMs)}, wanted a number of milliseconds above 0`,
    );
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
  const open = (publicKeys: readonly Uint8Array[], isBusy: boolean): KeyRing => {
    requireOpen(state);
    return new PooledRing(state, publicKeys, isBusy);
  };
  const name = 'kernel-workers';
  const pool = Object.freeze({
    name,
    threads,
    open: (publicKeys) => open(publicKeys, false),
    close,
  } satisfies WorkerPool);
  forBusyCallers.set(
    pool,
    Object.freeze({ name, open: (publicKeys) => open(publicKeys, true) } satisfies Ed25519Engine),
  );
  return pool;
}

const forBusyCallers = new WeakMap<Ed25519Engine, Ed25519Engine>();

/**
 * Returns the same pool for a caller that works while workers check, and begins and ends with `beginMany`: the pool leaves less
 * of the checking to this caller. A different engine is returned as it is.
 */
export function forBusyCaller(engine: Ed25519Engine): Ed25519Engine {
  return forBusyCallers.get(engine) ?? engine;
}
