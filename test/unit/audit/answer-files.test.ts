/** What a folder of answers holds: links are followed, and nothing in it is passed over without a word. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { indexFolder } from '../../../src/app/audit/answer-folder.ts';
import { readAnswer, SIMPLEX_CASE } from '../../helpers/vectors.ts';

const top = mkdtempSync(join(tmpdir(), 'answer-files-'));
afterAll(() => rmSync(top, { recursive: true }));

const answer = readAnswer(SIMPLEX_CASE);
const { seqno } = answer.result.id as { readonly seqno: number }; // recorded from a server
let count = 0;
let folder: string;
beforeEach(() => {
  count += 1;
  folder = join(top, String(count));
  mkdirSync(folder);
});
const write = (...path: string[]) => writeFileSync(join(folder, ...path), JSON.stringify(answer));

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
    expect(answers.get(seqno)).toEqual({ file: join(folder, 'answer.json') });
    expect(proofs.get(77)).toEqual([join(folder, '77', 'proof.boc')]);
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
