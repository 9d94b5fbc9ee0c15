import { describe, expect, it, vi } from 'vitest';
import { EngineError } from '../../../src/core/base/errors.ts';
import { createAdaptiveEngine } from '../../../src/core/ed25519/adaptive.ts';
import { chooseEngine } from '../../../src/core/ed25519/choose.ts';
import { type KernelOptions, type KernelStart, startKernelEngine } from '../../../src/core/ed25519/kernel.ts';
import { kernelBytesSync } from '../../../src/core/ed25519/kernel-module.ts';
import { opensslEngine } from '../../../src/core/ed25519/openssl.ts';
import { createTablePace } from '../../../src/core/ed25519/table-pace.ts';
import { makeSigner } from '../../helpers/make-validators.ts';

const message = new TextEncoder().encode('one message');
const signers = Array.from({ length: 7 }, (_, n) => makeSigner(`adaptive ${n}`, 1n));
const publicKeys = signers.map((signer) => signer.publicKey);
const all = signers.map((_, n) => n);
const mixed = signers.map((signer, n) => (n % 3 === 0 ? signers[n + 1 - 2 * Math.sign(n)]! : signer).sign(message));
const expected = signers.map((_, n) => n % 3 !== 0);
/** A clock on which every look costs a millisecond. */
function steadily(): () => number {
  let now = 0;
  return () => now++;
}
/** Takes as many steps after one call as there are. */
const atOnce = () => createTablePace(() => 0);

describe('the choice of an engine', () => {
  it('is the kernel in Node, and it is not started for blocks without a repeated key', async () => {
    expect((await chooseEngine()).name).toBe('kernel');
    const start = vi.fn(startKernelEngine);
    const ring = createAdaptiveEngine(opensslEngine, {}, { start }).open(publicKeys);
    ring.verify(message, [0, 1, 2], mixed.slice(0, 3));
    ring.verify(message, [3, 4], mixed.slice(3, 5));
    expect(start).not.toHaveBeenCalled();
    ring.verify(message, [4], mixed.slice(4, 5));
    expect(start).toHaveBeenCalledOnce();
  });

  it('gives the same verdicts while it moves from OpenSSL to narrow and then to wide tables', () => {
    for (const pace of [createTablePace, atOnce]) {
      const ring = createAdaptiveEngine(opensslEngine, {}, { pace }).open(publicKeys);
      for (let block = 0; block < 400; block++) expect(ring.verify(message, all, mixed)).toEqual(expected);
      ring.close();
    }
  });

  it('starts the kernel in small steps, at least one after each block that repeats a key, and finishes without a clock', () => {
    const steps: number[] = [];
    let taken = 0;
    let isThere = false;
    function* counted(...parts: Parameters<typeof startKernelEngine>): KernelStart {
      for (const start = startKernelEngine(...parts); ; yield) {
        taken++;
        const step = start.next();
        isThere = step.done === true;
        if (step.done) return step.value;
      }
    }
    // A clock that jumps an hour at every look: whatever is measured took longer than anything may take.
    let hours = 0;
    const pace = () => createTablePace(() => 3_600_000 * 2 ** hours++);
    const ring = createAdaptiveEngine(opensslEngine, {}, { start: counted, pace }).open(publicKeys);
    for (let block = 0; !isThere && block < 500; block++) {
      const before = taken;
      expect(ring.verify(message, all, mixed)).toEqual(expected);
      steps.push(taken - before);
    }
    expect(steps[0]).toBe(0);
    expect(steps.slice(1).every((count) => count === 1)).toBe(true);
    expect(steps.length).toBeGreaterThan(40);
    ring.close();
  });

  it('starts the kernel once for several rings, and goes on where the ring that began is closed', () => {
    const start = vi.fn(startKernelEngine);
    const engine = createAdaptiveEngine(opensslEngine, {}, { start, pace: () => createTablePace(steadily()) });
    const rings = [engine.open(publicKeys), engine.open(publicKeys), engine.open(publicKeys)];
    for (const ring of rings) for (let block = 0; block < 3; block++) ring.verify(message, all, mixed);
    rings[0]!.close();
    for (let block = 0; block < 200; block++) {
      for (const ring of rings.slice(1)) expect(ring.verify(message, all, mixed)).toEqual(expected);
    }
    expect(start).toHaveBeenCalledOnce();
    for (const ring of rings) ring.close();
  });

  it('stays with OpenSSL, by name too, when the kernel is damaged', () => {
    const damaged = kernelBytesSync().slice(0, 5000);
    const start = (options?: KernelOptions) => startKernelEngine(options, damaged);
    const engine = createAdaptiveEngine(opensslEngine, {}, { start, pace: atOnce });
    const ring = engine.open(publicKeys);
    for (let block = 0; block < 5; block++) expect(ring.verify(message, all, mixed)).toEqual(expected);
    expect(engine.name).toBe('openssl');
  });

  it('stays with OpenSSL when there is no memory for a ring', () => {
    function* start(...parts: Parameters<typeof startKernelEngine>): KernelStart {
      const open = (): never => {
        throw new EngineError('engine/out-of-memory', 'full');
      };
      return { ...(yield* startKernelEngine(...parts)), open };
    }
    const engine = createAdaptiveEngine(opensslEngine, {}, { start, pace: atOnce });
    const ring = engine.open(publicKeys);
    for (let block = 0; block < 5; block++) expect(ring.verify(message, all, mixed)).toEqual(expected);
    expect(engine.name).toBe('kernel');
  });

  it.each([1, 5])('does not take a closed ring, nor start the kernel for one, after %i blocks', (blocks) => {
    const start = vi.fn(startKernelEngine);
    const ring = createAdaptiveEngine(opensslEngine, {}, { start }).open(publicKeys);
    for (let block = 0; block < blocks; block++) ring.verify(message, all, mixed);
    const started = start.mock.calls.length;
    ring.close();
    ring.close();
    for (let block = 0; block < 3; block++)
      expect(() => ring.verify(message, all, mixed)).toThrow(expect.objectContaining({ code: 'usage/closed' }));
    expect(start).toHaveBeenCalledTimes(started);
    expect(started).toBe(blocks > 1 ? 1 : 0);
  });

  it('is the kernel where there is no crypto module, and the reference engine where there is no WebAssembly either', async () => {
    vi.resetModules();
    const crypto = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    const { chooseEngine: choose } = await import('../../../src/core/ed25519/choose.ts');
    expect((await choose()).name).toBe('kernel');
    vi.stubGlobal('WebAssembly', undefined);
    expect((await choose()).name).toBe('reference');
    vi.unstubAllGlobals();
    crypto.mockRestore();
  });
});
