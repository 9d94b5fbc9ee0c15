/** Makes the data of a page from a survey. Every list has a limit, and every value was checked by the reader of ledgers. */

import { BLOCK_ID_FIELDS } from '../../../core/block/block-id.ts';
import { type AuditRow, defectsOf, isSigned, reasonOf, thresholdOf } from '../../audit/ledger-lines.ts';
import { MAX_BINS, ROW_OUTCOMES, rowOutcomeOf } from '../../audit/survey/block-bins.ts';
import { conclusionOf, HISTOGRAM_FROM, type Survey } from '../../audit/survey/survey.ts';
import { membershipsOf } from './csv.ts';
import { FLAG, type PageRow, type PageSet, type PageValidator } from './page-rows.ts';
import { headlineOfAudit, judgedWords, partWords, policyWords, RECORD_WORDS, runWords } from './summary-text.ts';

/** Most validators, and most members of all sets together, that one page shows. */
const MAX_PAGE_VALIDATORS = 1000;
const MAX_PAGE_MEMBERS = 50_000;
/** Most lines in the lists of runs and changes. */
const MAX_PAGE_LINES = 1000;

function base64(...hex: readonly string[]): string {
  return Buffer.from(hex.join(''), 'hex').toString('base64').replace(/=+$/, '');
}

function detailOf(row: AuditRow): string | 0 {
  const defects = defectsOf(row);
  return reasonOf(row) ?? (defects === undefined ? 0 : `bad entries: ${defects.join(', ')}`.slice(0, 200));
}

function flagsOf(row: Extract<AuditRow, { type: 'block' }>): number {
  let flags = 0;
  for (const [n, field] of BLOCK_ID_FIELDS.entries()) if (row.bound.includes(field)) flags |= 1 << n;
  if (row.setCheck === 'match') flags |= FLAG.setMatches;
  if (row.setCheck === 'mismatch') flags |= FLAG.setDiffers;
  return flags;
}

/** Numbers the sets of the page in the order in which rows name them. */
function pageSets(survey: Survey) {
  const list: PageSet[] = [];
  const keys: string[] = [];
  const setOf = new Map(survey.sets.map((set) => [set.line.set, set]));
  const places = new Map<string, number>();
  const keyPlaces = new Map<number, number>();
  let held = 0;

  function key(index: number): number {
    const place = keyPlaces.get(index) ?? keys.push(base64(survey.keys[index]!)) - 1;
    keyPlaces.set(index, place);
    return place;
  }

  function place(hash: string, required: string): number {
    const known = places.get(hash);
    if (known !== undefined) return known;
    const { line, members, weights } = setOf.get(hash)!; // the reader rejects rows whose set was not named
    held += members.length;
    const isHeld = held <= MAX_PAGE_MEMBERS;
    places.set(hash, list.length);
    list.push({
      hash,
      total: line.totalWeight,
      required,
      provenBy: line.provenance.kind === 'proven' ? line.provenance.keyBlock.seqno : null,
      size: members.length,
      members: isHeld ? Array.from(members, key) : null,
      weights: isHeld ? weights : [],
    });
    return list.length - 1;
  }
  return { list, keys, key, place };
}

function rowOf(row: AuditRow, sets: ReturnType<typeof pageSets>): PageRow {
  const outcome = ROW_OUTCOMES.indexOf(rowOutcomeOf(row));
  const detail = detailOf(row);
  if (row.type === 'failure') return [row.seqno, outcome, detail, 0, 0, 0, -1, 0, 0, 0, 0, ''];
  const { seqno, rootHash, fileHash } = row.block;
  const time = row.header?.genUtime ?? 0;
  const flags = flagsOf(row);
  if (!isSigned(row)) {
    const by = row.provenance.by === 'descendant' ? row.provenance.seqno : 0;
    return [seqno, outcome, detail, 0, 0, 0, -1, 0, time, flags, by, base64(rootHash, fileHash)];
  }
  const set = sets.place(row.set, row.requiredWeight);
  const required = sets.list[set]!.required === row.requiredWeight ? 0 : row.requiredWeight;
  const kind = row.kind === 'ordinary' ? 1 : 2;
  const packed = base64(rootHash, fileHash, row.absent, row.bad);
  return [seqno, outcome, detail, kind, row.signedWeight, required, set, row.unknown, time, flags, 0, packed];
}

/** Returns the validators that missed most, as many as the picture can show. */
function shownValidators(survey: Survey): number[] {
  const missed = survey.totals.map(({ absent, bad }) => absent + bad);
  const order = survey.keys.map((_, n) => n).sort((a, b) => missed[b]! - missed[a]! || a - b);
  const cells = new Uint32Array(survey.keys.length);
  for (const column of survey.columns) for (const validator of column.cells.keys()) cells[validator]! += 1;
  let room = MAX_BINS;
  const shown: number[] = [];
  for (const validator of order) {
    room -= cells[validator]!;
    if (room < 0 || shown.length === MAX_PAGE_VALIDATORS) break;
    if (cells[validator]! > 0) shown.push(validator);
  }
  return shown;
}

function cellsOf(survey: Survey, validator: number): number[] {
  return survey.columns.flatMap(({ cells }, n) => {
    const cell = cells.get(validator);
    return cell === undefined ? [] : [n, cell.blocks, cell.absent, cell.bad];
  });
}

function trustWords({ head: { trust } }: Survey): string {
  if (trust.kind === 'given') return `a set given by the caller, ${trust.set}`;
  return `checkpoint at key block ${trust.keyBlock.seqno}, pinned at block ${trust.anchor.seqno}`;
}

/** Returns millionths, rounded down; -1 for none. */
const orNone = (millionths: number): number => (Number.isFinite(millionths) ? Math.floor(millionths) : -1);

/** Facts that a ledger does not contain. */
export type AboutReport = Readonly<Partial<Record<'ledger' | 'tool', string>>>;

export function pageDataOf(survey: Survey, { ledger, tool }: AboutReport = {}) {
  const { head, bins, thinnest } = survey;
  const sets = pageSets(survey);
  const row = bins.map(({ worst }) => rowOf(worst, sets));
  const memberships = membershipsOf(survey);
  const shown = shownValidators(survey);
  const validators = shown.map((n): PageValidator => {
    const { weight, first } = memberships[n]!;
    const { blocks, absent, bad } = survey.totals[n]!;
    return [sets.key(n), weight, blocks, absent, bad, first];
  });
  const changes = survey.changes
    .slice(0, MAX_PAGE_LINES)
    .map(({ seqno, set, joined, left }) => [seqno, survey.sets[set]!.members.length, joined, left] as const);
  const { num, den } = thresholdOf(head.policy.threshold);
  return {
    headline: headlineOfAudit(survey),
    conclusion: conclusionOf(survey),
    from: head.from,
    last: survey.last,
    hash: survey.hash,
    ledger: ledger ?? null,
    tool: tool ?? null,
    /** Words for the part of a range that this ledger covers; `null` for a whole range. */
    part: partWords(survey),
    /** Unix seconds of the first and the last proven header. */
    times: survey.times ?? null,
    policy: policyWords(survey),
    trust: trustWords(survey),
    /** A number between 2/3 and 1, for the line in the pictures. */
    threshold: Number(num) / Number(den),
    thresholdWords: head.policy.threshold,
    outcomes: ROW_OUTCOMES.map((outcome) => survey.outcomes[outcome]),
    judged: judgedWords(survey),
    /** Note on what a ledger proves. */
    record: RECORD_WORDS,
    mean: survey.meanCoverage ?? null,
    thinnest: thinnest === undefined ? null : ([thinnest.seqno, thinnest.share] as const),
    /** Columns of equal length, one entry for each bin. Coverage is in millionths, -1 without signatures. */
    bins: {
      first: bins.map(({ first }) => first),
      last: bins.map(({ last }) => last),
      least: bins.map(({ least }) => orNone(least)),
      mean: bins.map(({ sum, signed }) => orNone(sum / signed)),
      outcome: bins.map(({ worst }) => ROW_OUTCOMES.indexOf(rowOutcomeOf(worst))),
      time: bins.map(({ time }) => time ?? 0),
      row,
    },
    histogram: { from: HISTOGRAM_FROM, ...survey.histogram },
    keys: sets.keys,
    sets: sets.list,
    columns: survey.columns.map(({ first, last }) => [first, last] as const),
    /** Validators that missed most come first. */
    validators,
    /** Numbers for each validator, in groups: column, blocks, absent, bad. */
    cells: shown.map((n) => cellsOf(survey, n)),
    /** Number of all validators; the page shows some of them. */
    validatorCount: survey.keys.length,
    changes,
    runs: survey.runs.slice(0, MAX_PAGE_LINES).map((run) => [run.first, run.last, runWords(run)] as const),
    unlisted: {
      runs: survey.unlisted.runs + Math.max(0, survey.runs.length - MAX_PAGE_LINES),
      changes: survey.unlisted.changes + Math.max(0, survey.changes.length - MAX_PAGE_LINES),
    },
  };
}

/** Data that is written into the page and read by `report-page/`. It is compact, since there can be 10,000 blocks. */
export type PageData = ReturnType<typeof pageDataOf>;
