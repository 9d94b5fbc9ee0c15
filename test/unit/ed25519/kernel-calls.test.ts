/** Calls of every size the kernel takes at once, and what becomes of an instance that traps. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EngineError } from '../../../src/core/base/errors.ts';
import { createAdaptiveEngine } from '../../../src/core/ed25519/adaptive.ts';
import { createKernelEngineSync } from '../../../src/core/ed25519/kernel.ts';
import { type KernelExports, KernelHeap } from '../../../src/core/ed25519/kernel-heap.ts';
import { KernelState } from '../../../src/core/ed25519/kernel-state.ts';
import { opensslEngine } from '../../../src/core/ed25519/openssl.ts';
import { createTablePace } from '../../../src/core/ed25519/table-pace.ts';
import { seededRandom } from '../../helpers/edge-signatures.ts';
import '../../helpers/relaxed-simd.ts';
import { makeSigner } from '../../helpers/make-validators.ts';
import { everyNth } from '../../helpers/share.ts';

const KEYS = 20;
const message = new TextEncoder().encode('one message');
const signers = Array.from({ length: KEYS }, (_, n) => makeSigner(`kernel call ${n}`, 1n));
const publicKeys = signers.map((signer) => signer.publicKey);
const good = signers.map((signer) => signer.sign(message));
const few = [0, 1, 2];
const fewGood = few.map((n) => good[n]!);

describe.each(['relaxed', 'simd', 'scalar'] as const)('the %s kernel', (variant) => {
  it.each([0, 4, 8] as const)('takes calls of any size and is whole after each, table width %i', (tableWidth) => {
    const random = seededRandom(tableWidth + 1);
    const engine = createKernelEngineSync({ variant, tableWidth });
    const [ring, second] = [engine.open(publicKeys), engine.open([...publicKeys].reverse())];
    ring.buildTables();
    second.buildTables();
    for (const count of everyNth([1, 127, 128, 129, 255, 256, 257, 300], 2, tableWidth / 4)) {
      const indexes = Array.from({ length: count }, (_, n) => n % KEYS);
      const bad = Math.floor(random() * count);
      const signatures = indexes.map((keyIndex, n) => good[n === bad ? (keyIndex + 1) % KEYS : keyIndex]!);
      expect(ring.verify(message, indexes, signatures)).toEqual(indexes.map((_, n) => n !== bad));
      expect(ring.verify(message, few, fewGood)).toEqual([true, true, true]);
      expect(second.verify(message, few, [good[KEYS - 1]!, good[KEYS - 2]!, good[0]!])).toEqual([true, true, false]);
    }
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the budget of a ring', () => {
  const BASE_8 = 393_216;
  const BASE_12 = 21 * 2048 * 96 + 2048 * 96;

  it.each([
    ['auto', 0],
    ['auto', 49_152],
    ['auto', BASE_8],
    ['auto', BASE_8 + 2 * 49_152 - 1],
    [8, 1_000_000],
    [6, BASE_12],
  ] as const)('builds no base table that it has no room for: width %s, %i bytes', (tableWidth, maxTableBytes) => {
    const engine = createKernelEngineSync({ tableWidth, maxTableBytes });
    const grow = vi.spyOn(KernelState.prototype, 'growBase');
    const allocate = vi.spyOn(KernelHeap.prototype, 'allocate');
    const ring = engine.open(publicKeys);
    for (let block = 0; block < 50; block++) expect(ring.verify(message, few, fewGood)).toEqual([true, true, true]);
    ring.buildTables();
    expect(grow).not.toHaveBeenCalled();
    expect(allocate.mock.calls.every(([size]) => size < 10_000)).toBe(true);
    expect(ring.tableBytes).toBe(0);
  });

  it('holds tables as soon as there is room for a pair', () => {
    const ring = createKernelEngineSync({ maxTableBytes: BASE_8 + 2 * 49_152 }).open(publicKeys);
    for (let block = 0; block < 100; block++) expect(ring.verify(message, few, fewGood)).toEqual([true, true, true]);
    expect(ring.tableBytes).toBe(2 * 49_152);
  });

  it.each([
    [100, 20 * 4096 * 96 + BASE_8, 13],
    [100, 2 ** 26, 15],
    [5, 2 ** 26, 12],
  ] as const)(
    'spends what keys leave on the base table, but no more than on the keys: %i keys, %i bytes',
    (count, bytes, width) => {
      const keys = Array.from({ length: count }, (_, n) => publicKeys[n % KEYS]!);
      const maxTableBytes = bytes === 2 ** 26 ? bytes : bytes + 100 * 227_328;
      const engine = createKernelEngineSync({ maxTableBytes, tableWidth: bytes === 2 ** 26 ? 8 : 7 });
      const ring = engine.open(keys);
      const grow = vi.spyOn(KernelState.prototype, 'growBase').mockReturnValue(true);
      vi.spyOn(KernelHeap.prototype, 'allocate').mockImplementation(() => {
        throw new EngineError('engine/out-of-memory', 'asked for enough');
      });
      expect(() => ring.buildTables()).toThrow(EngineError);
      expect(grow.mock.calls.at(-1)?.[0]).toBe(width);
    },
  );

  it('gives the first table of a pair back when there is no memory for the second', () => {
    const engine = createKernelEngineSync({ tableWidth: 8 });
    const ring = engine.open(publicKeys);
    const second = engine.open(publicKeys);
    second.buildTables();
    const { allocate, free } = KernelHeap.prototype;
    const held = new Set<number>();
    let left = 5;
    vi.spyOn(KernelHeap.prototype, 'allocate').mockImplementation(function counted(this: KernelHeap, size) {
      if (left-- === 0) throw new EngineError('engine/out-of-memory', 'full');
      const address = Reflect.apply(allocate, this, [size]);
      held.add(address);
      return address;
    });
    vi.spyOn(KernelHeap.prototype, 'free').mockImplementation(function counted(this: KernelHeap, address, size) {
      held.delete(address);
      Reflect.apply(free, this, [address, size]);
    });
    expect(() => ring.buildTables()).toThrow(EngineError);
    expect(ring.tableBytes).toBe(4 * 382_464);
    expect(held.size).toBe(4);
    expect(ring.verify(message, few, fewGood)).toEqual([true, true, true]);
    ring.close();
    expect(held.size).toBe(0);
  });
});

describe('a kernel that traps', () => {
  /** Lets kernels made from now on read outside their memory once `isArmed` says so. */
  function trapWhen(isArmed: () => boolean): void {
    const { Instance } = WebAssembly;
    vi.spyOn(WebAssembly, 'Instance').mockImplementation(function spied(
      module: WebAssembly.Module,
      imports?: WebAssembly.Imports,
    ) {
      const exports = new Instance(module, imports).exports as unknown as KernelExports;
      return {
        exports: {
          ...exports,
          verifyJobs: (jobs: number, ...rest: [number, number, number, number, number, number]) =>
            exports.verifyJobs(isArmed() ? -64 : jobs, ...rest),
        },
      };
    } as unknown as typeof Instance);
  }

  it('is an EngineError, then and in every ring and call of the instance from then on, but not elsewhere', () => {
    let isArmed = false;
    trapWhen(() => isArmed);
    const engine = createKernelEngineSync({ tableWidth: 4 });
    const [ring, second] = [engine.open(publicKeys), engine.open(publicKeys)];
    const other = createKernelEngineSync().open(publicKeys);
    expect(ring.verify(message, few, fewGood)).toEqual([true, true, true]);
    const error = expect.objectContaining({ name: 'EngineError', code: 'engine/self-test' });
    isArmed = true;
    expect(() => ring.verify(message, few, fewGood)).toThrow(error);
    isArmed = false;
    expect(() => ring.verify(message, few, fewGood)).toThrow(error);
    expect(() => second.verify(message, few, fewGood)).toThrow(error);
    expect(() => second.buildTables()).toThrow(error);
    expect(() => engine.open(publicKeys)).toThrow(error);
    ring.close();
    second.close();
    expect(() => engine.open(publicKeys)).toThrow(error);
    expect(other.verify(message, few, fewGood)).toEqual([true, true, true]);
  });

  it('leaves that very call, and all later ones, to OpenSSL in the adaptive engine', () => {
    let isArmed = false;
    trapWhen(() => isArmed);
    const engine = createAdaptiveEngine(opensslEngine, {}, { pace: () => createTablePace(() => 0) }); // all at once
    const rings = [engine.open(publicKeys), engine.open(publicKeys)];
    const mixed = [good[0]!, good[2]!, good[2]!];
    const check = () => {
      for (const ring of rings) expect(ring.verify(message, few, mixed)).toEqual([true, false, true]);
    };
    for (let block = 0; block < 5; block++) check();
    expect(engine.name).toBe('kernel');
    isArmed = true;
    check();
    expect(engine.name).toBe('openssl');
    isArmed = false;
    check();
    rings.push(engine.open(publicKeys));
    for (let block = 0; block < 5; block++) check();
    for (const ring of rings) ring.close();
  });
});
