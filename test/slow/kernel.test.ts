import { expect, it } from 'vitest';
import { createKernelEngineSync } from '../../src/ed25519/kernel.ts';
import { compareSlice } from '../helpers/compare-engines.ts';

/** Printed with the result; another one makes another million. */
const SEED = Number(process.env.SEED ?? 1_000_000);
const SLICES = 50;
const WIDTHS = [0, 4, 5, 6, 7, 8] as const;

it(
  'agrees with OpenSSL and the reference engine on 1 000 000 edge signatures, over every table width',
  () => {
    const started = performance.now();
    let cases = 0;
    let accepted = 0;
    for (let slice = 0; slice < SLICES; slice++) {
      const tableWidth = WIDTHS[slice % WIDTHS.length]!;
      const result = compareSlice(SEED + slice, 200, 200, 100, 1000, (publicKeys) => {
        const fixed = createKernelEngineSync({
          tableWidth,
          maxTableBytes: 2 ** 27,
          variant: slice % 4 === 3 ? 'scalar' : 'simd',
        });
        const ring = fixed.open(publicKeys);
        ring.buildTables();
        return { [`width ${tableWidth}`]: ring, growing: createKernelEngineSync().open(publicKeys) };
      });
      expect(result.disagreements).toEqual([]);
      cases += result.cases;
      accepted += result.accepted;
    }
    expect(cases).toBe(1_000_000);
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`${cases} cases, ${accepted} valid, 0 disagreements, seed ${SEED}, ${seconds} s`);
  },
  60 * 60_000,
);
