/**
 * The kernel engine: WebAssembly with per-key tables. Same answers as every other engine, many times faster once keys
 * repeat. How it computes, and why every step is exact, stands in docs/kernel.md.
 */
import { requireOptions } from '../base/arguments.ts';
import { encodeHex } from '../base/bytes.ts';
import { EngineError, UsageError } from '../base/errors.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';
import { compileKernel, compileKernelSync, type KernelVariant, kernelBytes, kernelBytesSync } from './kernel-module.ts';
import { type KernelKeyRing, KernelRing, type TablePlan, type TableWidth } from './kernel-ring.ts';
import { baseWidthFor, KernelState, SMALL_BASE_WIDTH } from './kernel-state.ts';
import { copyKeys } from './ring-inputs.ts';
import { firstSelfTestFailure, type SelfTestCase, selfTestCases } from './self-test.ts';

export interface KernelOptions {
  /** Width of the tables; `'auto'`, the default, goes by use and budget, 0 builds none. */
  readonly tableWidth?: 'auto' | TableWidth;
  /** Bytes of tables one ring may hold, that of the base point included; too few for any give none. Default 32 MiB, and more for more than 100 keys. */
  readonly maxTableBytes?: number;
}

/** What tests and the other rooms of this folder may choose beside. */
export interface InternalKernelOptions extends KernelOptions {
  readonly variant?: KernelVariant;
  /** Checks the signatures of keys that have no table. */
  readonly withoutTable?: Ed25519Engine;
}

/** The kernel engine; its rings can be told to have all their tables at once. */
export interface KernelEngine extends Ed25519Engine {
  open(publicKeys: readonly Uint8Array[]): KernelKeyRing;
}

const NO_TABLES: TablePlan = { first: 0, final: 0, maxBytes: 0 };
const WIDTHS: readonly TableWidth[] = [8, 7, 6, 5, 4];
const DEFAULT_BYTES = 32 * 2 ** 20;
const DEFAULT_KEYS = 100;
const MOST_DEFAULT_BYTES = 128 * 2 ** 20;
/** An instance with more memory than this is dropped when its last ring closes; WebAssembly memory never shrinks. */
const KEPT_BYTES = 8 * 2 ** 20;

function defaultBudget(keys: number): number {
  return Math.min(MOST_DEFAULT_BYTES, Math.ceil(DEFAULT_BYTES * Math.max(1, keys / DEFAULT_KEYS)));
}

function planFor(keys: number, state: KernelState, options: KernelOptions): TablePlan {
  const { tableWidth = 'auto', maxTableBytes = defaultBudget(keys) } = options;
  const { kernel } = state.heap;
  if (tableWidth === 0) return NO_TABLES;
  /** What a base table leaves for keys; the narrow one that goes before stays until the wide one is there. */
  const left = (width: TableWidth): number => {
    const base = baseWidthFor(width);
    const before = tableWidth === 'auto' && base > SMALL_BASE_WIDTH ? kernel.baseTableBytes(SMALL_BASE_WIDTH) : 0;
    return maxTableBytes - kernel.baseTableBytes(base) - before;
  };
  // Where not even the narrowest tables fit for all keys, the first keys to repeat get one.
  const final =
    tableWidth === 'auto' ? (WIDTHS.find((width) => keys * kernel.tableBytes(width) <= left(width)) ?? 4) : tableWidth;
  // Tables are built in pairs: without room for one pair, the base table would be of no use.
  if (left(final) < Math.min(keys, 2) * kernel.tableBytes(final)) return NO_TABLES;
  return { first: tableWidth === 'auto' ? 4 : tableWidth, final, maxBytes: left(final) };
}

/** The names of `KernelOptions`. */
export const KERNEL_OPTIONS: readonly string[] = ['tableWidth', 'maxTableBytes'];
const INTERNAL_OPTIONS: readonly string[] = [...KERNEL_OPTIONS, 'variant', 'withoutTable'];

/** A copy of the options: they are looked at again with every ring. @throws UsageError `usage/bad-option` */
function checkOptions<Options extends KernelOptions>(given: Options, known: readonly string[]): Options {
  requireOptions(given, known);
  const options = Object.freeze({ ...given });
  const { tableWidth = 'auto', maxTableBytes = 0 } = options;
  if (tableWidth !== 'auto' && tableWidth !== 0 && !WIDTHS.includes(tableWidth)) {
    throw new UsageError('usage/bad-option', `tableWidth: got ${tableWidth}, wanted 'auto', 0, 4, 5, 6, 7 or 8`);
  }
  if (!Number.isSafeInteger(maxTableBytes) || maxTableBytes < 0) {
    throw new UsageError('usage/bad-option', `maxTableBytes: got ${maxTableBytes}, wanted a number of bytes`);
  }
  return options;
}

/** Opens the rings of one engine, all on one instance of the kernel. */
function engineOf(module: WebAssembly.Module, options: InternalKernelOptions): KernelEngine {
  let state = new KernelState(module);
  let rings = 0;

  function released(): void {
    rings--;
    if (rings > 0 || state.heap.isBroken || state.heap.kernel.memory.buffer.byteLength <= KEPT_BYTES) return;
    try {
      state = new KernelState(module);
    } catch (error) {
      // A runtime that instantiates only asynchronously: the old instance serves on, with its blocks free.
      if (!(error instanceof EngineError)) throw error;
    }
  }

  function open(publicKeys: readonly Uint8Array[], plan: KernelOptions, withoutTable?: KeyRing): KernelKeyRing {
    const ring = new KernelRing(state, publicKeys, planFor(publicKeys.length, state, plan), withoutTable, released);
    rings++;
    return ring;
  }

  // Both ways of checking, without tables and with them, answer the self-test before the engine exists.
  const cases = selfTestCases();
  const keys = new Map(cases.map(({ publicKey }) => [encodeHex(publicKey), publicKey]));
  const order = [...keys.keys()];
  const ring = open([...keys.values()], { tableWidth: 4 });
  const openTested = ([publicKey]: readonly Uint8Array[]): KeyRing => ({
    verify: (message, _, signatures) => ring.verify(message, [order.indexOf(encodeHex(publicKey!))], signatures),
    close() {},
  });
  let failure: SelfTestCase | undefined;
  try {
    failure = firstSelfTestFailure(openTested, cases);
    if (failure === undefined) {
      ring.buildTables();
      failure = firstSelfTestFailure(openTested, cases);
    }
    ring.close();
  } catch (cause) {
    throw new EngineError('engine/self-test', 'the kernel breaks on the self-test', { cause });
  }
  if (failure !== undefined) {
    throw new EngineError('engine/self-test', `the kernel answers case ${failure.name} otherwise than the node`);
  }
  return Object.freeze({
    name: 'kernel',
    open(publicKeys: readonly Uint8Array[]) {
      const keys = copyKeys(publicKeys);
      return open(keys, options, options.withoutTable?.open(keys));
    },
  });
}

/**
 * WebAssembly with per-key tables; self-tested when created. Tables are freed when a ring closes.
 * @throws EngineError `engine/no-wasm` where WebAssembly is missing or forbidden, `engine/self-test` if an answer is
 * wrong, `engine/out-of-memory`; UsageError `usage/bad-option`
 */
export async function createKernelEngine(options: KernelOptions = {}): Promise<KernelEngine> {
  const own = checkOptions(options, KERNEL_OPTIONS);
  return engineOf(await compileKernel(await kernelBytes()), own);
}

/** The same at once, for the runtimes that compile synchronously. @throws as `createKernelEngine` */
export function createKernelEngineSync(
  options: InternalKernelOptions = {},
  bytes = kernelBytesSync(options.variant),
): KernelEngine {
  const own = checkOptions(options, INTERNAL_OPTIONS);
  return engineOf(compileKernelSync(bytes), own);
}
