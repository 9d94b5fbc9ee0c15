/**
 * Edge signatures against OpenSSL and the reference engine, every variant of the kernel on each of them, in a plain process so that
 * flags of V8 can be given: `node --no-enable-fma3 build/test/slow/fuzz-kernel.js [cases] [seed]`.
 *
 * Prints one line of JSON: the cases, how many of them are valid, the disagreements, and how this engine rounds `relaxed_madd`.
 */
import '../helpers/relaxed-simd.ts';
import { createKernelEngineSync, type InternalKernelOptions } from '../../src/core/ed25519/kernel.ts';
import { compareSlice } from '../helpers/compare-engines.ts';
import { roundsOnce } from '../helpers/rounds-once.ts';

const [cases = 20_000, seed = 1] = process.argv.slice(2).map(Number);
const SLICE = 20_000;
const WIDTHS = [0, 4, 5, 6, 7, 8] as const;

const started = performance.now();
const disagreements: string[] = [];
let [done, accepted] = [0, 0];
for (let slice = 0; done < cases; slice++) {
  const blocks = Math.min(200, Math.ceil((cases - done) / 100));
  const tableWidth = WIDTHS[slice % WIDTHS.length]!;
  const result = compareSlice(seed + slice, Math.min(200, blocks), blocks, 100, 1000, (publicKeys) => {
    const open = (options: InternalKernelOptions) => {
      const ring = createKernelEngineSync({ maxTableBytes: 2 ** 27, ...options }).open(publicKeys);
      ring.buildTables();
      return ring;
    };
    return {
      [`relaxed, width ${tableWidth}`]: open({ tableWidth, variant: 'relaxed' }),
      [`simd, width ${tableWidth}`]: open({ tableWidth, variant: 'simd' }),
      [`scalar, width ${tableWidth}`]: open({ tableWidth, variant: 'scalar' }),
      growing: createKernelEngineSync({ variant: 'relaxed' }).open(publicKeys),
    };
  });
  disagreements.push(...result.disagreements);
  done += result.cases;
  accepted += result.accepted;
  if (done % (10 * SLICE) === 0) process.stderr.write(`${done} cases\n`);
}
const seconds = Math.round((performance.now() - started) / 1000);
const rounding = roundsOnce() ? 'once' : 'twice';
process.stdout.write(JSON.stringify({ cases: done, accepted, disagreements, rounding, seed, seconds }));
process.exitCode = disagreements.length === 0 ? 0 : 1;
