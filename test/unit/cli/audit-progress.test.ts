/** How an audit comes along: what a terminal sees, what a log has, and that nothing is left behind. */
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AuditRow, seqnoOf } from '../../../src/app/audit/ledger-lines.ts';
import { auditProgress } from '../../../src/app/cli/output/audit-progress.ts';
import { longLedgerLines } from '../../helpers/long-ledger.ts';

const FROM = 50_000_000;
const rows = [...longLedgerLines({ rows: 600, validators: 20, setEvery: 1000 })].filter(
  (line): line is AuditRow => line.type === 'block' || line.type === 'failure',
);
const thinnest = rows.reduce(
  (least, row) => {
    const isFinal = row.type === 'block' && row.verdict.status === 'final' && row.margin !== null;
    const share = isFinal ? Number(row.margin) / Number(row.totalWeight) : 1;
    return share < least.share ? { share, seqno: seqnoOf(row) } : least;
  },
  { share: 1, seqno: 0 },
);

/** What a terminal of that width is told. */
class Terminal extends Writable {
  readonly isTTY: boolean;
  readonly columns: number;
  written = '';

  constructor(isTTY: boolean, columns = 140) {
    super();
    this.isTTY = isTTY;
    this.columns = columns;
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.written += chunk.toString();
    done();
  }

  /** Each picture of the bar, the last one last. */
  get bars(): string[] {
    return this.written
      .split('\r')
      .map(stripVTControlCharacters)
      .filter((text) => text.includes('%'));
  }
}

const progressOn = (terminal: Terminal, { quiet = false, json = false } = {}) =>
  auditProgress(FROM, FROM + 999, { quiet, json }, terminal as unknown as NodeJS.WriteStream); // as much of one as is used

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('on a terminal', () => {
  it('a bar shows how far it is, the rate, the time to go, the last verdict and the thinnest margin', async () => {
    vi.useFakeTimers();
    const terminal = new Terminal(true);
    const progress = await progressOn(terminal);
    for (const row of rows.slice(0, 501)) {
      progress.add(row);
      vi.advanceTimersByTime(20); // fifty blocks a second
    }
    const bar = terminal.bars.at(-1)!;
    expect(bar).toMatch(/^\[#+\.+\] block \d+ of 50000999, \d+\.\d\d %, [\d.]+ blocks\/s, \d+ s to go, /);
    const [, rate, eta] = /, ([\d.]+) blocks\/s, (\d+) s to go/.exec(bar)!;
    expect(Number(rate)).toBeGreaterThan(45);
    expect(Number(rate)).toBeLessThan(56);
    expect(Number(eta)).toBeGreaterThan(7);
    expect(Number(eta)).toBeLessThan(13);
    expect(bar).toContain(
      `thinnest margin ${(Math.floor(10_000 * thinnest.share) / 100).toFixed(2)} % at ${thinnest.seqno}`,
    );
    progress.end();
  });

  it('goes on where an earlier run stopped', async () => {
    vi.useFakeTimers();
    const terminal = new Terminal(true);
    const progress = await progressOn(terminal);
    progress.add(rows[400]!);
    progress.end();
    expect(terminal.bars[0]).toMatch(/ block 50000400 of 50000999, 40\.10 %,/);
  });

  it('takes the bar away at the end, cuts it to the width, and leaves the modes of the terminal as they were', async () => {
    vi.useFakeTimers();
    const terminal = new Terminal(true, 40);
    const progress = await progressOn(terminal);
    for (const row of rows.slice(0, 10)) progress.add(row);
    progress.end();
    progress.end();
    const written = terminal.written;
    expect(vi.getTimerCount()).toBe(0);
    for (const bar of terminal.bars) expect(bar.trim().length).toBeLessThanOrEqual(40);
    expect(written.lastIndexOf('\r\u001b[K')).toBeGreaterThan(written.lastIndexOf('%'));
    // Line wrap off, cursor off: a kill would leave them so.
    for (const mode of ['\u001b[?7l', '\u001b[?25l']) expect(written).not.toContain(mode);
  });
});

describe('elsewhere', () => {
  it('a line every ten seconds says the same', async () => {
    vi.useFakeTimers();
    const said: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation(((text: string, done?: () => void) => {
      said.push(text);
      done?.();
      return true;
    }) as typeof process.stderr.write); // the only form in which it is called
    const terminal = new Terminal(false);
    const progress = await progressOn(terminal);
    for (const row of rows.slice(0, 600)) {
      vi.advanceTimersByTime(50);
      progress.add(row);
    }
    progress.end();
    expect(terminal.written).toBe('');
    expect(said).toHaveLength(3);
    expect(said[1]).toMatch(
      /^ton-finality: block 50000399 of 50000999, 40\.00 %, 20\.0 blocks\/s, 30 s to go, \w+, thinnest margin -?\d+\.\d\d % at \d+\n$/,
    );
  });

  it('an event with --json, so that each line is JSON', async () => {
    vi.useFakeTimers();
    const said: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation(((text: string, done?: () => void) => {
      said.push(text);
      done?.();
      return true;
    }) as typeof process.stderr.write); // the only form in which it is called
    const progress = await progressOn(new Terminal(false), { json: true });
    for (const row of rows.slice(0, 201)) {
      vi.advanceTimersByTime(50);
      progress.add(row);
    }
    progress.end();
    expect(said.map((line) => JSON.parse(line))).toEqual([
      {
        schema: 'ton-finality/event@1',
        code: 'progress',
        message: expect.stringMatching(/^block 50000199 of 50000999, 20\.00 %, /),
        seqno: 50000199,
      },
    ]);
  });

  it('nothing with --quiet, on a terminal too', async () => {
    const terminal = new Terminal(true);
    const progress = await progressOn(terminal, { quiet: true });
    for (const row of rows.slice(0, 10)) progress.add(row);
    progress.end();
    expect(terminal.written).toBe('');
  });
});
