/** A sample of the suite is made anew, byte for byte, and put before the library; all of it is run by `.ci/nightly`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MAKERS } from '../../conformance/make/suite.ts';
import { type Case, CONFORMANCE, runner } from './runner.ts';

const suite = runner.readSuite(join(CONFORMANCE, 'suite'));

/** Operations whose cases take little to make. The others are made anew by `npm run conformance:make`, which a nightly run holds against git. */
const CHEAP = ['boc', 'config-param', 'validator-set'] as const;

it.each(CHEAP)('the cases of %s are what their seed makes', (operation) => {
  const made = MAKERS[operation]!().cases;
  const stored = suite.cases.filter((one) => one.operation === operation);
  expect(made.map((one) => JSON.stringify(one))).toEqual(stored.map((one) => JSON.stringify(one)));
});

it('the library passes every tenth case of every operation', async () => {
  const taken = new Map<string, number>();
  const sample = suite.cases.filter(({ operation }: Case) => {
    const count = taken.get(operation) ?? 0;
    taken.set(operation, count + 1);
    return count % (operation === 'ed25519' ? 60 : 10) === 0;
  });
  expect(sample.length).toBeGreaterThan(350);
  const folder = join(CONFORMANCE, 'adapters/ton-finality');
  const { start } = JSON.parse(readFileSync(join(folder, 'adapter.json'), 'utf8')) as { start: [string, ...string[]] };
  const [, ...args] = start;
  const fed = await runner.feed(sample, { command: process.execPath, args, cwd: folder }, { caseMs: 120_000 });
  const results = runner.resultsOf(suite, sample, fed);
  expect(results.notPassed).toEqual([]);
  expect(results.totals.passed).toBe(sample.length);
}, 600_000);
