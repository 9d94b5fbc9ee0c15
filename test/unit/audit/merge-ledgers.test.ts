/** Parts of a range: they cover it, and their ledgers are one only if they meet. */
import { lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { conclusionOfCounts } from '../../../src/app/audit/count-rows.ts';
import {
  type AuditBlock,
  type AuditLine,
  type AuditPlan,
  type AuditRow,
  type AuditSet,
  seqnoOf,
} from '../../../src/app/audit/ledger-lines.ts';
import { mergeLedgers } from '../../../src/app/audit/merge-ledgers.ts';
import { partOfRange } from '../../../src/app/audit/split-range.ts';
import { lockFile } from '../../../src/app/files/lock-file.ts';
import { scratch, text } from '../../helpers/audit-chain.ts';
import { locksOf } from '../../helpers/locks-of.ts';
import { handMade, ledgerText } from '../../helpers/recorded-ledgers.ts';

const place = scratch();
afterAll(place.remove);

const MIXED = 'vectors/audit/mixed.ndjson';
const lines = text(MIXED)
  .trimEnd()
  .split('\n')
  .map((line) => {
    const { hash: _, ...rest } = JSON.parse(line) as AuditLine & { hash: string };
    return rest as AuditLine;
  });
const head = lines[0] as AuditPlan;
const rowAt = (seqno: number) =>
  lines.find((line): line is AuditBlock => line.type === 'block' && seqnoOf(line) === seqno)!;
const sets = lines.filter((line): line is AuditSet => line.type === 'set');

/** The ledger of some of the blocks, as an audit of these alone writes it. */
function part(from: number, to: number, over: (line: AuditLine) => AuditLine = (line) => line): string {
  const named = new Set<string>();
  const own: AuditLine[] = [over({ ...head, from, to })];
  for (const line of lines) {
    if (line.type === 'audit' || line.type === 'set' || seqnoOf(line) < from || seqnoOf(line) > to) continue;
    const set = line.type === 'block' ? sets.find(({ set }) => set === line.set) : undefined;
    if (set !== undefined && !named.has(set.set)) {
      named.add(set.set);
      own.push(set);
    }
    own.push(over(line));
  }
  const file = place.next();
  writeFileSync(file, ledgerText(own));
  return file;
}

describe('partOfRange', () => {
  it('divides any range into parts that follow each other, of nearly one size, ending where signed blocks stand', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 12 }),
        (from, more, count, signEvery) => {
          const range = { from, to: from + more };
          const steps = Math.ceil((more + 1) / signEvery);
          fc.pre(count <= steps);
          const parts = Array.from({ length: count }, (_, n) => partOfRange(range, n + 1, count, signEvery));
          expect(parts[0]!.from).toBe(range.from);
          expect(parts.at(-1)!.to).toBe(range.to);
          for (const [n, { from: begin, to }] of parts.entries()) {
            expect(to).toBeGreaterThanOrEqual(begin);
            expect((begin - from) % signEvery).toBe(0);
            if (n > 0) expect(begin).toBe(parts[n - 1]!.to + 1);
          }
          const sizes = parts.slice(0, -1).map((one) => one.to - one.from + 1);
          expect(Math.max(0, ...sizes) - Math.min(...sizes, Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(signEvery);
        },
      ),
    );
  });

  it('refuses more parts than there are blocks', () => {
    expect(() => partOfRange({ from: 5, to: 6 }, 1, 3)).toThrow(expect.objectContaining({ path: 'count' }));
  });
});

describe('conclusionOfCounts', () => {
  const right = { notFinal: 0, failures: 0, undecided: 0 };

  it('is that of the worst row', () => {
    const worse = [right, { ...right, undecided: 9 }, { ...right, undecided: 9, failures: 1 }];
    expect([...worse, { notFinal: 1, failures: 1, undecided: 1 }].map(conclusionOfCounts)).toEqual([
      'final',
      'undecided',
      'not-fetched',
      'not-final',
    ]);
  });
});

describe('mergeLedgers', () => {
  it('gives the bytes of the whole from any parts in any order, each set named once', async () => {
    const cuts = [5000, 5019, 5038]; // where signed blocks of the whole are
    const parts = cuts.map((from, n) => part(from, (cuts[n + 1] ?? 5040) - 1));
    const out = place.next();
    const state = await mergeLedgers([parts[2]!, parts[0]!, parts[1]!], out);
    expect(text(out) === text(MIXED)).toBe(true);
    expect(state.counts).toMatchObject({ rows: 40, failures: 3 });
    expect(conclusionOfCounts(state.counts)).toBe('not-final');
  });

  const refused = async (files: string[], message: RegExp) => {
    const out = place.next();
    await expect(mergeLedgers(files, out)).rejects.toMatchObject({
      code: 'audit/parts',
      message: expect.stringMatching(message),
    });
    expect(() => text(out)).toThrow('ENOENT');
    expect(readdirSync(place.folder).filter((name) => name.includes('merging'))).toEqual([]);
  };

  it('refuses a gap, an overlap, no part, and a part that is empty', async () => {
    await refused([part(5000, 5009), part(5011, 5039)], /begins at block 5011/);
    await refused([part(5000, 5009), part(5009, 5039)], /begins at block 5009/);
    await refused([], /at least one/);
    const empty = place.next();
    writeFileSync(empty, '');
    await refused([empty], /empty ledger/);
  });

  it('holds all parts together to one limit of failures, as an audit of the whole is', async () => {
    const parts = [part(5000, 5018), part(5019, 5039)];
    const out = place.next();
    await expect(mergeLedgers(parts, out, { maxFailures: 2 })).rejects.toMatchObject({
      code: 'audit/parts',
      path: parts[1],
      message: expect.stringContaining('more than 2 blocks of all parts could not be fetched, now block 5031'),
      hint: expect.stringContaining('--max-failures'),
    });
    expect(() => text(out)).toThrow('ENOENT');
    expect((await mergeLedgers(parts, out, { maxFailures: 3 })).counts.failures).toBe(3);
    for (const opts of [{ maxFailures: -1 }, { maxFailures: '9' }, { maxfailures: 9 }, null]) {
      await expect(mergeLedgers(parts, out, opts as never)).rejects.toMatchObject({ code: 'usage/bad-option' });
    }
  });

  it('takes no more failures by itself than an audit does', async () => {
    const missing = (from: number, to: number): AuditLine[] =>
      Array.from({ length: to - from + 1 }, (_, n) => ({ type: 'failure', seqno: from + n, code: 'source/missing' }));
    const files = [missing(1, 6), missing(7, 11)].map((rows) => {
      const file = place.next();
      const [from, to] = [seqnoOf(rows[0] as AuditRow), seqnoOf(rows.at(-1) as AuditRow)];
      writeFileSync(file, ledgerText([{ ...head, signEvery: 1, from, to }, ...rows]));
      return file;
    });
    await refused(files, /more than 10 blocks of all parts could not be fetched/);
    expect((await mergeLedgers(files, place.next(), { maxFailures: 11 })).counts.failures).toBe(11);
  });

  it('refuses parts that were judged otherwise', async () => {
    const otherwise = (line: AuditLine): AuditLine =>
      line.type === 'audit' ? { ...line, policy: { ...line.policy, acceptUnbound: true } } : line;
    await refused([part(5000, 5009), part(5010, 5039, otherwise)], /the policy differs/);
  });

  it('refuses parts of a range of which the first or the last is not there', async () => {
    const whole = { from: 5000, to: 5039 };
    const of = (line: AuditLine): AuditLine => {
      if (line.type !== 'audit') return line;
      const { type, schema, from, to, ...rest } = line;
      return { type, schema, from, to, whole, ...rest };
    };
    const [a, b, c] = [part(5000, 5018, of), part(5019, 5037, of), part(5038, 5039, of)] as const;
    await refused([a, b], /blocks 5000 to 5037 of an audit of 5000 to 5039/);
    await refused([b, c], /blocks 5019 to 5039 of an audit of 5000 to 5039/);
    const out = place.next();
    await mergeLedgers([c, a, b], out);
    expect(text(out) === text(MIXED)).toBe(true);
  });

  it('refuses parts that contradict each other where they meet, by the name of the part and before anything is written', async () => {
    const otherwise = (line: AuditLine): AuditLine => {
      if (line.type !== 'block' || line.header === null) return line;
      return seqnoOf(line) === 5038 ? { ...line, header: { ...line.header, parent: '7'.repeat(64) } } : line;
    };
    const second = part(5038, 5039, otherwise);
    const refused = mergeLedgers([part(5000, 5037), second], place.next());
    await expect(refused).rejects.toMatchObject({
      code: 'audit/parts',
      path: second,
      message: expect.stringMatching(/block 5038 follows .*both final/),
    });
  });

  it('refuses one block under two numbers over two parts, by the name of the part', async () => {
    const again = (line: AuditLine): AuditLine =>
      line.type === 'block' && seqnoOf(line) === 5039
        ? { ...line, block: { ...line.block, rootHash: rowAt(5037).block.rootHash } }
        : line;
    const second = part(5038, 5039, again);
    await expect(mergeLedgers([part(5000, 5037), second], place.next())).rejects.toMatchObject({
      code: 'audit/parts',
      path: second,
      message: expect.stringMatching(/one block under two numbers/),
      hint: expect.stringMatching(/a block number is false/),
    });
  });

  it('refuses a part signed by another set than the one that its first line trusts', async () => {
    const strangers = { ...sets[1]!, provenance: { kind: 'given' } };
    const own = { by: 'signatures', set: 'given' };
    const trust = { kind: 'given', set: sets[0]!.set };
    const rest = [rowAt(5038), rowAt(5039)].map((row) => ({ ...row, provenance: own }));
    const second = place.next();
    writeFileSync(second, handMade([{ ...head, trust, from: 5038 }, strangers, ...rest]));
    await expect(mergeLedgers([second], place.next())).rejects.toMatchObject({
      code: 'audit/ledger',
      path: `${second}:2`,
      message: expect.stringMatching(/expected the one that was given/),
    });
  });

  it('leaves a part alone whatever it is called, beside the result too', async () => {
    const out = place.next();
    const unfinished = `${out}.merging`;
    writeFileSync(unfinished, text(part(5000, 5018)).split('\n').slice(0, 5).join('\n'));
    const before = text(unfinished);
    await expect(mergeLedgers([unfinished, part(5019, 5039)], out)).rejects.toMatchObject({ code: 'audit/parts' });
    expect(text(unfinished)).toBe(before);
    expect(readdirSync(place.folder).filter((name) => name.startsWith(basename(out)))).toEqual([basename(unfinished)]);
  });

  it('replaces no folder, no link and none of the parts', async () => {
    const files = [part(5000, 5018), part(5019, 5039)];
    const refused = (path: string) => expect.objectContaining({ code: 'usage/bad-option', path });
    const at = place.next('folder');
    mkdirSync(at);
    await expect(mergeLedgers(files, at)).rejects.toThrow(refused(at));
    const [link, target] = [place.next('link'), place.next('target')];
    writeFileSync(target, 'precious');
    symlinkSync(target, link);
    await expect(mergeLedgers(files, link)).rejects.toThrow(refused(link));
    expect(lstatSync(link).isSymbolicLink() && text(target)).toBe('precious');
    const before = text(files[0]!);
    await expect(mergeLedgers(files, files[0]!)).rejects.toThrow(refused('out'));
    expect(text(files[0]!)).toBe(before);
    await expect(mergeLedgers(files, '')).rejects.toThrow(refused('out'));
  });

  it('replaces a ledger of the same audit, and no ledger of a different one and no other file', async () => {
    const files = [part(5000, 5018), part(5019, 5039)];
    const out = part(5000, 5039);
    writeFileSync(out, text(out).split('\n').slice(0, 5).join('\n')); // the same audit by one process, killed
    await mergeLedgers(files, out);
    expect(text(out) === text(MIXED)).toBe(true);
    const other = part(5000, 5018);
    const before = text(other);
    await expect(mergeLedgers(files, other)).rejects.toMatchObject({ code: 'audit/plan', path: other });
    expect(text(other)).toBe(before);
    const precious = place.next('precious.txt');
    for (const words of ['precious\n', 'precious']) {
      writeFileSync(precious, words);
      await expect(mergeLedgers(files, precious)).rejects.toMatchObject({ code: 'audit/ledger' });
      expect(text(precious)).toBe(words);
    }
  });

  it('keeps the permissions of the file that it replaces', async () => {
    const out = place.next();
    writeFileSync(out, '', { mode: 0o600 });
    await mergeLedgers([part(5000, 5018), part(5019, 5039)], out);
    expect(statSync(out).mode & 0o777).toBe(0o600);
  });

  it('has OUT to itself while it writes', async () => {
    const out = place.next();
    const files = [part(1, 9)];
    const lock = await lockFile(out);
    vi.useFakeTimers().setTimerTickMode('nextTimerAsync'); // a lock is tried for five seconds
    onTestFinished(() => void vi.useRealTimers());
    await expect(mergeLedgers(files, out)).rejects.toMatchObject({ code: 'usage/bad-option', path: out });
    lock.release();
    await mergeLedgers(files, out).catch(() => {}); // a part alone may be no whole: that is not the question here
    expect(locksOf(out)).toEqual([]);
  });
});
