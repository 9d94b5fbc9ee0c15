/** Audits of a little chain: what the rows say, from wherever the blocks come, and that an end anywhere leaves no trace. */
import { createHash } from 'node:crypto';
import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AuditOptions } from '../../../src/app/audit/audit-options.ts';
import { auditRange } from '../../../src/app/audit/audit-range.ts';
import type { AuditSource } from '../../../src/app/audit/audit-source.ts';
import { auditFiles } from '../../../src/app/audit/file-source.ts';
import { auditServers } from '../../../src/app/audit/http-source.ts';
import { writeLine } from '../../../src/app/audit/ledger-check.ts';
import { type AuditBlock, type AuditRow, type AuditSet, seqnoOf } from '../../../src/app/audit/ledger-lines.ts';
import { checkLedger } from '../../../src/app/audit/read-ledger.ts';
import { SourceError } from '../../../src/core/base/errors.ts';
import { MAX_BOC_BYTES } from '../../../src/core/base/limits.ts';
import type { Signal } from '../../../src/core/base/runtime-types.ts';
import { validatorSetAt } from '../../../src/core/chain/checkpoint.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { auditChain, scratch, text, writeFolder, writeLines } from '../../helpers/audit-chain.ts';
import { rowsOf, said, tally } from '../../helpers/audit-rows.ts';
import { countingEngine } from '../../helpers/counting-engine.ts';
import { startOf } from '../../helpers/networks.ts';
import { everyNth, share } from '../../helpers/share.ts';
import { ROOT } from '../../helpers/vectors.ts';

const place = scratch();
afterAll(place.remove);

const chain = auditChain();
const start = startOf(chain);
const folder = writeFolder(chain, place.next('blocks'));
const engine = countingEngine();
const common = { from: 1, to: 45, checkpoint: start, engine } as const;

const whole = place.next();
const wholeRows = await rowsOf({ ...common, blocks: auditFiles(folder), out: whole });
const wholeText = text(whole);
/** Short, for when it is another one. */
const digest = (of: string): string => createHash('sha256').update(of).digest('hex');

it.each([
  ['some are still gathered, some are with the workers, some are judged', 64, 1, 6],
  ['some before they are looked at', 0, 10, 30],
])(
  'a row is of the block that was signed, whatever its source writes over sets it gave: %s',
  async (_, kept, every, least) => {
    const files = auditFiles(folder);
    const given: Uint8Array[] = [];
    const blocks: AuditSource = {
      name: files.name,
      bindsIds: files.bindsIds,
      async open(...asked) {
        const getter = await files.open(...asked);
        return {
          ...getter,
          async signed(...question) {
            const block = await getter.signed(...question);
            for (const bytes of given.splice(0, Math.max(0, given.length - kept))) bytes.fill(7);
            const { blockId, signatures } = block.signatures;
            if (blockId.seqno % every === every >> 1)
              given.push(blockId.rootHash, blockId.fileHash, ...signatures.map(({ signature }) => signature));
            return block;
          },
        };
      },
    };
    const rows = await rowsOf({ ...common, blocks });
    const isFinal = (row: AuditRow) => row.type !== 'failure' && row.verdict.status === 'final';
    expect(rows).toHaveLength(wholeRows.length);
    expect(rows.filter(isFinal).length).toBeGreaterThanOrEqual(least);
    // What is written into a block before it is judged spoils it, and no more than that.
    for (const [at, row] of rows.entries()) if (isFinal(row)) expect(row).toEqual(wholeRows[at]);
  },
);

describe('an audit of files', () => {
  it('says what is wrong with the trust or the ledger that it is given', async () => {
    const given = { from: 1, to: 9, blocks: auditFiles(folder), engine };
    const both = { ...given, validators: validatorSetAt(start), checkpoint: start };
    expect(() => auditRange(both)).toThrow(/^validators: expected one of validators and checkpoint, got both$/);
    expect(() => auditRange(given)).toThrow(/^validators: expected one of validators and checkpoint, got neither$/);
    const nowhere = place.next('nowhere/rows.ndjson');
    const hint = `make it with mkdir -p ${dirname(nowhere)}`;
    expect(() => auditRange({ ...common, blocks: given.blocks, out: '' })).toThrow(
      /^out: expected the name of a file$/,
    );
    await expect(auditRange({ ...common, blocks: given.blocks, out: nowhere }).next()).rejects.toMatchObject({ hint });
    await expect(auditRange({ ...common, blocks: given.blocks, out: folder }).next()).rejects.toMatchObject({
      message: `${folder}: expected a plain file to write to, got a directory`,
    });
  });

  it('leaves the blocks undecided whose numbers are claims, where the whole id is required', async () => {
    const unproven = Array.from({ length: 9 }, (_, at) => at + 1);
    const blocks = auditFiles(writeFolder(chain, place.next('claims'), { unproven }));
    const trust = { validators: validatorSetAt(start), engine };
    const rows = await rowsOf({ ...trust, from: 1, to: 9, blocks, requireBoundId: true });
    expect(rows.flatMap((row) => (row.type === 'block' && row.verdict.status === 'final' ? [] : seqnoOf(row)))).toEqual(
      [5],
    );
    expect(rows[4]).toMatchObject({ verdict: { status: 'undecided', reason: 'unbound-id' } });
    expect(() => auditRange({ ...trust, from: 1, to: 9, blocks, requireBoundId: true, acceptUnbound: true })).toThrow(
      expect.objectContaining({ code: 'usage/bad-policy' }),
    );
  });

  it('finds every block final, its id bound, its set proven from key block to key block', () => {
    expect(tally(wholeRows)).toEqual({ final: 45 });
    expect(wholeRows.map(seqnoOf)).toEqual(Array.from({ length: 45 }, (_, n) => n + 1));
    for (const row of wholeRows as AuditBlock[]) {
      expect(row.bound).toHaveLength(5);
      expect(row).toMatchObject({ setCheck: 'match', unknown: 0, provenance: { by: 'signatures', set: 'proven' } });
      expect(row.header?.prevKeyBlock).toBe(Math.floor((row.block.seqno - 1) / 10) * 10);
    }
    expect(new Set((wholeRows as AuditBlock[]).map(({ set }) => set)).size).toBe(4); // the fifth committee is the first again
  });

  it('gives the same ledger from a folder and from lines', async () => {
    const out = place.next();
    await rowsOf({ ...common, blocks: auditFiles(writeLines(chain, place.next('blocks.ndjson'))), out });
    expect(digest(text(out))).toBe(digest(wholeText));
  });

  it('lists for an ordinary block without a proof only what its signatures bind, and takes the set before it', async () => {
    const unproven = writeFolder(chain, place.next('unproven'), { unproven: [5, 6] });
    const rows = (await rowsOf({ ...common, to: 9, blocks: auditFiles(unproven) })) as AuditBlock[];
    expect(tally(rows)).toEqual({ final: 9 });
    expect([rows[4]!.kind, rows[4]!.bound]).toEqual(['ordinary', ['rootHash', 'fileHash']]);
    expect([rows[5]!.kind, rows[5]!.bound.length, rows[5]!.header]).toEqual(['simplex', 5, null]);
  });

  it('says wrong-validator-set beyond a key block whose file is not there', async () => {
    const lost = writeFolder(chain, place.next('lost'), { unproven: [20] });
    const out = place.next();
    const rows = await rowsOf({ ...common, blocks: auditFiles(lost), out });
    expect(tally(rows)).toEqual({ final: 20, 'wrong-validator-set': 25 });
    // What another set's weight comes to is no margin.
    expect((await checkLedger(out)).state.counts.thinnest?.share).toBeGreaterThan(0);
  });

  it('writes down a block that is missing, and one that cannot be read, and goes on', async () => {
    const gaps = writeFolder(chain, place.next('gaps'), { unsigned: [7, 30] });
    writeFileSync(`${gaps}/12.json`, text(`${gaps}/12.json`).replace('"signature":"', '"signature":"*'));
    const out = place.next();
    const rows = await rowsOf({ ...common, blocks: auditFiles(gaps), out });
    // Without its signatures key block 30 moves nothing.
    expect(tally(rows)).toEqual({ final: 27, 'source/missing': 2, 'decode/base64': 1, 'wrong-validator-set': 15 });
    expect(rows.filter(({ type }) => type === 'failure').map(seqnoOf)).toEqual([7, 12, 30]);
    expect((await checkLedger(out)).state).toMatchObject({ counts: { failures: 3 }, next: 46 });
    expect(text(`${out}.run`)).toContain('no signatures of block 7');
  });

  it('writes down a block whose .boc is garbage or of another block, and one whose answer is no JSON', async () => {
    const odd = writeFolder(chain, place.next('odd'));
    writeFileSync(`${odd}/4.boc`, 'garbage');
    copyFileSync(`${odd}/6.boc`, `${odd}/5.boc`);
    writeFileSync(`${odd}/7.json`, '{"ok": tru');
    writeFileSync(`${odd}/8.json`, '{"ok":false,"error":"block is not in db","code":500}');
    writeFileSync(`${odd}/extra-9.boc`, 'garbage beside a good one');
    const rows = await rowsOf({ ...common, to: 9, blocks: auditFiles(odd) });
    expect(rows.map((row) => (row.type === 'failure' ? row.code.split('/')[0] : row.verdict.status))).toEqual([
      ...['final', 'final', 'final', 'decode', 'trust', 'final', 'decode', 'decode', 'final'],
    ]);
  });

  it('finds the block of a .boc without a number in its path, and writes down a damaged one for a block that has no other', async () => {
    const unnamed = writeFolder(chain, place.next('unnamed'));
    const letters = (seqno: number) => 'x'.repeat(seqno);
    for (const seqno of chain.blocks.keys()) {
      renameSync(`${unnamed}/${seqno}.boc`, `${unnamed}/${letters(seqno)}.boc`);
    }
    copyFileSync(`${ROOT}/vectors/real/mainnet-genesis/zerostate.boc`, `${unnamed}/zerostate.boc`);
    const out = place.next();
    await rowsOf({ ...common, blocks: auditFiles(unnamed), out });
    expect(text(out)).toBe(wholeText);
    const damaged = `${unnamed}/${letters(4)}.boc`;
    for (const [code, damage] of [
      ['decode/boc', () => truncateSync(damaged, 100)],
      ['decode/too-large', () => writeFileSync(damaged, new Uint8Array(MAX_BOC_BYTES + 1))],
    ] as const) {
      damage();
      for (const signEvery of [1, 4]) {
        const rows = place.next();
        const [, , , fourth, ...others] = await rowsOf({
          ...common,
          signEvery,
          blocks: auditFiles(unnamed),
          out: rows,
        });
        expect(fourth).toEqual({ type: 'failure', seqno: 4, code });
        expect(tally(others)).toEqual({ final: 41 });
        expect(text(`${rows}.run`)).toContain(`"seqno":4,"message":"${damaged}: `);
      }
    }
    rmSync(`${unnamed}/4.json`);
    const missing = place.next();
    await rowsOf({ ...common, to: 9, blocks: auditFiles(unnamed), out: missing });
    expect(text(`${missing}.run`)).toContain(`no signatures of block 4; cannot be read: 1, the first is ${damaged}: `);
  });

  it.each([1, 4])(
    'reads 16 different .boc files of a block and copies of them, and writes it down if there are more, at every %i. signed block',
    async (signEvery) => {
      const many = writeFolder(chain, place.next('many'));
      const audit = { ...common, to: 9, signEvery };
      for (const letter of 'abcdefghijklmno') {
        for (const copy of ['', '-copy']) writeFileSync(`${many}/${letter}${copy}-4.boc`, `garbage ${letter}`);
      }
      expect(tally(await rowsOf({ ...audit, blocks: auditFiles(many) }))).toEqual({ final: 9 });
      writeFileSync(`${many}/p-4.boc`, 'garbage p');
      const out = place.next();
      const [, , , fourth] = await rowsOf({ ...audit, blocks: auditFiles(many), out });
      expect(fourth).toMatchObject({ type: 'failure', seqno: 4, code: 'decode/too-large' });
      expect(text(`${out}.run`)).toContain(`${many}: block 4: expected at most 16 different .boc files, got 17`);
    },
  );

  it('writes down a line whose block is of another one, or whose members nobody knows', async () => {
    const file = writeLines(chain, place.next('odd.ndjson'));
    const lines = text(file).trimEnd().split('\n');
    const blockIn = (line: string) => (JSON.parse(line) as { block: string }).block;
    lines[2] = lines[2]!.replace(blockIn(lines[2]!), blockIn(lines[3]!));
    lines[4] = lines[4]!.replace('"block":', '"blok":');
    lines[6] = lines[6]!.replace(blockIn(lines[6]!), 'AAAA');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const rows = await rowsOf({ ...common, to: 9, blocks: auditFiles(file) });
    expect(rows.map((row) => (row.type === 'failure' ? row.code.split('/')[0] : row.verdict.status))).toEqual([
      ...['final', 'final', 'trust', 'final', 'decode', 'final', 'decode', 'final', 'final'],
    ]);
  });

  it('ends when it is told to, with whole rows', async () => {
    const stop = new AbortController();
    const out = place.next();
    const rows = auditRange({ ...common, blocks: auditFiles(folder), out, signal: stop.signal });
    await rows.next();
    stop.abort();
    await expect(
      (async () => {
        for await (const _ of rows);
      })(),
    ).rejects.toMatchObject({ code: 'source/aborted' });
    expect((await checkLedger(out)).state.next).toBeLessThan(20);
    await rowsOf({ ...common, blocks: auditFiles(folder), out });
    expect(text(out)).toBe(wholeText);
  });

  it('ends at one failure too many with its error, and begins there the next time', async () => {
    const gaps = writeFolder(chain, place.next('many'), { unsigned: [3, 5, 8] });
    const out = place.next();
    const opts = { ...common, to: 9, blocks: auditFiles(gaps), out };
    const error = expect.objectContaining({ code: 'source/missing', message: expect.stringContaining('block 8') });
    await expect(rowsOf({ ...opts, maxFailures: 2 })).rejects.toEqual(error);
    expect((await checkLedger(out)).state).toMatchObject({ counts: { failures: 2 }, next: 8 });
    await expect(rowsOf({ ...opts, maxFailures: 2 })).rejects.toEqual(error);
    expect(tally(await rowsOf({ ...opts, maxFailures: 3 }))).toEqual({ 'source/missing': 1, final: 1 });
  });

  it('refuses a block of another network, and a simplex candidate that names another block, one by one', async () => {
    const other = writeFolder(chain, place.next('other'));
    const json = JSON.parse(text(`${other}/4.json`)) as { result: { candidate: string } };
    json.result.candidate = (JSON.parse(text(`${other}/6.json`)) as typeof json).result.candidate;
    writeFileSync(`${other}/4.json`, JSON.stringify(json));
    const rows = await rowsOf({ ...common, to: 9, blocks: auditFiles(other) });
    expect(tally(rows)).toEqual({ final: 8, 'decode/candidate-mismatch': 1 });
  });
});

describe('a hash-linked audit', () => {
  it('checks the signatures of every n-th block, and says of the others what they are', async () => {
    const before = engine.checked;
    const out = place.next();
    const rows = (await rowsOf({ ...common, signEvery: 6, blocks: auditFiles(folder), out })) as AuditBlock[];
    expect(tally(rows)).toEqual({ final: 45 });
    const signed = rows.filter(({ kind }) => kind !== null).map(seqnoOf);
    expect(signed).toEqual([6, 10, 12, 18, 20, 24, 30, 36, 40, 42, 45]);
    expect(rows[0]).toMatchObject({ kind: null, margin: null, provenance: { by: 'descendant', seqno: 6 } });
    expect(engine.checked - before).toBeLessThan(4 * signed.length + 1);
  });

  it('asks a block for its own signatures where the way down to it is broken, and believes nothing below what is not final', async () => {
    const holes = writeFolder(chain, place.next('holes'), { unproven: [3], unsigned: [9] });
    const rows = (await rowsOf({ ...common, to: 9, signEvery: 9, blocks: auditFiles(holes) })) as AuditBlock[];
    expect(rows.map((row) => (row.type === 'block' ? (row.kind ?? row.provenance) : row))).toEqual([
      { by: 'descendant', seqno: 2 },
      'simplex',
      'simplex',
      { by: 'descendant', seqno: 8 },
      { by: 'descendant', seqno: 8 },
      { by: 'descendant', seqno: 8 },
      { by: 'descendant', seqno: 8 },
      'simplex',
      { type: 'failure', seqno: 9, code: 'source/missing' },
    ]);
    const forged = writeFolder(chain, place.next('forged'));
    writeFileSync(`${forged}/8.json`, text(`${forged}/8.json`).replaceAll('"signature":"', '"signature":"AA'));
    const json = JSON.parse(text(`${folder}/8.json`)) as { result: { signatures: { signature: string }[] } };
    for (const entry of json.result.signatures) entry.signature = Buffer.alloc(64, 7).toString('base64');
    writeFileSync(`${forged}/8.json`, JSON.stringify(json));
    const doubted = await rowsOf({ ...common, to: 8, signEvery: 8, blocks: auditFiles(forged) });
    expect(tally(doubted)).toEqual({ 'no-final-descendant': 7, rejected: 1 });
  });
});

describe('a run that was ended', () => {
  it('tries the last blocks again where only their source failed, and leaves the other failures', async () => {
    const out = place.next();
    const short = writeFolder(chain, place.next('short'), { unsigned: [7, 43, 44, 45] });
    const first = await rowsOf({ ...common, blocks: auditFiles(short), out });
    expect(tally(first)).toEqual({ final: 41, 'source/missing': 4 });
    const again = await rowsOf({ ...common, blocks: auditFiles(folder), out });
    expect(again.map((row) => [seqnoOf(row), said(row)])).toEqual([43, 44, 45].map((seqno) => [seqno, 'final']));
    expect((await checkLedger(out)).state).toMatchObject({ counts: { failures: 1 }, next: 46 });
    const unreadable = writeFolder(chain, place.next('unreadable'));
    writeFileSync(`${unreadable}/45.json`, text(`${unreadable}/45.json`).replace('"signature":"', '"signature":"*'));
    const other = place.next();
    await rowsOf({ ...common, blocks: auditFiles(unreadable), out: other });
    expect(await rowsOf({ ...common, blocks: auditFiles(folder), out: other })).toEqual([]);
  });

  it('does not go on with rows of another set than the one that was given', async () => {
    const out = place.next();
    const opts = { from: 1, to: 9, validators: validatorSetAt(start), engine, blocks: auditFiles(folder), out };
    await rowsOf(opts);
    const [head] = text(out).split('\n');
    const other = wholeText.split('\n').filter((line) => line.startsWith('{"type":"set"'))[1]!;
    const { hash, ...set } = JSON.parse(other) as AuditSet & { hash: string };
    const before = (JSON.parse(head!) as { hash: string }).hash;
    writeFileSync(out, `${head}\n${writeLine(set, before).text}\n`);
    const wrong = { code: 'audit/ledger', message: expect.stringContaining('expected the one that was given') };
    await expect(rowsOf(opts)).rejects.toMatchObject(wrong);
  });

  it('has in the ledger what was begun when the source is gone', async () => {
    const lost = new SourceError('source/auth', 'the key was taken back');
    const files = auditFiles(folder);
    const blocks: AuditSource = {
      ...files,
      async open(range, signal) {
        const getter = await files.open(range, signal);
        const signed = (seqno: number, by: Signal) => (seqno === 38 ? Promise.reject(lost) : getter.signed(seqno, by));
        return { ...getter, signed };
      },
    };
    const [out, undisturbed] = [place.next(), place.next()];
    const opts = { from: 1, to: 45, validators: validatorSetAt(start), engine };
    await rowsOf({ ...opts, blocks: files, out: undisturbed });
    await expect(rowsOf({ ...opts, blocks, out })).rejects.toBe(lost);
    expect((await checkLedger(out)).state.next).toBe(31); // the batch up to key block 30 was begun; 31 to 37 were none
    expect(text(undisturbed).startsWith(text(out))).toBe(true);
  });

  it('refuses a source of your own that would fetch no block', async () => {
    const files = auditFiles(folder);
    for (const ahead of [0, Number.NaN, undefined]) {
      const open = async (...asked: Parameters<AuditSource['open']>) =>
        ({ ...(await files.open(...asked)), ahead }) as Awaited<ReturnType<AuditSource['open']>>;
      const refused = rowsOf({ ...common, blocks: { ...files, open } });
      await expect(refused).rejects.toMatchObject({ code: 'usage/bad-option', path: 'blocks.open().ahead' });
    }
    const nothing = { ...files, open: async () => undefined } as unknown as AuditSource;
    await expect(rowsOf({ ...common, blocks: nothing })).rejects.toMatchObject({ path: 'blocks.open()' });
  });

  it('goes on to the same bytes from any cut, and checks nothing again that stands', async () => {
    const before = engine.checked;
    await rowsOf({ ...common, blocks: auditFiles(folder), out: place.next() });
    const all = engine.checked - before;
    const out = place.next();
    const places = Array.from({ length: 12 }, (_, n) => Math.floor(((n + 0.37) * wholeText.length) / 12));
    const cuts = everyNth(places, 3, 1);
    for (const cut of cuts) {
      writeFileSync(out, wholeText.slice(0, cut));
      copyFileSync(`${whole}.sets`, `${out}.sets`);
      const standing = wholeText
        .slice(0, cut)
        .split('\n')
        .slice(0, -1)
        .filter((line) => line.startsWith('{"type":"block"'))
        .map((line) => 3 + ((JSON.parse(line) as AuditBlock).block.seqno % 2));
      const from = engine.checked;
      const rows = await rowsOf({ ...common, blocks: auditFiles(folder), out });
      expect(digest(text(out)), `cut at ${cut}`).toBe(digest(wholeText));
      expect(rows).toHaveLength(45 - standing.length);
      expect(engine.checked - from, `cut at ${cut}`).toBe(all - standing.reduce((sum, count) => sum + count, 0));
    }
    expect(await rowsOf({ ...common, blocks: auditFiles(folder), out })).toEqual([]);
  });

  it('proves sets again along the key blocks when the file that keeps them is lost', async () => {
    const out = place.next();
    for (const part of [0.5, 0.9]) {
      writeFileSync(out, wholeText.slice(0, Math.floor(wholeText.length * part)));
      rmSync(`${out}.sets`, { force: true });
      await rowsOf({ ...common, blocks: auditFiles(folder), out });
      expect(digest(text(out))).toBe(digest(wholeText));
    }
  });

  it('is the same in a hash-linked audit, from any cut', async () => {
    const out = place.next();
    const opts = { ...common, signEvery: 6, blocks: auditFiles(folder), out };
    await rowsOf(opts);
    const linked = text(out);
    for (let cut = 500; cut < linked.length; cut += share(14_331, 4777)) {
      truncateSync(out, cut);
      await rowsOf(opts);
      expect(digest(text(out)), `cut at ${cut}`).toBe(digest(linked));
    }
  });

  it('does not go on with the ledger of another audit, nor with one that was changed, and leaves both alone', async () => {
    const out = place.next();
    const half = wholeText.slice(0, Math.floor(wholeText.length / 2));
    writeFileSync(out, half);
    const blocks = auditFiles(folder);
    for (const other of [{ to: 44 }, { from: 2 }, { signEvery: 2 }, { threshold: { num: 3n, den: 4n } }]) {
      await expect(rowsOf({ ...common, ...other, blocks, out })).rejects.toMatchObject({ code: 'audit/plan' });
    }
    const validators = validatorSetAt(start);
    await expect(rowsOf({ from: 1, to: 45, validators, blocks, out })).rejects.toMatchObject({ code: 'audit/plan' });
    expect(text(out)).toBe(half);
    const changed = half.replace('"unknown":0', '"unknown":1');
    writeFileSync(out, changed);
    await expect(rowsOf({ ...common, blocks, out })).rejects.toMatchObject({ code: 'audit/ledger' });
    expect(text(out)).toBe(changed);
  });

  it('refuses options that it does not know or that contradict each other', async () => {
    const blocks = auditFiles(folder);
    const bad = (over: object, path: string) =>
      expect(() => auditRange({ ...common, blocks, ...over } as AuditOptions)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^usage\//), path }),
      );
    bad({ form: 1 }, 'form');
    bad({ to: 0 }, 'to');
    bad({ validators: validatorSetAt(start) }, 'validators');
    bad({ checkpoint: undefined }, 'checkpoint');
    bad({ blocks: 'a folder' }, 'blocks');
    bad({ threshold: { num: 1n, den: 2n } }, 'threshold');
    bad({ threshold: { num: 2n * 10n ** 20n, den: 3n * 10n ** 20n } }, 'threshold');
    bad({ signEvery: 2, blocks: auditServers(toncenterV2({ baseUrl: 'http://127.0.0.1:1/api/v2' })) }, 'signEvery');
    await expect(rowsOf({ ...common, blocks: auditFiles('/nowhere') })).rejects.toMatchObject({ path: '/nowhere' });
    const outOfOrder = place.next('order.ndjson');
    writeFileSync(outOfOrder, `${text(`${folder}/2.json`)}\n${text(`${folder}/1.json`)}\n`);
    await expect(rowsOf({ ...common, blocks: auditFiles(outOfOrder) })).rejects.toMatchObject({
      path: `${outOfOrder}:2`,
    });
  });
});
