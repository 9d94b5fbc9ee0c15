/** The kernel with relaxed SIMD in both ways that an engine may round its multiply-adds: V8 rounds twice without FMA3. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { share } from '../helpers/share.ts';
import { ROOT } from '../helpers/vectors.ts';

const CASES = share(500, 2000);

describe.each([[[]], [['--no-enable-fma3']]] as const)('with the flags %j of V8', (flags) => {
  it('agrees in every variant with OpenSSL and the reference engine on edge signatures', () => {
    const args = [...flags, join(ROOT, 'build/test/slow/fuzz-kernel.js'), String(CASES), '20261121'];
    const result: unknown = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    // Without the flag it depends on the machine.
    const rounding = flags.length > 0 ? 'twice' : expect.stringMatching(/^(once|twice)$/);
    expect(result).toMatchObject({ cases: CASES, disagreements: [], rounding });
  });
});
