/** Audits of what is not as it should be: two histories, kept sets that were edited, files of other kinds, servers that make things up. */
import { execFileSync } from 'node:child_process';
import fs, {
  appendFileSync,
  copyFileSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, describe, expect, it } from 'vitest';
import type { AuditOptions } from '../../../src/app/audit/audit-options.ts';
import { auditRange } from '../../../src/app/audit/audit-range.ts';
import { auditFiles } from '../../../src/app/audit/file-source.ts';
import { auditServers } from '../../../src/app/audit/http-source.ts';
import { type AuditRow, seqnoOf } from '../../../src/app/audit/ledger-lines.ts';
import { checkLedger } from '../../../src/app/audit/read-ledger.ts';
import {
  checkpointFromKeyBlock,
  checkpointToJson,
  parseCheckpoint,
  validatorSetAt,
} from '../../../src/core/chain/checkpoint.ts';
import {
  answerOf,
  auditChain,
  FIRST_UTIME,
  scratch,
  text,
  writeFolder,
  writeLines,
} from '../../helpers/audit-chain.ts';
import { countingEngine } from '../../helpers/counting-engine.ts';
import { fakeSource } from '../../helpers/fake-source.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { startOf } from '../../helpers/networks.ts';

const place = scratch();
afterAll(place.remove);

const chain = auditChain(25);
const start = startOf(chain);
const folder = writeFolder(chain, place.next('blocks'));
const engine = countingEngine();
const common = { from: 1, to: 25, checkpoint: start, engine } as const;

async function rowsOf(opts: AuditOptions): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for await (const row of auditRange(opts)) rows.push(row);
  return rows;
}

const said = (row: AuditRow) => (row.type === 'failure' ? row.code : row.verdict.status);

/** The blocks of one chain up to a number, of the other from there on. */
function spliced(name: string, other: LiteChain, from: number): string {
  const into = writeFolder(chain, place.next(name));
  const theirs = writeFolder(other, place.next(`${name}-theirs`));
  for (let seqno = from; seqno <= 25; seqno++) {
    for (const kind of ['json', 'boc']) copyFileSync(`${theirs}/${seqno}.${kind}`, `${into}/${seqno}.${kind}`);
  }
  return into;
}

describe('two histories with good signatures', () => {
  const fork = new LiteChain({ length: 25, firstUtime: FIRST_UTIME, name: 'audit', forkAt: 3 });
  const forked = spliced('forked', fork, 5);

  it('end the audit where they meet, with the rows before, and do so again', async () => {
    const out = place.next();
    const error = expect.objectContaining({
      code: 'source/disagree',
      message: expect.stringMatching(
        /block 5 follows block [0-9a-f]{64}, and the row before it is [0-9a-f]{64}, both final/,
      ),
    });
    for (let run = 0; run < 2; run++) {
      await expect(rowsOf({ ...common, to: 9, blocks: auditFiles(forked), out })).rejects.toEqual(error);
      expect((await checkLedger(out)).state).toMatchObject({ next: 5, counts: { final: 4 } });
    }
  });

  it('do so in a hash-linked audit too', async () => {
    const opts = { ...common, to: 8, signEvery: 4, blocks: auditFiles(forked) };
    await expect(rowsOf(opts)).rejects.toMatchObject({ code: 'source/disagree' });
  });
});

describe('one block under many numbers', () => {
  const answers = Array.from({ length: 9 }, (_, n) => {
    const answer = answerOf(chain.blocks.get(5)!) as { id: object }; // ordinary signatures: the number is not signed
    return { ...answer, id: { ...answer.id, seqno: n + 1 } };
  });
  const file = place.next('repeated.json');
  writeFileSync(file, JSON.stringify(answers));

  it('ends the audit at the second of them', async () => {
    const out = place.next();
    const opts = { from: 1, to: 9, blocks: auditFiles(file), validators: validatorSetAt(start), engine, out };
    for (let run = 0; run < 2; run++) {
      await expect(rowsOf(opts)).rejects.toMatchObject({
        code: 'source/disagree',
        message: expect.stringMatching(/block 2 has the root hash of an earlier row/),
      });
      expect((await checkLedger(out)).state).toMatchObject({ next: 2, counts: { final: 1, unbound: 1 } });
    }
  });
});

describe('sets that were kept beside the ledger', () => {
  /** A chain of somebody else: what it has of key block 20 on is good under his own keys. */
  const theirs = new LiteChain({ length: 25, firstUtime: FIRST_UTIME, name: 'somebody else' });
  const key = theirs.blocks.get(20)!;

  it('count only for a key block that the ledger found final, whatever the file says', async () => {
    const out = place.next();
    await rowsOf({ ...common, blocks: auditFiles(folder), out });
    const rows = text(out).split('\n');
    const cut = rows.findIndex((line) => line.includes('"seqno":21,'));
    writeFileSync(out, `${rows.slice(0, cut).join('\n')}\n`);
    const forged = checkpointToJson({ ...checkpointFromKeyBlock(key.boc, key.id), anchor: start.anchor });
    expect(parseCheckpoint(forged).keyBlock).toEqual(key.id); // nothing in it is wrong but who says it
    writeFileSync(`${out}.sets`, JSON.stringify([forged]));
    const after = await rowsOf({ ...common, blocks: auditFiles(spliced('stolen', theirs, 21)), out });
    expect(after.map(seqnoOf)).toEqual([21, 22, 23, 24, 25]);
    expect(after.map(said)).not.toContain('final');
  });
});

describe.skipIf(process.platform === 'win32')('files of other kinds', () => {
  const pipe = (name: string) => {
    execFileSync('mkfifo', [name]);
    return name;
  };

  it('beside the ledger are left alone, and keep nobody waiting', async () => {
    const out = place.next();
    const victim = place.next('victim');
    writeFileSync(victim, 'mine');
    pipe(`${out}.sets`);
    symlinkSync(victim, `${out}.run`);
    symlinkSync(victim, `${out}.sets.tmp`);
    const rows = await rowsOf({ ...common, blocks: auditFiles(folder), out });
    expect(new Set(rows.map(said))).toEqual(new Set(['final']));
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(existsSync(`${out}.sets`)).toBe(true);
    const again = place.next();
    copyFileSync(out, again);
    writeFileSync(again, `${text(out).split('\n').slice(0, 20).join('\n')}\n`);
    pipe(`${again}.sets`);
    pipe(`${again}.run`);
    await rowsOf({ ...common, blocks: auditFiles(folder), out: again });
    expect(text(again)).toBe(text(out));
    expect(lstatSync(`${again}.run`).isFIFO()).toBe(true);
  });

  it('are no place to take blocks from', async () => {
    for (const file of [pipe(place.next('pipe')), '/dev/zero']) {
      await expect(rowsOf({ ...common, blocks: auditFiles(file) })).rejects.toMatchObject({ path: file });
    }
  });

  it.runIf(process.platform === 'linux')('that fail while they are read are told by name, ledgers too', async () => {
    const file = '/proc/self/mem';
    const unread = { code: 'usage/bad-option', message: `${file}: cannot be read (EIO)` };
    await expect(rowsOf({ ...common, blocks: auditFiles(file) })).rejects.toMatchObject(unread);
    await expect(checkLedger(file)).rejects.toMatchObject(unread);
  });
});

describe('files that change or are damaged', () => {
  it.each([
    ['moved', (out: string) => renameSync(out, `${out}.moved`)],
    ['removed', (out: string) => rmSync(out)],
    ['replaced', (out: string) => writeFileSync(`${out}.new`, '') ?? renameSync(`${out}.new`, out)],
    ['written to', (out: string) => appendFileSync(out, 'mine')],
    ['cut', (out: string) => truncateSync(out, 9)],
  ])('a ledger that is %s while it is written ends the audit', async (_, meddle) => {
    const out = place.next();
    const rows = auditRange({ ...common, blocks: auditFiles(folder), out });
    await rows.next();
    meddle(out);
    const rest = async () => {
      while ((await rows.next()).done !== true);
    };
    await expect(rest()).rejects.toMatchObject({ code: 'audit/write', path: out });
  });

  it('a ledger that can only grow is told by name where its end must be cut off', async () => {
    const out = place.next();
    await rowsOf({ ...common, blocks: auditFiles(folder), out });
    truncateSync(out, text(out).length - 9);
    const { ftruncateSync } = fs;
    fs.ftruncateSync = () => {
      throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' }); // as after chattr +a
    };
    syncBuiltinESMExports();
    try {
      const resumed = rowsOf({ ...common, blocks: auditFiles(folder), out });
      await expect(resumed).rejects.toMatchObject({ code: 'usage/bad-option', path: out });
    } finally {
      fs.ftruncateSync = ftruncateSync;
      syncBuiltinESMExports();
    }
  });

  it('a block whose file goes away is missing, one by one', async () => {
    const vanishing = writeFolder(chain, place.next('vanishing'));
    const { signal } = new AbortController();
    const getter = await auditFiles(vanishing).open({ first: 1, from: 1, to: 25, signEvery: 1 }, signal);
    rmSync(`${vanishing}/5.json`);
    await expect(getter.signed(5, signal)).rejects.toMatchObject({ code: 'source/missing' });
    expect((await getter.signed(6, signal)).signatures.blockId.seqno).toBe(6);
  });

  it('a line that is too long, and lines of garbage, cost the blocks that they stand for and no other', async () => {
    const file = writeLines(chain, place.next('blocks.ndjson'));
    const lines = text(file).split('\n');
    lines[6] = `{"answer":"${'x'.repeat(17 << 20)}"}`;
    lines[11] = 'garbage';
    writeFileSync(file, lines.join('\n'));
    const rows = await rowsOf({ ...common, to: 19, blocks: auditFiles(file) });
    const failed = rows.filter(({ type }) => type === 'failure');
    expect(failed.map((row) => [seqnoOf(row), said(row)])).toEqual([
      [7, 'decode/too-large'],
      [12, 'decode/shape'],
    ]);
    expect(rows).toHaveLength(19);
  });

  it('a file of nothing but garbage is read to its end, and every block is accounted for', async () => {
    const file = place.next('garbage.ndjson');
    writeFileSync(file, 'garbage\n'.repeat(50_000));
    const rows = await rowsOf({ ...common, maxFailures: 100, blocks: auditFiles(file) });
    expect(rows).toHaveLength(25);
    expect(rows.every(({ type }) => type === 'failure')).toBe(true);
  });
});

describe('a server that makes key blocks up', () => {
  it('is given up instead of asked without end', async () => {
    let asked = 0;
    const header = async (seqno: number) => {
      asked += 1;
      return { prevKeyBlockSeqno: seqno - 1 };
    };
    const { signal } = new AbortController();
    const range = { first: 1, from: 1, to: 60_000_000, signEvery: 1 };
    const opened = auditServers(fakeSource('liar'), { header }).open(range, signal);
    const hint = expect.stringContaining('into a new ledger'); // a ledger keeps its range
    await expect(opened).rejects.toMatchObject({ code: 'source/wrong-block', hint });
    expect(asked).toBeLessThan(100_000);
  });
});
