/** Ledgers: what is written is read back, and what was changed, removed or moved is found. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { LedgerCheck, writeLine } from '../../../src/app/audit/ledger-check.ts';
import { LedgerFile } from '../../../src/app/audit/ledger-file.ts';
import {
  type AuditBlock,
  type AuditLine,
  type AuditPlan,
  type AuditSet,
  bitmapOf,
  isSigned,
  positionsIn,
  seqnoOf,
  withoutHash,
} from '../../../src/app/audit/ledger-lines.ts';
import { checkLedger, readLedger } from '../../../src/app/audit/read-ledger.ts';
import { SeenHashes } from '../../../src/app/audit/seen-hashes.ts';
import type { AuditError } from '../../../src/core/base/errors.ts';
import { handMade, RECORDED_LEDGERS } from '../../helpers/recorded-ledgers.ts';
import { share } from '../../helpers/share.ts';
import { ROOT, readVectorBytes } from '../../helpers/vectors.ts';

const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
afterAll(() => rmSync(folder, { recursive: true }));

const recorded = (name: string) => Buffer.from(readVectorBytes(`audit/${name}.ndjson`)).toString();
const mixed = recorded('mixed');
const mixedLines = mixed.trimEnd().split('\n');
const head = withoutHash(JSON.parse(mixedLines[0]!) as AuditPlan);

let files = 0;
function fileOf(text: string | Uint8Array): string {
  const file = join(folder, `${files++}.ndjson`);
  writeFileSync(file, text);
  return file;
}

async function linesOf(file: string): Promise<AuditLine[]> {
  const lines: AuditLine[] = [];
  await checkLedger(file, (line) => lines.push(line));
  return lines;
}

const refusal = (line: number, message: RegExp) =>
  expect.objectContaining({
    code: 'audit/ledger',
    path: expect.stringMatching(new RegExp(`:${line}$`)),
    message: expect.stringMatching(message),
  });

describe('a recorded ledger', () => {
  it.each(Object.entries(RECORDED_LEDGERS))('is what its source makes: %s', (name, make) => {
    expect(make()).toBe(recorded(name));
  });

  it('fits the published schema, line by line', () => {
    const schema = JSON.parse(readFileSync(join(ROOT, 'schemas', 'audit-row-1.json'), 'utf8')) as object;
    const fits = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false }).compile(
      schema,
    );
    for (const name of Object.keys(RECORDED_LEDGERS)) {
      for (const text of recorded(name).trimEnd().split('\n')) {
        expect(fits(JSON.parse(text)), `${text} ${JSON.stringify(fits.errors)}`).toBe(true);
      }
    }
    const row = JSON.parse(mixedLines[3]!) as AuditBlock;
    expect(fits({ ...row, extra: 1 })).toBe(true);
    expect(fits({ ...row, margin: 5 })).toBe(false);
    expect(fits({ ...row, margin: null })).toBe(false);
    expect(fits({ ...row, verdict: { status: 'probably' } })).toBe(false);
  });

  it('is read back whole, with one row for every block of its range', async () => {
    const file = fileOf(recorded('mainnet-1-99'));
    const lines = await linesOf(file);
    expect(lines.map(({ type }) => type).slice(0, 3)).toEqual(['audit', 'set', 'block']);
    const rows = lines.filter((line): line is AuditBlock => line.type === 'block');
    expect(rows.map(seqnoOf)).toEqual(Array.from({ length: 99 }, (_, n) => n + 1));
    expect(rows.every(({ verdict }) => verdict.status === 'final')).toBe(true);
    expect(rows.map(({ bound }) => bound.length).slice(8, 12)).toEqual([5, 5, 2, 2]);
    expect(rows[1]!.header?.parent).toBe(rows[0]!.block.rootHash);
    const end = await checkLedger(file);
    expect(end).toMatchObject({ tailBytes: 0, state: { next: 100, lines: 101, counts: { final: 99, failures: 0 } } });
  });

  it('says with bitmaps who did not sign, and weighs as much as those who did', async () => {
    const sets = new Map<string, AuditSet>();
    let looked = 0;
    await checkLedger(fileOf(mixed), (line) => {
      if (line.type === 'set') sets.set(line.set, line);
      if (line.type !== 'block' || line.kind === null) return; // as a user asks: the type of a row is tested, too
      const { validators } = sets.get(line.set)!;
      const others = new Set([...positionsIn(line.absent), ...positionsIn(line.bad)]);
      const good = validators.filter((_, n) => !others.has(n));
      expect(good.reduce((sum, { weight }) => sum + BigInt(weight), 0n)).toBe(BigInt(line.signedWeight));
      expect(BigInt(line.margin) >= 0n).toBe(3n * BigInt(line.signedWeight) > 2n * BigInt(line.totalWeight));
      looked += 1;
    });
    expect(looked).toBe(34);
    expect(sets.size).toBe(2);
  });
});

describe('a ledger is refused', () => {
  it('when any character of a line before the end was changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: mixed.length - 2 }),
        fc.integer({ min: 0x20, max: 0x7e }),
        async (at, code) => {
          const character = String.fromCharCode(code);
          if (mixed[at] === character || mixed[at] === '\n') return;
          const file = fileOf(mixed.slice(0, at) + character + mixed.slice(at + 1));
          const line = mixed.slice(0, at).split('\n').length;
          await expect(checkLedger(file)).rejects.toEqual(refusal(line, /./));
        },
      ),
      { numRuns: share(50, 150) },
    );
  });

  it.each([2, 3, 9, 24, 41])('when line %i was removed', async (number) => {
    const rest = mixedLines.filter((_, n) => n !== number - 1).join('\n');
    await expect(checkLedger(fileOf(`${rest}\n`))).rejects.toEqual(refusal(number, /running hash/));
  });

  it('when two lines changed places', async () => {
    const moved = [...mixedLines];
    [moved[6], moved[7]] = [moved[7]!, moved[6]!];
    await expect(checkLedger(fileOf(`${moved.join('\n')}\n`))).rejects.toEqual(refusal(7, /running hash/));
  });

  const parsed = mixedLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const edited = (at: number, over: object) =>
    handMade(parsed.map((line, n) => (n === at ? { ...line, ...over } : line)));
  const without = (at: number) => handMade(parsed.filter((_, n) => n !== at));

  /** Ends at 5010, which is left out. */
  const BEYOND = handMade([{ ...parsed[0]!, to: 5010 }, ...parsed.slice(1, 12), parsed[13]!]);
  const INSUFFICIENT = parsed.findIndex(({ verdict }) => (verdict as { status?: string })?.status === 'insufficient');

  it.each([
    ['a block is left out', without(5), 6, /expected block 5003, got block 5004/],
    ['the first line is left out', without(0), 1, /expected the first line/],
    ['a first line stands in the middle', handMade([...parsed.slice(0, 4), parsed[0]!]), 5, /second first line/],
    ['a set is not named before its first block', without(1), 2, /no line before names/],
    ['a set is named twice', handMade([parsed[0]!, parsed[1]!, parsed[1]!]), 3, /named before/],
    ['a set has another hash', edited(1, { set: '0'.repeat(64) }), 2, /not that of its validators/],
    ['a bitmap is too short', edited(3, { absent: '' }), 4, /bitmaps of 5 validators/],
    ['the other bitmap is too short', edited(3, { bad: '' }), 4, /bitmaps of 5 validators/],
    ['a block stands after the end', edited(0, { to: 5010 }), 14, /expected the end, after block 5010/],
    ['the last block is another one', BEYOND, 13, /expected block 5010, got block 5011/],
    ['a verdict is none', edited(3, { verdict: { status: 'probably' } }), 4, /verdict.status/],
    ['a weight is a number', edited(3, { signedWeight: 5 }), 4, /signedWeight: expected string/],
    ['a threshold is below 2/3', edited(0, { policy: { threshold: '1/2' } }), 1, /policy.threshold/],
    ['a block is of another workchain', edited(3, { block: { workchain: 0 } }), 4, /block.workchain/],
    ['a row by descendant has weights', edited(38, { signedWeight: '5' }), 39, /signedWeight/],
    ['a line is of no known type', edited(3, { type: 'note' }), 4, /type: expected/],
    ['weights of the set have another sum', edited(1, { totalWeight: '101' }), 2, /sum of the weights/],
    ['a total is not that of the set', edited(3, { totalWeight: '99' }), 4, /totalWeight: expected that of its set/],
    ['less is required than the policy has it', edited(3, { requiredWeight: '1' }), 4, /requiredWeight: expected/],
    ['bitmaps and weights disagree', edited(3, { absent: '80' }), 4, /who are not absent nor bad/],
    ['a bitmap names somebody beyond the set', edited(3, { absent: '04' }), 4, /more validators than its set has/],
    [
      'somebody is both absent and bad',
      edited(3, { absent: '80', bad: '80', signedWeight: '40', margin: '-27', verdict: { status: 'insufficient' } }),
      4,
      /a validator is in both/,
    ],
    [
      'one block stands under two numbers',
      edited(8, { block: { ...(parsed[2]!.block as object), seqno: 5006 } }),
      9,
      /one block under two numbers/,
    ],
    [
      'a proven header names another block than the row before it, whose number was made up',
      edited(5, { block: { ...(parsed[5]!.block as object), rootHash: '7'.repeat(64) } }),
      7,
      /follows block 84efc7.*whose number is not bound, is 777/,
    ],
    ['a margin is not the difference', edited(3, { margin: '0' }), 4, /margin: expected/],
    [
      'final is said of too little weight',
      edited(INSUFFICIENT, { verdict: { status: 'final' } }),
      INSUFFICIENT + 1,
      /final with a margin/,
    ],
    [
      'insufficient is said of enough',
      edited(3, { verdict: { status: 'insufficient' } }),
      4,
      /insufficient with a margin/,
    ],
    [
      'a block is judged by an earlier one',
      edited(38, { provenance: { by: 'descendant', seqno: 5000 } }),
      39,
      /a later block/,
    ],
    [
      'what blocks lead down from is not final',
      edited(40, { verdict: { status: 'undecided', reason: 'a-new-one' } }),
      41,
      /final by this one/,
    ],
    ['the schema is another one', edited(0, { schema: 'ton-finality/audit-row@2' }), 1, /schema/],
  ])('when %s, though all its hashes fit', async (_, text, line, message) => {
    await expect(checkLedger(fileOf(text))).rejects.toEqual(refusal(line, message));
  });

  it('when two final blocks in a row are of two histories, though all its hashes fit', async () => {
    const genesis = recorded('mainnet-1-99').trimEnd().split('\n');
    const rows = genesis.map((line) => JSON.parse(line) as AuditLine);
    const at = rows.findIndex((line) => line.type === 'block' && line.block.seqno > 3 && line.header !== null);
    const row = rows[at] as AuditBlock;
    const forged = { ...row, header: { ...row.header!, parent: '7'.repeat(64) } };
    const text = handMade(rows.map((line, n) => (n === at ? forged : line)));
    await expect(checkLedger(fileOf(text))).rejects.toEqual(refusal(at + 1, /follows block 777.*both final/));
  });

  it('for another version of the format, in these words', async () => {
    const hints = [];
    for (const schema of ['ton-finality/audit-row@2', 'ton-finality/audit-row@1.0', 'x'.repeat(30)]) {
      const text = handMade([{ ...parsed[0], schema } as AuditLine]);
      const error: unknown = await checkLedger(fileOf(text)).catch((reason: unknown) => reason);
      expect(error).toEqual(
        refusal(1, /schema: expected "?ton-finality\/audit-row@1"?, got (?:ton-finality\/audit-row@2$|a string)/),
      );
      hints.push((error as AuditError).hint);
    }
    expect(hints.map((hint) => /with the ton-finality that wrote it/.test(String(hint)))).toEqual([true, false, false]);
    expect(hints[1]).toMatch(/its first line was modified/);
  });

  it('for bytes that are no ASCII, a key that stands twice, and a line without an end', async () => {
    const twice = `${JSON.stringify({ ...parsed[0], hash: undefined }).slice(0, -1)},"to":5042`;
    const hash = createHash('sha256')
      .update(`${'0'.repeat(64)}${twice}`)
      .digest('hex');
    const text = fileOf(`${twice},"hash":"${hash}"}\n`);
    await expect(checkLedger(text)).rejects.toEqual(refusal(1, /duplicate key "to"/));
    await expect(checkLedger(fileOf('{"a":"é"}\n'))).rejects.toEqual(refusal(1, /ASCII/));
    await expect(checkLedger(fileOf('{}\n'))).rejects.toEqual(refusal(1, /hash at the end/));
    await expect(checkLedger(fileOf('x'.repeat(2 ** 24 + 2 ** 19)))).rejects.toEqual(refusal(1, /at most 16777216/));
    await expect(checkLedger(join(folder, 'none'))).rejects.toMatchObject({ code: 'usage/bad-option' });
  });
});

describe('a ledger that is taken line by line', () => {
  const parsed = mixedLines.map((text) => {
    const { hash: _, ...line } = JSON.parse(text) as AuditLine & { hash: string };
    return line as AuditLine;
  });

  it('is written as it is read, and both know how far it has come', () => {
    const [reader, writer] = [new LedgerCheck('read'), new LedgerCheck('written')];
    expect([reader, writer].map(({ lines }) => lines)).toEqual([0, 0]);
    for (const [n, text] of mixedLines.entries()) {
      reader.read(text);
      expect(writer.write(parsed[n]!)).toBe(text);
      const { lines, next, hash } = reader;
      expect([writer.lines, writer.next, writer.hash]).toEqual([lines, next, hash]);
      expect(lines).toBe(n + 1);
    }
    for (const { sets } of [reader, writer]) {
      const named = parsed.filter((line): line is AuditSet => line.type === 'set');
      expect([...sets]).toEqual(named.map(({ set, validators }) => [set, validators.length]));
    }
  });

  /** The first lines of the recorded ledger, and failures of the next blocks, as they stand in a file. */
  function withFailures(codes: readonly string[]): { readonly texts: readonly string[]; readonly stand: number } {
    const check = new LedgerCheck('mine');
    const texts = parsed.slice(0, 4).map((line) => check.write(line));
    const stand = texts.length;
    for (const code of codes) texts.push(check.write({ type: 'failure', seqno: check.next, code }));
    return { texts, stand };
  }
  const bytesOf = (texts: readonly string[]) => texts.join('\n').length + (texts.length > 0 ? 1 : 0);

  it.each([
    ['ends with a block', [], 0],
    ['ends with failures of its source', ['source/not-ready', 'source/missing'], 0],
    ['ends with a failure of the block itself', ['source/missing', 'decode/shape'], 2],
    ['has the source fail after that', ['decode/shape', 'source/timeout', 'source/busy'], 1],
    ['has a failure whose code only looks like one of a source', ['resource/none', 'decode/source'], 2],
  ])('stands up to the last line that is no failure of a source: %s', async (_, codes, kept) => {
    const { texts, stand } = withFailures(codes);
    const check = new LedgerCheck('mine');
    expect(check.firmBytes).toBe(0);
    for (const text of texts) check.read(text);
    const firm = texts.slice(0, stand + kept);
    expect(check.firmBytes).toBe(bytesOf(firm));
    const file = fileOf(`${texts.join('\n')}\n`);
    const ledger = await LedgerFile.open(file, parsed[0] as AuditPlan);
    expect(ledger.check.lines).toBe(firm.length);
    ledger.close();
    expect(readFileSync(file, 'latin1')).toBe(`${firm.join('\n')}\n`);
  });

  it('is refused by its name and the number of the line, with what is wrong with the member as the cause', () => {
    const check = new LedgerCheck('mine.ndjson');
    check.read(mixedLines[0]!);
    const caught = (run: () => unknown) => {
      try {
        run();
      } catch (error) {
        return error as Error;
      }
      throw new Error('nothing was refused');
    };
    const unread = caught(() => check.read('{}'));
    expect(unread).toMatchObject({ code: 'audit/ledger', path: 'mine.ndjson:2' });
    expect(unread.cause).toBeUndefined();
    const { text } = writeLine({ ...parsed[1]!, totalWeight: 7 } as unknown as AuditLine, check.hash);
    const misread = caught(() => check.read(text));
    expect(misread).toMatchObject({
      path: 'mine.ndjson:2',
      cause: { name: 'DecodeError', path: 'totalWeight' },
    });
  });

  it('has a block that was final, and may have one again that was not', () => {
    const rows = parsed.filter((line): line is AuditBlock => line.type === 'block');
    const short = rows.find(({ verdict }) => verdict.status === 'insufficient')!;
    const good = rows.find(({ verdict }) => verdict.status === 'final')!;
    const check = new LedgerCheck('mine');
    for (const line of parsed) check.write(line);
    expect([good, short].map(({ block }) => check.hasFinal(block.rootHash))).toEqual([true, false]);
    const twice = new LedgerCheck('mine');
    const at = parsed.indexOf(short);
    for (const line of parsed.slice(0, at + 1)) twice.write(line);
    const again = { ...short, block: { ...short.block, seqno: short.block.seqno + 1 } };
    twice.write(again);
    expect(twice.counts).toMatchObject({ final: 5, notFinal: 2 });
  });

  it('does not take a number that nobody knows of in the place of a later block', () => {
    const at = parsed.findIndex((line) => line.type === 'block' && isSigned(line));
    const row = parsed[at] as AuditBlock;
    const check = new LedgerCheck('mine');
    const beside = { ...row, provenance: { ...row.provenance, seqno: row.block.seqno + 1 } } as AuditBlock;
    for (const line of [...parsed.slice(0, at), beside]) check.write(line);
    const failure = { type: 'failure', seqno: row.block.seqno + 1, code: 'source/missing' } as const;
    check.write(failure as AuditLine);
    expect(check.next).toBe(row.block.seqno + 2);
  });
});

describe('what stands after the last newline', () => {
  it('is a line that was never finished, wherever it was cut', async () => {
    const whole = mixedLines.slice(0, 20).join('\n').length + 1;
    for (const cut of [1, 10, 400, mixedLines[20]!.length]) {
      const file = fileOf(mixed.slice(0, whole + cut));
      const end = await checkLedger(file);
      expect(end).toMatchObject({ wholeBytes: whole, tailBytes: cut, state: { lines: 20, next: 5018 } });
      appendFileSync(file, mixed.slice(whole + cut));
      expect((await checkLedger(file)).state.lines).toBe(mixedLines.length);
    }
  });

  it('is damage after the last block of the audit: every reader rejects it, and no writer removes it', async () => {
    const file = fileOf(`${mixed}{"type":"blo`);
    const message = refusal(mixedLines.length + 1, /expected the end, after block 5039, got 12 bytes/);
    await expect(checkLedger(file)).rejects.toThrow(message);
    await expect(LedgerFile.open(file, head)).rejects.toThrow(message);
    expect(readFileSync(file, 'utf8')).toBe(`${mixed}{"type":"blo`);
  });

  it('may be the whole file', async () => {
    expect(await checkLedger(fileOf('{"type":"au'))).toMatchObject({
      wholeBytes: 0,
      tailBytes: 11,
      state: { lines: 0 },
    });
    expect(await checkLedger(fileOf(''))).toMatchObject({ wholeBytes: 0, tailBytes: 0 });
  });

  it.each(['{"precious":1}', ' ', '{"type":"audit","schema":"ton-finality/audit-row@2","from":1'])(
    'is left alone if no ledger begins so: %s',
    async (foreign) => {
      const file = fileOf(foreign);
      await expect(LedgerFile.open(file, head)).rejects.toThrow(refusal(1, /expected a ledger, got a different file/));
      expect(readFileSync(file, 'utf8')).toBe(foreign);
    },
  );

  it('is written again if it is the beginning of a first line, wherever it was cut', async () => {
    for (const cut of [1, 30, 52, 200, mixedLines[0]!.length]) {
      const file = fileOf(mixed.slice(0, cut));
      (await LedgerFile.open(file, head)).close();
      expect(readFileSync(file, 'utf8')).toBe(`${mixedLines[0]}\n`);
    }
  });
});

it('a ledger that is left early lets go of its file', async () => {
  const lines = readLedger(fileOf(mixed));
  expect((await lines.next()).value).toMatchObject({ type: 'audit', from: 5000 });
  await lines.return({ wholeBytes: 0, tailBytes: 0, state: new LedgerCheck('') });
  expect(await lines.next()).toMatchObject({ done: true });
});

it('a ledger lets go of its file when whoever reads it throws', async () => {
  const file = fileOf(mixed);
  const isOpen = () =>
    readdirSync('/proc/self/fd').some((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === file;
      } catch {
        return false; // closed meanwhile
      }
    });
  const stop = () => {
    if (existsSync('/proc/self/fd')) expect(isOpen()).toBe(true);
    throw new Error('enough');
  };
  await expect(checkLedger(file, stop)).rejects.toThrow('enough');
  if (existsSync('/proc/self/fd')) expect(isOpen()).toBe(false);
});

it.skipIf(process.platform === 'win32')(
  'a folder, a pipe and a device are no ledgers, and nobody waits for them',
  async () => {
    const pipe = join(folder, `${files++}.pipe`);
    execFileSync('mkfifo', [pipe]);
    for (const file of [folder, pipe, '/dev/zero', '/dev/null']) {
      await expect(checkLedger(file)).rejects.toMatchObject({ code: 'usage/bad-option', path: file });
    }
    for (const file of [folder, pipe, '/dev/full']) {
      await expect(LedgerFile.open(file, head)).rejects.toMatchObject({ code: 'usage/bad-option', path: file });
    }
  },
);

it('hashes that were seen are known, and no others, however many there are', () => {
  const hashes = Array.from({ length: 5000 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex'));
  const seen = new SeenHashes();
  for (const hash of ['0'.repeat(64), ...hashes]) {
    expect(seen.has(hash)).toBe(false);
    expect(seen.add(hash)).toBe(true);
    expect(seen.add(hash)).toBe(false);
  }
  expect(hashes.every((hash) => seen.has(hash))).toBe(true);
  expect(seen.has('f'.repeat(64))).toBe(false);
});

it('a bitmap has exactly the positions it was made of', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 99 })), (positions) => {
      const bitmap = bitmapOf(positions, 100);
      expect(bitmap).toHaveLength(26);
      expect(positionsIn(bitmap)).toEqual([...positions].sort((a, b) => a - b));
    }),
  );
});

it('hashes that share a word are told apart in no more steps than others', () => {
  const hex = (n: number) => n.toString(16).padStart(8, '0');
  for (const make of [(n: number) => hex(n) + '7'.repeat(56), (n: number) => '7'.repeat(8) + hex(n) + '7'.repeat(48)]) {
    const seen = new SeenHashes();
    let fresh = 0;
    for (let n = 0; n < 50_000; n++) if (seen.add(make(n))) fresh += 1;
    expect(fresh).toBe(50_000);
    expect(seen.steps / 50_000).toBeLessThan(3);
  }
});
