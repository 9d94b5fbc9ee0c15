/**
 * The OpenSSL engine: `crypto.verify` of Node, Bun and Deno, reached through `process.getBuiltinModule` so that nothing is
 * imported. Its answers changed between Node 24.18 and 24.19 for small-order keys and R. Such cases, keys with y >= p and S from
 * 2^252 on go to the reference engine, so that every version gives the node's answer. Keys are imported as JWK: with DER,
 * surplus bytes after the key would be ignored.
 */
import { EngineError } from '../base/errors.ts';
import { PUBLIC_KEY_BYTES } from '../base/limits.ts';
import { builtinModule } from './builtin.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';
import { referenceEngine } from './reference.ts';
import { copyInputs, copyKeys } from './ring-inputs.ts';
import { selfTestCase } from './self-test.ts';
import { hasCanonicalY, isSmallOrder } from './small-order.ts';

/** The part of the runtime's `crypto` module that this engine uses. */
interface SignatureCrypto {
  createPublicKey(input: { key: Record<string, string>; format: 'jwk' }): object;
  verify(algorithm: null, message: Uint8Array, key: object, signature: Uint8Array): boolean;
}

function nativeCrypto(): SignatureCrypto | undefined {
  const found = builtinModule('crypto') as Partial<SignatureCrypto> | undefined; // the next line checks both members
  if (typeof found?.createPublicKey !== 'function' || typeof found.verify !== 'function') return undefined;
  // Kept from here on, so that the tested functions are the used ones.
  return { createPublicKey: found.createPublicKey, verify: found.verify };
}

/** Whether the runtime agrees with the node about this key in every version. */
function isPlainKey(publicKey: Uint8Array): boolean {
  return publicKey.length === PUBLIC_KEY_BYTES && hasCanonicalY(publicKey) && !isSmallOrder(publicKey);
}

/**
 * Whether the runtime agrees with the node about this signature of 64 bytes in every version. R must not be of small
 * order, and S must be below 2^252, so below L, as in all but one honest signature in 2^128.
 */
function isPlainSignature(signature: Uint8Array | undefined): boolean {
  return signature !== undefined && signature[63]! < 0x10 && !isSmallOrder(signature); // looks at R, the first 32 bytes
}

/**
 * A key and one more byte: a multiple of three, so that base64 has no padding and the texts of keys follow each other.
 */
const GROUP_BYTES = PUBLIC_KEY_BYTES + 1;
const GROUP_CHARACTERS = (GROUP_BYTES / 3) * 4;
/** Number of keys that are encoded together: their bytes are arguments of one call and have to fit on the stack. */
const KEYS_AT_ONCE = 100;

/**
 * Encodes up to `KEYS_AT_ONCE` keys as base64url, each followed by one character of the additional byte. It calls
 * `btoa` once for many keys, since a hundred keys are imported before the library's own code is compiled.
 */
function base64urlOf(publicKeys: readonly Uint8Array[]): string {
  const groups = new Uint8Array(GROUP_BYTES * publicKeys.length);
  for (let at = 0; at < publicKeys.length; at++) {
    const key = publicKeys[at]!;
    if (key.length === PUBLIC_KEY_BYTES) groups.set(key, GROUP_BYTES * at);
  }
  const base64 = btoa(String.fromCharCode.apply(null, groups as unknown as number[])); // `apply` only reads array elements
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** Imports a key. @param texts of `base64urlOf` @param at index of the key */
function importKey(native: SignatureCrypto, texts: string, at: number): object | null {
  const x = texts.slice(GROUP_CHARACTERS * at, GROUP_CHARACTERS * (at + 1) - 1);
  try {
    return native.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  } catch {
    return null; // not a point, or a runtime that decodes more strictly: the reference engine decides
  }
}

/** Returns the runtime's answer; `undefined` if the runtime throws. */
function askNative(native: SignatureCrypto, message: Uint8Array, key: object, signature: Uint8Array): unknown {
  try {
    return native.verify(null, message, key, signature);
  } catch {
    return undefined; // the reference engine decides
  }
}

/** A runtime that has passed the self-test, with further tests of its answers, each done when it first matters. */
interface TestedNative extends SignatureCrypto {
  /** Whether its rejections are correct. */
  readonly refusesRightly: () => boolean;
}

/** Opens a ring. @param keys no other code may hold them */
function openWith(native: TestedNative, keys: readonly Uint8Array[]): KeyRing {
  /** Texts by `KEYS_AT_ONCE`, written when the first key of a group is needed. */
  const texts: string[] = [];
  /** Keys of the runtime, imported on first use; `null` for a key that the reference engine handles. */
  const nativeKeys: (object | null | undefined)[] = [];
  const references: KeyRing[] = [];

  /** The runtime's key, or `null` if the reference engine decides. */
  function nativeKeyOf(keyIndex: number): object | null {
    const key = keys[keyIndex];
    if (key === undefined) return null;
    const known = nativeKeys[keyIndex];
    if (known !== undefined) return known;
    const at = keyIndex % KEYS_AT_ONCE;
    const from = keyIndex - at;
    texts[from / KEYS_AT_ONCE] ??= base64urlOf(keys.slice(from, from + KEYS_AT_ONCE));
    const made = isPlainKey(key) ? importKey(native, texts[from / KEYS_AT_ONCE]!, at) : null;
    nativeKeys[keyIndex] = made;
    return made;
  }

  /** Checks one signature. @param nativeKey given if the runtime may check it */
  function isValid(
    message: Uint8Array,
    keyIndex: number,
    signature: Uint8Array | undefined,
    nativeKey: object | null,
  ): boolean {
    const key = keys[keyIndex];
    if (key === undefined || signature === undefined) return false;
    if (nativeKey !== null) {
      const answer = askNative(native, message, nativeKey, signature);
      if (answer === true) return true;
      if (answer === false && native.refusesRightly()) return false;
    }
    references[keyIndex] ??= referenceEngine.open([key]);
    return references[keyIndex].verify(message, [0], [signature])[0] === true;
  }

  return {
    verify(...inputs) {
      const { message, keyIndexes, signatures } = copyInputs(...inputs);
      // All keys come before the first signature: alternating would also alternate the contents of the processor's
      // caches.
      const asked: (object | null)[] = [];
      for (let at = 0; at < keyIndexes.length; at++) {
        asked.push(isPlainSignature(signatures[at]) ? nativeKeyOf(keyIndexes[at]!) : null);
      }
      const verdicts: boolean[] = [];
      for (let at = 0; at < keyIndexes.length; at++) {
        verdicts.push(isValid(message, keyIndexes[at]!, signatures[at], asked[at]!));
      }
      return verdicts;
    },
    close() {},
  };
}

/**
 * The self-test: one case for each known difference between libraries that the guards above let through. The cases are
 * few, since the test is part of every first block; a test suite runs all of `vectors/ed25519` on every supported Node
 * version. The equation has no cofactor: a runtime that accepts this case is never used, so an accepted signature is
 * valid.
 */
export const REFUSED_CASE = 'speccheck-4';
/**
 * A signature of a mixed-order key. If the runtime accepts it, its rejections count; otherwise the reference engine
 * decides.
 */
export const ACCEPTED_CASE = 'speccheck-3';

/** Asks the runtime alone, without help of the reference engine. */
function passes(native: SignatureCrypto, name: string): boolean {
  const { publicKey, message, signature, expected } = selfTestCase(name);
  const key = importKey(native, base64urlOf([publicKey]), 0);
  return key !== null && askNative(native, message, key, signature) === expected;
}

/** The runtime, if it passes the self-test, or why it is not used. */
function testNative(): TestedNative | EngineError {
  const native = nativeCrypto();
  if (native === undefined) return new EngineError('engine/self-test', 'this runtime has no crypto module');
  if (!passes(native, REFUSED_CASE)) {
    return new EngineError(
      'engine/self-test',
      `the runtime's crypto.verify answers case ${REFUSED_CASE} unlike the node`,
    );
  }
  let isRefusalRight: boolean | undefined;
  return {
    ...native,
    refusesRightly() {
      isRefusalRight ??= passes(native, ACCEPTED_CASE);
      return isRefusalRight;
    },
  };
}

let tested: TestedNative | EngineError | undefined;

/** Whether the OpenSSL engine can be used here. The first call runs the self-test. */
export function hasOpenssl(): boolean {
  tested ??= testNative();
  return !(tested instanceof EngineError);
}

/**
 * Checks Ed25519 with the runtime's OpenSSL, about 0.07 ms a signature, self-tested on its first open.
 * @throws EngineError `engine/self-test`, from `open`, where there is no OpenSSL or it answers wrongly
 */
export const opensslEngine: Ed25519Engine = Object.freeze({
  name: 'openssl',
  open(publicKeys: readonly Uint8Array[]): KeyRing {
    tested ??= testNative();
    if (tested instanceof EngineError) throw tested;
    return openWith(tested, copyKeys(publicKeys));
  },
});
