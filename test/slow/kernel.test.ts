import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/vectors.ts';

/** Printed with the result; another one makes another million. */
const SEED = Number(process.env.SEED ?? 1_000_000);
const CASES = Number(process.env.CASES ?? 1_000_000);

interface Result {
  readonly cases: number;
  readonly accepted: number;
  readonly disagreements: readonly string[];
  readonly rounding: 'once' | 'twice';
  readonly seconds: number;
}

/** Both ways that engines may round a multiply-add; where there is no such instruction, both round twice. */
it.each([[[]], [['--no-enable-fma3']]] as const)(
  'agrees in every variant with OpenSSL and the reference engine on a million edge signatures, over every table width; flags: %j',
  (flags) => {
    const args = [...flags, join(ROOT, 'build/test/slow/fuzz-kernel.js'), String(CASES), String(SEED)];
    const printed = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    const result = JSON.parse(printed) as Result; // its last line
    expect(result.disagreements).toEqual([]);
    expect(result.cases).toBe(CASES);
    if (flags.length > 0) expect(result.rounding).toBe('twice');
    const { cases, accepted, rounding, seconds } = result;
    console.log(
      `Node ${process.version}: ${cases} cases, ${accepted} valid, madd rounds ${rounding}, 0 disagreements, seed ${SEED}, ${seconds} s`,
    );
  },
  60 * 60_000,
);
