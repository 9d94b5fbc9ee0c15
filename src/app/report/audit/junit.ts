/**
 * Renders a survey as JUnit XML for CI. Each bin of blocks is a test case; up to 10,000 blocks each have their own. A block that is not
 * final is a failure. A block that is missing or undecided is an error, never a pass and never skipped.
 */
import { type Bin, ROW_OUTCOMES } from '../../audit/survey/block-bins.ts';
import { conclusionOf, type Run, type Survey } from '../../audit/survey/survey.ts';
import { blocksWords } from '../layout.ts';
import { inert } from './escape-markup.ts';
import { headlineOfAudit, runWords, startWords } from './summary-text.ts';

/** Most runs that the text of one test case names. */
const NAMED_RUNS = 20;

/** Yields bins with their runs, in one pass over both. */
function* runsOf(runs: readonly Run[], bins: readonly Bin[]): Generator<readonly [Bin, readonly Run[]]> {
  let from = 0;
  for (const bin of bins) {
    while (from < runs.length && runs[from]!.last < bin.first) from += 1;
    const own: Run[] = [];
    for (let at = from; at < runs.length && runs[at]!.first <= bin.last; at++) own.push(runs[at]!);
    yield [bin, own];
  }
}

function testCase(bin: Bin, runs: readonly Run[]): string {
  const open = `    <testcase classname="ton-finality.audit" name="${inert(blocksWords(bin.first, bin.last))}"`;
  const counts = Object.fromEntries(ROW_OUTCOMES.map((outcome, n) => [outcome, bin.outcomes[n]!]));
  if (counts.final === bin.rows) return `${open}/>`;
  const isFailure = counts.insufficient! + counts.rejected! > 0;
  const tag = isFailure ? 'failure' : 'error';
  const said = ROW_OUTCOMES.filter((outcome) => outcome !== 'final' && counts[outcome]! > 0);
  const reasons = [...new Set(runs.map((run) => run.detail || run.outcome))].slice(0, NAMED_RUNS);
  const message = (reasons.length > 0 ? reasons : said.map((outcome) => `${counts[outcome]} ${outcome}`)).join(', ');
  const lines = runs.slice(0, NAMED_RUNS).map((run) => `${blocksWords(run.first, run.last)}: ${runWords(run)}`);
  if (runs.length > NAMED_RUNS) lines.push(`and ${runs.length - NAMED_RUNS} more`);
  return `${open}><${tag} type="${said[0]}" message="${inert(message)}">${inert(lines.join('\n'))}</${tag}></testcase>`;
}

export function renderAuditJunit(survey: Survey): string {
  const cases = [...runsOf(survey.runs, survey.bins)].map(([bin, runs]) => testCase(bin, runs));
  if (!survey.isFinished) {
    const words = `blocks ${survey.last + 1} to ${survey.to} have no row`;
    cases.push(
      `    <testcase classname="ton-finality.audit" name="the audit is finished"><error type="unfinished" message="${words}"/></testcase>`,
    );
  }
  const failures = cases.filter((text) => text.includes('><failure ')).length;
  const errors = cases.filter((text) => text.includes('><error ')).length;
  const { staleStart } = survey;
  const start = staleStart === 0 ? '' : `<property name="staleStart" value="${startWords(staleStart)}"/>`;
  const counts = `tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="ton-finality audit: ${conclusionOf(survey)}" ${counts}>`,
    `    <properties><property name="headline" value="${inert(headlineOfAudit(survey))}"/><property name="ledgerHash" value="${survey.hash}"/>${start}</properties>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
