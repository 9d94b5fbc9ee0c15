/** OpenSSL's answers, and what was asked: how many sets of keys were opened, and how many signatures checked. */
import type { Ed25519Engine } from '../../src/core/ed25519/engine.ts';
import { opensslEngine } from '../../src/core/ed25519/openssl.ts';

export function countingEngine(): Ed25519Engine & { opened: number; checked: number } {
  const counting = {
    name: opensslEngine.name,
    opened: 0,
    checked: 0,
    open(publicKeys: readonly Uint8Array[]) {
      counting.opened += 1;
      const ring = opensslEngine.open(publicKeys);
      return {
        verify(message: Uint8Array, keyIndexes: readonly number[], signatures: readonly Uint8Array[]) {
          counting.checked += signatures.length;
          return ring.verify(message, keyIndexes, signatures);
        },
        close: () => ring.close(),
      };
    },
  };
  return counting;
}
