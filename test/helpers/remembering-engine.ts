/** OpenSSL, asked once about each signature: for tests that judge the same ones many thousand times. */
import type { Ed25519Engine } from '../../src/core/ed25519/engine.ts';
import { opensslEngine } from '../../src/core/ed25519/openssl.ts';

export function rememberingEngine(): Ed25519Engine {
  const known = new Map<string, boolean>();
  const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
  return {
    ...opensslEngine,
    open: (publicKeys) => ({
      verify(message, keyIndexes, signatures) {
        return keyIndexes.map((keyIndex, n) => {
          const [publicKey, signature] = [publicKeys[keyIndex]!, signatures[n]!];
          const all = [publicKey, signature, message].map(textOf).join(':');
          let verdict = known.get(all);
          if (verdict === undefined) {
            const ring = opensslEngine.open([publicKey]);
            verdict = ring.verify(message, [0], [signature])[0]!;
            ring.close();
            known.set(all, verdict);
          }
          return verdict;
        });
      },
      close() {},
    }),
  };
}
