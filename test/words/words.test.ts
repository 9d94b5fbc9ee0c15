/** The words of this project keep to `docs/style.md`; what is left of the faults of before may become less, not more. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkedFiles, faultsAt, faultsIn, faultsOf, isGuide, lint, partOf } from '../../scripts/lint-prose.mjs';
import { factsOf } from '../../scripts/page-facts.mjs';
import { blocksOf, figuresOf, sentencesOf, sourceBlocksOf, syllablesOf } from '../../scripts/prose.mjs';
import { ROOT } from '../helpers/vectors.ts';

const json = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, 'test/words', name), 'utf8'));
const exceptions = json('exceptions.json') as readonly { file: string; rule: string; found: string; reason: string }[];
const left = json('left.json') as Readonly<Record<string, number>>;

describe('every page, comment, help text and message', () => {
  const files = checkedFiles();
  const known = new Map<string, ReturnType<typeof faultsAt>>();
  /** Each file is read once. */
  const found = (path: string) => {
    const faults = known.get(path) ?? faultsAt(path);
    known.set(path, faults);
    return faults;
  };

  it('keeps to the style sheet', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(lint(files, { exceptions, left }, found)).toEqual({ faults: [], unused: [] });
  });

  it('has as many faults of before as are counted: a mended one is taken off the count', () => {
    const fewer = Object.fromEntries(Object.entries(left).map(([part, count]) => [part, count - 1]));
    const parts = new Set(lint(files, { exceptions, left: fewer }, found).faults.map(({ path }) => partOf(path, left)));
    expect([...parts].sort()).toEqual(Object.keys(left).sort());
  });

  it('has exceptions only for files that exist, each with its reason', () => {
    for (const { file, reason } of exceptions) {
      if (file !== '*') expect(files).toContain(file);
      expect(reason.length).toBeGreaterThan(20);
    }
  });

  it('is short and easy where it is a guide', () => {
    for (const path of files.filter(isGuide)) {
      if ((left[partOf(path, left)] ?? 0) > 0) continue;
      const { mean, ease } = figuresOf(readFileSync(join(ROOT, path), 'utf8'));
      expect(mean, path).toBeLessThanOrEqual(20);
      expect(ease, path).toBeGreaterThanOrEqual(50);
    }
  });
});

describe('the linter', () => {
  const rules = (text: string, kind: 'text' | 'doc' | 'cell' = 'text') =>
    faultsOf({ kind, line: 1, text }).map(({ rule }) => rule);

  it.each([
    ['Nobody can forge a block.', ['word']],
    ['A validator may change it without changing his key.', ['word']],
    ['The deposit stands in the block.', ['word']],
    ['The program goes on after an error.', ['word']],
    ['The key is no secret.', ['word']],
    ['There is no gap in the list.', []],
    ['It proves the block.', ['opening']],
    ['The proof is short. It proves the block.', []],
    ['That the block is recent has to be checked.', ['opening']],
    ['Who signed the block?', []],
    ['Who signs a block loses a stake.', ['opening']],
    [`The server ${'very '.repeat(34)}slowly answers.`, ['length']],
    ['The server sends it, the client reads it, and it is dropped.', ['pronouns']],
  ])('says of %j: %j', (text, expected) => {
    expect(rules(text)).toEqual(expected);
  });

  it('takes the prose of a page, without code, tables as cells', () => {
    const page =
      '# Title\n\nOne `code` here. And\ntwo [links](x.md).\n\n```ts\nnobody();\n```\n\n- item\n  goes on\n\n| a cell | `x` |\n| --- | --- |\n';
    expect(blocksOf(page).map(({ kind, line, text }) => [kind, line, text])).toEqual([
      ['heading', 1, 'Title'],
      ['text', 3, 'One \u2022 here. And two links.'],
      ['item', 10, 'item goes on'],
      ['cell', 13, 'a cell'],
    ]);
    expect(sentencesOf('A block, e.g. 7.5 long. Then 2 of 3? Yes.')).toEqual([
      'A block, e.g. 7.5 long.',
      'Then 2 of 3?',
      'Yes.',
    ]);
  });

  it('takes comments and messages out of a source, not its code', () => {
    const code = [
      '/** Verifies a block. @throws {X} for a bad one */',
      "const nobody = /'\"/.test('x'); // a comment here",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a source as text
      'throw new E(`no such block ${f({ a: `b` })} was found`, "two words");',
    ].join('\n');
    expect(sourceBlocksOf(code).map(({ kind, line, text }) => [kind, line, text])).toEqual([
      ['doc', 1, 'Verifies a block. X for a bad one'],
      ['comment', 2, 'a comment here'],
      ['message', 3, 'no such block \u2022 was found'],
    ]);
  });

  it('counts words and syllables as a reader does', () => {
    const counted = Object.entries({
      the: 1,
      validator: 4,
      signature: 3,
      hashes: 2,
      signed: 1,
      masterchain: 3,
      table: 2,
      proven: 2,
    });
    for (const [word, count] of counted) expect(syllablesOf(word), word).toBe(count);
    const { sentences, words, mean } = figuresOf('# A title\n\nThe cat sat. The `dog` ran off.\n\n| a | b |\n');
    expect([sentences, words, mean]).toEqual([2, 7, 3.5]);
    expect(faultsIn('docs/x.md', `The ${'big '.repeat(24)}dog ran.`).map(({ rule }) => rule)).toEqual(['mean']);
    expect(faultsIn('docs/x.md', 'Notwithstanding immunological considerations.').map(({ rule }) => rule)).toEqual([
      'ease',
    ]);
  });

  it('compares what pages state, whatever their words', () => {
    const facts = (text: string) => [...factsOf(text)].map(([fact, times]) => `${fact} x${times}`);
    expect(facts('See [a](b.md), `--x` and exit code 4.\n\n```ts\nx;\n```\n')).toEqual([
      expect.stringMatching(/^block [0-9a-f]{12} x; +x1$/),
      'link b.md x1',
      'code --x x1',
      'exit 4 x1',
      'number 4 x1',
    ]);
  });
});
