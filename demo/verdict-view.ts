/** The verdict first, then why: or, in its place, what kept it from being given. */
import { el, facts, section } from '../src/app/report-page/dom.ts';
import { time } from '../src/app/report-page/format.ts';
import type { Judged, Part, Trouble } from './protocol.ts';

/** Put in when the page is bundled: what to do about each code, of the table in src/core/base/errors.ts. */
declare const ERROR_REMEDIES: Readonly<Record<string, string>>;

type Report = Judged['report'];

const MEANING: Readonly<Record<string, string>> = {
  final: 'A node would accept this block.',
  insufficient: 'Every signature is valid, but their weight is not enough.',
  rejected: 'A node would reject the whole list of signatures.',
  undecided: 'An input is wrong or unproven: this page does not judge the block.',
};

/** The exceptions that a final verdict relies on, each with the option that enabled it. */
const EXCEPTIONS: readonly (readonly [(report: Report) => boolean, string])[] = [
  [
    ({ counts }) => counts.valid !== counts.entries,
    'Final only by the exception --ignore-defects: a node would reject this signature list.',
  ],
  [
    ({ validatorSet }) => validatorSet.provenance.kind === 'claimed',
    'Final only if that server tells the truth of who may sign: its claim was accepted by --accept-claimed.',
  ],
  [
    ({ policy, bound }) => policy.acceptUnbound && !bound.includes('seqno'),
    'Final only under its hashes, as accepted by --accept-unbound: its number is a server’s claim.',
  ],
  [
    ({ warnings }) => warnings.some(({ code }) => code === 'accepted-stale-start'),
    'Final only if no attacker had the old keys that the proof begins with, as accepted by --accept-stale-start.',
  ],
];

/** Returns the meaning of the verdict, with its exceptions. */
function meaningOf(report: Report): string {
  const { verdict, counts } = report;
  const { status } = verdict;
  const allGood = counts.valid === counts.entries;
  if (status === 'final') {
    const exceptions = EXCEPTIONS.flatMap(([isTaken, words]) => (isTaken(report) ? [words] : []));
    if (exceptions.length > 0) return exceptions.join(' ');
  }
  if (status === 'insufficient' && !allGood) return 'The weight of the valid signatures is not enough.';
  return MEANING[status] ?? '';
}

const CONCLUSION: Readonly<Record<string, string>> = {
  final: 'final',
  insufficient: 'not-final',
  rejected: 'not-final',
  undecided: 'undecided',
};

function provenanceWords({ validatorSet }: Report): string {
  const { provenance } = validatorSet;
  switch (provenance.kind) {
    case 'given':
      return 'given by you';
    case 'claimed':
      return `only claimed by ${provenance.source}`;
    case 'proven':
      return `proven from block ${provenance.anchor.seqno}, by key block ${provenance.keyBlock.seqno}`;
  }
}

const SET_CHECK: Readonly<Record<string, string>> = {
  match: 'its hash matches the header',
  mismatch: 'its hash does not match the header',
  'not-checked': 'not compared with a header',
};

/** @param hasHeader a header was given, though it may name no set, or the set may lack what is compared */
function setCheckWords({ validatorSet: { setCheck } }: Report, hasHeader: boolean): string {
  if (setCheck === 'not-checked' && hasHeader) return 'could not be compared with the header';
  return SET_CHECK[setCheck] ?? setCheck;
}

/** The heading takes the focus, so that a screen reader reads it first. */
function heading(conclusion: string, text: string): HTMLElement {
  return el('h2', { id: 'verdict-title', class: `conclusion ${conclusion}`, tabindex: '-1' }, text);
}

function frame(head: HTMLElement, ...children: readonly Node[]): HTMLElement {
  return el('section', { id: 'verdict', 'aria-labelledby': 'verdict-title' }, head, ...children);
}

export function verdictSection({ report, took, hasHeader }: Judged): HTMLElement {
  const { verdict, block, bound, policy, run } = report;
  const reason = 'reason' in verdict ? ` (${verdict.reason})` : '';
  const id = `(${block.workchain},${BigInt.asUintN(64, BigInt(block.shard)).toString(16)},${block.seqno})`;
  const list: (readonly [string, string, string?])[] = [
    ['block', bound.includes('seqno') ? id : `${id} (number not bound)`],
    ['root hash', block.rootHash, 'hash'],
    ['file hash', block.fileHash, 'hash'],
    ['vouched for', bound.join(', ')],
    ['validator set', `${provenanceWords(report)}; ${setCheckWords(report, hasHeader)}`],
    [
      'policy',
      `more than ${policy.threshold}, ${policy.onDefect === 'ignore' ? 'defects ignored' : 'any defect rejects'}`,
    ],
    ['checked by', `${report.engine}, ${took.toFixed(0)} ms in all, ${time(run.judgedAt)}`],
    ...report.warnings.map(({ code, message }) => ['warning', `${code}: ${message}`] as const),
    ...report.hints.map((hint) => ['what to do', hint] as const),
  ];
  return frame(
    heading(CONCLUSION[verdict.status] ?? 'undecided', report.headline),
    el('p', {}, `${meaningOf(report)}${reason}`),
    facts('facts', list),
  );
}

const PARTS: Readonly<Record<Part, string>> = {
  signatures: 'the signatures',
  validators: 'the validator set',
  checkpoint: 'the checkpoint',
  proof: 'the proof',
  header: 'the header',
  options: 'the options',
  server: 'the server',
};

export function troubleSection({ part, error }: Trouble): HTMLElement {
  const remedy = ERROR_REMEDIES[error.code];
  const list: (readonly [string, string, string?])[] = [
    ['code', error.code, 'hash'],
    ['where', error.path === null ? '–' : error.path],
    ...(error.hint === null ? [] : [['hint', error.hint] as const]),
    ...(remedy === undefined ? [] : [['remedy', remedy] as const]),
  ];
  const about = part === undefined ? '' : ` in ${PARTS[part]}`;
  return frame(
    heading('not-final', `No verdict: something is wrong${about}`),
    el('p', { class: 'message' }, error.message),
    facts('facts', list),
  );
}

/** Makes the section that the page shows before it has judged a block. */
export function emptySection(): HTMLElement {
  return section(
    'verdict',
    'Verdict',
    el('p', { class: 'note' }, 'Press a sample above, or put in signatures and who may sign, and press Check.'),
  );
}
