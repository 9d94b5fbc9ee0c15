/**
 * The engine for runtimes with OpenSSL. OpenSSL checks a ring's first blocks, so a set that is used once needs no compilation
 * and no preparation. When keys repeat, the kernel is started, a little after each block (`table-pace.ts`), and a key moves to the
 * kernel as soon as it has its table. Verdicts are the same at every moment. If the kernel cannot run here, OpenSSL continues.
 */
import { EngineError, UsageError } from '../base/errors.ts';
import { ownMembers } from '../base/present.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';
import { type KernelEngine, type KernelOptions, type KernelStart, startKernelEngine } from './kernel.ts';
import { copyIndexes, copyKeys } from './ring-inputs.ts';
import { createTablePace, type TablePace } from './table-pace.ts';

/** Parts that only tests choose. */
export interface AdaptiveParts {
  /** How the kernel is made. */
  readonly start?: typeof startKernelEngine;
  readonly pace?: () => TablePace;
}

/** Makes the engine. @param first checks with keys that have no table */
export function createAdaptiveEngine(
  first: Ed25519Engine,
  options: KernelOptions = {},
  { start: startKernel = startKernelEngine, pace: createRingPace = createTablePace }: AdaptiveParts = ownMembers({}),
): Ed25519Engine {
  let starting: KernelStart | undefined;
  let kernel: KernelEngine | undefined;
  let hasFailed = false;
  /** The ring and pace that the kernel's next ring takes over. */
  let opening: { readonly ring: KeyRing; readonly pace: TablePace } | undefined;
  const before: Ed25519Engine = { name: first.name, open: (keys) => opening?.ring ?? first.open(keys) };

  /** Takes a step towards the kernel, which is started once and only when it pays; whether there may be more to do. */
  function startOn(): boolean {
    if (kernel !== undefined || hasFailed) return false;
    try {
      const pace = (): TablePace => opening?.pace ?? createRingPace();
      starting ??= startKernel({ ...options, withoutTable: before, pace });
      const step = starting.next();
      if (step.done) kernel = step.value;
      return !step.done;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      hasFailed = true;
      return false;
    }
  }

  /** Opens a kernel ring over a ring of the first engine; closing one closes both. Returns undefined if there is no memory. */
  function openKernel(keys: readonly Uint8Array[], ring: KeyRing, pace: TablePace): KeyRing | undefined {
    opening = { ring, pace };
    try {
      return kernel?.open(keys);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return undefined; // the next ring may find memory again
    } finally {
      opening = undefined;
    }
  }

  return Object.freeze({
    /** `kernel`, unless it could not be started. */
    get name(): string {
      return hasFailed ? first.name : 'kernel';
    },
    open(publicKeys: readonly Uint8Array[]): KeyRing {
      const keys = copyKeys(publicKeys);
      /** Created for the second block: in a new Node process the first use of the clock takes a millisecond. */
      let pace: TablePace | undefined;
      /** Keys that have signed something; undefined when no longer needed. */
      let seen: Set<number> | undefined = new Set();
      let doRepeat = false;
      let ring = first.open(keys);
      let isClosed = false;

      /** Returns the answer of the kernel's ring. If the kernel fails, the first engine answers, now and later. */
      function answer(...block: Parameters<KeyRing['verify']>): boolean[] {
        try {
          return ring.verify(...block);
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          hasFailed ||= error.code !== 'engine/out-of-memory';
          ring.close();
          ring = first.open(keys);
          return ring.verify(...block);
        }
      }

      /** Continues building the kernel's ring while the block's pace allows it. */
      function moveOver(own: TablePace, start: number, keyIndexes: readonly number[], known: Set<number>): void {
        doRepeat ||= keyIndexes.some((keyIndex) => known.has(keyIndex));
        if (!doRepeat) return;
        own.work(start, keyIndexes.length, false, startOn);
        if (kernel === undefined && !hasFailed) return;
        seen = undefined;
        ring = (hasFailed ? undefined : openKernel(keys, ring, own)) ?? ring;
      }

      function requireOpen(): void {
        if (isClosed) throw new UsageError('usage/closed', 'this key ring is closed');
      }

      return {
        verify(message, keyIndexes, signatures) {
          requireOpen();
          if (seen !== undefined && seen.size > 0) pace ??= createRingPace();
          const start = seen === undefined ? undefined : pace?.now();
          const indexes = copyIndexes(keyIndexes);
          // The ring that gets the call copies the rest.
          const verdicts =
            seen === undefined ? answer(message, indexes, signatures) : ring.verify(message, indexes, signatures);
          requireOpen(); // arguments that are proxies run code of the caller
          const known = seen;
          if (known === undefined) return verdicts;
          if (pace === undefined || start === undefined) {
            seen = new Set(indexes);
            return verdicts;
          }
          pace.note(indexes.length, pace.now() - start);
          moveOver(pace, start, indexes, known);
          for (const index of indexes) known.add(index);
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
