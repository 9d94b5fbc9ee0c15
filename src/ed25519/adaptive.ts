/**
 * The engine for runtimes with OpenSSL: OpenSSL checks a ring's first block, so that nothing is compiled or prepared for a
 * set that is used once; when keys repeat, the kernel is started, and a key moves over to it as soon as it has its table.
 * Verdicts are the same at every moment. If the kernel cannot run here, OpenSSL simply goes on.
 */
import { EngineError, UsageError } from '../base/errors.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';
import { createKernelEngineSync, type KernelEngine, type KernelOptions } from './kernel.ts';
import { copyIndexes, copyKeys } from './ring-inputs.ts';

/**
 * @param first checks whatever has no table yet
 * @param startKernel for tests: how the kernel is made
 */
export function createAdaptiveEngine(
  first: Ed25519Engine,
  options: KernelOptions = {},
  startKernel: typeof createKernelEngineSync = createKernelEngineSync,
): Ed25519Engine {
  let kernel: KernelEngine | undefined;
  let hasFailed = false;

  /** A ring of the kernel, which is started once and only when it pays; undefined where it cannot run. */
  function openKernel(keys: readonly Uint8Array[]): KeyRing | undefined {
    if (hasFailed) return undefined;
    try {
      kernel ??= startKernel({ ...options, withoutTable: first });
      return kernel.open(keys);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      hasFailed = kernel === undefined; // a full memory is no reason not to try with the next ring
      return undefined;
    }
  }

  return Object.freeze({
    /** `kernel`, unless it was tried and could not run. */
    get name(): string {
      return hasFailed ? first.name : 'kernel';
    },
    open(publicKeys: readonly Uint8Array[]): KeyRing {
      const keys = copyKeys(publicKeys);
      /** Keys that signed something already; undefined once nothing depends on it. */
      let seen: Set<number> | undefined = new Set();
      let ring = first.open(keys);
      let isClosed = false;

      /** What the ring answers; where the kernel breaks off, what the first engine answers, now and from then on. */
      function answer(...block: Parameters<KeyRing['verify']>): boolean[] {
        try {
          return ring.verify(...block);
        } catch (error) {
          if (!(error instanceof EngineError) || seen !== undefined) throw error;
          hasFailed ||= error.code !== 'engine/out-of-memory';
          ring.close();
          ring = first.open(keys);
          return ring.verify(...block);
        }
      }

      return {
        verify(message, keyIndexes, signatures) {
          if (isClosed) throw new UsageError('usage/closed', 'this key ring is closed');
          const indexes = copyIndexes(keyIndexes);
          const verdicts = answer(message, indexes, signatures); // the ring asked copies the rest
          if (seen === undefined) return verdicts;
          const repeats = indexes.some((keyIndex) => seen?.has(keyIndex));
          for (const keyIndex of indexes) seen.add(keyIndex);
          if (!repeats) return verdicts;
          seen = undefined;
          const next = openKernel(keys);
          if (next !== undefined) {
            ring.close();
            ring = next;
          }
          return verdicts;
        },
        close() {
          if (isClosed) return;
          isClosed = true;
          ring.close();
        },
      };
    },
  });
}
