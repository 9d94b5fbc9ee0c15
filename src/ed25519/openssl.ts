/**
 * The OpenSSL engine: `crypto.verify` of Node, Bun and Deno, reached through `process.getBuiltinModule` so that nothing
 * is imported. Its answers changed between Node 24.18 and 24.19 for small-order keys and R; those, and keys with
 * y >= p, go to the reference engine, so that every version gives the node's answer. Keys are imported as JWK: with
 * DER, surplus bytes after the key would be ignored.
 */
import { EngineError } from '../base/errors.ts';
import { PUBLIC_KEY_BYTES } from '../base/limits.ts';
import { builtinModule } from './builtin.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';
import { referenceEngine } from './reference.ts';
import { copyInputs, copyKeys } from './ring-inputs.ts';
import { firstSelfTestFailure, selfTestCases } from './self-test.ts';
import { hasCanonicalY, isSmallOrder } from './small-order.ts';

/** What is used of the runtime's `crypto` module, and how it writes bytes as JWK has them. */
interface NativeCrypto {
  createPublicKey(input: { key: Record<string, string>; format: 'jwk' }): object;
  verify(algorithm: null, message: Uint8Array, key: object, signature: Uint8Array): boolean;
  encodeBase64Url(bytes: Uint8Array): string;
}

/** What is used of the runtime's `buffer` module. */
interface NativeBuffer {
  from(bytes: Uint8Array): { toString(encoding: 'base64url'): string };
}

function nativeCrypto(): NativeCrypto | undefined {
  const found = builtinModule('crypto') as Partial<NativeCrypto> | undefined; // both members are looked for next
  const { Buffer } = (builtinModule('buffer') ?? {}) as { readonly Buffer?: NativeBuffer }; // looked for next
  const { createPublicKey, verify } = found ?? {};
  if (typeof createPublicKey !== 'function' || typeof verify !== 'function' || Buffer === undefined) return undefined;
  return { createPublicKey, verify, encodeBase64Url: (bytes) => Buffer.from(bytes).toString('base64url') };
}

/** Whether native answers for this key are the node's answers in every version. */
function isPlainKey(publicKey: Uint8Array): boolean {
  return publicKey.length === PUBLIC_KEY_BYTES && hasCanonicalY(publicKey) && !isSmallOrder(publicKey);
}

/** Whether native answers for this signature of 64 bytes are the node's answers in every version. */
function isPlainSignature(signature: Uint8Array): boolean {
  return !isSmallOrder(signature); // looks at R, the first 32 bytes
}

function importKey(native: NativeCrypto, publicKey: Uint8Array): object | undefined {
  // The runtime's base64 and not our own: a hundred keys are imported before anything is warm.
  const x = native.encodeBase64Url(publicKey);
  try {
    return native.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  } catch {
    return undefined; // no such point, or a runtime that decodes more strictly: the reference engine decides
  }
}

/** One key of a ring. The native key is imported, and the reference ring opened, when first needed. */
class OpensslKey {
  readonly #native: NativeCrypto;
  readonly #publicKey: Uint8Array;
  #nativeKey: object | undefined;
  #isNative: boolean;
  #reference: KeyRing | undefined;

  /** @param publicKey nobody else may hold it */
  constructor(native: NativeCrypto, publicKey: Uint8Array) {
    this.#native = native;
    this.#publicKey = publicKey;
    this.#isNative = isPlainKey(publicKey);
  }

  verify(message: Uint8Array, signature: Uint8Array): boolean {
    if (this.#isNative && isPlainSignature(signature)) {
      this.#nativeKey ??= importKey(this.#native, this.#publicKey);
      if (this.#nativeKey !== undefined) return this.#native.verify(null, message, this.#nativeKey, signature);
      this.#isNative = false;
    }
    this.#reference ??= referenceEngine.open([this.#publicKey]);
    return this.#reference.verify(message, [0], [signature])[0] === true;
  }
}

function openWith(native: NativeCrypto, publicKeys: readonly Uint8Array[]): KeyRing {
  const keys = copyKeys(publicKeys).map((publicKey) => new OpensslKey(native, publicKey));
  return {
    verify(...inputs) {
      const { message, keyIndexes, signatures } = copyInputs(...inputs);
      return keyIndexes.map((keyIndex, i) => {
        const key = keys[keyIndex];
        const signature = signatures[i];
        return key !== undefined && signature !== undefined && key.verify(message, signature);
      });
    },
    close() {},
  };
}

/**
 * The cases of the self-test that the runtime has to pass, one for each way in which libraries are known to differ where the
 * guard above lets them decide: a mixed-order key is accepted, the equation has no cofactor, S is below L. Few, since this
 * is part of every first block; all of `vectors/ed25519` are tested on every Node version that is promised.
 */
export const NATIVE_CASES: readonly string[] = ['speccheck-3', 'speccheck-4', 'speccheck-6'];

/** The runtime's crypto module once it has passed the self-test, or why there is none. */
function testedNative(): NativeCrypto | EngineError {
  const native = nativeCrypto();
  if (native === undefined) return new EngineError('engine/self-test', 'this runtime has no crypto module');
  const cases = selfTestCases(NATIVE_CASES);
  const failure = firstSelfTestFailure((keys) => openWith(native, keys), cases);
  if (failure === undefined) return native;
  return new EngineError(
    'engine/self-test',
    `the runtime's crypto.verify answers case ${failure.name} otherwise than the node`,
  );
}

function createOpensslEngine(): Ed25519Engine {
  let tested: NativeCrypto | EngineError | undefined;
  return Object.freeze({
    name: 'openssl',
    open(publicKeys: readonly Uint8Array[]): KeyRing {
      tested ??= testedNative();
      if (tested instanceof EngineError) throw tested;
      return openWith(tested, publicKeys);
    },
  });
}

/**
 * Checks Ed25519 with the runtime's OpenSSL, about 0.07 ms a signature, self-tested on its first open.
 * @throws EngineError `engine/self-test`, from `open`, where there is no OpenSSL or it answers wrongly
 */
export const opensslEngine: Ed25519Engine = createOpensslEngine();
