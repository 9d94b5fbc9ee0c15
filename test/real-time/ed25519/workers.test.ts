import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EngineError, UsageError } from '../../../src/core/base/errors.ts';
import { createKernelEngineSync } from '../../../src/core/ed25519/kernel.ts';
import type { KernelKeyRing } from '../../../src/core/ed25519/kernel-ring.ts';
import { placeKeys } from '../../../src/core/ed25519/pooled-batch.ts';
import { PooledRing } from '../../../src/core/ed25519/pooled-ring.ts';
import { channelOver, DONE, MAX_SHARED_KEYS, REQUEST, RING } from '../../../src/core/ed25519/worker-protocol.ts';
import { type Spawn, WorkerSlot } from '../../../src/core/ed25519/worker-slot.ts';
import {
  createWorkerPool,
  forBusyCaller,
  type InternalWorkerPoolOptions,
  type WorkerPool,
} from '../../../src/core/ed25519/workers.ts';
import { seededRandom } from '../../helpers/edge-signatures.ts';
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
/** What each of them shares with this thread. */
let controls: Int32Array[] = [];

/** Starts the built file, with a hold on what runs it. */
const spawnBuilt: Spawn = (options) => {
  controls.push(channelOver(options.workerData.shared).control);
  const worker = new Worker(pathToFileURL(`${ROOT}/build/src/core/ed25519/worker-thread.js`), options);
  workers.push(worker);
  return worker;
};

/** A pool whose workers run the built file. */
async function openPool(options: InternalWorkerPoolOptions = {}): Promise<WorkerPool> {
  const internal: InternalWorkerPoolOptions = { threads: 3, spawn: spawnBuilt, ...options };
  const pool = await createWorkerPool(internal);
  pools.push(pool);
  return pool;
}

const block = { message, keyIndexes: all, signatures: mixed };

/** Waits, without letting go of the thread, until the worker has answered all that it was asked; a dead one ends the test. */
function untilAnswered(control: Int32Array): void {
  const end = performance.now() + 60_000;
  while (Atomics.load(control, DONE) !== Atomics.load(control, REQUEST)) {
    if (performance.now() > end) throw new Error('the worker has not answered for a minute');
  }
}

/** A ring for a busy thread over one worker. @param look is called before each share that this thread checks */
async function watchedRing(look: () => void) {
  const shared: SharedArrayBuffer[] = [];
  const spawn: Spawn = (options) => {
    shared.push(options.workerData.shared);
    return spawnBuilt(options);
  };
  const slot = new WorkerSlot(spawn, {}, 600_000);
  await slot.ready;
  const engine = createKernelEngineSync();
  const watched = {
    ...engine,
    open(keys: readonly Uint8Array[]): KernelKeyRing {
      const own = engine.open(keys);
      const verify: KernelKeyRing['verify'] = (...given) => {
        look();
        return own.verify(...given);
      };
      return { ...own, verify, close: () => own.close() };
    },
  };
  const ring = new PooledRing({ engine: watched, slots: [slot], isClosed: false, rings: 0 }, publicKeys, true);
  return { ring, control: channelOver(shared[0]!).control, stop: () => slot.stop() };
}

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
  workers = [];
  controls = [];
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
    expect(() => one.verify(message, all, mixed)).toThrow(expect.objectContaining({ code: 'usage/closed' }));
    const long = new Uint8Array(2 ** 20 + 1);
    expect(two.verify(long, [0, 1], [signers[8]!.sign(long), signers[8]!.sign(long)])).toEqual([true, false]);
    expect(two.verify(message, all, [...mixed].reverse())).toEqual([...expected].reverse());
  });

  it('gives the same verdicts for many blocks at once, in few requests, of any length and number', async () => {
    const ring = (await openPool()).open([...publicKeys, new Uint8Array(31)]);
    const long = new Uint8Array(2 ** 20 + 1); // beyond shared memory
    const large = new Uint8Array(600_000); // two of them are more than a request
    const blocks = [message, new Uint8Array(0), large, long, large, new Uint8Array([1, 2, 3]), message].map(
      (one, n) => ({
        message: one,
        keyIndexes: [...all, 9, 77],
        // Of three kinds of bad ones, a key that is none and an index that is none are the last.
        signatures: [...signers, signers[0]!, signers[0]!].map((signer, at) =>
          (at === n ? signers[8]! : signer).sign(one),
        ),
      }),
    );
    const alone = blocks.map((block) => ring.verify(block.message, block.keyIndexes, block.signatures));
    expect(alone).toEqual(blocks.map(({ keyIndexes }, n) => keyIndexes.map((_, at) => at < 9 && at !== n)));
    const many = Array.from({ length: 400 }, (_, n) => ({ message, keyIndexes: [n % 9], signatures: [mixed[n % 9]!] }));
    const posted = vi.spyOn(Atomics, 'notify');
    const none = { message, keyIndexes: [], signatures: [] };
    expect(ring.verifyMany!([...blocks, none, ...many])).toEqual([
      ...alone,
      [],
      ...many.map((_, n) => [expected[n % 9]!]),
    ]);
    expect(posted.mock.calls.length).toBeLessThan(10);
    posted.mockRestore();
    expect(ring.verifyMany!([])).toEqual([]);
    ring.close();
    expect(() => ring.verifyMany!(blocks)).toThrow(expect.objectContaining({ code: 'usage/closed' }));
  });

  it('gives a batch that was begun its own verdicts, whatever was asked of the pool before they were asked for', async () => {
    const pool = await openPool();
    const [ring, other] = [forBusyCaller(pool).open(publicKeys), pool.open([...publicKeys].reverse())];
    const blocks = Array.from({ length: 20 }, () => ({ message, keyIndexes: all, signatures: mixed }));
    const reversed = blocks.map((block) => ({ ...block, keyIndexes: [...all].reverse() }));
    const first = ring.beginMany!(blocks);
    const second = ring.beginMany!(reversed);
    expect(other.verify(message, [...all].reverse(), mixed)).toEqual(expected);
    const none = publicKeys.map((_, n) => n === 4); // each key is asked for the signature of another one, but the one in the middle
    expect(second()).toEqual(blocks.map(() => none));
    expect(first()).toEqual(blocks.map(() => expected));
    expect(first()).toEqual(blocks.map(() => expected));
    const last = ring.beginMany!(blocks);
    ring.close();
    expect(last()).toEqual(blocks.map(() => expected));
  });

  it('gives each batch its own verdicts in whatever order they are begun and asked for, with workers that come and go', async () => {
    const pool = await openPool({ timeoutMs: 600_000 });
    const rings = [forBusyCaller(pool).open(publicKeys), pool.open(publicKeys)];
    const next = seededRandom(2026);
    const random = (below: number) => Math.floor(next() * below);
    const open: { finish: () => boolean[][]; wanted: boolean[][] }[] = [];
    for (let turn = 0; turn < 120; turn++) {
      if (turn === 60) await Promise.all(workers.map((worker) => worker.terminate()));
      if (open.length === 0 || (open.length < 5 && random(3) > 0)) {
        const blocks = Array.from({ length: 1 + random(12) }, () => {
          const keyIndexes = all.map(() => random(all.length));
          return { message, keyIndexes, signatures: mixed };
        });
        const wanted = blocks.map(({ keyIndexes }) =>
          keyIndexes.map((key, at) => (at % 4 === 3 ? key === 0 : key === at)),
        );
        open.push({ finish: rings[random(2)]!.beginMany!(blocks), wanted });
      } else {
        const [one] = open.splice(random(open.length), 1);
        expect(one!.finish()).toEqual(one!.wanted);
      }
    }
    for (const ring of rings) ring.close();
    for (const { finish, wanted } of open) expect(finish()).toEqual(wanted);
  });

  it('asks a worker for the next batch before this thread is done with the one before, and checks no share twice', async () => {
    let checked = 0;
    const { ring, control, stop } = await watchedRing(() => {
      checked += 1;
    });
    const first = ring.beginMany(Array.from({ length: 7 }, () => block));
    untilAnswered(control);
    const asked = Atomics.load(control, REQUEST);
    const second = ring.beginMany([block, block]);
    expect([Atomics.load(control, REQUEST), checked]).toEqual([asked + 1, 0]);
    expect(second()).toEqual([expected, expected]);
    expect(checked).toBe(2);
    expect(first()).toEqual(Array.from({ length: 7 }, () => expected));
    expect(checked).toBe(9);
    await stop();
  });

  it('gives verdicts or what kept it from having them, never wrong ones, when this thread breaks off', async () => {
    let fault: EngineError | undefined;
    const { ring, stop } = await watchedRing(() => {
      if (fault !== undefined) throw fault;
    });
    const first = ring.beginMany(Array.from({ length: 7 }, () => block));
    const second = ring.beginMany([block]); // behind it, this thread may have left some of the first
    fault = new EngineError('engine/self-test', 'the kernel broke off');
    expect(() => ring.beginMany([block])()).toThrow(fault);
    for (const finish of [first, second, first]) {
      try {
        expect(finish().flat()).toEqual(finish === first ? Array.from({ length: 7 }, () => expected).flat() : expected);
      } catch (error) {
        expect(error).toBe(fault);
      }
    }
    fault = undefined;
    expect(ring.verifyMany([block])).toEqual([expected]);
    ring.close();
    await stop();
  });

  it('tells what kept a batch from its verdicts to whoever asks for these, and to nobody who begins another or closes', async () => {
    const faults: EngineError[] = [];
    const { ring, control, stop } = await watchedRing(() => {
      const fault = faults.pop();
      if (fault !== undefined) throw fault;
    });
    const begin = (): (() => boolean[][]) => {
      const finish = ring.beginMany([block]);
      untilAnswered(control); // so this thread's share is left when the next one begins
      return finish;
    };
    const [first, second] = [begin(), begin()];
    const [one, two] = [1, 2].map((n) => new EngineError('engine/out-of-memory', `the kernel memory is full, ${n}`));
    faults.push(one!);
    const third = begin();
    faults.push(two!);
    ring.close();
    expect(third()).toEqual([expected]);
    for (const finish of [first, first]) expect(finish).toThrow(one);
    for (const finish of [second, second]) expect(finish).toThrow(two);
    expect(() => ring.beginMany([block])).toThrow(expect.objectContaining({ code: 'usage/closed' }));
    await stop();
  });

  it('checks what it was given when a batch was begun, whatever is written over it afterwards', async () => {
    const ring = (await openPool()).open(publicKeys);
    const given = {
      message: Uint8Array.from(message),
      keyIndexes: [...all],
      signatures: mixed.map((signature) => Uint8Array.from(signature)),
    };
    const finish = ring.beginMany!([given]);
    given.message.fill(0);
    given.keyIndexes.reverse();
    for (const signature of given.signatures) signature.fill(0);
    expect(finish()).toEqual([expected]);
  });

  it('gives a batch that was begun its verdicts when a worker is killed before they are asked for', async () => {
    const ring = (await openPool({ timeoutMs: 600_000 })).open(publicKeys);
    const blocks = Array.from({ length: 20 }, () => ({ message, keyIndexes: all, signatures: mixed }));
    for (let turn = 0; turn < 3; turn++) {
      const finish = ring.beginMany!(blocks);
      if (turn === 1) await Promise.all(workers.map((worker) => worker.terminate()));
      expect(finish()).toEqual(blocks.map(() => expected));
    }
  });

  it('has no verdicts of a batch that could not be checked to its end, however often they are asked for', async () => {
    const pool = await openPool();
    const ring = pool.open(publicKeys);
    const finish = ring.beginMany!([{ message, keyIndexes: all, signatures: mixed }]);
    await pool.close();
    ring.close();
    for (let turn = 0; turn < 2; turn++) {
      expect(finish).toThrow(expect.objectContaining({ code: 'usage/closed' }));
    }
  });

  it('leaves a caller with other things to do fewer keys, and none beside enough workers', () => {
    const keys = Array.from({ length: 100 }, () => new Uint8Array(32));
    const ofThread = (workers: number, isBusy: boolean) => {
      const counts = new Array<number>(workers + 1).fill(0);
      for (const place of placeKeys(keys, workers, isBusy)) {
        expect(place!.index).toBe(counts[place!.thread]!++);
      }
      return counts;
    };
    expect(ofThread(1, false)).toEqual([50, 50]);
    expect(ofThread(1, true)).toEqual([40, 60]);
    expect(ofThread(2, true)).toEqual([20, 40, 40]);
    expect(ofThread(3, true)).toEqual([10, 30, 30, 30]);
    expect(ofThread(5, true)).toEqual([0, 20, 20, 20, 20, 20]);
    expect(ofThread(0, true)).toEqual([100]);
  });

  it('gives the right verdicts for many blocks while a worker is killed in flight', async () => {
    const ring = (await openPool({ timeoutMs: 600_000 })).open(publicKeys);
    const blocks = Array.from({ length: 40 }, () => ({ message, keyIndexes: all, signatures: mixed }));
    expect(ring.verifyMany!(blocks)).toEqual(blocks.map(() => expected));
    const killed = workers.map((worker) => worker.terminate());
    for (let turn = 0; turn < 3; turn++) expect(ring.verifyMany!(blocks)).toEqual(blocks.map(() => expected));
    await Promise.all(killed);
    expect(ring.verifyMany!(blocks)).toEqual(blocks.map(() => expected));
  });

  it('needs no worker for one thread, and refuses senseless numbers of them', async () => {
    const pool = await openPool({ threads: 1 });
    expect(workers).toEqual([]);
    expect(pool.open(publicKeys).verify(message, all, mixed)).toEqual(expected);
    await expect(openPool({ threads: 0 })).rejects.toThrow(UsageError);
    await expect(openPool({ threads: 1.5 })).rejects.toThrow(UsageError);
  });

  it('gives the right verdicts while a worker is killed in flight, long before its time is over', async () => {
    const pool = await openPool({ timeoutMs: 600_000 });
    const ring = pool.open(publicKeys);
    expect(ring.verify(message, all, mixed)).toEqual(expected);
    const killed = workers.map((worker) => worker.terminate());
    // This thread does not return to its event loop, so it hears of no exit: no call may wait for one.
    for (let block = 0; block < 50; block++) expect(ring.verify(message, all, mixed)).toEqual(expected);
    await Promise.all(killed);
    expect(ring.verify(message, all, mixed)).toEqual(expected);
  });

  it('puts another worker in the place of a dead one, which opens the rings and does its part again', async () => {
    const pool = await openPool({ timeoutMs: 600_000 });
    const [one, two] = [pool.open(publicKeys), pool.open([...publicKeys].reverse())];
    for (let turn = 0; turn < 5; turn++) {
      const before = [...workers.slice(-2)];
      await Promise.all(before.map((worker) => worker.terminate()));
      expect(workers).toHaveLength(2 + 2 * (turn + 1));
      const posted = vi.spyOn(Atomics, 'notify');
      expect(one.verify(message, all, mixed)).toEqual(expected);
      await Promise.all(workers.slice(-2).map((worker) => once(worker, 'message')));
      // Asks each of two workers to open the ring, and to verify only where the machine is not busy.
      expect(one.verify(message, all, mixed)).toEqual(expected);
      expect(posted.mock.calls.length).toBeGreaterThanOrEqual(2);
      controls.slice(-2).forEach(untilAnswered);
      const opened = posted.mock.calls.length;
      expect(one.verify(message, all, mixed)).toEqual(expected);
      expect(posted.mock.calls.length - opened).toBeGreaterThanOrEqual(2);
      posted.mockRestore();
      expect(two.verify(message, all, [...mixed].reverse())).toEqual([...expected].reverse());
    }
  });

  it('replaces a worker that is silent for its time, even when this thread never rests', async () => {
    const pool = await openPool({ threads: 2, timeoutMs: 50 });
    const ring = pool.open(publicKeys);
    expect(ring.verify(message, all, mixed)).toEqual(expected);
    const killed = workers[0]!.terminate();
    const end = performance.now() + 20_000;
    while (workers.length < 2 && performance.now() < end) {
      expect(ring.verify(message, all, mixed)).toEqual(expected);
    }
    expect(workers).toHaveLength(2);
    await killed;
    expect(ring.verify(message, all, mixed)).toEqual(expected);
  });

  it('goes on with fewer threads when no worker lives long enough to do anything', async () => {
    const file = pathToFileURL(`${ROOT}/build/src/core/ed25519/worker-thread.js`);
    const pool = await openPool({
      threads: 2,
      spawn: (options) => {
        const worker =
          workers.length === 0 ? new Worker(file, options) : new Worker('process.exit(1)', { ...options, eval: true });
        workers.push(worker);
        return worker;
      },
    });
    const ring = pool.open(publicKeys);
    await workers[0]!.terminate();
    for (let block = 0; block < 20; block++) {
      expect(ring.verify(message, all, mixed)).toEqual(expected);
      const last = workers.at(-1)!;
      if (last.threadId !== -1) await once(last, 'exit');
    }
    expect(workers.length).toBeLessThanOrEqual(5);
  });

  it('does the part of a worker that answers with an exception itself, and replaces it', async () => {
    const shared: SharedArrayBuffer[] = [];
    const file = pathToFileURL(`${ROOT}/build/src/core/ed25519/worker-thread.js`);
    const pool = await openPool({
      threads: 2,
      spawn: (options) => {
        shared.push(options.workerData.shared);
        const worker = new Worker(file, options);
        workers.push(worker);
        return worker;
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
    expect(ring.verify(message, all, mixed)).toEqual(expected);
    spy.mockRestore();
    expect(workers).toHaveLength(2);
    await once(workers[1]!, 'message');
    expect(ring.verify(message, all, mixed)).toEqual(expected);
  });

  it('fails to start, and leaves nothing behind, when a worker cannot run', async () => {
    const spawn = () => new Worker('throw new Error("no")', { eval: true });
    await expect(openPool({ spawn })).rejects.toThrow(
      expect.objectContaining({ code: 'engine/worker', message: expect.stringContaining('failed: no') }),
    );
  });

  it.each([
    ['a path', `${ROOT}/build/src/core/ed25519/worker-thread.js`],
    ['a file URL in text', pathToFileURL(`${ROOT}/build/src/core/ed25519/worker-thread.js`).href],
    ['a file URL', pathToFileURL(`${ROOT}/build/src/core/ed25519/worker-thread.js`)],
  ])('starts the program that workerUrl names: %s', async (_, workerUrl) => {
    const pool = await createWorkerPool({ threads: 2, workerUrl });
    pools.push(pool);
    expect(pool.open(publicKeys).verify(message, all, mixed)).toEqual(expected);
  });

  it('ends the start when the program never says anything', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const spawn = vi.fn(() => new Worker('setInterval(() => {}, 1000)', { eval: true }));
      const silent = expect(openPool({ spawn })).rejects.toThrow('gave no sign of life in 30 s');
      while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(30_000);
      await silent;
    } finally {
      vi.useRealTimers();
    }
  });

  it('says which file is missing, and what to do in a bundle', async () => {
    const missing = createWorkerPool({ threads: 2, workerUrl: `${ROOT}/build/no-such-worker.js` });
    await expect(missing).rejects.toThrow(
      expect.objectContaining({
        code: 'engine/worker',
        message: expect.stringContaining('no-such-worker.js'),
        hint: expect.stringContaining('workerUrl'),
      }),
    );
  });

  it.each([
    5,
    null,
    {},
    { href: 5 },
    { href: 'no URL' },
    { href: 'data:text/javascript,1' },
    'data:text/javascript,1',
    'http://127.0.0.1/worker.js',
    'file://%zz',
  ])('refuses a program at %j', async (workerUrl) => {
    await expect(createWorkerPool({ workerUrl: workerUrl as never })).rejects.toThrow(UsageError);
  });

  it('closes rings without an exception after the pool, and with a dead worker, going on with the others', async () => {
    const pool = await openPool();
    const [one, two] = [pool.open(publicKeys), pool.open(publicKeys)];
    const killed = workers[0]!.terminate();
    const closed = vi.spyOn(Atomics, 'notify');
    one.close();
    expect(closed).toHaveBeenCalled(); // the worker that lives was asked
    closed.mockRestore();
    await killed;
    await pool.close();
    two.close();
    two.close();
    expect(() => two.verify(message, all, mixed)).toThrow(expect.objectContaining({ code: 'usage/closed' }));
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5' as never])(
    'refuses a time limit of %s',
    async (timeoutMs) => {
      await expect(openPool({ timeoutMs })).rejects.toThrow(UsageError);
    },
  );

  it.each([{ thread: 2 }, { maxTableByte: 1 }, { variant: 'simd' }, { threads: undefined }, null])(
    'refuses options that nobody knows: %o',
    async (options) => {
      await expect(createWorkerPool(options as never)).rejects.toThrow(
        expect.objectContaining({ code: 'usage/bad-option' }),
      );
    },
  );

  it('refuses a ring too large for its shared memory, and takes others afterwards', async () => {
    const pool = await openPool({ threads: 2 });
    const many = new Array<Uint8Array>(2 * (MAX_SHARED_KEYS + 1)).fill(publicKeys[0]!);
    expect(() => pool.open(many)).toThrow(expect.objectContaining({ code: 'engine/out-of-memory' }));
    expect(pool.open(publicKeys).verify(message, all, mixed)).toEqual(expected);
  });

  it('goes on when the request number passes the largest of 32 bits', async () => {
    const file = pathToFileURL(`${ROOT}/build/src/core/ed25519/worker-thread.js`);
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

  it.each([1, 3])('refuses whatever is asked after it is closed, with %i threads', async (threads) => {
    const pool = await openPool({ threads });
    const ring = pool.open(publicKeys);
    expect(ring.verify(message, all, mixed)).toEqual(expected);
    await pool.close();
    const started = workers.length;
    expect(() => ring.verify(message, all, mixed)).toThrow(expect.objectContaining({ code: 'usage/closed' }));
    expect(() => pool.open(publicKeys)).toThrow(expect.objectContaining({ code: 'usage/closed' }));
    await pool.close();
    expect(workers).toHaveLength(started);
  });

  it('refuses wrong types with an error that names the argument', async () => {
    const ring = (await openPool({ threads: 2 })).open(publicKeys);
    expect(() => ring.verify('text' as never, all, mixed)).toThrow(UsageError);
    expect(() => ring.verify(message, ['0' as never], mixed)).toThrow(UsageError);
    expect(() => ring.verify(message, all, [7 as never])).toThrow(UsageError);
    for (const block of [undefined, null, 'text', message, []]) {
      expect(() => ring.verifyMany!([{ message, keyIndexes: [], signatures: [] }, block as never])).toThrow(
        expect.objectContaining({ code: 'usage/bad-option', path: 'blocks[1]' }),
      );
    }
  });

  it('refuses, and asks no worker for, blocks whose reading closes the ring or the pool', async () => {
    for (const what of ['ring', 'pool'] as const) {
      const pool = await openPool({ threads: 2 });
      const ring = pool.open(publicKeys);
      expect(ring.verify(message, all, mixed)).toEqual(expected);
      const closing = {
        get message() {
          if (what === 'ring') ring.close();
          else void pool.close();
          return message;
        },
        keyIndexes: [1], // of the other thread alone
        signatures: [mixed[1]!],
      };
      expect(() => ring.verifyMany!([closing])).toThrow(expect.objectContaining({ code: 'usage/closed' }));
    }
  });

  it('is an error of ours where Node’s permissions forbid threads, which says how to allow them', async () => {
    const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
    const program = `
      import { createWorkerPool } from ${JSON.stringify(pathToFileURL(`${ROOT}/build/src/node.js`).href)};
      await createWorkerPool({ threads: 2 }).then(
        () => console.log('started'),
        ({ name, code, message, hint }) => console.log(JSON.stringify({ name, code, message, hint })),
      );
    `;
    const run = promisify(execFile);
    const args = [flag, '--allow-fs-read=*', '--no-warnings', '--input-type=module', '--eval', program];
    const { stdout } = await run(process.execPath, args, { timeout: 120_000 });
    expect(JSON.parse(stdout)).toEqual({
      name: 'EngineError',
      code: 'engine/worker',
      message: 'this process may not start verification workers',
      hint: 'run Node with --allow-worker, or use createKernelEngine, which needs no threads',
    });
    const allowed = await run(process.execPath, ['--allow-worker', ...args], { timeout: 120_000 });
    expect(allowed.stdout).toBe('started\n');
  });
});
