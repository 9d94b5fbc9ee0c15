/** OpenSSL, asked once about each signature: for tests that judge the same ones many thousand times. */
import type { Ed25519Engine, KeyRing } from '../../src/core/ed25519/engine.ts';
import { opensslEngine } from '../../src/core/ed25519/openssl.ts';

export function rememberingEngine(): Ed25519Engine {
  const known = new Map<string, boolean>();
  const rings = new Map<string, KeyRing>();
  const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
  return {
    ...opensslEngine,
    open: (publicKeys) => ({
      verify(message, keyIndexes, signatures) {
        return keyIndexes.map((keyIndex, n) => {
          const [publicKey, signature] = [publicKeys[keyIndex]!, signatures[n]!];
          const key = textOf(publicKey);
          const all = [key, ...[signature, message].map(textOf)].join(':');
          let verdict = known.get(all);
          if (verdict === undefined) {
            const ring = rings.get(key) ?? opensslEngine.open([publicKey]);
            rings.set(key, ring);
            verdict = ring.verify(message, [0], [signature])[0]!;
            known.set(all, verdict);
          }
          return verdict;
        });
      },
      close() {},
    }),
  };
}
