import { describe, expect, it } from 'vitest';
import { createAdaptiveEngine } from '../../src/core/ed25519/adaptive.ts';
import { createKernelEngineSync } from '../../src/core/ed25519/kernel.ts';
import { opensslEngine } from '../../src/core/ed25519/openssl.ts';
import '../helpers/relaxed-simd.ts';
import { compareSlice } from '../helpers/compare-engines.ts';
import { everyNth, share } from '../helpers/share.ts';

const SEED = 20_261_120;

describe('the kernel agrees with OpenSSL and the reference engine', () => {
  it('on edge signatures of 200 keys: without tables, with the widest, and while tables grow', () => {
    const { cases, accepted, disagreements } = compareSlice(SEED, 200, share(6, 200), 100, 200, (publicKeys) => {
      const wide = createKernelEngineSync({ tableWidth: 8, maxTableBytes: 2 ** 27 }).open(publicKeys);
      wide.buildTables();
      return {
        'no tables': createKernelEngineSync({ tableWidth: 0 }).open(publicKeys),
        'width 8': wide,
        growing: createAdaptiveEngine(opensslEngine).open(publicKeys),
      };
    });
    expect(disagreements).toEqual([]);
    expect(cases).toBe(share(600, 20_000));
    // The generator is worth something only while it makes valid signatures too.
    expect(accepted).toBeGreaterThan(cases / 4);
    expect(accepted).toBeLessThan((cases * 3) / 4);
  });

  it('on more at every width, with vectors and without', () => {
    const { disagreements } = compareSlice(SEED + 1, share(3, 40), share(10, 40), 51, 1000, (publicKeys) =>
      Object.fromEntries(
        (['relaxed', 'simd', 'scalar'] as const).flatMap((variant, turn) =>
          everyNth([0, 4, 5, 6, 7, 8] as const, 2, turn).map((tableWidth) => {
            const ring = createKernelEngineSync({ tableWidth, variant }).open(publicKeys);
            ring.buildTables();
            return [`${variant}, width ${tableWidth}`, ring];
          }),
        ),
      ),
    );
    expect(disagreements).toEqual([]);
  });
});
