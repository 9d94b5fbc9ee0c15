/**
 * What OpenSSL itself says, without any guard of ours. Right for everything up to Node 24.18; later versions refuse
 * small-order keys and R, so there the guarded engine stands in.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { opensslEngine } from '../../src/core/ed25519/openssl.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
/** Whether `node:crypto` decides as the node does. */
export const isOracle: boolean = major < 24 || (major === 24 && minor <= 18);

function importKey(publicKey: Uint8Array): KeyObject | undefined {
  const x = Buffer.from(publicKey).toString('base64url');
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

export function openOracle(
  publicKeys: readonly Uint8Array[],
): (message: Uint8Array, keyIndexes: readonly number[], signatures: readonly Uint8Array[]) => boolean[] {
  if (!isOracle) {
    const ring = opensslEngine.open(publicKeys);
    return (message, keyIndexes, signatures) => ring.verify(message, keyIndexes, signatures);
  }
  const keys = publicKeys.map(importKey);
  return (message, keyIndexes, signatures) =>
    keyIndexes.map((keyIndex, n) => {
      const key = keys[keyIndex];
      return key !== undefined && verify(null, message, key, signatures[n]!);
    });
}
