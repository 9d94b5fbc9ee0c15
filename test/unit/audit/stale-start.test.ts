/** A start with old keys that was accepted: every row that stands on it says so, and so does all that is made of the rows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AuditOptions } from '../../../src/app/audit/audit-options.ts';
import type { AuditSource } from '../../../src/app/audit/audit-source.ts';
import { checkAgain } from '../../../src/app/audit/check-again.ts';
import { auditFiles } from '../../../src/app/audit/file-source.ts';
import { packPart, unpackPart } from '../../../src/app/audit/fleet/packed-part.ts';
import { type AuditPlan, type AuditRow, seqnoOf, withoutHash } from '../../../src/app/audit/ledger-lines.ts';
import { mergeLedgers } from '../../../src/app/audit/merge-ledgers.ts';
import { checkLedger } from '../../../src/app/audit/read-ledger.ts';
import { surveyLedger } from '../../../src/app/audit/survey/survey.ts';
import { auditJson, printAudit } from '../../../src/app/cli/output/print-audit.ts';
import { blockCsvRow } from '../../../src/app/report/audit/csv-blocks.ts';
import { renderAuditJunit } from '../../../src/app/report/audit/junit.ts';
import { pageDataOf } from '../../../src/app/report/audit/page-data.ts';
import { auditSummaryToJson } from '../../../src/app/report/audit/summary-json.ts';
import { renderAuditText } from '../../../src/app/report/audit/summary-text.ts';
import {
  type Checkpoint,
  markedCheckpoint,
  parseCheckpoint,
  validatorSetAt,
} from '../../../src/core/chain/checkpoint.ts';
import { auditChain, scratch, text, writeFolder } from '../../helpers/audit-chain.ts';
import { rowsOf, tally } from '../../helpers/audit-rows.ts';
import { countingEngine } from '../../helpers/counting-engine.ts';
import { startOf } from '../../helpers/networks.ts';
import { handMade } from '../../helpers/recorded-ledgers.ts';

const place = scratch();
afterAll(place.remove);

const chain = auditChain(30);
const start = startOf(chain);
const accepted = parseCheckpoint(JSON.parse(JSON.stringify(markedCheckpoint(start, 'accepted')))); // as from its file
const files = auditFiles(writeFolder(chain, place.next('blocks')));
const common = { from: 1, to: 25, engine: countingEngine(), blocks: files } as const;

const marks = (rows: readonly AuditRow[]) => rows.map((row) => (row.type === 'block' ? row.staleStart : row.code));
const all = (count: number) => Array<string>(count).fill('accepted');

async function ledgerOf(opts: Partial<AuditOptions>): Promise<string> {
  const out = place.next();
  await rowsOf({ ...common, ...opts, out });
  return out;
}

let [marked, plain]: string[] = [];
beforeAll(async () => {
  marked = await ledgerOf({ checkpoint: accepted });
  plain = await ledgerOf({ checkpoint: start });
});

/** Files as from servers that hold the checkpoint of this key block to be old. */
function oldAt(seqno: number, compared: (from: Checkpoint, seqno: number) => void = () => {}): AuditSource {
  return {
    ...files,
    isOld: ({ keyBlock }) => keyBlock.seqno === seqno,
    compare: async (from, { signatures }) => compared(from, signatures.blockId.seqno),
  };
}

describe('a row', () => {
  it.each([1, 7])('of files has the mark of the checkpoint, past key blocks too, with --sign-every %i', async (n) => {
    const rows = await rowsOf({ ...common, checkpoint: accepted, signEvery: n });
    expect(tally(rows)).toEqual({ final: 25 });
    expect(marks(rows)).toEqual(all(25));
  });

  it.each(['none', 'unknown'] as const)('has no mark where that of the checkpoint is %s', async (mark) => {
    const rows = await rowsOf({ ...common, checkpoint: markedCheckpoint(start, mark) });
    expect(rows.some((row) => 'staleStart' in row)).toBe(false);
    const given = await rowsOf({ ...common, to: 9, validators: validatorSetAt(start) });
    expect(given.some((row) => 'staleStart' in row)).toBe(false);
  });

  it.each([1, 7])(
    'over servers has it where its set is old, and so has each row that stands on it, with --sign-every %i',
    async (signEvery) => {
      const first = await rowsOf({ ...common, checkpoint: start, signEvery, blocks: oldAt(0) });
      expect(tally(first)).toEqual({ final: 25 });
      expect(marks(first)).toEqual(all(25));
      const second = await rowsOf({ ...common, checkpoint: start, signEvery, blocks: oldAt(10) });
      expect(marks(second)).toEqual([...Array<undefined>(10).fill(undefined), ...all(15)]);
    },
  );

  it('from a start that was refused is final where the servers agree, and not from files', async () => {
    const checkpoint = markedCheckpoint(start, 'refused');
    const compared: string[] = [];
    const blocks = oldAt(0, ({ staleStart }) => compared.push(staleStart));
    const rows = await rowsOf({ ...common, to: 9, checkpoint, blocks });
    expect(tally(rows)).toEqual({ final: 9 });
    expect(marks(rows)).toEqual(all(9));
    expect(compared).toEqual(['refused']); // a source sees the mark that the checkpoint has
    expect(tally(await rowsOf({ ...common, to: 9, checkpoint }))).toEqual({ 'stale-set': 9 });
  });
});

describe('the mark', () => {
  it('is in a ledger that is resumed, merged, or sent by a worker', async () => {
    expect(
      marks(
        text(marked!)
          .split('\n')
          .slice(1, -1)
          .map((line) => JSON.parse(line) as AuditRow)
          .filter(({ type }) => type === 'block'),
      ),
    ).toEqual(all(25));
    const cut = place.next();
    writeFileSync(cut, text(marked!).slice(0, text(marked!).length / 2));
    await rowsOf({ ...common, checkpoint: accepted, out: cut });
    expect(text(cut)).toBe(text(marked!));
    const parts = [
      await ledgerOf({ checkpoint: accepted, to: 12, whole: { from: 1, to: 25 } }),
      await ledgerOf({ checkpoint: accepted, from: 13, whole: { from: 1, to: 25 } }),
    ];
    const merged = place.next();
    expect((await mergeLedgers(parts, merged)).counts.staleStart).toBe(25);
    expect(text(merged)).toBe(text(marked!));
    const head = withoutHash(JSON.parse(text(marked!).split('\n')[0]!) as AuditPlan);
    const lines = await unpackPart(await packPart(text(marked!)), { head, maxFailures: 0 }, 'part');
    expect(marks(lines.filter((line) => line.type !== 'set'))).toEqual(all(25));
  });

  it('is accepted or absent: a ledger that says anything else is refused', async () => {
    const lines = text(plain!)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const value of ['refused', 'none', true, null]) {
      const file = place.next();
      writeFileSync(file, handMade(lines.map((line, n) => (n === 2 ? { ...line, staleStart: value } : line))));
      await expect(checkLedger(file)).rejects.toMatchObject({
        code: 'audit/ledger',
        message: expect.stringContaining('staleStart'),
      });
    }
  });

  it('is no difference between a row and its block, whichever of them has it', async () => {
    for (const [ledger, checkpoint] of [
      [marked!, start],
      [plain!, accepted],
    ] as const) {
      const found = await checkAgain({ ledger, blocks: files, checkpoint, engine: common.engine });
      expect(found).toMatchObject({ agree: 25, difference: undefined });
    }
  });
});

describe('what is made of a ledger', () => {
  const schemaOf = (name: string) => JSON.parse(readFileSync(`schemas/${name}-1.json`, 'utf8')) as object;
  const fits = (name: string, value: unknown) =>
    new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(schemaOf(name))(
      JSON.parse(JSON.stringify(value)),
    );
  const WORDS = '25 final blocks depend on a start with old keys that was accepted';

  it.each([
    ['marked', 25],
    ['plain', undefined],
  ])('has the count of final blocks, and no member without any: %s', async (name, count) => {
    const ledger = name === 'marked' ? marked! : plain!;
    const { survey } = await surveyLedger(ledger);
    const { state } = await checkLedger(ledger);
    const summary = auditSummaryToJson(survey, { version: '1', ledger });
    const result = auditJson(state, ledger);
    expect([summary.judged.staleStart, result.staleStart]).toEqual([count, count]);
    expect([JSON.stringify(summary), JSON.stringify(result)].map((json) => json.includes('staleStart'))).toEqual(
      Array(2).fill(count !== undefined),
    );
    expect([fits('audit-summary', summary), fits('audit-result', result)]).toEqual([true, true]);
    for (const line of text(ledger).trimEnd().split('\n')) expect(fits('audit-row', JSON.parse(line))).toBe(true);
  });

  it('says it in words in the result, the summary, the page and JUnit, and in a cell of CSV', async () => {
    const { survey } = await surveyLedger(marked!);
    expect(renderAuditText(survey)).toContain(WORDS);
    expect(pageDataOf(survey).judged).toContain(WORDS);
    expect(renderAuditJunit(survey)).toContain(`<property name="staleStart" value="${WORDS}"/></properties>`);
    const rows: AuditRow[] = [];
    const { state } = await checkLedger(marked!, (line) => {
      if (line.type === 'block') rows.push(line);
    });
    for (const row of rows) expect(blockCsvRow(row)).toMatch(/,accepted\r\n$/);
    expect(rows.map(seqnoOf)).toHaveLength(25);
    const printed: string[] = [];
    const said = vi.spyOn(process.stdout, 'write').mockImplementation((words, done) => {
      printed.push(String(words));
      (done as unknown as () => void)(); // it is always given here
      return true;
    });
    try {
      await printAudit(state, marked!, false);
    } finally {
      said.mockRestore();
    }
    expect(printed.join('')).toContain(`  warning    stale-start: ${WORDS}\n`);
  });
});
