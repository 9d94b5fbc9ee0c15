/** What files of answers hold: links are followed, and nothing that cannot be read is passed over without a word. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { indexFolder } from '../../../src/app/audit/answer-folder.ts';
import { auditFiles } from '../../../src/app/audit/file-source.ts';
import { realBytes, realJson } from '../../helpers/real.ts';
import { readAnswer, SIMPLEX_CASE } from '../../helpers/vectors.ts';

const top = mkdtempSync(join(tmpdir(), 'answer-files-'));
afterAll(() => rmSync(top, { recursive: true }));

const answer = readAnswer(SIMPLEX_CASE);
const id = answer.result.id as { readonly seqno: number }; // recorded from a server
const { seqno } = id;
let count = 0;
let folder: string;
beforeEach(() => {
  count += 1;
  folder = join(top, String(count));
  mkdirSync(folder);
});
const write = (...path: string[]) => writeFileSync(join(folder, ...path), JSON.stringify(answer));

it.each([5, null, undefined, ''])('%j is no path of files to audit', (path) => {
  const usage = { name: 'UsageError', code: 'usage/bad-option', path: 'path' };
  expect(() => auditFiles(path as string)).toThrow(expect.objectContaining(usage));
});

describe('a folder of answers', () => {
  it('is read through links, as a mounted ConfigMap has them', async () => {
    mkdirSync(join(folder, '..2026'));
    write('..2026', 'answer.json');
    writeFileSync(join(folder, '..2026', `${seqno}.boc`), 'x');
    symlinkSync('..2026', join(folder, '..data'));
    for (const name of ['answer.json', `${seqno}.boc`]) symlinkSync(join('..data', name), join(folder, name));
    const { answers, proofs } = await indexFolder(folder);
    expect([...answers.keys()]).toEqual([seqno]);
    expect(proofs.get(seqno)).toContain(join(folder, `${seqno}.boc`));
  });

  it('counts by the names of links, where contents have names of their own', async () => {
    const store = join(top, 'store');
    mkdirSync(join(store, 'abc'), { recursive: true });
    writeFileSync(join(store, 'key'), JSON.stringify(answer));
    writeFileSync(join(store, 'abc', 'proof.boc'), 'x');
    symlinkSync(join(store, 'key'), join(folder, 'answer.json'));
    symlinkSync(join(store, 'abc'), join(folder, '77'));
    const { answers, proofs } = await indexFolder(folder);
    expect(answers.get(seqno)).toMatchObject({ place: { file: join(folder, 'answer.json') } });
    expect(proofs.get(77)).toEqual([join(folder, '77', 'proof.boc')]);
  });

  it('takes a .boc for the block of its header, whatever other numbers are in its path', async () => {
    for (const path of [
      'block-170606/v2.boc',
      '170606-dest/2025-04.boc',
      '2.boc',
      'proof.boc',
      '170606.boc',
      '2/x.boc',
    ]) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), realBytes('fastnet/block-170606/block.boc'));
    }
    writeFileSync(join(folder, '2', 'bad-7.boc'), 'x');
    writeFileSync(join(folder, 'answer.json'), JSON.stringify(realJson('fastnet/block-170606/signatures.json')));
    const { proofs } = await indexFolder(folder);
    expect([...proofs].map(([number, files]) => [number, files.length])).toEqual([
      [170606, 6],
      [7, 1],
    ]);
  });

  it('says of which block a .boc is whose only number is that of an answer', async () => {
    writeFileSync(join(folder, 'answer.json'), JSON.stringify(withSeqno(7)));
    writeFileSync(join(folder, '7.boc'), realBytes('fastnet/block-170606/block.boc'));
    expect(await saidOf(folder, [7])).toEqual([
      'trust/header /7.boc: expected the header of block 7, got that of block 170606',
    ]);
  });

  it('is refused, with the name, where a link a broken link or around in a circle', async () => {
    symlinkSync('gone', join(folder, 'notes.txt'));
    expect((await indexFolder(folder)).answers.size).toBe(0);
    symlinkSync('gone', join(folder, '5.json'));
    await expect(indexFolder(folder)).rejects.toMatchObject({
      code: 'usage/bad-option',
      path: join(folder, '5.json'),
      message: expect.stringContaining('a broken link'),
    });
    rmSync(join(folder, '5.json'));
    symlinkSync('.', join(folder, 'again'));
    await expect(indexFolder(folder)).rejects.toMatchObject({ path: join(folder, 'again') });
  });

  it('is refused where folders are nested deeper than is looked', async () => {
    mkdirSync(join(folder, ...'abcdefgh'), { recursive: true });
    write(...'abcdefgh', 'answer.json');
    await expect(indexFolder(folder)).rejects.toMatchObject({ message: expect.stringContaining('8 levels') });
    rmSync(join(folder, ...'abcdefgh'), { recursive: true });
    write(...'abcdefg', 'answer.json');
    expect((await indexFolder(folder)).answers.size).toBe(1);
  });
});

const isOf = (from: number, to: number) => ({ first: from, from, to, signEvery: 1 });
const { signal } = new AbortController();

/** What is said of each number: `signed`, or the error with the folder left out. */
async function saidOf(path: string, numbers: readonly number[]): Promise<string[]> {
  const getter = await auditFiles(path).open(isOf(numbers[0]!, numbers.at(-1)!), signal);
  const words: string[] = [];
  for (const number of numbers) {
    const outcome = await getter.signed(number, signal).then(
      () => 'signed',
      ({ code, message }) => `${code} ${message.replaceAll(folder, '')}`,
    );
    words.push(outcome);
  }
  await getter.close?.();
  return words;
}

const withSeqno = (number: number) => ({
  ...answer,
  result: { ...answer.result, id: { ...id, seqno: number } },
});
const { '@type': _, ...untyped } = answer.result as Readonly<Record<string, unknown>>;
const WANTED = 'expected signatures of a block, as getMasterchainBlockSignatures gives them';

describe('an entry that cannot be read', () => {
  it.each<readonly [string, unknown, string]>([
    ['null', null, 'decode/shape PLACE: expected an object, got null'],
    ['a number', 5, 'decode/shape PLACE: expected an object, got the number 5'],
    ['a list', [answer], 'decode/shape PLACE: expected an object, got an array of 1'],
    ['nothing', {}, `decode/shape PLACE: ${WANTED}, got an object`],
    ['a pair', { answer }, `decode/shape PLACE: ${WANTED}, got an object`],
    ['an answer in two envelopes', { ok: true, result: answer }, `decode/shape PLACE: result: ${WANTED}, got raw JSON`],
    [
      'an answer without its type',
      { ok: true, result: untyped },
      `decode/shape PLACE: result: ${WANTED}, got an object`,
    ],
    [
      'another answer',
      { ok: true, result: { '@type': 'raw.transactions' } },
      `decode/shape PLACE: result.@type: ${WANTED}, got "raw.transactions"`,
    ],
    [
      'the error of a server',
      { ok: false, error: 'not in db', code: 500 },
      'decode/api-error PLACE: the server answered with an error: not in db (code 500)',
    ],
    [
      'an answer with half a hash',
      { ...answer, result: { ...answer.result, id: { ...id, root_hash: 'AAAA' } } },
      'decode/length PLACE: result.id.root_hash: expected 32 bytes, got 3',
    ],
  ])('costs the block that is missing there, with file, index and reason: %s', async (_name, entry, reason) => {
    const list = JSON.stringify([withSeqno(5), entry, withSeqno(7)]);
    writeFileSync(join(folder, 'list.json'), list);
    writeFileSync(join(folder, 'other.json'), '["a list", "of other things"]');
    const rows = (place: string) => ['signed', reason.replace('PLACE', place), 'signed'];
    expect(await saidOf(join(folder, 'list.json'), [5, 6, 7])).toEqual(rows('/list.json[1]'));
    expect(await saidOf(folder, [5, 6, 7])).toEqual(rows('/list.json[1]'));
  });

  it('costs the line that is missing there, with file, line and reason', async () => {
    const file = join(folder, 'lines.ndjson');
    const entries = [5, 7, 9, 11].map((number) => JSON.stringify(withSeqno(number)));
    const lines = [entries[0], '{"ok":false,"error":"not in db"}', entries[1], 'null', entries[2], '{}', entries[3]];
    writeFileSync(file, lines.join('\n'));
    expect((await saidOf(file, [5, 6, 7, 8, 9, 10, 11])).filter((words) => words !== 'signed')).toEqual([
      'decode/api-error /lines.ndjson:2: the server answered with an error: not in db',
      'decode/shape /lines.ndjson:4: expected an object, got text that does not begin with {',
      `decode/shape /lines.ndjson:6: ${WANTED}, got an object`,
    ]);
  });

  it('is named with its file where signatures or the proof of a header cannot be read', async () => {
    const short = JSON.parse(JSON.stringify(answer).replace(/"signature":"[^"]*"/, '"signature":"AAAA"'));
    const reason = 'result.signatures[0].signature: expected 64 bytes, got 3';
    writeFileSync(join(folder, 'list.json'), JSON.stringify([short]));
    writeFileSync(join(folder, 'lines.ndjson'), JSON.stringify(short));
    expect(await saidOf(join(folder, 'list.json'), [seqno])).toEqual([`decode/length /list.json[0]: ${reason}`]);
    expect(await saidOf(join(folder, 'lines.ndjson'), [seqno])).toEqual([`decode/length /lines.ndjson:1: ${reason}`]);
    write('list.json');
    writeFileSync(join(folder, `${seqno}.boc`), 'x');
    expect(await saidOf(folder, [seqno])).toEqual([expect.stringMatching(`^decode/boc /${seqno}.boc: block`)]);
  });

  it('is said to be missing with the next block of a file of lines, which may be out of order', async () => {
    const file = join(folder, 'lines.ndjson');
    writeFileSync(file, [9, 8, 7].map((seqno) => JSON.stringify(withSeqno(seqno))).join('\n'));
    expect(await saidOf(file, [7])).toEqual([
      'source/missing /lines.ndjson (read in order, block 9 is next): no signatures of block 7',
    ]);
  });

  it('is said with every missing block where its own number is not known', async () => {
    const unsorted = join(folder, 'unsorted.json');
    writeFileSync(unsorted, JSON.stringify([withSeqno(7), null, withSeqno(5)]));
    const missing = '; cannot be read: 1, the first is /unsorted.json[1]: expected an object, got null';
    const rows = ['signed', `source/missing /unsorted.json: no signatures of block 6${missing}`, 'signed'];
    expect(await saidOf(unsorted, [5, 6, 7])).toEqual(rows);
    writeFileSync(join(folder, 'cut.json'), JSON.stringify([withSeqno(6)]).slice(0, -1));
    expect((await saidOf(folder, [5, 6, 7]))[1]).toBe(
      'source/missing : no signatures of block 6; cannot be read: 2, the first is /cut.json: expected JSON, got invalid JSON',
    );
    for (const name of ['nothing.json', 'nothing.ndjson']) {
      writeFileSync(join(folder, name), 'null');
      expect(await saidOf(join(folder, name), [6])).toEqual([
        expect.stringMatching(
          /^source\/missing .*: no signatures of block 6; cannot be read: 1, the first is \/nothing\.\w+(?::1)?: expected an object/,
        ),
      ]);
    }
  });

  it.each([
    [[10, 3, null], 4],
    [[3, null, 10, 5], 4],
    [[10, 3, null, 9], 4],
  ])('costs no block where the whole list %j is not in order', async (entries, number) => {
    const unsorted = join(folder, 'unsorted.json');
    writeFileSync(unsorted, JSON.stringify(entries.map((entry) => entry && withSeqno(entry))));
    expect(await saidOf(unsorted, [number])).toEqual([
      expect.stringMatching(/^source\/missing .*; cannot be read: 1,/),
    ]);
  });

  it('is an answer for a number that a different block has, in one list or in two files', async () => {
    const other = { ...id, seqno: 6, root_hash: Buffer.alloc(32, 7).toString('base64') };
    const changed = { ...answer, result: { ...answer.result, id: other } };
    const list = join(folder, 'list.json');
    writeFileSync(list, JSON.stringify([withSeqno(5), changed, withSeqno(6), withSeqno(6), withSeqno(7)]));
    const said = (one: string, two: string) => [
      'signed',
      `decode/two-blocks ${one}: expected one block 6, got a different one in ${two}`,
      'signed',
    ];
    expect(await saidOf(list, [5, 6, 7])).toEqual(said('/list.json[1]', '/list.json[2]'));
    writeFileSync(list, JSON.stringify([withSeqno(5), withSeqno(6), withSeqno(7)]));
    writeFileSync(join(folder, 'a.json'), JSON.stringify(changed));
    expect(await saidOf(folder, [5, 6, 7])).toEqual(said('/a.json', '/list.json[1]'));
  });

  it('is an answer for a number that a different block has, in a file of lines as in a list; a copy is not', async () => {
    const other = {
      ...answer,
      result: { ...answer.result, id: { ...id, seqno: 6, file_hash: Buffer.alloc(32, 7).toString('base64') } },
    };
    const lines = join(folder, 'lines.ndjson');
    const save = (all: readonly unknown[]) => writeFileSync(lines, all.map((one) => JSON.stringify(one)).join('\n'));
    const first = 'decode/two-blocks /lines.ndjson:2: expected one block 6, got a different one in /lines.ndjson';
    save([withSeqno(5), withSeqno(6), withSeqno(6), other, withSeqno(7), withSeqno(7)]);
    expect(await saidOf(lines, [5, 6, 7])).toEqual(['signed', `${first}:4`, 'signed']);
    save([withSeqno(5), withSeqno(6), null, other, null, null]);
    const bad = (line: number) =>
      `decode/shape /lines.ndjson:${line}: expected an object, got text that does not begin with {`;
    expect(await saidOf(lines, [5, 6, 7, 8, 9])).toEqual(['signed', `${first}:4`, bad(3), bad(5), bad(6)]);
    save([withSeqno(6), withSeqno(7), other]);
    expect(await saidOf(lines, [6, 7])).toEqual([
      'signed',
      'usage/bad-option /lines.ndjson:3: block 6 after block 7: expected them in order',
    ]);
  });

  it('of which two blocks under one number claim to be the key block moves no trust, in a file of lines', async () => {
    const file = join(folder, 'lines.ndjson');
    const keysOf = async (lines: readonly unknown[]) => {
      writeFileSync(file, lines.map((one) => JSON.stringify(one)).join('\n'));
      const getter = await auditFiles(file).open(isOf(1, 2 ** 31 - 1), signal);
      const found: number[] = [];
      for await (const block of getter.keyBlocks!(signal)) found.push(block.signatures.blockId.seqno);
      return found;
    };
    const place = 'fastnet/block-170606';
    const key = realJson(`${place}/signatures.json`);
    const line = { answer: key, block: Buffer.from(realBytes(`${place}/block.boc`)).toString('base64') };
    const other = JSON.parse(
      JSON.stringify(key).replace(/("file_hash":")[^"]*/, `$1${Buffer.alloc(32, 7).toString('base64')}`),
    );
    expect(await keysOf([line])).toEqual([170606]);
    expect(await keysOf([line, key, withSeqno(170607)])).toEqual([170606]);
    expect(await keysOf([line, other])).toEqual([]);
  });

  it('costs the block after it in a list that names a block twice', async () => {
    const twice = join(folder, 'twice.json');
    writeFileSync(twice, JSON.stringify([withSeqno(5), withSeqno(5), null, withSeqno(7)]));
    expect(await saidOf(twice, [6])).toEqual(['decode/shape /twice.json[2]: expected an object, got null']);
  });

  it('is not what a folder holds beside the answers', async () => {
    write('answer.json');
    for (const [name, other] of Object.entries({
      list: ['a'.repeat(3)],
      config: { main: 1 },
      header: { ok: true, result: {} },
    }))
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(other));
    expect((await saidOf(folder, [seqno]))[0]).toBe('signed');
  });

  it.each([[[1, 2]], [['a']], [[[7]]]])(
    'is not the list %j of something else, whatever number its name has',
    async (list) => {
      writeFileSync(join(folder, `${seqno}.json`), JSON.stringify(list));
      const [said] = await saidOf(folder, [seqno]);
      expect(said).toContain('source/missing');
    },
  );
});
