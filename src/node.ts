/** `ton-finality/node`: engines that need more than plain JavaScript. Node, Bun, Deno. */
export { opensslEngine } from './core/ed25519/openssl.ts';
export { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './core/ed25519/workers.ts';
