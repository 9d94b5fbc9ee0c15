import { afterEach, describe, expect, it, vi } from 'vitest';
import { EngineError } from '../../../src/base/errors.ts';
import { fastestSyncEngine } from '../../../src/ed25519/choose.ts';
import { NATIVE_CASES, opensslEngine } from '../../../src/ed25519/openssl.ts';
import { referenceEngine } from '../../../src/ed25519/reference.ts';
import { selfTestCases } from '../../../src/ed25519/self-test.ts';
import { hasCanonicalY, isSmallOrder } from '../../../src/ed25519/small-order.ts';
import { makeSigner } from '../../helpers/make-validators.ts';

const message = new TextEncoder().encode('one message');
const signer = makeSigner('engine', 1n);
const other = makeSigner('other', 1n);
const good = signer.sign(message);

afterEach(() => vi.restoreAllMocks());

describe.each([referenceEngine, opensslEngine])('the $name engine', (engine) => {
  it('answers signature by signature, in the order asked', () => {
    const ring = engine.open([other.publicKey, signer.publicKey]);
    expect(ring.verify(message, [1, 0, 0], [good, good, other.sign(message)])).toEqual([true, false, true]);
    expect(ring.verify(message, [], [])).toEqual([]);
    ring.close();
  });

  it('is false, without throwing, for wrong lengths of key or signature and for a key that is no point', () => {
    const notAPoint = new Uint8Array(32).fill(2);
    const ring = engine.open([
      signer.publicKey.slice(1),
      new Uint8Array(33),
      new Uint8Array(),
      notAPoint,
      signer.publicKey,
    ]);
    expect(ring.verify(message, [0, 1, 2, 3], [good, good, good, good])).toEqual([false, false, false, false]);
    const lengths = [new Uint8Array(), good.slice(1), new Uint8Array([...good, 0])];
    expect(ring.verify(message, [4, 4, 4], lengths)).toEqual([false, false, false]);
  });

  it('is false for an index beyond the ring and for a missing signature', () => {
    const ring = engine.open([signer.publicKey]);
    expect(ring.verify(message, [1, -1, 0], [good, good])).toEqual([false, false, false]);
  });

  it('keeps its own copy of the keys', () => {
    const key = signer.publicKey.slice();
    const ring = engine.open([key]);
    key.fill(0);
    expect(ring.verify(message, [0], [good])).toEqual([true]);
  });
});

describe('the choice of a synchronous engine', () => {
  it('is OpenSSL in Node', () => {
    expect(fastestSyncEngine().name).toBe('openssl');
  });

  it('is the reference engine where there is no crypto module', async () => {
    vi.resetModules();
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    const { fastestSyncEngine: choose } = await import('../../../src/ed25519/choose.ts');
    expect(choose().name).toBe('reference');
  });

  it('is the reference engine where native answers are not the node’s', async () => {
    vi.resetModules();
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ createPublicKey: () => ({}), verify: () => true } as never);
    const { fastestSyncEngine: choose } = await import('../../../src/ed25519/choose.ts');
    const { opensslEngine: native } = await import('../../../src/ed25519/openssl.ts');
    expect(choose().name).toBe('reference');
    expect(() => native.open([])).toThrow(
      expect.objectContaining({ code: 'engine/self-test', name: EngineError.name }),
    );
  });
});

describe('the self-test of the OpenSSL engine', () => {
  it('has exactly the cases that the reference engine does not answer for it', () => {
    const native = selfTestCases().filter(
      ({ publicKey, signature }) =>
        hasCanonicalY(publicKey) && !isSmallOrder(publicKey) && !isSmallOrder(signature.subarray(0, 32)),
    );
    expect(NATIVE_CASES).toEqual(native.map(({ name }) => name));
    expect(selfTestCases(NATIVE_CASES)).toEqual(native);
  });
});
