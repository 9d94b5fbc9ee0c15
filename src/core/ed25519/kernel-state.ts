/**
 * The state that the rings of one kernel engine share: the heap, the buffers for jobs and messages, and the tables of
 * the base point. A later table of the base point is wider and replaces the earlier one.
 */
import { KernelHeap } from './kernel-heap.ts';
import type { CompiledKernel } from './kernel-module.ts';

/** Jobs of one call. As in `assembly/verify.ts`. */
export const MAX_JOBS = 256;
export const JOB_BYTES = 128;
const ROW_BYTES = 128 * 96;
/** Width of the base table for narrow key tables, which takes a few milliseconds to build. */
export const SMALL_BASE_WIDTH = 8;
/** Widths for use with wide key tables: 26.7, 14.9, 7.9 and 4.3 MB. */
export const WIDE_BASE_WIDTHS: readonly number[] = [15, 14, 13, 12];

export class KernelState {
  readonly heap: KernelHeap;
  readonly jobs: number;
  /** 1 to 128 times the base point, to check signatures of keys without tables. */
  readonly baseRow: number;
  #message = 0;
  #messageBytes = 0;
  #base: { readonly address: number; readonly width: number } | undefined;
  #growing: { readonly address: number; readonly width: number; step: number } | undefined;

  constructor(module: CompiledKernel) {
    this.heap = new KernelHeap(module);
    this.jobs = this.heap.allocate(MAX_JOBS * JOB_BYTES);
    this.baseRow = this.heap.allocate(ROW_BYTES);
    this.heap.run((kernel) => kernel.buildBaseRow(this.baseRow));
  }

  /** The base table in use; undefined before the first. */
  get base(): { readonly address: number; readonly width: number } | undefined {
    return this.#base;
  }

  /** Copies a message into the kernel and returns its address. @throws EngineError `engine/out-of-memory` */
  placeMessage(message: Uint8Array): number {
    if (message.length > this.#messageBytes) {
      const size = Math.max(1024, 2 * this.#messageBytes, message.length);
      const address = this.heap.allocate(size);
      if (this.#messageBytes > 0) this.heap.free(this.#message, this.#messageBytes);
      this.#message = address;
      this.#messageBytes = size;
    }
    this.heap.bytes.set(message, this.#message);
    return this.#message;
  }

  /**
   * Does at most `steps` steps towards a base table of at least `width`. Returns whether this table exists. @throws
   * EngineError
   */
  growBase(width: number, steps: number): boolean {
    if (this.#base !== undefined && this.#base.width >= width) return true;
    const { kernel } = this.heap;
    if (this.#growing !== undefined && this.#growing.width < width) {
      this.heap.free(this.#growing.address, kernel.baseTableBytes(this.#growing.width));
      this.#growing = undefined;
    }
    this.#growing ??= { address: this.heap.allocate(kernel.baseTableBytes(width)), width, step: 0 };
    const growing = this.#growing;
    for (let n = 0; n < steps; n++) {
      const isLast = this.heap.run(() => kernel.buildBaseStep(growing.address, growing.width, growing.step++)) !== 0;
      if (!isLast) continue;
      if (this.#base !== undefined) this.heap.free(this.#base.address, kernel.baseTableBytes(this.#base.width));
      this.#base = growing;
      this.#growing = undefined;
      return true;
    }
    return false;
  }
}
