import { describe, expect, it, vi } from 'vitest';
import { EngineError } from '../../../src/base/errors.ts';
import { createAdaptiveEngine } from '../../../src/ed25519/adaptive.ts';
import { chooseEngine } from '../../../src/ed25519/choose.ts';
import { createKernelEngineSync } from '../../../src/ed25519/kernel.ts';
import { kernelBytesSync } from '../../../src/ed25519/kernel-module.ts';
import { opensslEngine } from '../../../src/ed25519/openssl.ts';
import { makeSigner } from '../../helpers/make-validators.ts';

const message = new TextEncoder().encode('one message');
const signers = Array.from({ length: 7 }, (_, n) => makeSigner(`adaptive ${n}`, 1n));
const publicKeys = signers.map((signer) => signer.publicKey);
const all = signers.map((_, n) => n);
const mixed = signers.map((signer, n) => (n % 3 === 0 ? signers[n + 1 - 2 * Math.sign(n)]! : signer).sign(message));
const expected = signers.map((_, n) => n % 3 !== 0);

describe('the choice of an engine', () => {
  it('is the kernel in Node, and it is not started for blocks without a repeated key', async () => {
    expect((await chooseEngine()).name).toBe('kernel');
    const start = vi.fn(createKernelEngineSync);
    const ring = createAdaptiveEngine(opensslEngine, {}, start).open(publicKeys);
    ring.verify(message, [0, 1, 2], mixed.slice(0, 3));
    ring.verify(message, [3, 4], mixed.slice(3, 5));
    expect(start).not.toHaveBeenCalled();
    ring.verify(message, [4], mixed.slice(4, 5));
    expect(start).toHaveBeenCalledOnce();
  });

  it('gives the same verdicts while it moves from OpenSSL to narrow and then to wide tables', () => {
    const ring = createAdaptiveEngine(opensslEngine).open(publicKeys);
    for (let block = 0; block < 50; block++) expect(ring.verify(message, all, mixed)).toEqual(expected);
    ring.close();
  });

  it('stays with OpenSSL, by name too, when the kernel is damaged', () => {
    const damaged = kernelBytesSync().slice(0, 5000);
    const engine = createAdaptiveEngine(opensslEngine, {}, (options) => createKernelEngineSync(options, damaged));
    const ring = engine.open(publicKeys);
    for (let block = 0; block < 5; block++) expect(ring.verify(message, all, mixed)).toEqual(expected);
    expect(engine.name).toBe('openssl');
  });

  it('stays with OpenSSL when there is no memory for a ring', () => {
    const engine = createAdaptiveEngine(opensslEngine, {}, (options) => ({
      ...createKernelEngineSync(options),
      open: () => {
        throw new EngineError('engine/out-of-memory', 'full');
      },
    }));
    const ring = engine.open(publicKeys);
    for (let block = 0; block < 5; block++) expect(ring.verify(message, all, mixed)).toEqual(expected);
    expect(engine.name).toBe('kernel');
  });

  it.each([1, 5])('does not take a closed ring, nor start the kernel for one, after %i blocks', (blocks) => {
    const start = vi.fn(createKernelEngineSync);
    const ring = createAdaptiveEngine(opensslEngine, {}, start).open(publicKeys);
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
    const { chooseEngine: choose } = await import('../../../src/ed25519/choose.ts');
    expect((await choose()).name).toBe('kernel');
    vi.stubGlobal('WebAssembly', undefined);
    expect((await choose()).name).toBe('reference');
    vi.unstubAllGlobals();
    crypto.mockRestore();
  });
});
