import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditLine } from '../../src/app/audit/ledger-lines.ts';
import { longLedgerLines } from '../helpers/long-ledger.ts';
import { ledgerText } from '../helpers/recorded-ledgers.ts';
import { startCli } from '../helpers/run-cli.ts';
import { ROOT } from '../helpers/vectors.ts';
import { runCli } from '../helpers/warm-cli.ts';

const MIXED = join(ROOT, 'vectors/audit/mixed.ndjson');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-report-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = (name: string) => join(folder, name);

function write(name: string, lines: readonly AuditLine[]): string {
  writeFileSync(place(name), ledgerText(lines));
  return place(name);
}

const final = () => [...longLedgerLines({ rows: 4, validators: 7, setEvery: 10, from: 100 })];

describe('ton-finality report', () => {
  it('ends with 0 for all final, else 1 for some not, else 3 for some not fetched, else 4 for some undecided', async () => {
    const [head, set, ...rows] = final();
    const verdict = { status: 'undecided', reason: 'wrong-validator-set' };
    const undecided = { ...rows[1]!, setCheck: 'mismatch', verdict } as AuditLine;
    const failed: AuditLine = { type: 'failure', seqno: 102, code: 'source/not-ready' };
    const all = (...of: AuditLine[]) => [head!, set!, ...of];
    const files = [
      write('final', final()),
      MIXED,
      write('failed', all(rows[0]!, undecided, failed, rows[3]!)),
      write('unfinished', final().slice(0, -1)),
      write('undecided', all(rows[0]!, undecided, rows[2]!, rows[3]!)),
    ];
    const codes: (number | null)[] = [];
    for (const file of files) codes.push((await runCli(['report', file])).code);
    expect(codes).toEqual([0, 1, 3, 3, 4]);
    expect((await runCli(['report', place('unfinished'), '--to', '102'])).code).toBe(0);
  });

  it.each([
    ['a line that never ends', `{"type":"audit","x":"${'9'.repeat(17 << 20)}`],
    ['nesting without end', `${'['.repeat(100_000)}\n`],
  ])('refuses %s', async (name, text) => {
    const file = place(`${name.replaceAll(' ', '-')}.ndjson`);
    writeFileSync(file, text);
    const { code, stdout, stderr } = await runCli(['report', file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.length).toBeLessThan(2000);
  });

  it('has a line for each block as CSV, in numbers, hex and words of its own only', async () => {
    expect((await runCli(['report', MIXED, '--csv-blocks', place('blocks.csv')])).code).toBe(1);
    const [head, ...lines] = readFileSync(place('blocks.csv'), 'utf8').trimEnd().split('\r\n');
    expect(head).toMatch(/^seqno,outcome,reason,judgedBy,rootHash,/);
    expect(lines.map((line) => line.split(',')[0])).toEqual(Array.from({ length: 40 }, (_, n) => String(5000 + n)));
    for (const line of lines) {
      const cells = line.split(',');
      expect(cells).toHaveLength(head!.split(',').length);
      for (const cell of cells) expect(cell).toMatch(/^(?:-?[0-9.]+|[0-9a-zA-Z][\w/ -]*)?$/);
    }
    expect(lines[5]).toMatch(
      /^5005,insufficient,,signatures,[0-9a-f]{64},[0-9a-f]{64},\d*,ordinary,45,100,67,-22,0\.450000,/,
    );
    expect(lines[9]).toMatch(/^5009,failed,source\/missing,+$/);
    await runCli(['report', MIXED, '--csv-blocks', place('few.csv'), '--to', '5004']);
    expect(readFileSync(place('few.csv'), 'utf8').split('\r\n')).toHaveLength(7);
  });

  it('ends quietly when whoever reads its rows has gone', async () => {
    const long = write('long.ndjson', [...longLedgerLines({ rows: 3000, validators: 7, setEvery: 5000 })]);
    const { child, ended } = startCli(['report', long, '--csv-blocks', '-']);
    child.stdout!.once('data', () => child.stdout!.destroy());
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });
});
