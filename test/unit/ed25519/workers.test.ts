import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { channelOver, DONE, MAX_SHARED_KEYS, REQUEST, RING } from '../../../src/ed25519/worker-protocol.ts';
import { createWorkerPool, type InternalWorkerPoolOptions, type WorkerPool } from '../../../src/ed25519/workers.ts';
import { makeSigner } from '../../helpers/make-validators.ts';
import { ROOT } from '../../helpers/vectors.ts';

const message = new TextEncoder().encode('one message');
const signers = Array.from({ length: 9 }, (_, n) => makeSigner(`worker ${n}`, 1n));
const publicKeys = signers.map((signer) => signer.publicKey);
const all = signers.map((_, n) => n);
const mixed = signers.map((signer, n) => (n % 4 === 3 ? signers[0]! : signer).sign(message));
const expected = signers.map((_, n) => n % 4 !== 3);

const pools: WorkerPool[] = [];
let workers: Worker[] = [];

/** A pool whose workers run the built file, with a hold on them. */
async function openPool(options: InternalWorkerPoolOptions = {}): Promise<WorkerPool> {
  const file = pathToFileURL(`${ROOT}/build/src/ed25519/worker-thread.js`);
  const spawn: InternalWorkerPoolOptions['spawn'] = (workerOptions) => {
    const worker = new Worker(file, workerOptions);
    workers.push(worker);
    return worker;
  };
  const internal: InternalWorkerPoolOptions = { threads: 3, spawn, ...options };
  const pool = await createWorkerPool(internal);
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
  workers = [];
});

describe('a worker pool', () => {
  it('gives the verdicts of one thread, block after block, while tables grow in every thread', async () => {
    const ring = (await openPool()).open(publicKeys);
    for (let block = 0; block < 60; block++) expect(ring.verify(message, all, mixed)).toEqual(expected);
    expect(ring.verify(message, [], [])).toEqual([]);
    ring.close();
  });

  it('is false for wrong lengths, senseless indexes and keys that are none', async () => {
    const ring = (await openPool()).open([...publicKeys, new Uint8Array(31), new Uint8Array(32).fill(2)]);
    const verdicts = ring.verify(
      message,
      [9, 10, 11, -1, 0, 1],
      [mixed[0]!, mixed[0]!, mixed[0]!, mixed[0]!, mixed[0]!.slice(1)],
    );
    expect(verdicts).toEqual([false, false, false, false, false, false]);
  });

  it('keeps several rings apart and takes messages beyond its shared memory', async () => {
    const pool = await openPool({ threads: 2 });
    const one = pool.open(publicKeys);
    const two = pool.open([...publicKeys].reverse());
    expect(one.verify(message, all, mixed)).toEqual(expected);
    expect(two.verify(message, all, [...mixed].reverse())).toEqual([...expected].reverse());
    one.close();
    expect(() => one.verify(message, all, mixed)).toThrow(TypeError);
    const long = new Uint8Array(2 ** 20 + 1);
    expect(two.verify(long, [0, 1], [signers[8]!.sign(long), signers[8]!.sign(long)])).toEqual([true, false]);
    expect(two.verify(message, all, [...mixed].reverse())).toEqual([...expected].reverse());
  });

  it('needs no worker for one thread, and refuses senseless numbers of them', async () => {
    const pool = await openPool({ threads: 1 });
    expect(workers).toEqual([]);
    expect(pool.open(publicKeys).verify(message, all, mixed)).toEqual(expected);
    await expect(openPool({ threads: 0 })).rejects.toThrow(UsageError);
    await expect(openPool({ threads: 1.5 })).rejects.toThrow(UsageError);
  });

  it('turns a killed worker into an error of the call, not a hang, also when its exit was not heard of', async () => {
    const pool = await openPool({ timeoutMs: 300 });
    const ring = pool.open(publicKeys);
    expect(ring.verify(message, all, mixed)).toEqual(expected);
    const exited = workers[0]!.terminate();
    // This thread has not returned to its event loop: only the time limit can tell.
    const call = () => {
      for (let block = 0; block < 1000; block++) ring.verify(message, all, mixed);
    };
    expect(call).toThrow(expect.objectContaining({ code: 'engine/worker' }));
    await exited;
    expect(() => ring.verify(message, all, mixed)).toThrow(expect.objectContaining({ code: 'engine/worker' }));
  });

  it('fails at once when a worker has exited between calls', async () => {
    const pool = await openPool({ timeoutMs: 60_000 });
    const ring = pool.open(publicKeys);
    await workers[1]!.terminate();
    expect(() => ring.verify(message, all, mixed)).toThrow(expect.objectContaining({ code: 'engine/worker' }));
  });

  it('passes on an exception inside a worker, and goes on afterwards', async () => {
    const shared: SharedArrayBuffer[] = [];
    const file = pathToFileURL(`${ROOT}/build/src/ed25519/worker-thread.js`);
    const pool = await openPool({
      threads: 2,
      spawn: (options) => {
        shared.push(options.workerData.shared);
        return new Worker(file, options);
      },
    });
    const ring = pool.open(publicKeys);
    expect(ring.verify(message, all, mixed)).toEqual(expected);
    // Ask the worker for a ring it does not have.
    const { control } = channelOver(shared[0]!);
    const store = Atomics.store;
    const spy = vi.spyOn(Atomics, 'store').mockImplementation((...parts: unknown[]) => {
      control[RING] = 99;
      return Reflect.apply(store, Atomics, parts);
    });
    expect(() => ring.verify(message, all, mixed)).toThrow(expect.objectContaining({ code: 'engine/worker' }));
    spy.mockRestore();
    expect(ring.verify(message, all, mixed)).toEqual(expected);
  });

  it('fails to start, and leaves nothing behind, when a worker cannot run', async () => {
    const spawn = () => new Worker('throw new Error("no")', { eval: true });
    await expect(openPool({ spawn })).rejects.toThrow(expect.objectContaining({ code: 'engine/worker' }));
  });

  it('closes rings without an exception after the pool, and with a dead worker, going on with the others', async () => {
    const pool = await openPool({ timeoutMs: 300 });
    const [one, two] = [pool.open(publicKeys), pool.open(publicKeys)];
    const closed = vi.spyOn(Atomics, 'notify');
    await workers[0]!.terminate();
    one.close();
    expect(closed).toHaveBeenCalledTimes(1); // the worker that lives was asked
    closed.mockRestore();
    await pool.close();
    two.close();
    two.close();
    expect(() => two.verify(message, all, mixed)).toThrow(TypeError);
  });

  it('closes a ring without an exception when a worker died unheard, within its time', async () => {
    const pool = await openPool({ timeoutMs: 200 });
    const ring = pool.open(publicKeys);
    const exited = workers[0]!.terminate();
    ring.close();
    await exited;
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5' as never])(
    'refuses a time limit of %s',
    async (timeoutMs) => {
      await expect(openPool({ timeoutMs })).rejects.toThrow(UsageError);
    },
  );

  it('refuses a ring too large for its shared memory, and takes others afterwards', async () => {
    const pool = await openPool({ threads: 2 });
    const many = new Array<Uint8Array>(2 * (MAX_SHARED_KEYS + 1)).fill(publicKeys[0]!);
    expect(() => pool.open(many)).toThrow(expect.objectContaining({ code: 'engine/out-of-memory' }));
    expect(pool.open(publicKeys).verify(message, all, mixed)).toEqual(expected);
  });

  it('goes on when the request number passes the largest of 32 bits', async () => {
    const file = pathToFileURL(`${ROOT}/build/src/ed25519/worker-thread.js`);
    const pool = await openPool({
      threads: 2,
      timeoutMs: 1000,
      spawn: (options) => {
        channelOver(options.workerData.shared).control.fill(2 ** 31 - 3, REQUEST, DONE + 1);
        return new Worker(file, options);
      },
    });
    const ring = pool.open(publicKeys);
    for (let block = 0; block < 6; block++) expect(ring.verify(message, all, mixed)).toEqual(expected);
    ring.close();
  });

  it('does not answer after it is closed', async () => {
    const pool = await openPool();
    const ring = pool.open(publicKeys);
    await pool.close();
    expect(() => ring.verify(message, all, mixed)).toThrow(expect.objectContaining({ code: 'engine/worker' }));
  });
});
