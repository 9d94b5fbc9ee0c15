/**
 * The kernel engine: WebAssembly with a table for each key. It gives the same answers as every other engine, many times
 * faster when keys repeat. docs/kernel.md explains the computation, and why every step is exact.
 */
import { describeValue } from '../base/arguments.ts';
import { encodeHex } from '../base/bytes.ts';
import { EngineError, UsageError } from '../base/errors.ts';
import { requireOptions } from '../base/options.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';
import {
  type CompiledKernel,
  compileKernel,
  compileKernelSync,
  type KernelVariant,
  kernelBytes,
  kernelBytesSync,
} from './kernel-module.ts';
import { type KernelKeyRing, KernelRing } from './kernel-ring.ts';
import { KernelState, SMALL_BASE_WIDTH, WIDE_BASE_WIDTHS } from './kernel-state.ts';
import type { TablePlan, TableWidth } from './kernel-tables.ts';
import { copyKeys } from './ring-inputs.ts';
import { firstSelfTestFailure, type SelfTestCase, selfTestCases } from './self-test.ts';
import { createTablePace, NO_PACE, type TablePace } from './table-pace.ts';

/** The memory that the kernel may spend on tables. */
export interface KernelOptions {
  /** Width of the tables. `'auto'`, the default, chooses by use and budget; 0 builds none. */
  readonly tableWidth?: 'auto' | TableWidth;
  /**
   * Bytes of tables that one ring may hold, with the table of the base point. A value too small for any table disables
   * tables. Default 32 MiB, and more for more than 100 keys.
   */
  readonly maxTableBytes?: number;
}

/** Options that only tests and other files of this folder choose. */
export interface InternalKernelOptions extends KernelOptions {
  readonly variant?: KernelVariant;
  /** Checks the signatures of keys that have no table. */
  readonly withoutTable?: Ed25519Engine;
  /** Limits how long a ring builds tables after a call. */
  readonly pace?: () => TablePace;
}

/** The kernel engine, whose rings can build all their tables in one call. */
export interface KernelEngine extends Ed25519Engine {
  open(publicKeys: readonly Uint8Array[]): KernelKeyRing;
}

const NO_TABLES: TablePlan = { first: 0, final: 0, base: 0, maxBytes: 0 };
const WIDTHS: readonly TableWidth[] = [8, 7, 6, 5, 4];
/** From this width on, keys are used so often, or cost so much, that a wide base table pays off. */
const WIDE_FROM_KEY_WIDTH = 6;
const DEFAULT_BYTES = 32 * 2 ** 20;
const DEFAULT_KEYS = 100;
const MOST_DEFAULT_BYTES = 128 * 2 ** 20;
/**
 * An instance with more memory than this is dropped when its last ring closes, since WebAssembly memory never shrinks.
 */
const KEPT_BYTES = 8 * 2 ** 20;

function defaultBudget(keys: number): number {
  return Math.min(MOST_DEFAULT_BYTES, Math.ceil(DEFAULT_BYTES * Math.max(1, keys / DEFAULT_KEYS)));
}

function planFor(keys: number, state: KernelState, options: KernelOptions): TablePlan {
  const { tableWidth = 'auto', maxTableBytes = defaultBudget(keys) } = options;
  const { kernel } = state.heap;
  if (tableWidth === 0) return NO_TABLES;
  const keyBytes = (width: TableWidth): number => keys * kernel.tableBytes(width);
  const narrowest = (width: TableWidth): number =>
    width >= WIDE_FROM_KEY_WIDTH ? WIDE_BASE_WIDTHS.at(-1)! : SMALL_BASE_WIDTH;
  /**
   * The budget that remains for keys after the base table. The small base table is kept until the wide one is built.
   */
  const left = (base: number): number => {
    const before = base > SMALL_BASE_WIDTH ? kernel.baseTableBytes(SMALL_BASE_WIDTH) : 0;
    return maxTableBytes - kernel.baseTableBytes(base) - before;
  };
  // If not even the narrowest tables fit for all keys, the first keys that repeat get one.
  const final =
    tableWidth === 'auto' ? (WIDTHS.find((width) => keyBytes(width) <= left(narrowest(width))) ?? 4) : tableWidth;
  // The rest goes to the base table, which all keys share, but not more than all keys have together.
  const base =
    WIDE_BASE_WIDTHS.find((wide) => kernel.baseTableBytes(wide) <= keyBytes(final) && keyBytes(final) <= left(wide)) ??
    narrowest(final);
  // Tables are built in pairs: without room for a pair, the base table would have no use.
  if (left(base) < Math.min(keys, 2) * kernel.tableBytes(final)) return NO_TABLES;
  return { first: tableWidth === 'auto' ? 4 : tableWidth, final, base, maxBytes: left(base) };
}

/** The names of `KernelOptions`. */
export const KERNEL_OPTIONS: readonly string[] = ['tableWidth', 'maxTableBytes'];
const INTERNAL_OPTIONS: readonly string[] = [...KERNEL_OPTIONS, 'variant', 'withoutTable', 'pace'];

/** Makes the error for an option with a value that cannot be used. */
export function unusable(name: string, got: unknown, wanted: string): UsageError {
  return new UsageError('usage/bad-option', `${name}: got ${describeValue(got)}, wanted ${wanted}`);
}

/** Copies the options, since every ring reads them again. @throws UsageError `usage/bad-option` */
function checkOptions<Options extends KernelOptions>(given: Options, known: readonly string[]): Options {
  const options = Object.freeze(requireOptions(given, known));
  const { tableWidth = 'auto', maxTableBytes = 0 } = options;
  if (tableWidth !== 'auto' && tableWidth !== 0 && !WIDTHS.includes(tableWidth)) {
    throw unusable('tableWidth', tableWidth, "'auto', 0, 4, 5, 6, 7 or 8");
  }
  if (!Number.isSafeInteger(maxTableBytes) || maxTableBytes < 0) {
    throw unusable('maxTableBytes', maxTableBytes, 'a number of bytes');
  }
  return options;
}

/** Steps that end with an engine. */
export type KernelStart = Generator<void, KernelEngine, void>;

function finish(start: KernelStart): KernelEngine {
  for (;;) {
    const step = start.next();
    if (step.done) return step.value;
  }
}

/** Opens the rings of one engine, all with one instance of the kernel. */
function* engineOf(module: CompiledKernel, options: InternalKernelOptions): KernelStart {
  let state = new KernelState(module);
  let rings = 0;
  yield;

  function released(): void {
    rings--;
    if (rings > 0 || state.heap.isBroken || state.heap.kernel.memory.buffer.byteLength <= KEPT_BYTES) return;
    try {
      state = new KernelState(module);
    } catch (error) {
      // A runtime that only instantiates asynchronously: the old instance continues, with its blocks free.
      if (!(error instanceof EngineError)) throw error;
    }
  }

  function open(
    publicKeys: readonly Uint8Array[],
    { withoutTable, pace = createTablePace, ...plan }: InternalKernelOptions,
  ): KernelRing {
    const first = withoutTable?.open(publicKeys);
    const ring = new KernelRing(state, publicKeys, planFor(publicKeys.length, state, plan), pace(), first, released);
    rings++;
    return ring;
  }

  yield* selfTest((publicKeys) => open(publicKeys, { tableWidth: 4, pace: () => NO_PACE }));
  return Object.freeze({
    name: 'kernel',
    open: (publicKeys: readonly Uint8Array[]) => open(copyKeys(publicKeys), options),
  });
}

/**
 * Requires both ways of checking, with and without tables, to pass the self-test before the engine exists. @throws
 * EngineError
 */
function* selfTest(open: (publicKeys: readonly Uint8Array[]) => KernelRing): Generator<void, void, void> {
  const cases = selfTestCases();
  const keys = new Map(cases.map(({ publicKey }) => [encodeHex(publicKey), publicKey]));
  const order = [...keys.keys()];
  let failure: SelfTestCase | undefined;
  try {
    const ring = open([...keys.values()]);
    yield;
    const openTested = ([publicKey]: readonly Uint8Array[]): KeyRing => ({
      verify: (message, _, signatures) => ring.verify(message, [order.indexOf(encodeHex(publicKey!))], signatures),
      close() {},
    });
    for (const withTables of [false, true]) {
      if (withTables) yield* ring.tableSteps();
      for (const testCase of cases) {
        failure ??= firstSelfTestFailure(openTested, [testCase]);
        yield;
      }
    }
    ring.close();
  } catch (cause) {
    throw new EngineError('engine/self-test', 'the kernel breaks on the self-test', { cause });
  }
  if (failure !== undefined) {
    throw new EngineError('engine/self-test', `the kernel answers case ${failure.name} unlike the node`);
  }
}

/**
 * Creates the WebAssembly engine, which keeps tables for each key, and runs its self-test. Tables are freed when a
 * ring closes.
 * @param options `tableWidth`, by default `'auto'`, chosen by use and budget; `maxTableBytes` of one ring, by default 32 MiB, and
 * more for more than 100 keys
 * @returns the engine
 * @throws EngineError `engine/no-wasm` where WebAssembly is missing or forbidden, `engine/self-test` if an answer is
 * wrong, `engine/out-of-memory`; UsageError `usage/bad-option`
 * @example
 * ```ts
 * import { createKernelEngine, parseSignatureList, parseValidatorSet, verifyBlock } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * const signatures = parseSignatureList(simplexSample.signatures);
 * const validators = parseValidatorSet(simplexSample.validators);
 * const engine = await createKernelEngine();
 * console.log(verifyBlock(signatures, validators, { engine }).verdict.status); // final
 * ```
 */
export async function createKernelEngine(options: KernelOptions = {}): Promise<KernelEngine> {
  const own = checkOptions(options, KERNEL_OPTIONS);
  return finish(engineOf(await compileKernel(await kernelBytes()), own));
}

/** Creates a kernel engine. @returns the fallback where the kernel cannot run */
export async function createKernelEngineOr(
  fallback: () => Ed25519Engine,
  options?: KernelOptions,
): Promise<Ed25519Engine> {
  try {
    return await createKernelEngine(options);
  } catch (error) {
    if (error instanceof EngineError) return fallback();
    throw error;
  }
}

/**
 * Starts a kernel engine in steps of about a millisecond, for runtimes that compile synchronously: call `next` until it
 * is done. In Node the first step, which loads the inflater, takes 2 to 5 ms.
 * @throws as `createKernelEngine`, from `next`
 */
export function* startKernelEngine(options: InternalKernelOptions = {}, bytes?: Uint8Array): KernelStart {
  const own = checkOptions(options, INTERNAL_OPTIONS);
  const code = bytes ?? kernelBytesSync(own.variant);
  yield;
  const module = compileKernelSync(code);
  yield;
  return yield* engineOf(module, own);
}

/** Creates a kernel engine synchronously. @throws as `createKernelEngine` */
export function createKernelEngineSync(options: InternalKernelOptions = {}, bytes?: Uint8Array): KernelEngine {
  return finish(startKernelEngine(options, bytes));
}
