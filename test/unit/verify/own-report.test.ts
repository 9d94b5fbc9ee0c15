/** What is known of a report beside what it shows goes with it, and with no other. */
import { expect, it } from 'vitest';
import {
  isOwnReport,
  staleStartOf,
  withAcceptedStart,
  withMark,
  withStaleStart,
  withWarnings,
} from '../../../src/core/verify/own-report.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { makeSignedSet } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const MORE = { code: 'more', message: 'more' };

const signers = makeSigners([50n, 30n, 20n]);
const report = verifyBlock(makeSignedSet('simplex', signers), makeSet(signers));

it.each(['refused', 'accepted'] as const)(
  'a stale start that was %s is kept by a report with another warning',
  (start) => {
    const marked = withStaleStart(report, start);
    expect(staleStartOf(marked)).toBe(start);
    const warned = withWarnings(marked, [MORE]);
    expect(warned.warnings).toEqual([...report.warnings, MORE]);
    expect([isOwnReport(warned), staleStartOf(warned)]).toEqual([true, start]);
  },
);

it('a report whose trust began in time has no such mark, nor gets one by a warning or by what is said of its copy', () => {
  withStaleStart(report, 'refused');
  expect([staleStartOf(report), staleStartOf(withWarnings(report, [MORE]))]).toEqual([undefined, undefined]);
});

it('a stale start that was taken is among the warnings, once, whatever was said of it before', () => {
  for (const before of [report, withStaleStart(report, 'refused')]) {
    const taken = withAcceptedStart(before);
    expect([isOwnReport(taken), staleStartOf(taken)]).toEqual([true, 'accepted']);
    expect(taken.warnings).toEqual([
      ...report.warnings,
      {
        code: 'stale-start',
        message: expect.stringContaining('trust began with validators that could have withdrawn their stakes'),
      },
    ]);
    expect(withAcceptedStart(taken)).toBe(taken);
  }
});

it('a mark that says nothing of a start takes back nothing that is known of it', () => {
  for (const mark of ['none', 'unknown'] as const) {
    expect(withMark(report, mark)).toBe(report);
    expect(staleStartOf(withMark(withStaleStart(report, 'refused'), mark))).toBe('refused');
  }
  expect(staleStartOf(withMark(report, 'refused'))).toBe('refused');
});

it('what was not made here is neither warned of nor marked', () => {
  for (const change of [withWarnings, withStaleStart] as ((report: unknown, change: never) => unknown)[]) {
    expect(() => change({ ...report }, [] as never)).toThrow(/expected the report object of verifyBlock/);
  }
});
