/**
 * A pool of kernel workers behind the ordinary synchronous interface. It spreads the signatures of a block over several
 * cores, with the calling thread as one of them. Each key belongs to one thread, so each table exists once. Requests
 * and verdicts go through shared memory and `Atomics`. For Node (node:worker_threads); docs/kernel.md shows the same
 * with Web Workers.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { badArgument } from '../base/arguments.ts';
import { requireOptions } from '../base/options.ts';
import { registry } from '../base/registry.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';
import { createKernelEngine, KERNEL_OPTIONS, type KernelOptions, unusable } from './kernel.ts';
import { PooledRing, type PoolState, requireOpen } from './pooled-ring.ts';
import { type Spawn, WorkerSlot } from './worker-slot.ts';

/** How many threads a pool has, how long it waits for one, and how much memory all of them may spend. */
export interface WorkerPoolOptions extends KernelOptions {
  /** Threads that verify, the calling one included. Default: as many as the machine runs at once. */
  readonly threads?: number;
  /** Milliseconds after which a silent worker is replaced. No call waits that long. Default 10 000. */
  readonly timeoutMs?: number;
  /** Bytes of tables a ring may hold in all threads together; by default each thread has the default of `createKernelEngine`. */
  readonly maxTableBytes?: number;
  /**
   * The program of the workers, as a path or a file URL, for bundles. A bundler does not see that the pool starts a
   * separate file, so build `ton-finality/node/worker` as a file next to yours and name it here. Default: the file of
   * this package.
   */
  readonly workerUrl?: string | { readonly href: string };
}

/** Options that only tests choose. */
export interface InternalWorkerPoolOptions extends WorkerPoolOptions {
  readonly spawn?: Spawn;
}

/** An engine whose rings use several cores. Close it when you are done; the pool does not keep the process alive. */
export interface WorkerPool extends Ed25519Engine {
  readonly threads: number;
  /** Stops the workers. The pool and its rings cannot be used afterwards. */
  close(): Promise<void>;
}

/** The names of `WorkerPoolOptions`, and of options that only tests use. */
const POOL_OPTIONS: readonly string[] = [...KERNEL_OPTIONS, 'threads', 'timeoutMs', 'workerUrl', 'spawn'];
const START_TIMEOUT_MS = 10_000;
const MAX_THREADS = 256;

/**
 * Workers get no flags of this process: a flag such as --input-type is meant for its main program and would stop a worker.
 */
const NO_FLAGS = { execArgv: [] };

// Keep this expression as it is: webpack recognizes it and builds the file.
const spawnWorker: Spawn = (options) =>
  new Worker(new URL('./worker-thread.js', import.meta.url), { ...options, ...NO_FLAGS });

/** A scheme with one letter is a drive of Windows. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** @throws UsageError `bad-option` */
function spawnFrom(workerUrl: unknown): Spawn {
  if (workerUrl === undefined) return spawnWorker;
  const isUrl = typeof workerUrl === 'object' && workerUrl !== null && 'href' in workerUrl;
  const where = isUrl ? workerUrl.href : workerUrl;
  if (typeof where !== 'string') throw badArgument('workerUrl', 'a path or a file URL', workerUrl);
  const hasScheme = isUrl || SCHEME.test(where);
  // Text in a URL (data:) or from a server must not run as a program.
  if (hasScheme && !(URL.canParse(where) && new URL(where).protocol === 'file:')) {
    throw badArgument('workerUrl', 'a path or a file URL', workerUrl);
  }
  const file = hasScheme ? new URL(where) : where;
  return (options) => new Worker(file, { ...options, ...NO_FLAGS });
}

/**
 * Starts workers and returns an engine that uses them, self-tested in every thread. A dead or silent worker does not
 * change a verdict: the calling thread checks its part of the block, and a new worker replaces it.
 * @param options `threads`, by default as many as the machine runs at once; `timeoutMs`, by default 10 000;
 * `tableWidth` and `maxTableBytes` as for `createKernelEngine`; `workerUrl` for bundles
 * @returns the pool; call `close` when you no longer need it
 * @throws EngineError `engine/no-wasm`, `engine/self-test`, `engine/worker`; UsageError `usage/bad-option`
 * @example
 * ```ts
 * import { parseSignatureList, parseValidatorSet, verifyBlock } from 'ton-finality';
 * import { createWorkerPool } from 'ton-finality/node';
 * import { simplexSample } from 'ton-finality/sample';
 * const pool = await createWorkerPool({ threads: 1 });
 * const signatures = parseSignatureList(simplexSample.signatures);
 * const { verdict } = verifyBlock(signatures, parseValidatorSet(simplexSample.validators), { engine: pool });
 * await pool.close();
 * console.log(verdict.status); // final
 * ```
 */
export async function createWorkerPool(options: WorkerPoolOptions = {}): Promise<WorkerPool> {
  const {
    threads = availableParallelism(),
    timeoutMs = START_TIMEOUT_MS,
    workerUrl,
    spawn = spawnFrom(workerUrl),
    ...kernelOptions
  } = requireOptions(options, POOL_OPTIONS) as InternalWorkerPoolOptions; // a wider type of the same object; `spawn` is absent outside tests
  if (!Number.isInteger(threads) || threads < 1 || threads > MAX_THREADS) {
    throw unusable('threads', threads, `1 to ${MAX_THREADS}`);
  }
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) {
    throw unusable('timeoutMs', timeoutMs, 'a number of milliseconds above 0');
  }
  const { maxTableBytes } = kernelOptions;
  // The budget applies to the whole ring; each thread has its part of the keys.
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
  const busy = Object.freeze({ name, open: (publicKeys) => open(publicKeys, true) } satisfies Ed25519Engine);
  return pools.make({ name, threads, open: (publicKeys) => open(publicKeys, false), close } satisfies WorkerPool, busy);
}

/** The pools that were made here, each with its engine for busy callers. */
const pools = registry<Ed25519Engine>();

/**
 * Returns the pool for a caller that does other work while workers check, with `beginMany`: the pool then leaves less
 * of the checking to this caller. A different engine is returned unchanged.
 */
export function forBusyCaller(engine: Ed25519Engine): Ed25519Engine {
  return pools.own(engine) ?? engine;
}
