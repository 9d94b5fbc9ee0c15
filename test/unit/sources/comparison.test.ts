/** What becomes of servers that are not waited for when a block is compared. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { Comparisons, type ComparisonTerms, type Question } from '../../../src/net/sources/comparison.ts';
import { joinReports, type WitnessReport } from '../../../src/net/sources/witness-report.ts';

const NOTHING = joinReports([]);
const agreed = (name: string): WitnessReport => ({ ...NOTHING, agreed: [name] });
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A server that is asked, and what it says when it is told to. */
function server(name: string) {
  const client = { name };
  let say: (report: WitnessReport) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const ask = () =>
    new Promise<WitnessReport>((resolve, reject) => {
      [say, fail] = [resolve, reject];
    });
  const question: Question = { client, ask };
  return {
    question,
    agrees: () => say(agreed(name)),
    fails: (error: unknown) => fail(error),
  };
}

function comparing() {
  const run = new AbortController();
  const [late, failures]: [string[], unknown[]] = [[], []];
  const comparisons = new Comparisons(run.signal, (error) => void failures.push(error));
  const terms: ComparisonTerms = {
    more: [],
    witnesses: 0,
    voices: (names) => names.length,
    isWhole: false,
    onLate: (report) => void late.push(...report.agreed),
  };
  return {
    ...{ run, failures, late },
    compare: (questions: readonly Question[], over: Partial<ComparisonTerms> = {}) =>
      comparisons.compare(questions, { ...terms, ...over }),
  };
}

/** Compares with two servers, the second of which is slow: it is known to be from the second comparison on. */
async function withSlowOne() {
  const all = comparing();
  const first = [server('quick'), server('slow')] as const;
  const one = all.compare(
    first.map(({ question }) => question),
    { witnesses: 1 },
  );
  await settled();
  first[0].agrees();
  await vi.advanceTimersByTimeAsync(1000);
  expect((await one).heard.agreed).toEqual(['quick']);
  const [quick, slow] = [server('quick'), server('slow')];
  const slowAgain = { ...slow.question, client: first[1].question.client };
  const two = all.compare([quick.question, slowAgain]);
  await settled();
  quick.agrees();
  const { heard, isEnough } = await two;
  expect([heard.agreed, isEnough]).toEqual([['quick'], true]);
  return { ...all, slow };
}

it('a server that was slow is not waited for the next time, and heard all the same', async () => {
  const { slow, late, failures } = await withSlowOne();
  expect(late).toEqual([]);
  slow.agrees();
  await settled();
  expect(late).toEqual(['slow']);
  expect(failures).toEqual([]);
});

it('a server that names a different block and cannot prove it is waited for once, until it agrees', async () => {
  const { compare, late } = comparing();
  const client = { name: 'against' };
  const report: WitnessReport = { ...NOTHING, contradicts: [{ source: 'against', key: 'another block' }] };
  const turn = async (said: WitnessReport, afterMs: number) => {
    const ask = async (onOther: () => void) => {
      if (said === report) onOther();
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      return said;
    };
    const startMs = performance.now();
    const compared = compare([{ client, ask }]).then(() => performance.now() - startMs);
    await vi.advanceTimersByTimeAsync(5_000);
    return await compared;
  };
  expect(await turn(report, 1_000)).toBe(1_000);
  expect(await turn(report, 2_000)).toBe(0);
  const silent = { ...NOTHING, silent: [{ source: 'against', key: 'no answer' }] } as unknown as WitnessReport;
  for (const said of [report, silent, report]) expect(await turn(said, 500)).toBe(0);
  expect(await turn(agreed('against'), 900)).toBe(0);
  expect(late).toEqual(['against']);
  expect(await turn(report, 3_000)).toBe(3_000);
});

it('a fork that a server shows late ends the run, as a wrong clock does, and its failure does not', async () => {
  for (const code of ['source/disagree', 'source/clock'] as const) {
    const { slow, failures } = await withSlowOne();
    const error = new SourceError(code, 'two histories, or no time to judge them by');
    slow.fails(error);
    await settled();
    expect(failures).toEqual([error]);
  }
  const other = await withSlowOne();
  other.slow.fails(new SourceError('source/aborted', 'stopped'));
  await settled();
  expect(other.failures).toEqual([]);
});

it('what comes after the end of the run is told to no one', async () => {
  const { slow, late, run } = await withSlowOne();
  run.abort();
  slow.agrees();
  await settled();
  expect(late).toEqual([]);
  const { compare, late: after } = comparing();
  const [forked, other] = [server('a'), server('b')];
  const fork = new SourceError('source/disagree', 'two histories');
  const ended = compare([forked.question, other.question]);
  await settled();
  forked.fails(fork);
  await expect(ended).rejects.toBe(fork);
  other.agrees();
  await settled();
  expect(after).toEqual([]);
});
