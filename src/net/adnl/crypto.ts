/**
 * The parts of the runtime's `crypto` that ADNL needs: AES-256-CTR as a stream, X25519, SHA-256, random bytes and the
 * signature of a client's key. They are reached through `process.getBuiltinModule`, so nothing is imported.
 */
import { concatBytes, decodeBase64, decodeHex } from '../../core/base/bytes.ts';
import { UsageError } from '../../core/base/errors.ts';
import { builtinModule } from '../../core/ed25519/builtin.ts';

/** A running key stream: each call continues where the last one ended. */
export interface StreamCipher {
  update(bytes: Uint8Array): Uint8Array;
}

interface NativeKey {
  export(options: { format: 'jwk' }): { x?: string };
}

interface ChannelCrypto {
  createHash(name: 'sha256' | 'sha512'): { update(bytes: Uint8Array): unknown; digest(): Uint8Array };
  createCipheriv(name: 'aes-256-ctr', key: Uint8Array, counter: Uint8Array): StreamCipher;
  createPrivateKey(input: { key: Uint8Array; format: 'der'; type: 'pkcs8' }): NativeKey;
  createPublicKey(input: NativeKey | { key: Uint8Array; format: 'der'; type: 'spki' }): NativeKey;
  diffieHellman(input: { privateKey: NativeKey; publicKey: NativeKey }): Uint8Array;
  sign(algorithm: null, message: Uint8Array, key: NativeKey): Uint8Array;
  randomBytes(count: number): Uint8Array;
}

/** ASN.1 heads of raw keys. Source: RFC 8410, sections 4 and 7. */
const HEADS = {
  ed25519Private: '302e020100300506032b657004220420',
  x25519Private: '302e020100300506032b656e04220420',
  x25519Public: '302a300506032b656e032100',
} as const;

function withHead(head: keyof typeof HEADS, key: Uint8Array): Uint8Array {
  return concatBytes(decodeHex(HEADS[head]) ?? new Uint8Array(0), key); // the heads are hex
}

let found: ChannelCrypto | undefined;

function native(): ChannelCrypto {
  // Every runtime that has `diffieHellman` has all members above.
  found ??= builtinModule('crypto') as ChannelCrypto | undefined;
  if (typeof found?.diffieHellman === 'function') return found;
  throw new UsageError('usage/bad-option', 'this runtime has no crypto module, which lite servers need');
}

export function randomBytes(count: number): Uint8Array {
  return Uint8Array.from(native().randomBytes(count));
}

function hash(name: 'sha256' | 'sha512', parts: readonly Uint8Array[]): Uint8Array {
  const state = native().createHash(name);
  for (const part of parts) state.update(part);
  return Uint8Array.from(state.digest());
}

export function sha256Of(...parts: readonly Uint8Array[]): Uint8Array {
  return hash('sha256', parts);
}

/** Starts a key stream. @param counter the first 16-byte block, counted up as one big-endian number */
export function aesCtr(key: Uint8Array, counter: Uint8Array): StreamCipher {
  return native().createCipheriv('aes-256-ctr', key, counter);
}

function ed25519PrivateKey(seed: Uint8Array): NativeKey {
  return native().createPrivateKey({ key: withHead('ed25519Private', seed), format: 'der', type: 'pkcs8' });
}

/** Returns the Ed25519 public key of a 32-byte seed. */
export function ed25519PublicKey(seed: Uint8Array): Uint8Array {
  const { x = '' } = native().createPublicKey(ed25519PrivateKey(seed)).export({ format: 'jwk' });
  // 32 bytes are 43 characters without their padding.
  const key = decodeBase64(`${x.replaceAll('-', '+').replaceAll('_', '/')}=`);
  if (key === undefined) throw new TypeError('a public key that is not base64url');
  return key;
}

/** Returns a signature of 64 bytes, R || S. */
export function ed25519Sign(seed: Uint8Array, message: Uint8Array): Uint8Array {
  return Uint8Array.from(native().sign(null, message, ed25519PrivateKey(seed)));
}

/**
 * Computes the shared secret of an Ed25519 seed and a point of the Montgomery curve: X25519(clamp(sha512(seed)[0..32]),
 * u). Throws where the result would be zero, as OpenSSL does. Source: ton `crypto/Ed25519.cpp`, compute_shared_secret.
 */
export function sharedSecret(seed: Uint8Array, u: Uint8Array): Uint8Array {
  const crypto = native();
  const scalar = hash('sha512', [seed]).subarray(0, 32); // clamped by X25519 itself
  return Uint8Array.from(
    crypto.diffieHellman({
      privateKey: crypto.createPrivateKey({ key: withHead('x25519Private', scalar), format: 'der', type: 'pkcs8' }),
      publicKey: crypto.createPublicKey({ key: withHead('x25519Public', u), format: 'der', type: 'spki' }),
    }),
  );
}
