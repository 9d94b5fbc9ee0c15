/**
 * The reference engine: the accept rule of `engine.ts` step by step with noble's `Point`. Its code is short and easy to
 * check rather than fast. It runs anywhere and is the fallback of every other engine. It does not use noble's own
 * `verify`: no option of that function accepts exactly what the node accepts.
 */
import { Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { concatBytes, encodeHex, equalBytes } from '../base/bytes.ts';
import { PUBLIC_KEY_BYTES } from '../base/limits.ts';
import type { Ed25519Engine, KeyRing } from './engine.ts';
import { copyInputs, copyKeys } from './ring-inputs.ts';

/** L, the order of the base point. Source: RFC 8032, section 5.1. */
export const GROUP_ORDER = Point.CURVE().n;

export function numberFromLittleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${encodeHex(new Uint8Array(bytes).reverse())}`); // a copy, since `slice` of a Buffer would reverse the original
}

interface PreparedKey {
  readonly bytes: Uint8Array;
  readonly negated: Point;
}

/** Step 3 of the rule: lenient decoding. `undefined` for a wrong length or where no point has this y. */
function prepareKey(bytes: Uint8Array): PreparedKey | undefined {
  if (bytes.length !== PUBLIC_KEY_BYTES) return undefined;
  try {
    return { bytes, negated: Point.fromBytes(bytes, true).negate() };
  } catch {
    return undefined; // `Point` only throws for "not a point"
  }
}

function isValid(key: PreparedKey, message: Uint8Array, signature: Uint8Array): boolean {
  const r = signature.subarray(0, 32);
  const s = numberFromLittleEndian(signature.subarray(32));
  if (s >= GROUP_ORDER) return false;
  const k = numberFromLittleEndian(sha512(concatBytes(r, key.bytes, message))) % GROUP_ORDER;
  const recovered = Point.BASE.multiply(s, false).add(key.negated.multiply(k, false));
  return equalBytes(recovered.toBytes(), r);
}

/** Checks Ed25519 exactly as the node does, in any runtime, in about 1 ms a signature. */
export const referenceEngine: Ed25519Engine = Object.freeze({
  name: 'reference',
  open(publicKeys: readonly Uint8Array[]): KeyRing {
    const keys = copyKeys(publicKeys).map(prepareKey);
    return {
      verify(...inputs) {
        const { message, keyIndexes, signatures } = copyInputs(...inputs);
        return keyIndexes.map((keyIndex, i) => {
          const key = keys[keyIndex];
          const signature = signatures[i];
          return key !== undefined && signature !== undefined && isValid(key, message, signature);
        });
      },
      close() {},
    };
  },
});
