/** Renders a survey as about a dozen lines of text: the conclusion first, then the reasons. */
import type { Conclusion } from '../../audit/count-rows.ts';
import { partOfRange } from '../../audit/split-range.ts';
import { conclusionOf, type Run, type Survey } from '../../audit/survey/survey.ts';
import { blocksWords, counted, isoTime, percent, row, rows } from '../layout.ts';

/** Most runs that are named one by one. */
const NAMED_RUNS = 10;

const CONCLUSION_WORDS: Readonly<Record<Conclusion, string>> = {
  final: 'ALL FINAL',
  'not-final': 'NOT ALL FINAL',
  'not-fetched': 'NOT ALL FETCHED',
  undecided: 'NOT ALL DECIDED',
};

/** Returns the conclusion. An unfinished audit has none yet, unless some block is not final. */
function conclusionWords(survey: Survey): string {
  const conclusion = conclusionOf(survey);
  if (survey.isFinished) return CONCLUSION_WORDS[conclusion];
  return conclusion === 'not-final' ? `UNFINISHED, ${CONCLUSION_WORDS[conclusion]}` : 'UNFINISHED';
}

export function headlineOfAudit(survey: Survey): string {
  const { head, to, rows, outcomes, unbound } = survey;
  const open = unbound === 0 ? '' : `, numbers of ${unbound} not bound`;
  const unfinished = survey.isFinished ? '' : `, unfinished at ${rows} of ${counted('block', to - head.from + 1)}`;
  return `${conclusionWords(survey)}: masterchain blocks ${head.from} to ${to}, ${outcomes.final} of ${rows} final${open}${unfinished}`;
}

const RUN_WORDS = {
  insufficient: 'not final, insufficient weight',
  rejected: 'not final, rejected',
  undecided: 'undecided',
  failed: 'not fetched',
} as const;

export function runWords({ outcome, detail }: Pick<Run, 'outcome' | 'detail'>): string {
  return detail === '' ? RUN_WORDS[outcome] : `${RUN_WORDS[outcome]}: ${detail}`;
}

function runLines({ runs, unlisted }: Survey): string[] {
  const named = runs
    .slice(0, NAMED_RUNS)
    .map((run, n) => row(n === 0 ? 'not final' : '', `${blocksWords(run.first, run.last)}: ${runWords(run)}`));
  const more = runs.length - named.length + unlisted.runs;
  return more === 0 ? named : [...named, row('', `and ${more} more, see --json`)];
}

/** Returns the members of a policy that differ from the default. */
export function policyWords({ head: { policy, signEvery } }: Survey): string {
  const words = [`more than ${policy.threshold}`];
  words.push(policy.onDefect === 'reject' ? 'any defect rejects' : 'defects ignored, unlike the node');
  if (policy.requireBoundId) words.push('whole id must be bound');
  if (policy.acceptUnbound) words.push('unbound number accepted');
  if (signEvery > 1) words.push(`signatures of every ${signEvery}th block`);
  return words.join(', ');
}

/** Most parts that are tried. */
const MAX_PARTS = 10_000;

/** Says which part of a range a ledger is, for example 2 of 5, if the two ranges fit exactly one number of parts. */
export function partWords({ head: { from, to, whole, signEvery } }: Survey): string | null {
  if (whole === undefined || (whole.from === from && whole.to === to)) return null;
  const blocks = whole.to - whole.from + 1;
  const found: string[] = [];
  for (let count = 2; count <= MAX_PARTS && count <= Math.ceil(blocks / signEvery); count++) {
    const near = Math.round(((from - whole.from) * count) / blocks) + 1;
    for (const index of [near - 1, near, near + 1]) {
      if (index < 1 || index > count) continue;
      const part = partOfRange(whole, index, count, signEvery);
      if (part.from === from && part.to === to) found.push(`part ${index} of ${count}`);
    }
  }
  return `${found.length === 1 ? found[0] : 'a part'} of blocks ${whole.from} to ${whole.to}`;
}

/** Says how many final blocks carry the mark of a stale start. */
export function startWords(count: number): string {
  return `${counted('final block', count)} ${count === 1 ? 'depends' : 'depend'} on a start with old keys that was accepted`;
}

export function judgedWords({ bySignatures, byDescendant, unbound, unchecked, staleStart }: Survey): string {
  const words = [`${bySignatures} by their signatures, ${byDescendant} by a later block`];
  if (unchecked > 0) words.push(`${counted('row', unchecked)} not compared with a header`);
  if (unbound > 0) words.push(`the numbers of ${unbound} final blocks are not bound`);
  if (staleStart > 0) words.push(startWords(staleStart));
  return words.join('; ');
}

/** Says how many blocks the minimum is taken from, if not from all. */
function amongWords({ bySignatures, byDescendant }: Survey): string {
  if (byDescendant === 0) return '';
  return `, of ${counted('block', bySignatures)} with signatures`;
}

/** Note on what a ledger proves. */
export const RECORD_WORDS = 'a ledger contains no signatures; run ton-finality audit check to verify its blocks again';

/** The program that made a report, and its ledger. */
export interface ReportRun {
  readonly version: string;
  /** The name of the ledger as the user gave it. */
  readonly ledger: string;
}

/** Renders the summary without a final line end. */
export function renderAuditText(survey: Survey, run?: ReportRun): string {
  const { outcomes, thinnest, meanCoverage, head, times } = survey;
  const others = (['insufficient', 'rejected', 'undecided', 'failed'] as const)
    .filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => `${outcomes[outcome]} ${outcome === 'failed' ? 'not fetched' : outcome}`);
  const thinnestWords =
    thinnest === undefined
      ? 'no final block with its own signatures'
      : `block ${thinnest.seqno}, ${percent(thinnest.share)} of the weight above the line${amongWords(survey)}`;
  const trust =
    head.trust.kind === 'given' ? 'a set given by the caller' : `checkpoint at block ${head.trust.keyBlock.seqno}`;
  return [
    headlineOfAudit(survey),
    '',
    ...rows({
      blocks: [`${outcomes.final} final`, ...others].join(', '),
      part: partWords(survey) ?? undefined,
      time: times?.map(isoTime).join(' to '),
      judged: judgedWords(survey),
      thinnest: thinnestWords,
      coverage: meanCoverage === undefined ? undefined : `${percent(meanCoverage)} on average`,
      sets: `${survey.sets.length}, of ${survey.keys.length} validators; from ${trust}`,
      policy: policyWords(survey),
      ledger: run === undefined ? survey.hash : `${survey.hash}, ${run.ledger}`,
      record: RECORD_WORDS,
      report: run && `by ton-finality ${run.version}`,
    }),
    ...runLines(survey),
  ].join('\n');
}
