import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ed25519Engine } from '../../src/core/ed25519/engine.ts';
import { opensslEngine } from '../../src/core/ed25519/openssl.ts';
import { GROUP_ORDER, numberFromLittleEndian, referenceEngine } from '../../src/core/ed25519/reference.ts';
import { makeSigner } from '../helpers/make-validators.ts';
import { everyNth, share } from '../helpers/share.ts';
import { ED25519_FILES, fromHex, readEd25519Vectors } from '../helpers/vectors.ts';

const engines: readonly Ed25519Engine[] = [referenceEngine, opensslEngine];

function verifyOne(engine: Ed25519Engine, publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const ring = engine.open([publicKey]);
  try {
    return ring.verify(message, [0], [signature])[0]!;
  } finally {
    ring.close();
  }
}

describe.each(engines)('the $name engine', (engine) => {
  it.each(ED25519_FILES)('answers cases of vectors/ed25519/%s.json as the node does', (file) => {
    const all = readEd25519Vectors(file);
    // Of few cases all; where OpenSSL is not asked, an engine takes a hundred times as long.
    const some = all.length > 200 ? everyNth(all, 8, engine === referenceEngine ? 0 : 4) : all;
    const wrong = some.filter(
      (v) => verifyOne(engine, fromHex(v.public_key), fromHex(v.message), fromHex(v.signature)) !== v.openssl,
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('shows the fingerprint of the node on speccheck', () => {
    const bits = readEd25519Vectors('speccheck').map((v) =>
      verifyOne(engine, fromHex(v.public_key), fromHex(v.message), fromHex(v.signature)) ? '1' : '0',
    );
    expect(bits.join('')).toBe('111100000001');
  });
});

const TORSION = ['01', '00', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'].map((hex) =>
  Point.fromBytes(fromHex(hex.padEnd(64, '0')), true),
);
const order8 = TORSION[2]!;
const torsion = fc.integer({ min: 0, max: 7 }).map((times) => order8.multiply(BigInt(times), false));
const scalar = fc.bigInt({ min: 1n, max: GROUP_ORDER - 1n });

function littleEndian(value: bigint): Uint8Array {
  return fromHex(value.toString(16).padStart(64, '0').match(/../g)!.reverse().join(''));
}

function challenge(r: Uint8Array, key: Uint8Array, message: Uint8Array): bigint {
  return numberFromLittleEndian(createHash('sha512').update(r).update(key).update(message).digest()) % GROUP_ORDER;
}

describe('all engines agree', () => {
  const flip = (bytes: Uint8Array, bit: number) =>
    bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

  it('that any one flipped bit of message, signature or key of an honest triple makes it not valid', () => {
    const signer = makeSigner('flip', 1n);
    const message = new Uint8Array(68).fill(5);
    const signature = signer.sign(message);
    fc.assert(
      fc.property(fc.constantFrom('message', 'signature', 'key'), fc.nat(543), (what, n) => {
        const bit = n % (8 * { message: 68, signature: 64, key: 32 }[what]);
        return engines.every(
          (engine) =>
            !verifyOne(
              engine,
              what === 'key' ? flip(signer.publicKey, bit) : signer.publicKey,
              what === 'message' ? flip(message, bit) : message,
              what === 'signature' ? flip(signature, bit) : signature,
            ),
        );
      }),
      { numRuns: share(25, 150) },
    );
  });

  it('that with torsion parts T in the key and T’ in R, valid is exactly T’ = -[k]T', () => {
    fc.assert(
      fc.property(
        scalar,
        scalar,
        torsion,
        torsion,
        fc.uint8Array({ maxLength: 80 }),
        (a, r, keyPart, rPart, message) => {
          const key = Point.BASE.multiply(a, false).add(keyPart).toBytes();
          const R = Point.BASE.multiply(r, false).add(rPart).toBytes();
          const k = challenge(R, key, message);
          const signature = new Uint8Array([...R, ...littleEndian((r + k * a) % GROUP_ORDER)]);
          const expected = keyPart.multiply(k, false).negate().equals(rPart);
          return engines.every((engine) => verifyOne(engine, key, message, signature) === expected);
        },
      ),
      { numRuns: share(20, 120) },
    );
  });

  it('that S + jL is never valid', () => {
    const signer = makeSigner('malleable', 1n);
    const message = new Uint8Array(3);
    const signature = signer.sign(message);
    const s = numberFromLittleEndian(signature.slice(32));
    for (let j = 1n; s + j * GROUP_ORDER < 2n ** 256n; j++) {
      const shifted = new Uint8Array([...signature.slice(0, 32), ...littleEndian(s + j * GROUP_ORDER)]);
      for (const engine of engines) expect(verifyOne(engine, signer.publicKey, message, shifted)).toBe(false);
    }
  });

  it('on all 14 small encodings as key and as R, and on random bytes', () => {
    const small = [...new Set(readEd25519Vectors('zip215').map(({ public_key }) => public_key))].map(fromHex);
    const anyKey = fc.oneof(fc.constantFrom(...small), fc.uint8Array({ minLength: 32, maxLength: 32 }));
    const anyS = fc.oneof(fc.constant(0n), scalar).map(littleEndian);
    fc.assert(
      fc.property(anyKey, anyKey, anyS, fc.uint8Array({ maxLength: 8 }), (key, R, s, message) => {
        const signature = new Uint8Array([...R, ...s]);
        const [first, ...rest] = engines.map((engine) => verifyOne(engine, key, message, signature));
        return rest.every((answer) => answer === first);
      }),
      { numRuns: share(65, 400) },
    );
  });
});
