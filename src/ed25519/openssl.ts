/**
 * The OpenSSL engine: `crypto.verify` of Node, Bun and Deno, reached through `process.getBuiltinModule` so that nothing
 * is imported. Its answers changed between Node 24.18 and 24.19 for small-order keys and R; those, keys with
 * y >= p and S from 2^252 on go to the reference engine, so that every version gives the node's answer. Keys are imported as JWK: with
 * DER, surplus bytes after the key would be ignored.
 */
import { EngineError } from '../base/errors.ts';
import { PUBLIC_KEY_BYTES } from '../base/limits.ts';
import { builtinModule } from './builtin.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';
import { referenceEngine } from './reference.ts';
import { copyInputs, copyKeys } from './ring-inputs.ts';
import { selfTestCases } from './self-test.ts';
import { hasCanonicalY, isSmallOrder } from './small-order.ts';

/** What is used of the runtime's `crypto` module. */
interface NativeCrypto {
  createPublicKey(input: { key: Record<string, string>; format: 'jwk' }): object;
  verify(algorithm: null, message: Uint8Array, key: object, signature: Uint8Array): boolean;
}

function nativeCrypto(): NativeCrypto | undefined {
  const found = builtinModule('crypto') as Partial<NativeCrypto> | undefined; // both members are looked for next
  if (typeof found?.createPublicKey !== 'function' || typeof found.verify !== 'function') return undefined;
  return found as NativeCrypto; // has both members
}

/** Whether native answers for this key are the node's answers in every version. */
function isPlainKey(publicKey: Uint8Array): boolean {
  return publicKey.length === PUBLIC_KEY_BYTES && hasCanonicalY(publicKey) && !isSmallOrder(publicKey);
}

/**
 * Whether native answers for this signature of 64 bytes are the node's answers in every version: R is of no small order, and S
 * is below 2^252, so below L, as that of all but one honest signature in 2^128.
 */
function isPlainSignature(signature: Uint8Array | undefined): boolean {
  return signature !== undefined && signature[63]! < 0x10 && !isSmallOrder(signature); // looks at R, the first 32 bytes
}

function importKey(native: NativeCrypto, publicKey: Uint8Array): object | undefined {
  // `btoa` and not our own base64: a hundred keys are imported before anything is warm. 32 bytes end in one padding sign.
  const base64 = btoa(String.fromCharCode.apply(null, publicKey as unknown as number[])); // an array-like is all `apply` reads
  const x = base64.replaceAll('+', '-').replaceAll('/', '_').slice(0, 43);
  try {
    return native.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  } catch {
    return undefined; // no such point, or a runtime that decodes more strictly: the reference engine decides
  }
}

/** What the runtime says; `undefined` where it breaks off, which is no answer. */
function ask(native: NativeCrypto, message: Uint8Array, key: object, signature: Uint8Array): unknown {
  try {
    return native.verify(null, message, key, signature);
  } catch {
    return undefined; // the reference engine decides
  }
}

/**
 * @param keys nobody else may hold or write to them
 * @param refusesRightly whether what the runtime refuses is refused; asked when it first matters
 */
function openWith(native: NativeCrypto, keys: readonly Uint8Array[], refusesRightly: () => boolean): KeyRing {
  /** Imported when first needed; `null` for a key that the reference engine decides about. */
  const nativeKeys: (object | null | undefined)[] = [];
  const references: KeyRing[] = [];

  function importOnce(keyIndex: number): void {
    const key = keys[keyIndex];
    if (key === undefined || nativeKeys[keyIndex] !== undefined) return;
    nativeKeys[keyIndex] = (isPlainKey(key) ? importKey(native, key) : undefined) ?? null;
  }

  function isValid(message: Uint8Array, keyIndex: number, signature: Uint8Array | undefined): boolean {
    const key = keys[keyIndex];
    if (key === undefined || signature === undefined) return false;
    const nativeKey = nativeKeys[keyIndex] ?? null;
    if (nativeKey !== null && isPlainSignature(signature)) {
      const answer = ask(native, message, nativeKey, signature);
      if (answer === true) return true;
      if (answer === false && refusesRightly()) return false;
    }
    references[keyIndex] ??= referenceEngine.open([key]);
    return references[keyIndex].verify(message, [0], [signature])[0] === true;
  }

  return {
    verify(...inputs) {
      const { message, keyIndexes, signatures } = copyInputs(...inputs);
      // All of them before the first signature: in turns, the two of them take turns in the processor's caches too.
      for (let at = 0; at < keyIndexes.length; at++) if (isPlainSignature(signatures[at])) importOnce(keyIndexes[at]!);
      return keyIndexes.map((keyIndex, at) => isValid(message, keyIndex, signatures[at]));
    },
    close() {},
  };
}

/**
 * The self-test: one case for each way in which libraries are known to differ where the guards above let them decide. Few, since
 * this is part of every first block; all of `vectors/ed25519` are tested on every Node version that is promised.
 *
 * The equation has no cofactor: no runtime that accepts this case is used, so what it accepts may be believed.
 */
export const REFUSED_CASE = 'speccheck-4';
/** A mixed-order key may sign: what a runtime refuses is believed once it has accepted this case, else the reference engine decides. */
export const ACCEPTED_CASE = 'speccheck-3';

/** Asks the runtime itself: nothing that the reference engine would step in for counts as its answer. */
function passes(native: NativeCrypto, name: string): boolean {
  const { publicKey, message, signature, expected } = selfTestCases([name])[0]!; // a name of those there
  const key = importKey(native, publicKey);
  return key !== undefined && ask(native, message, key, signature) === expected;
}

/** A way to open keys with the runtime's crypto module once it has passed the self-test, or why there is none. */
function openTested(): ((keys: readonly Uint8Array[]) => KeyRing) | EngineError {
  const native = nativeCrypto();
  if (native === undefined) return new EngineError('engine/self-test', 'this runtime has no crypto module');
  if (!passes(native, REFUSED_CASE)) {
    return new EngineError(
      'engine/self-test',
      `the runtime's crypto.verify answers case ${REFUSED_CASE} otherwise than the node`,
    );
  }
  let isRefusalRight: boolean | undefined;
  const refusesRightly = (): boolean => {
    isRefusalRight ??= passes(native, ACCEPTED_CASE);
    return isRefusalRight;
  };
  return (keys) => openWith(native, keys, refusesRightly);
}

function createOpensslEngine(): Ed25519Engine {
  let tested: ReturnType<typeof openTested> | undefined;
  return Object.freeze({
    name: 'openssl',
    open(publicKeys: readonly Uint8Array[]): KeyRing {
      tested ??= openTested();
      if (tested instanceof EngineError) throw tested;
      return tested(copyKeys(publicKeys));
    },
  });
}

/**
 * Checks Ed25519 with the runtime's OpenSSL, about 0.07 ms a signature, self-tested on its first open.
 * @throws EngineError `engine/self-test`, from `open`, where there is no OpenSSL or it answers wrongly
 */
export const opensslEngine: Ed25519Engine = createOpensslEngine();
