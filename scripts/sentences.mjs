/**
 * Draws sentences with a fixed seed, as rows of a table in which each is judged by the rules of `docs/style.md`: of the pages 150,
 * of the tables that are made of doc comments, messages and remedies 50. `node scripts/sentences.mjs [SEED]`
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkedFiles, GENERATED } from './lint-prose.mjs';
import { blocksOf, CODE, sentencesOf, wordsOf } from './prose.mjs';

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

const pages = checkedFiles().filter(
  (path) => path.endsWith('.md') && !path.startsWith('.changes/') && path !== 'docs/style.md',
);
const random = numbers(SEED);
const drawn = [
  ...draw(
    sentences(
      pages.filter((page) => !GENERATED.includes(page)),
      ['text', 'item'],
    ),
    150,
    random,
  ),
  ...draw(sentences(['docs/api.md', 'docs/errors.md'], ['cell', 'item']), 50, random),
];
for (const [at, { place, sentence }] of drawn.entries()) {
  console.log(`| ${at + 1} | ${place} | ${sentence.replaceAll(CODE, '`…`').replaceAll('|', '\\|')} | |`);
}
