/**
 * One instance of the kernel and its memory: views that survive growth, and an allocator for the few sizes there are.
 * It knows nothing of keys or signatures. Not re-entrant, which JavaScript calls never are.
 */
import { EngineError } from '../base/errors.ts';
import { type CompiledKernel, instantiate } from './kernel-module.ts';

/** What `assembly/index.ts` exports. Addresses are byte offsets into `memory`. */
export interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  heapStart(): number;
  prepare(): void;
  decodeKeys(records: number, count: number): void;
  buildKeyTables(record0: number, record1: number, out0: number, out1: number, width: number): void;
  buildBaseRow(out: number): void;
  buildBaseStep(out: number, width: number, step: number): number;
  baseTableBytes(width: number): number;
  tableBytes(width: number): number;
  verifyJobs(
    jobs: number,
    count: number,
    message: number,
    length: number,
    width: number,
    base: number,
    baseWidth: number,
  ): void;
}

/** Called by the debug build only, when an assertion fails. */
const IMPORTS = {
  env: {
    abort(_message: number, _file: number, line: number): never {
      throw new RangeError(`kernel assertion failed, line ${line}`);
    },
  },
};
const PAGE_BYTES = 65_536;
/** Entries are packed from addresses of this multiple, so that each lies in two cache lines. */
const ALIGNMENT = 64;
/** The prefetch may read this far past the last entry. */
const GUARD_BYTES = 256;
/** Memory grows by at least this much: each growth may move it. */
const GROWTH_PAGES = 16;
/** A WebAssembly memory ends at 4 GiB. */
const MAX_BYTES = 2 ** 32;

export class KernelHeap {
  readonly kernel: KernelExports;
  #bytes = new Uint8Array(0);
  #words = new Uint32Array(0);
  #end: number;
  /** Freed blocks by size. */
  readonly #free = new Map<number, number[]>();
  #trap: EngineError | undefined;

  /**
   * Makes an instance. @throws EngineError `engine/no-wasm` if the module is not the kernel or cannot be instantiated
   */
  constructor(module: CompiledKernel) {
    try {
      // The module is compiled from our own source. A different module fails on the next lines or in the self-test.
      this.kernel = instantiate(module, IMPORTS) as KernelExports;
      this.kernel.prepare();
      this.#end = this.kernel.heapStart();
    } catch (cause) {
      throw new EngineError('engine/no-wasm', 'the kernel does not start', { cause });
    }
  }

  /** Whether a step has trapped. This instance then cannot compute any more. */
  get isBroken(): boolean {
    return this.#trap !== undefined;
  }

  /**
   * Runs a step of the kernel. A trap leaves the memory in an undefined state, so every later step on this instance
   * throws as well.
   * @throws EngineError `engine/self-test`
   */
  run<T>(step: (kernel: KernelExports) => T): T {
    if (this.#trap !== undefined) throw this.#trap;
    try {
      return step(this.kernel);
    } catch (cause) {
      this.#trap = new EngineError('engine/self-test', 'the kernel broke off; its instance is not used again', {
        cause,
      });
      throw this.#trap;
    }
  }

  /** All memory. Read it again after every `allocate`, because growing detaches it. */
  get bytes(): Uint8Array {
    if (this.#bytes.buffer !== this.kernel.memory.buffer) this.#bytes = new Uint8Array(this.kernel.memory.buffer);
    return this.#bytes;
  }

  /** All memory as 32-bit words. */
  get words(): Uint32Array {
    if (this.#words.buffer !== this.kernel.memory.buffer) this.#words = new Uint32Array(this.kernel.memory.buffer);
    return this.#words;
  }

  /** Allocates memory. @throws EngineError `engine/out-of-memory` */
  allocate(size: number): number {
    const rounded = Math.ceil(size / ALIGNMENT) * ALIGNMENT;
    const reused = this.#free.get(rounded)?.pop();
    if (reused !== undefined) return reused;
    const address = this.#end;
    const end = address + rounded;
    const missing = end + GUARD_BYTES - this.kernel.memory.buffer.byteLength;
    if (missing > 0) {
      if (end + GUARD_BYTES > MAX_BYTES) throw new EngineError('engine/out-of-memory', 'the kernel memory is full');
      const pages = Math.ceil(missing / PAGE_BYTES);
      try {
        this.kernel.memory.grow(Math.max(pages, GROWTH_PAGES));
      } catch (cause) {
        throw new EngineError('engine/out-of-memory', `the kernel memory cannot grow by ${pages} pages`, { cause });
      }
    }
    this.#end = end;
    return address;
  }

  free(address: number, size: number): void {
    const rounded = Math.ceil(size / ALIGNMENT) * ALIGNMENT;
    const list = this.#free.get(rounded);
    if (list === undefined) this.#free.set(rounded, [address]);
    else list.push(address);
  }
}
