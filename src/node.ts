/** `ton-finality/node`: engines that need more than plain JavaScript, and checkpoints in files. Node, Bun, Deno. */
export {
  type KeepCheckpointOptions,
  keepCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from './app/files/checkpoint-file.ts';
export { opensslEngine } from './core/ed25519/openssl.ts';
export { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './core/ed25519/workers.ts';
