/** The long runs of `test/property/{chain-mutations,changed-facts}.test.ts`, each in a plain process, which says how far it has come. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/vectors.ts';

it.each([
  ['200 000 damaged answers are refused or give what the whole one gives', 'fuzz-chain', /^0 failures$/m],
  [
    '10^6 one-bit changes of proofs and certificates give no other fact',
    'fuzz-inclusion',
    / 0 another one or a crash$/m,
  ],
])(
  '%s',
  async (_, program, success) => {
    const run = promisify(execFile)(process.execPath, [join(ROOT, 'build/test/slow', `${program}.js`)]); // rejects unless it ends with 0
    run.child.stderr?.pipe(process.stderr);
    const { stdout } = await run;
    console.log(stdout);
    expect(stdout).toMatch(success);
  },
  60 * 60_000,
);
