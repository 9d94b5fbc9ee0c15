/** Surveys: what is counted is what stands in the ledger, in a bounded number of bins, and to a block that is asked for. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type AuditLine,
  type AuditPlan,
  type AuditRow,
  type AuditUndecidedReason,
  isSigned,
  positionsIn,
  seqnoOf,
} from '../../../src/app/audit/ledger-lines.ts';
import { meanMillionths, millionthsOf } from '../../../src/app/audit/millionths.ts';
import { checkLedger } from '../../../src/app/audit/read-ledger.ts';
import { Bins, coverageOf, ROW_OUTCOMES, rowOutcomeOf } from '../../../src/app/audit/survey/block-bins.ts';
import { Participation } from '../../../src/app/audit/survey/participation.ts';
import { conclusionOf, type Survey, Surveyor, surveyLedger } from '../../../src/app/audit/survey/survey.ts';
import { renderAuditCsv } from '../../../src/app/report/audit/csv.ts';
import { renderAuditHtml } from '../../../src/app/report/audit/html.ts';
import { renderAuditJunit } from '../../../src/app/report/audit/junit.ts';
import { pageDataOf } from '../../../src/app/report/audit/page-data.ts';
import { auditSummaryToJson } from '../../../src/app/report/audit/summary-json.ts';
import { renderAuditText } from '../../../src/app/report/audit/summary-text.ts';
import { percent } from '../../../src/app/report/layout.ts';
import type { ValidatorSetCheck } from '../../../src/core/verify/report.ts';
import { type LongLedger, longLedgerLines } from '../../helpers/long-ledger.ts';
import { share } from '../../helpers/share.ts';
import { ROOT } from '../../helpers/vectors.ts';

const folder = mkdtempSync(join(tmpdir(), 'survey-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MIXED = join(ROOT, 'vectors/audit/mixed.ndjson');
const GENESIS = join(ROOT, 'vectors/audit/mainnet-1-99.ndjson');

async function linesOf(file: string): Promise<AuditLine[]> {
  const lines: AuditLine[] = [];
  await checkLedger(file, (line) => lines.push(line));
  return lines;
}

function surveyOf(lines: Iterable<AuditLine>): Survey {
  const surveyor = new Surveyor();
  for (const line of lines) surveyor.add(line);
  return surveyor.finish('0'.repeat(64))!;
}

const isRow = (line: AuditLine): line is AuditRow => line.type === 'block' || line.type === 'failure';
const long = (options: Partial<LongLedger>) => [
  ...longLedgerLines({ rows: 3000, validators: 30, setEvery: 700, ...options }),
];

const fits = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(
  JSON.parse(readFileSync(join(ROOT, 'schemas/audit-summary-1.json'), 'utf8')) as object,
);

describe('a survey', () => {
  it('counts every outcome of a ledger, and names what is not final', async () => {
    const { survey } = await surveyLedger(MIXED);
    const rows = (await linesOf(MIXED)).filter(isRow);
    for (const outcome of ROW_OUTCOMES) {
      expect(survey.outcomes[outcome]).toBe(rows.filter((row) => rowOutcomeOf(row) === outcome).length);
    }
    const named = survey.runs.flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, n) => first + n),
    );
    expect(named).toEqual(rows.filter((row) => rowOutcomeOf(row) !== 'final').map(seqnoOf));
    expect(survey.changes).toEqual([{ seqno: 5021, set: 1, joined: 9, left: 5 }]);
    expect(survey.thinnest).toMatchObject({ seqno: 5021, margin: '18' });
  });

  it('gives each validator what the bitmaps of its sets say, whatever the columns', () => {
    const lines = long({});
    const survey = surveyOf(lines);
    const wanted = new Map<string, [blocks: number, absent: number]>();
    const sets = new Map(lines.flatMap((line) => (line.type === 'set' ? [[line.set, line.validators] as const] : [])));
    for (const row of lines) {
      if (row.type !== 'block' || !isSigned(row)) continue;
      const away = new Set(positionsIn(row.absent));
      for (const [n, { publicKey }] of sets.get(row.set)!.entries()) {
        const [blocks, absent] = wanted.get(publicKey) ?? [0, 0];
        wanted.set(publicKey, [blocks + 1, absent + (away.has(n) ? 1 : 0)]);
      }
    }
    const got = survey.keys.map((key, n) => [key, [survey.totals[n]!.blocks, survey.totals[n]!.absent]] as const);
    expect(new Map(got as [string, [number, number]][])).toEqual(wanted);
  });

  it('counts nobody as absent in a block that another set signed', () => {
    const [head, set, ...rows] = long({ rows: 5 });
    const other = (reason: AuditUndecidedReason, setCheck: ValidatorSetCheck) => (row: AuditLine) => {
      if (row.type !== 'block' || !isSigned(row)) return row;
      const absent = 'f'.repeat(row.absent.length);
      return { ...row, absent, signedWeight: '0', setCheck, verdict: { status: 'undecided', reason } } as AuditLine;
    };
    const [first, second, third, ...rest] = rows as [AuditLine, AuditLine, AuditLine];
    const foreign = [other('wrong-validator-set', 'mismatch')(second), other('no-known-signer', 'not-checked')(third)];
    const [whole, own] = [surveyOf([head!, set!, first, ...foreign, ...rest]), surveyOf([head!, set!, first, ...rest])];
    expect(whole.totals).toEqual(own.totals);
    expect(whole.meanCoverage).toBe(own.meanCoverage);
    expect(whole.thinnest).toEqual(own.thinnest);
    expect(whole.bySignatures).toBe(5);
    const unbound = other('unbound-id', 'match')(second);
    expect(surveyOf([head!, set!, first, unbound]).totals.map(({ blocks }) => blocks)).toEqual(Array(30).fill(2));
  });

  it('rounds no share but down, and a mean of equal shares not at all', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 63n }),
        fc.bigInt({ min: 1n, max: 2n ** 63n }),
        fc.integer({ min: 1, max: 2000 }),
        (a, b, count) => {
          const [part, whole] = a < b ? [a, b] : [b, a];
          if (whole === 0n) return;
          const share = millionthsOf(part, whole);
          expect(BigInt(share) * whole <= part * 1_000_000n && part * 1_000_000n < BigInt(share + 1) * whole).toBe(
            true,
          );
          expect(meanMillionths(new Map([[whole, BigInt(count) * part]]), count)).toBe(share);
          expect(percent(share / 1e6)).toBe(
            `${Math.floor(share / 10_000)}.${String(share % 10_000).padStart(4, '0')} %`,
          );
        },
      ),
      { numRuns: share(100, 300) },
    );
    expect(millionthsOf(-1n, 3n)).toBe(-333_334);
    expect(
      meanMillionths(
        new Map([
          [3n, 2n],
          [10n, 14n],
          [15n, 2n],
        ]),
        3,
      ),
    ).toBe(733_333);
    expect(
      meanMillionths(
        new Map([
          [3n, 2n],
          [15n, 14n],
        ]),
        2,
      ),
    ).toBe(800_000);
  });

  it('names the same thinnest margin as the audit did', async () => {
    for (const file of [MIXED, GENESIS]) {
      const { survey } = await surveyLedger(file);
      expect((await checkLedger(file)).state.counts.thinnest).toEqual(survey.thinnest);
      const rows = (await linesOf(file)).filter((row) => row.type === 'block' && row.verdict.status === 'final');
      const margins = rows.flatMap((row) =>
        row.type === 'block' && isSigned(row) ? [Number(row.margin) / Number(row.totalWeight)] : [],
      );
      expect(survey.thinnest?.share).toBe(Math.floor(1e6 * Math.min(...margins)) / 1e6);
    }
  });

  it('has every block in one bin and one column, and no more of them than agreed', () => {
    const survey = surveyOf(long({}));
    expect(survey.columns.length).toBeLessThanOrEqual(100);
    expect(survey.columns.reduce((sum, { rows }) => sum + rows, 0)).toBe(3000);
    const cells = new Participation();
    for (const line of long({ validators: 400, rows: 2000, setEvery: 5000 })) {
      if (line.type === 'set') cells.addSet(line);
      if (line.type === 'block') cells.add(line.block.seqno, isSigned(line) ? line : undefined);
    }
    cells.close();
    expect(cells.columns.length * 400).toBeLessThanOrEqual(10_000);
    expect(cells.columns.length).toBeGreaterThanOrEqual(12);
  });

  it('joins neighbours once there are too many bins, and keeps the row that most deserves a look', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 20 }), (count, half) => {
        const rows = long({ rows: count, validators: 3, setEvery: 1000 }).filter(isRow);
        const bins = new Bins(2 * half);
        for (const row of rows) bins.add(row);
        expect(bins.list.length).toBeLessThanOrEqual(2 * half);
        let next = seqnoOf(rows[0]!);
        for (const { first, last, rows: held, least, worst, outcomes } of bins.list) {
          expect(first).toBe(next);
          expect(last - first + 1).toBe(held);
          next = last + 1;
          const own = rows.filter((row) => seqnoOf(row) >= first && seqnoOf(row) <= last);
          const coverages = own.map(coverageOf).filter((one) => one !== undefined);
          expect(least).toBe(Math.min(...coverages));
          expect(ROW_OUTCOMES.map((one) => own.filter((row) => rowOutcomeOf(row) === one).length)).toEqual(outcomes);
          const isBad = own.some((row) => ['insufficient', 'rejected'].includes(rowOutcomeOf(row)));
          if (isBad) expect(rowOutcomeOf(worst)).toBe('insufficient');
        }
        expect(next).toBe(seqnoOf(rows.at(-1)!) + 1);
      }),
      { numRuns: share(20, 50) },
    );
  });

  it('is of all blocks up to the one asked for, and unfinished where rows are missing', async () => {
    const lines = readFileSync(GENESIS, 'utf8').split('\n').slice(0, 52); // head, set, 50 rows
    const file = join(folder, 'short.ndjson');
    writeFileSync(file, `${lines.join('\n')}\n`);
    appendFileSync(file, '{"type":"blo');
    const whole = await surveyLedger(file);
    expect(whole.tailBytes).toBe(12);
    expect(whole.survey).toMatchObject({ isFinished: false, last: 50, to: 99 });
    expect(conclusionOf(whole.survey)).toBe('not-fetched');
    const part = await surveyLedger(file, { to: 50 });
    expect(part.survey).toMatchObject({ isFinished: true, last: 50, to: 50 });
    expect(conclusionOf((await surveyLedger(file, { to: 51 })).survey)).toBe('not-fetched');
    await expect(surveyLedger(file, { to: 100 })).rejects.toMatchObject({ code: 'usage/bad-option', path: 'to' });
  });

  it('checks what stands after the last block asked for too', async () => {
    const file = join(folder, 'changed.ndjson');
    const text = readFileSync(GENESIS, 'utf8').trimEnd();
    const last = text.lastIndexOf('"unknown":0');
    writeFileSync(file, `${text.slice(0, last)}"unknown":1${text.slice(last + 11)}\n`);
    await expect(surveyLedger(file, { to: 10 })).rejects.toMatchObject({ code: 'audit/ledger' });
  });

  it('concludes with the worst that a ledger has', () => {
    const base = surveyOf(long({ rows: 5 }));
    const none = { final: 5, insufficient: 0, rejected: 0, undecided: 0, failed: 0 };
    const of = (more: Partial<typeof none>, isFinished = true) =>
      conclusionOf({ ...base, isFinished, outcomes: { ...none, ...more } });
    expect(of({})).toBe('final');
    expect(of({ undecided: 1 })).toBe('undecided');
    expect(of({ undecided: 1, failed: 1 })).toBe('not-fetched');
    expect(of({ undecided: 1 }, false)).toBe('not-fetched');
    expect(of({ undecided: 1, failed: 1, rejected: 1 }, false)).toBe('not-final');
    expect(of({ insufficient: 1 })).toBe('not-final');
  });
});

const RUN = { version: '7.8.9', ledger: 'mine.ndjson' };

describe('a report', () => {
  it.each([MIXED, GENESIS])('of %s fits the published schema', async (file) => {
    const json = auditSummaryToJson((await surveyLedger(file)).survey, RUN);
    expect(fits(JSON.parse(JSON.stringify(json))), JSON.stringify(fits.errors)).toBe(true);
  });

  it('in words begins with what it comes to', async () => {
    expect(renderAuditText((await surveyLedger(GENESIS)).survey)).toMatch(
      /^ALL FINAL: masterchain blocks 1 to 99, 99 of 99 final, numbers of 89 not bound\n/,
    );
    expect(renderAuditText((await surveyLedger(MIXED)).survey)).toMatch(
      /^NOT ALL FINAL: masterchain blocks 5000 to 5039, 33 of 40 final, numbers of 13 not bound\n/,
    );
  });

  it('of an audit that is not finished says that first, and a block that is not final with it', async () => {
    const lines = await linesOf(MIXED);
    const upTo = (count: number) => {
      const surveyor = new Surveyor();
      for (const line of lines.slice(0, count)) surveyor.add(line);
      return renderAuditText(surveyor.finish('0'.repeat(64))!).split('\n')[0];
    };
    expect(upTo(5)).toBe(
      'UNFINISHED: masterchain blocks 5000 to 5039, 3 of 3 final, numbers of 1 not bound, unfinished at 3 of 40 blocks',
    );
    expect(upTo(9)).toMatch(/^UNFINISHED, NOT ALL FINAL: masterchain blocks 5000 to 5039, 6 of 7 final/);
  });

  it('says that it is of a record, by which version and of which ledger', async () => {
    const { survey } = await surveyLedger(MIXED);
    const words = renderAuditText(survey, RUN);
    expect(words).toContain(`  ledger     ${survey.hash}, mine.ndjson\n`);
    expect(words).toContain(
      '  record     a ledger contains no signatures; run ton-finality audit check to verify its blocks again\n',
    );
    expect(words).toContain('  report     by ton-finality 7.8.9\n');
    const inputs = [{ name: 'mine.ndjson', ledgerHash: survey.hash }];
    const json = auditSummaryToJson(survey, RUN);
    expect(json).toMatchObject({ holdsSignatures: false, run: { tool: 'ton-finality', version: '7.8.9', inputs } });
    expect(fits(json)).toBe(true);
  });

  it('says of which range it is one part, in words and as JSON', () => {
    const survey = surveyOf(long({ rows: 3 }));
    const { from, to } = survey.head;
    expect(auditSummaryToJson(survey, RUN).partOf).toBe(null);
    expect(renderAuditText(survey)).not.toContain('  part ');
    const part = { ...survey, head: { ...survey.head, whole: { from, to: to + 3 } } };
    expect(auditSummaryToJson(part, RUN).partOf).toEqual({ from, to: to + 3 });
    expect(renderAuditText(part)).toContain(`\n  part       part 1 of 2 of blocks ${from} to ${to + 3}\n`);
  });

  it('as JSON copies no member that the format does not have', () => {
    const more = { more: 'x'.repeat(100) };
    const id = { ...(long({ rows: 1 })[0] as AuditPlan & { trust: { anchor: object } }).trust.anchor, ...more };
    const odd = long({ rows: 3 }).map((line) => {
      if (line.type === 'audit') {
        const trust = { ...line.trust, anchor: id, keyBlock: id, ...more };
        return { ...line, policy: { ...line.policy, ...more }, trust, ...more } as AuditLine;
      }
      if (line.type === 'set')
        return { ...line, provenance: { kind: 'proven', keyBlock: id, anchor: id, ...more }, ...more };
      return { ...line, ...more };
    });
    expect(JSON.stringify(auditSummaryToJson(surveyOf(odd as AuditLine[]), RUN))).not.toContain('more');
  });

  it('says of how many final blocks nothing vouches for the number', async () => {
    const { survey } = await surveyLedger(GENESIS);
    const rows = readFileSync(GENESIS, 'utf8').split('\n');
    const unbound = rows.filter((line) => line.includes('"bound":["rootHash","fileHash"]')).length;
    expect(unbound).toBeGreaterThan(0);
    expect(survey.unbound).toBe(unbound);
    expect(renderAuditText(survey)).toContain(`; the numbers of ${unbound} final blocks are not bound\n`);
    expect(auditSummaryToJson(survey, RUN).judged).toEqual({
      bySignatures: 99,
      byDescendant: 0,
      unbound,
      setNotChecked: expect.any(Number),
    });
    expect(renderAuditJunit(survey)).toContain(`99 of 99 final, numbers of ${unbound} not bound`);
    expect(pageDataOf(survey).headline).toMatch(new RegExp(`, numbers of ${unbound} not bound$`));
  });

  it('says how many rows were not compared with a header', async () => {
    const { survey } = await surveyLedger(GENESIS);
    const unchecked = readFileSync(GENESIS, 'utf8').split('"setCheck":"not-checked"').length - 1;
    expect(unchecked).toBeGreaterThan(1);
    expect(renderAuditText(survey)).toContain(`; ${unchecked} rows not compared with a header`);
    expect(pageDataOf(survey).judged).toContain(`; ${unchecked} rows not compared with a header`);
    expect(auditSummaryToJson(survey, RUN).judged.setNotChecked).toBe(unchecked);
  });

  it('as CSV has one line for each validator, and counts that add up', async () => {
    const { survey } = await surveyLedger(MIXED);
    const [head, ...lines] = renderAuditCsv(survey).trimEnd().split('\r\n');
    expect(head).toBe('publicKey,weight,sets,blocks,signed,absent,bad,participation,firstBlock,lastBlock');
    expect(lines.map((line) => line.split(',')[0])).toEqual(survey.keys);
    for (const line of lines) {
      const [, , , blocks, signed, absent, bad] = line.split(',').map(Number);
      expect(signed! + absent! + bad!).toBe(blocks);
    }
  });

  it('as JUnit fails for what is not final, errs for what is not known, and passes nothing else', async () => {
    const xml = renderAuditJunit((await surveyLedger(MIXED)).survey);
    expect(xml).toContain('<testsuites tests="40" failures="3" errors="4" skipped="0">');
    expect(xml).toMatch(/name="block 5005"><failure type="insufficient"/);
    expect(xml).toMatch(
      /name="block 5009"><error type="failed" message="source.missing">block 5009: not fetched: source.missing<.error>/,
    );
    expect(xml).toMatch(/name="block 5025"><error type="undecided"/);
    expect(xml.match(/<testcase [^>]*\/>/g)).toHaveLength(33);
    const unfinished = surveyOf(long({ rows: 20 }).slice(0, -3));
    expect(renderAuditJunit(unfinished)).toContain('<error type="unfinished" message="blocks 50000017 to 50000019');
  });

  it('as a page has no more than 10 000 bins and cells, and its data cannot end the script', () => {
    const data = pageDataOf(surveyOf(long({ rows: 12_000, validators: 20, setEvery: 300 })));
    expect(data.bins.first.length).toBe(6000);
    expect(data.cells.reduce((sum, cells) => sum + cells.length / 4, 0)).toBeLessThanOrEqual(10_000);
    const [head, set, ...rows] = long({ rows: 3 });
    const hostile = { ...rows[1]!, type: 'failure', seqno: 50_000_001, code: '</script><script>alert(1)</script>' };
    const html = renderAuditHtml(
      surveyOf([head!, set!, rows[0]!, hostile as AuditLine]),
      '<main><!-- verdict --></main><script>"ton-finality:data"</script>',
    );
    expect(html).toMatch(/^<main><h1>UNFINISHED: [^<]+<\/h1><pre>[^<]+&#60;\/script[^<]+<\/pre><\/main>/);
    expect(html.match(/<\/script/g)).toHaveLength(1);
    expect(html).toContain('\\u003c/script\\u003e');
  });
});
