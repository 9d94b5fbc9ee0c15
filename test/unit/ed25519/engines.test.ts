import { createPublicKey, verify as nativeVerify } from 'node:crypto';
import { hashes, Point, verify } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EngineError } from '../../../src/core/base/errors.ts';
import { fastestSyncEngine } from '../../../src/core/ed25519/choose.ts';
import { ACCEPTED_CASE, opensslEngine, REFUSED_CASE } from '../../../src/core/ed25519/openssl.ts';
import { GROUP_ORDER, numberFromLittleEndian, referenceEngine } from '../../../src/core/ed25519/reference.ts';
import { selfTestCase } from '../../../src/core/ed25519/self-test.ts';
import { hasCanonicalY, isSmallOrder } from '../../../src/core/ed25519/small-order.ts';
import { makeSigner } from '../../helpers/make-validators.ts';
import { fromHex, readEd25519Vectors } from '../../helpers/vectors.ts';

const message = new TextEncoder().encode('one message');
const signer = makeSigner('engine', 1n);
const other = makeSigner('other', 1n);
const good = signer.sign(message);

afterEach(() => vi.restoreAllMocks());

hashes.sha512 = sha512;
type OneVerify = (key: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

/** As libsodium: keys with a small-order part are refused. */
function strictVerify(signature: Uint8Array, m: Uint8Array, key: Uint8Array): boolean {
  return Point.fromBytes(key, true).isTorsionFree() && verify(signature, m, key, { zip215: false });
}

/** As libraries that forget S < L: S is reduced first. */
function verifyReduced(key: Uint8Array, m: Uint8Array, signature: Uint8Array): boolean {
  const s = numberFromLittleEndian(signature.slice(32)) % GROUP_ORDER;
  const reduced = Uint8Array.from({ length: 32 }, (_, at) => Number((s >> BigInt(8 * at)) & 255n));
  return referenceEngine.open([key]).verify(m, [0], [new Uint8Array([...signature.slice(0, 32), ...reduced])])[0]!;
}

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
    const { fastestSyncEngine: choose } = await import('../../../src/core/ed25519/choose.ts');
    expect(choose().name).toBe('reference');
  });

  it('is the reference engine where native answers are not the node’s', async () => {
    vi.resetModules();
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ createPublicKey: () => ({}), verify: () => true } as never);
    const { fastestSyncEngine: choose } = await import('../../../src/core/ed25519/choose.ts');
    const { opensslEngine: native } = await import('../../../src/core/ed25519/openssl.ts');
    expect(choose().name).toBe('reference');
    expect(() => native.open([])).toThrow(
      expect.objectContaining({ code: 'engine/self-test', name: EngineError.name }),
    );
  });
});

describe('the self-test of the OpenSSL engine', () => {
  it('is of cases that the reference engine does not answer for it', () => {
    for (const { publicKey, signature } of [REFUSED_CASE, ACCEPTED_CASE].map((name) => selfTestCase(name))) {
      expect(hasCanonicalY(publicKey) && !isSmallOrder(publicKey) && !isSmallOrder(signature)).toBe(true);
      expect(signature[63]).toBeLessThan(0x10);
    }
  });

  /** The engine over a library that answers otherwise. */
  async function over(verifyOne: OneVerify, importOne = (x: string): Uint8Array => Buffer.from(x, 'base64url')) {
    vi.resetModules();
    const fake = {
      createPublicKey: (input: { key: { x: string } }) => importOne(input.key.x),
      verify: (_: null, m: Uint8Array, key: Uint8Array, signature: Uint8Array) => verifyOne(key, m, signature),
    };
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(fake as never);
    return (await import('../../../src/core/ed25519/openssl.ts')).opensslEngine;
  }
  const refused = selfTestCase(REFUSED_CASE);
  const accepted = selfTestCase(ACCEPTED_CASE);

  it.each([
    ['accepts everything', () => true],
    ['multiplies by the cofactor', (key, m, signature) => verify(signature, m, key, { zip215: true })],
  ] satisfies [string, OneVerify][])('fails a library that %s', async (_, verifyOne) => {
    const engine = await over(verifyOne);
    expect(() => engine.open([])).toThrow(expect.objectContaining({ code: 'engine/self-test' }));
  });

  it('fails a library that imports no mixed-order key: its answer to the case would be that of the reference engine', async () => {
    const isValid: OneVerify = (key, m, signature) => referenceEngine.open([key]).verify(m, [0], [signature])[0]!;
    const engine = await over(isValid, (x) => {
      if (Buffer.from(x, 'base64url').equals(refused.publicKey)) throw new Error('not in the prime-order subgroup');
      return Buffer.from(x, 'base64url');
    });
    expect(() => engine.open([])).toThrow(expect.objectContaining({ code: 'engine/self-test' }));
  });

  it.each([
    ['accepts nothing', () => false],
    ['refuses mixed-order keys', (key, m, signature) => strictVerify(signature, m, key)],
    [
      'throws where it should accept',
      (key, m, signature) => {
        if (referenceEngine.open([key]).verify(m, [0], [signature])[0]) throw new Error('broken');
        return false;
      },
    ],
    [
      'says 1 for yes',
      (key, m, signature) =>
        (referenceEngine.open([key]).verify(m, [0], [signature])[0] ? 1 : false) as unknown as boolean, // as C does
    ],
  ] satisfies [string, OneVerify][])(
    'believes no refusal, and nothing but true and false, of a library that %s',
    async (_, verifyOne) => {
      const engine = await over(verifyOne);
      const ring = engine.open([accepted.publicKey, signer.publicKey]);
      expect(ring.verify(accepted.message, [0], [accepted.signature])).toEqual([true]);
      expect(ring.verify(refused.message, [0], [refused.signature])).toEqual([false]);
      expect(ring.verify(message, [1, 1], [good, other.sign(message)])).toEqual([true, false]);
    },
  );

  it('is of one case before the first block, and of the other before the first refusal', async () => {
    const asked: string[] = [];
    const engine = await over((key, m, signature) => {
      asked.push(Buffer.from(signature).toString('hex', 0, 4));
      return referenceEngine.open([key]).verify(m, [0], [signature])[0]!;
    });
    const ring = engine.open([signer.publicKey]);
    expect(asked).toEqual(['160a1cb0']);
    expect(ring.verify(message, [0], [good])).toEqual([true]);
    expect(asked).toHaveLength(2);
    const bad = other.sign(message);
    expect(ring.verify(message, [0, 0], [bad, bad])).toEqual([false, false]);
    expect(asked.slice(3)).toEqual(['9046a647', asked[2]]);
  });
});

describe('the guard of the OpenSSL engine', () => {
  /** The engine over the real crypto module, which notes what it is asked. */
  async function watched() {
    vi.resetModules();
    const asked: string[] = [];
    const fake = {
      createPublicKey: (input: { key: { x: string } }) => {
        expect(input.key.x).toMatch(/^[\w-]{43}$/);
        asked.push(`key ${Buffer.from(input.key.x, 'base64url').toString('hex')}`);
        return createPublicKey(input as never);
      },
      verify: (_: null, m: Uint8Array, key: never, signature: Uint8Array) => {
        asked.push(`R ${Buffer.from(signature.slice(0, 32)).toString('hex')}`);
        return nativeVerify(null, m, key, signature);
      },
    };
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(fake as never);
    const { opensslEngine: engine } = await import('../../../src/core/ed25519/openssl.ts');
    engine.open([]);
    asked.length = 0;
    return { engine, asked };
  }

  const small = [...new Set(readEd25519Vectors('zip215').map(({ public_key }) => fromHex(public_key)))];

  it('never shows the runtime a small-order key, or one with y from p on', async () => {
    const { engine, asked } = await watched();
    const beyond = [0xed, 0xf5, 0xff].flatMap((first) =>
      [0x7f, 0xff].map((last) => fromHex(`${first.toString(16)}${'ff'.repeat(30)}${last.toString(16)}`)),
    );
    const keys = [...small, ...beyond];
    engine.open(keys).verify(
      message,
      [...keys.keys()],
      keys.map(() => good),
    );
    expect(asked).toEqual([]);
  });

  it('never shows the runtime an S from 2^252 on, so that none which forgets S < L is believed', async () => {
    const { engine, asked } = await watched();
    const ring = engine.open([signer.publicKey]);
    const s = numberFromLittleEndian(good.slice(32));
    const beyond = [s + GROUP_ORDER, s + 2n * GROUP_ORDER, 2n ** 252n, GROUP_ORDER - 1n, GROUP_ORDER].map((value) => {
      const S = Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * at)) & 255n));
      return new Uint8Array([...good.slice(0, 32), ...S]);
    });
    expect(verifyReduced(signer.publicKey, message, beyond[0]!)).toBe(true);
    for (const signature of beyond) expect(ring.verify(message, [0], [signature])).toEqual([false]);
    expect(asked).toEqual([]);
  });

  it('never shows the runtime a small-order R, but everything else', async () => {
    const { engine, asked } = await watched();
    const ring = engine.open([signer.publicKey]);
    for (const R of small) ring.verify(message, [0], [new Uint8Array([...R, ...good.slice(32)])]);
    expect(asked).toEqual([]);
    expect(ring.verify(message, [0], [good])).toEqual([true]);
    expect(asked).toHaveLength(2);
  });

  it('imports every key that signs as it is, once, in whatever order and whatever stands between them', async () => {
    const { engine, asked } = await watched();
    const many = Array.from({ length: 120 }, (_, n) => makeSigner(`place ${n}`, 1n));
    const between = [...small, new Uint8Array(), new Uint8Array(31), new Uint8Array(33).fill(9), new Uint8Array(64)];
    const keys = [
      ...many.flatMap(({ publicKey }, n) => [publicKey, between[n % between.length]!, other.publicKey]),
      new Uint8Array(64),
    ];
    const ring = engine.open(keys);
    const indexes = [...many.keys()].sort((a, b) => ((a * 7) % 120) - ((b * 7) % 120));
    for (let block = 0; block < 2; block++) {
      const verdicts = ring.verify(
        message,
        indexes.map((n) => 3 * n),
        indexes.map((n) => many[n]!.sign(message)),
      );
      expect(verdicts).toEqual(indexes.map(() => true));
    }
    expect(asked.filter((what) => what.startsWith('key'))).toEqual(
      indexes.map((n) => `key ${Buffer.from(many[n]!.publicKey).toString('hex')}`),
    );
  });

  it('imports no key but the one that signs, of however many', async () => {
    const { engine, asked } = await watched();
    const keys = Array.from({ length: 65_536 }, () => other.publicKey);
    keys[65_535] = signer.publicKey;
    expect(engine.open(keys).verify(message, [65_535], [good])).toEqual([true]);
    expect(asked).toHaveLength(2);
  });

  it('goes on with what was tested where the module is changed later', async () => {
    const { engine } = await watched();
    const module = process.getBuiltinModule('crypto');
    Object.assign(module, { verify: () => true, createPublicKey: () => ({}) });
    expect(engine.open([signer.publicKey]).verify(message, [0, 0], [good, other.sign(message)])).toEqual([true, false]);
  });
});
