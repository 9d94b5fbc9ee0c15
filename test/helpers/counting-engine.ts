/** The reference engine, and how often it was asked: whether the engine that a caller gives is the one that judges. */
import type { Ed25519Engine } from '../../src/core/ed25519/engine.ts';
import { referenceEngine } from '../../src/core/ed25519/reference.ts';

export function countingEngine(): { readonly engine: Ed25519Engine; readonly opened: () => number } {
  let opened = 0;
  const engine: Ed25519Engine = {
    ...referenceEngine,
    open(keys) {
      opened += 1;
      return referenceEngine.open(keys);
    },
  };
  return { engine, opened: () => opened };
}
