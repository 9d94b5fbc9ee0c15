import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
  async (flags) => {
    const args = [...flags, join(ROOT, 'build/test/slow/fuzz-kernel.js'), String(CASES), String(SEED)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const result = JSON.parse(stdout) as Result; // all that it prints there
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
