/** One slice of the differential fuzz: a pool of keys, blocks of edge signatures, an oracle, and rings that must agree. */
import type { KeyRing } from '../../src/core/ed25519/engine.ts';
import { referenceEngine } from '../../src/core/ed25519/reference.ts';
import { makeEdgePool } from './edge-signatures.ts';
import { openOracle } from './openssl-oracle.ts';

export interface SliceResult {
  readonly cases: number;
  readonly accepted: number;
  readonly disagreements: readonly string[];
}

/**
 * @param open the rings to compare, by name, over the same keys
 * @param referenceEvery the reference engine, a hundred times slower, checks one case of that many
 */
export function compareSlice(
  seed: number,
  keys: number,
  blocks: number,
  blockSize: number,
  referenceEvery: number,
  open: (publicKeys: readonly Uint8Array[]) => Record<string, KeyRing>,
): SliceResult {
  const pool = makeEdgePool(keys, seed);
  const oracle = openOracle(pool.publicKeys);
  const rings = open(pool.publicKeys);
  const reference = referenceEngine.open(pool.publicKeys);
  const disagreements: string[] = [];
  let accepted = 0;
  let cases = 0;
  for (let n = 0; n < blocks; n++) {
    const { message, keyIndexes, signatures, kinds } = pool.block(blockSize);
    const expected = oracle(message, keyIndexes, signatures);
    const check = (name: string, at: number, verdict: boolean | undefined): void => {
      if (verdict !== expected[at])
        disagreements.push(`seed ${seed}, block ${n}, signature ${at} (${kinds[at]}): ${name}`);
    };
    for (const [name, ring] of Object.entries(rings)) {
      ring.verify(message, keyIndexes, signatures).forEach((verdict, at) => {
        check(name, at, verdict);
      });
    }
    for (let at = 0; at < blockSize; at++) {
      if ((cases + at) % referenceEvery === 0) {
        check('reference', at, reference.verify(message, [keyIndexes[at]!], [signatures[at]!])[0]);
      }
    }
    accepted += expected.filter(Boolean).length;
    cases += blockSize;
  }
  for (const ring of Object.values(rings)) ring.close();
  return { cases, accepted, disagreements };
}
