/** The worker's side of the pool: waits for requests in shared memory and answers them with its own kernel. */
import { parentPort, workerData } from 'node:worker_threads';
import { EngineError } from '../base/errors.ts';
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '../base/limits.ts';
import type { KeyRing } from './engine.ts';
import { createKernelEngineSync } from './kernel.ts';
import {
  CLOSE,
  COUNT,
  channelOver,
  DONE,
  FAILED,
  OK,
  OPEN,
  OPERATION,
  READY,
  REQUEST,
  RING,
  SPINS,
  STATUS,
  STOP,
  segmentAt,
  VERIFY,
} from './worker-protocol.ts';
import type { WorkerData } from './worker-slot.ts';

if (!(workerData?.shared instanceof SharedArrayBuffer)) {
  throw new EngineError('engine/worker', 'this is the program of verification workers, which createWorkerPool starts');
}
// `worker-slot.ts` starts this file and passes this data.
const { shared, options } = workerData as WorkerData;
const { control, bytes, words } = channelOver(shared);
const engine = createKernelEngineSync(options);
const rings = new Map<number, KeyRing>();

/** A byte for each signature, in order. */
function verifySegments(ring: KeyRing, segments: number): Uint8Array {
  const verdicts: boolean[] = [];
  for (let n = 0, at = 0; n < segments; n++) {
    const [messageBytes, count] = [words[at / 4]!, words[at / 4 + 1]!];
    const segment = segmentAt(at, messageBytes, count);
    const indexes = Array.from(words.subarray(segment.indexes / 4, segment.indexes / 4 + count));
    const signatures = indexes.map((_, index) => {
      const from = segment.signatures + SIGNATURE_BYTES * index;
      return bytes.subarray(from, from + SIGNATURE_BYTES);
    });
    const message = bytes.subarray(segment.message, segment.message + messageBytes);
    for (const verdict of ring.verify(message, indexes, signatures)) verdicts.push(verdict);
    at = segment.end;
  }
  return Uint8Array.from(verdicts, Number);
}

function answer(operation: number): void {
  const id = control[RING]!;
  const count = control[COUNT]!;
  if (operation === OPEN) {
    const keys = Array.from({ length: count }, (_, n) => bytes.slice(PUBLIC_KEY_BYTES * n, PUBLIC_KEY_BYTES * (n + 1)));
    rings.set(id, engine.open(keys));
  } else if (operation === CLOSE) {
    rings.get(id)?.close();
    rings.delete(id);
  } else if (operation === VERIFY) {
    bytes.set(verifySegments(rings.get(id)!, count));
  } else {
    throw new TypeError(`unknown operation ${operation}`);
  }
}

function fail(error: unknown): void {
  const text = new TextEncoder().encode(String(error)).slice(0, 1000);
  bytes.set(text);
  control[COUNT] = text.length;
  control[STATUS] = FAILED;
}

Atomics.store(control, READY, 1);
parentPort?.postMessage('ready');
for (let last = Atomics.load(control, DONE), stopped = false; !stopped; ) {
  // Blocks mostly come one after the other: polling for a while is faster than sleeping.
  for (let n = 0; n < SPINS && Atomics.load(control, REQUEST) === last; n++);
  Atomics.wait(control, REQUEST, last);
  const request = Atomics.load(control, REQUEST);
  if (request === last) continue;
  last = request;
  const operation = control[OPERATION]!;
  stopped = operation === STOP;
  control[STATUS] = OK;
  try {
    if (!stopped) answer(operation);
  } catch (error) {
    fail(error); // the main thread does this part itself, and starts another worker
  }
  Atomics.store(control, DONE, request);
  Atomics.notify(control, DONE);
}
