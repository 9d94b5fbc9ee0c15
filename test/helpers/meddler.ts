/** Another thread that writes to memory it shares with this one, as fast as it can, until it is told to stop. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { target, contents, stop } = workerData;
  const bytes = new Uint8Array(target);
  const flag = new Int32Array(stop);
  parentPort.postMessage('started');
  while (Atomics.load(flag, 0) === 0) for (const content of contents) {
    bytes.set(content);
    for (let n = 0; n < 200 && Atomics.load(flag, 0) === 0; n++);
  }
`;

/** Runs `work` while another thread goes on writing one of `contents` after the other to `shared`. */
export async function whileWritten(
  shared: Uint8Array,
  contents: readonly Uint8Array[],
  work: () => void,
): Promise<void> {
  const stop = new SharedArrayBuffer(4);
  const flag = new Int32Array(stop);
  const worker = new Worker(PROGRAM, { eval: true, workerData: { target: shared.buffer, contents, stop } });
  try {
    await once(worker, 'message');
    work();
  } finally {
    Atomics.store(flag, 0, 1);
    await worker.terminate();
  }
}
