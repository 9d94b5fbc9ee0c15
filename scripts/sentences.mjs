/**
 * Draws sentences with a fixed seed, as rows of a table in which each is judged by the rules of `docs/style.md`: 100 of the pages,
 * 20 of the tables of exports and errors, 15 of the help texts, 65 of comments and messages in sources. `node scripts/sentences.mjs [SEED]`
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkedFiles, GENERATED } from './lint-prose.mjs';
import { blocksOf, CODE, sentencesOf, sourceBlocksOf, wordsOf } from './prose.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SEED = Number(process.argv[2] ?? 20261123);

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function draw(from, count, random) {
  const left = [...from];
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor(random() * (left.length - at));
    [left[at], left[other]] = [left[other], left[at]];
  }
  return left.slice(0, count);
}

const sentences = (pages, kinds) =>
  pages.flatMap((page) =>
    blocksOf(readFileSync(join(root, page), 'utf8'))
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap(({ line, text }) => sentencesOf(text).map((sentence) => ({ place: `${page}:${line}`, sentence })))
      .filter(({ sentence }) => wordsOf(sentence).length >= 4),
  );

/** Lines of the help texts, which are the blocks of code of `docs/cli.md`. */
const helpTexts = () =>
  readFileSync(join(root, 'docs/cli.md'), 'utf8')
    .split('\n')
    .map((line, at) => ({ place: `docs/cli.md:${at + 1}`, sentence: / {2,}(\S.*)$/.exec(line)?.[1] ?? '' }))
    .filter(
      ({ sentence }) =>
        !sentence.startsWith('ton-finality') && !sentence.startsWith('|') && wordsOf(sentence).length >= 4,
    );

/** Sentences of comments, and messages, of the sources. */
const sourceSentences = (paths) =>
  paths.flatMap((path) =>
    sourceBlocksOf(readFileSync(join(root, path), 'utf8'))
      .filter(({ isList }) => !isList)
      .flatMap(({ line, text }) => sentencesOf(text).map((sentence) => ({ place: `${path}:${line}`, sentence })))
      .filter(({ sentence }) => wordsOf(sentence).length >= 4),
  );

const checked = checkedFiles();
const pages = checked.filter(
  (path) => path.endsWith('.md') && !path.startsWith('.changes/') && path !== 'docs/style.md',
);
const random = numbers(SEED);
const byHand = pages.filter((page) => !GENERATED.includes(page));
const drawn = [
  ...draw(sentences(byHand, ['text', 'item']), 100, random),
  ...draw(sentences(['docs/api.md', 'docs/errors.md'], ['cell', 'item']), 20, random),
  ...draw(helpTexts(), 15, random),
  ...draw(sourceSentences(checked.filter((path) => !path.endsWith('.md'))), 65, random),
];
for (const [at, { place, sentence }] of drawn.entries()) {
  console.log(`| ${at + 1} | ${place} | ${sentence.replaceAll(CODE, '`…`').replaceAll('|', '\\|')} | |`);
}
