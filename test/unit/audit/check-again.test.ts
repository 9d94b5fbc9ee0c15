/** A ledger judged again: an honest one agrees with its blocks, and a row that was made up is found, whatever its hashes say. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditOptions } from '../../../src/app/audit/audit-options.ts';
import { auditRange } from '../../../src/app/audit/audit-range.ts';
import { type CheckAgainOptions, checkAgain, outcomeOfCheck } from '../../../src/app/audit/check-again.ts';
import { compareRows } from '../../../src/app/audit/compare-rows.ts';
import { auditFiles } from '../../../src/app/audit/file-source.ts';
import { type AuditBlock, type AuditRow, seqnoOf } from '../../../src/app/audit/ledger-lines.ts';
import { validatorSetAt } from '../../../src/core/chain/checkpoint.ts';
import { auditChain, scratch, text, writeFolder, writeLines } from '../../helpers/audit-chain.ts';
import { countingEngine } from '../../helpers/counting-engine.ts';
import { startOf } from '../../helpers/networks.ts';
import { handMade } from '../../helpers/recorded-ledgers.ts';

const place = scratch();
afterAll(place.remove);

const chain = auditChain(25);
const start = startOf(chain);
const folder = writeFolder(chain, place.next('blocks'), { unsigned: [7] });
const lines = writeLines(chain, place.next('blocks.ndjson'));
const engine = countingEngine();
const blocks = auditFiles(folder);
const common = { from: 1, to: 25, checkpoint: start, engine } as const;

async function ledgerOf(opts: Partial<AuditOptions> = {}): Promise<string> {
  const out = place.next();
  const rows = auditRange({ ...common, blocks, out, ...opts } as AuditOptions);
  while ((await rows.next()).done !== true);
  return out;
}

type Line = Record<string, unknown>;

/** With one row made up, and every hash anew. */
function forged(ledger: string, seqno: number, over: (row: AuditBlock) => object): string {
  const read = readFileSync(ledger, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const file = place.next();
  const isIt = (line: Line) => line.type === 'block' && seqnoOf(line as unknown as AuditRow) === seqno;
  writeFileSync(
    file,
    handMade(read.map((line) => (isIt(line) ? { ...line, ...over(line as unknown as AuditBlock) } : line))),
  );
  return file;
}

/** Writes the first lines of a ledger to a new file. */
function firstLines(ledger: string, count: number): string {
  const file = place.next();
  const lines = text(ledger).split('\n').slice(0, count);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

let whole: string;
let linked: string;
beforeAll(async () => {
  whole = await ledgerOf();
  linked = await ledgerOf({ signEvery: 6, blocks: auditFiles(lines) });
});

const check = (opts: Partial<CheckAgainOptions> & { readonly ledger: string }) =>
  checkAgain({ blocks, checkpoint: start, engine, ...opts });

describe('an honest ledger', () => {
  it('agrees with its blocks, all of them, from whatever files they come', async () => {
    for (const from of [blocks, auditFiles(lines)]) {
      const result = await check({ ledger: whole, blocks: from });
      expect(result).toMatchObject({
        rows: 25,
        looked: 25,
        agree: 24,
        saysNothing: 1,
        difference: undefined,
        sets: 'proven',
      });
      expect(outcomeOfCheck(result)).toBe('agrees');
    }
    expect(outcomeOfCheck(await check({ ledger: linked, blocks: auditFiles(lines) }))).toBe('agrees');
  });

  it('is not checked to its end where the callback for its rows throws, and the error names the callback', async () => {
    const onRow = () => {
      throw new RangeError('out of luck');
    };
    await expect(check({ ledger: whole, onRow })).rejects.toMatchObject({ code: 'usage/callback', path: 'onRow' });
    const late = async () => onRow(); // an unhandled rejection would end the process
    expect((await check({ ledger: whole, onRow: late })).looked).toBe(25);
  });

  it('agrees in any sample, which is the same for a seed and looks at no more blocks than it has to', async () => {
    for (const [ledger, from] of [
      [whole, blocks],
      [linked, auditFiles(lines)],
    ] as const) {
      const seen: number[][] = [];
      for (const seed of ['a', 'b', 'a']) {
        const own: number[] = [];
        const before = engine.checked;
        const onRow = (row: AuditRow) => own.push(seqnoOf(row));
        const result = await check({ ledger, blocks: from, sample: 6, seed, onRow });
        expect(result).toMatchObject({ looked: 6, seed, difference: undefined });
        expect(outcomeOfCheck(result)).toBe('agrees');
        expect(engine.checked - before).toBeLessThanOrEqual(4 * (6 + 2)); // the sample, and two key blocks
        seen.push(own);
      }
      expect(seen[0]).toEqual(seen[2]);
      expect(seen[0]).not.toEqual(seen[1]);
      expect(new Set(seen[0]).size).toBe(6);
      const all = await check({ ledger, blocks: from, sample: 1000 });
      expect(all).toMatchObject({ looked: 25, seed: expect.stringMatching(/^[0-9a-f]{16}$/) });
      expect(outcomeOfCheck(all)).toBe('agrees');
    }
  });

  it('does not agree where none of its rows says anything', async () => {
    const file = place.next();
    const [head] = readFileSync(whole, 'utf8').split('\n');
    const failures = Array.from({ length: 25 }, (_, n) => ({ type: 'failure', seqno: n + 1, code: 'source/missing' }));
    writeFileSync(file, handMade([JSON.parse(head!) as object, ...failures]));
    for (const sample of [{}, { sample: 3, seed: 'a' }]) {
      const result = await check({ ledger: file, ...sample });
      expect(result).toMatchObject({ agree: 0, difference: undefined });
      expect(outcomeOfCheck(result)).toBe('unchecked');
    }
  });

  it('does not agree as a whole when it is unfinished: the rows that were cut off may be those that matter', async () => {
    const half = firstLines(linked, 12);
    const result = await check({ ledger: half, blocks: auditFiles(lines) });
    expect(result).toMatchObject({ rows: result.looked, agree: result.rows, difference: undefined });
    expect(result.last).toBeLessThan(12);
    expect(result.unchecked).toEqual(new Map([['unfinished', 25 - result.last]]));
    expect(outcomeOfCheck(result)).toBe('unchecked');
    const cut = firstLines(whole, text(whole).trimEnd().split('\n').length - 1);
    for (const sample of [{}, { sample: 5 }]) {
      const short = await check({ ledger: cut, ...sample });
      expect(short).toMatchObject({ last: 24, difference: undefined, unchecked: new Map([['unfinished', 1]]) });
      expect(outcomeOfCheck(short)).toBe('unchecked');
    }
  });

  it('may grow while it is checked; where rows are taken away meanwhile, it does not agree', async () => {
    const all = text(whole).split('\n').length - 1;
    for (const sample of [{}, { sample: 5 }]) {
      const checked = async (before: number, after: number) => {
        const ledger = firstLines(whole, before);
        const rewrites = {
          ...blocks,
          // It is read after the ledger was read once.
          get bindsIds() {
            writeFileSync(ledger, text(firstLines(whole, after)));
            return true;
          },
        };
        return await check({ ledger, blocks: rewrites, ...sample });
      };
      const grown = await checked(15, 20);
      expect(grown).toMatchObject({ rows: 12, looked: sample.sample ?? 12, difference: undefined });
      const error = {
        code: 'audit/ledger',
        message: expect.stringMatching(/: the ledger has changed since the check began/),
      };
      for (const lines of [20, 0]) await expect(checked(all, lines)).rejects.toMatchObject(error);
    }
  });

  it('names its own set where one was given, and is held to another that you give', async () => {
    const ledger = place.next();
    const { checkpoint: __, ...rest } = common;
    const given = auditRange({ ...rest, to: 9, validators: validatorSetAt(start), blocks, out: ledger });
    while ((await given.next()).done !== true);
    const { checkpoint: _, ...own } = { ledger, blocks, engine, checkpoint: start };
    const result = await checkAgain(own);
    expect(result).toMatchObject({ sets: 'ledger', unchecked: new Map([['setCheck', 8]]) });
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({ looked: 9, unchecked: { setCheck: 8 } });
    const held = await checkAgain({ ...own, validators: validatorSetAt(start) });
    expect(held).toMatchObject({ sets: 'given', agree: 8, saysNothing: 1 });
    await expect(checkAgain({ ...own, checkpoint: start })).rejects.toMatchObject({
      code: 'audit/plan',
      path: 'checkpoint',
    });
    await expect(checkAgain({ ...own, ledger: whole })).rejects.toMatchObject({ path: 'checkpoint' });
    const begun = firstLines(ledger, 1);
    expect(await checkAgain({ ...own, ledger: begun })).toMatchObject({ rows: 0, looked: 0, sets: 'ledger' });
    const failure = { type: 'failure', seqno: 1, code: 'source/missing' };
    writeFileSync(begun, handMade([JSON.parse(text(begun)) as object, failure]));
    await expect(checkAgain({ ...own, ledger: begun })).rejects.toMatchObject({ path: 'validators' });
  });

  it('is not agreed with by a source that has less', async () => {
    const less = auditFiles(writeFolder(chain, place.next('less'), { unsigned: [3, 4], unproven: [6] }));
    const result = await check({ ledger: whole, blocks: less });
    expect(Object.fromEntries(result.unchecked)).toEqual({ 'source/missing': 2, header: 1 });
    expect(outcomeOfCheck(result)).toBe('unchecked');
    const few = check({ ledger: whole, blocks: less, maxFailures: 1 });
    await expect(few).rejects.toMatchObject({ code: 'source/missing' });
    await expect(check({ ledger: whole, blocks: less, maxFailures: 1, sample: 25 })).rejects.toMatchObject({
      code: 'source/missing',
    });
  });

  it('has no row to agree', async () => {
    const empty = place.next();
    writeFileSync(empty, `${text(whole).split('\n')[0]}\n`);
    const result = await check({ ledger: empty });
    expect(result).toMatchObject({ rows: 0, looked: 0 });
    expect(outcomeOfCheck(result)).toBe('unchecked');
  });
});

describe('a row that was made up', () => {
  const signers = (row: AuditBlock) => ({
    absent: row.absent === '00' ? '80' : '00',
    signedWeight: row.absent === '00' ? '30' : '40',
    margin: row.absent === '00' ? '3' : '13',
  });

  it.each([
    ['who signed', 12, signers, 'signedWeight'],
    [
      'the hash of its file',
      14,
      (row: AuditBlock) => ({ block: { ...row.block, fileHash: '7'.repeat(64) } }),
      'block.fileHash',
    ],
    [
      'a verdict',
      25,
      () => ({ signedWeight: '20', margin: '-7', absent: '30', verdict: { status: 'insufficient' } }),
      'verdict.status',
    ],
  ] as const)('is found: %s', async (_, seqno, over, member) => {
    const ledger = forged(whole, seqno, over as never);
    for (const sample of [undefined, 25]) {
      const result = await check({ ledger, ...(sample === undefined ? {} : { sample }) });
      expect(result.difference?.member).toBe(member);
      expect(outcomeOfCheck(result)).toBe('differs');
      expect(result.difference?.seqno).toBe(seqno);
      expect(result.looked).toBe(seqno); // it ends there
    }
  });

  it('is found in a row by descendant', async () => {
    const ledger = forged(linked, 3, (row) => ({ header: { ...row.header, genUtime: row.header!.genUtime - 1 } }));
    const result = await check({ ledger, blocks: auditFiles(lines) });
    expect(result.difference).toMatchObject({ seqno: 3, member: 'header.genUtime' });
  });

  it('may have other signers where that is asked for, and no other verdict', async () => {
    const others = forged(whole, 12, signers);
    expect(outcomeOfCheck(await check({ ledger: others, anySigners: true }))).toBe('agrees');
    const verdict = { signedWeight: '20', margin: '-7', absent: '30', verdict: { status: 'insufficient' } };
    const result = await check({ ledger: forged(whole, 25, () => verdict), anySigners: true });
    expect(outcomeOfCheck(result)).toBe('differs');
  });
});

describe('two rows of one block', () => {
  const row = async (seqno: number) =>
    JSON.parse(
      text(whole)
        .split('\n')
        .find((line) => line.includes(`"seqno":${seqno},`) && line.startsWith('{"type":"block"'))!,
    ) as AuditBlock;

  it('are compared member by member', async () => {
    const was = await row(9);
    const outcome = (over: object, of: object = was) => compareRows(of as AuditRow, { ...was, ...over } as AuditRow);
    expect(outcome({})).toEqual({ outcome: 'agrees' });
    expect(outcome({}, { type: 'failure', seqno: 9, code: 'source/missing' })).toEqual({ outcome: 'says-nothing' });
    expect(outcome({}, { ...was, verdict: { status: 'undecided', reason: 'unbound-id' } })).toEqual({
      outcome: 'says-nothing',
    });
    expect(outcome({ verdict: { status: 'undecided', reason: 'unbound-id' } })).toEqual({
      outcome: 'unchecked',
      why: 'unbound-id',
    });
    expect(outcome({ header: null })).toEqual({ outcome: 'unchecked', why: 'header' });
    expect(outcome({ header: { ...was.header, parent: null } })).toEqual({ outcome: 'unchecked', why: 'header' });
    expect(outcome({ setCheck: 'not-checked' })).toEqual({ outcome: 'unchecked', why: 'setCheck' });
    expect(outcome({}, { ...was, setCheck: 'not-checked' })).toEqual({ outcome: 'agrees' });
    expect(outcome({}, { ...was, header: null, bound: [] })).toEqual({ outcome: 'agrees' });
    expect(outcome({ bound: ['rootHash', 'fileHash'] })).toEqual({ outcome: 'unchecked', why: 'bound' });
    expect(outcome({ kind: null, provenance: { by: 'descendant', seqno: 10 } })).toEqual({
      outcome: 'unchecked',
      why: 'signedWeight',
    });
    expect(outcome({ header: { ...was.header, parent: '7'.repeat(64) } })).toMatchObject({ member: 'header.parent' });
    for (const [member, value] of Object.entries({
      set: '7',
      bad: '80',
      absent: 'f0',
      unknown: 2,
      kind: 'ordinary',
      margin: '1',
    })) {
      expect(outcome({ [member]: value })).toMatchObject({ outcome: 'differs', member });
    }
    expect(outcome({ setCheck: 'mismatch' })).toMatchObject({ outcome: 'differs', member: 'setCheck' });
    const rejected = (...defects: number[]) => ({ verdict: { status: 'rejected', defects } });
    expect(outcome(rejected(1), { ...was, ...rejected(2) })).toMatchObject({ member: 'verdict.defects' });
  });
});
