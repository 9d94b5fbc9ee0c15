/**
 * Holds the words of this project to `docs/style.md`: pages, comments, help texts and messages.
 * `node scripts/lint-prose.mjs [--figures] [FILE...]`; without files all of them. Rules and exceptions are in `test/words/`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blocksOf, CODE, figuresOf, sentencesOf, sourceBlocksOf, wordsOf } from './prose.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const json = (name) => JSON.parse(readFileSync(join(root, 'test/words', name), 'utf8'));

/** Pages whose text scripts write: from sources, which are read themselves, or from results. */
export const GENERATED = ['docs/api.md', 'docs/conformance.md', 'docs/errors.md', 'docs/rules.md'];
const CHECKED =
  /^(?:README|CONTRIBUTING|SECURITY|CHANGELOG)\.md$|^docs\/.*\.md$|^conformance\/\w+\.md$|^\.changes\/.*\.md$|^(?:src|demo)\/.*\.ts$|^(?:examples|site)\/.*\.m[jt]s$/;

/** Recorded data, and the kernel: lines of its source are part of its bytes, which are not to change with a comment. */
const UNCHECKED = /\/(?:recorded|kernel-bytes)\.ts$|\/ed25519\/assembly\//;

/** Every file that is checked, in order. */
export function checkedFiles() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  const files = listed.split('\n').filter((path) => CHECKED.test(path) && !UNCHECKED.test(path));
  return [...new Set(files)].sort();
}

const rules = json('rules.json');
const compiled = (list, flags) =>
  list.map(([pattern, advice, where]) => ({ pattern: new RegExp(pattern, flags), advice, where }));
const WORDS = compiled(rules.words, 'gi');
const OPENINGS = compiled(rules.openings, '');

const isQuestion = (sentence) => sentence.endsWith('?');
const pronouns = (sentence) => sentence.match(/\b(?:it|its|itself|they|them|their)\b/gi)?.length ?? 0;

/** Faults of one block: `{ line, rule, found, advice }`. */
export function faultsOf({ kind, line, text, isList = false }) {
  const faults = [];
  const add = (rule, found, advice) => faults.push({ line, rule, found, advice });
  const isPage = !['doc', 'comment', 'message'].includes(kind);
  for (const { pattern, advice, where } of WORDS) {
    if (where === 'pages' && !isPage) continue;
    for (const [found] of text.matchAll(pattern)) add('word', found, advice);
  }
  const sentences = sentencesOf(text);
  for (const [at, sentence] of sentences.entries()) {
    for (const { pattern, advice, where } of OPENINGS) {
      if (where === 'block' && (at > 0 || kind === 'heading')) continue;
      if (where === 'statement' && (isQuestion(sentence) || kind === 'heading' || kind === 'cell')) continue;
      const [found] = pattern.exec(sentence) ?? [];
      if (found !== undefined) add('opening', sentence.slice(0, 40), advice);
    }
    const length = wordsOf(sentence).length;
    if (length > rules.maxWords && !isList)
      add('length', `${length} words: ${sentence.slice(0, 40)}`, `at most ${rules.maxWords} words`);
    if (pronouns(sentence) > rules.maxPronouns) add('pronouns', sentence.slice(0, 60), 'repeat the noun');
  }
  return faults;
}

/** Faults of a file, by its name and text; a page also has a mean length and a reading ease. */
export function faultsIn(path, text) {
  if (/\.m?[jt]s$/.test(path)) return sourceBlocksOf(text).flatMap(faultsOf);
  const faults = blocksOf(text).flatMap(faultsOf);
  const { mean, ease, sentences } = figuresOf(text);
  // A change is a sentence or two, and CHANGELOG.md has all of them.
  if (sentences > 0 && mean > rules.maxMeanWords && !path.startsWith('.changes/')) {
    faults.push({
      line: 1,
      rule: 'mean',
      found: mean.toFixed(1),
      advice: `at most ${rules.maxMeanWords} words a sentence`,
    });
  }
  if (isGuide(path) && ease < rules.minEase) {
    faults.push({
      line: 1,
      rule: 'ease',
      found: ease.toFixed(1),
      advice: `a Flesch reading ease of at least ${rules.minEase}`,
    });
  }
  return faults;
}

/** A page that a person reads from its beginning. */
export const isGuide = (path) => /^(?:README|docs\/[^/]+)\.md$/.test(path) && !GENERATED.includes(path);

/** The part of the tree whose old faults are counted together: the longest path of `left` that a file is under. */
export const partOf = (path, left) =>
  Object.keys(left)
    .filter((part) => path.startsWith(`${part}/`))
    .sort((a, b) => b.length - a.length)[0] ?? path.split('/')[0];

/** Faults of a file of this project, by its path. */
export const faultsAt = (path) => faultsIn(path, readFileSync(join(root, path), 'utf8'));

/**
 * Faults of these files without the exceptions, those of a part of the tree that has no more than are left of old ones, and exceptions that
 * nothing needs.
 * @param found gives all faults of a file
 */
export function lint(files, { exceptions, left }, found = faultsAt) {
  const used = new Set();
  const parts = new Map();
  for (const path of files) {
    const faults = found(path).filter((fault) => {
      const at = exceptions.findIndex(({ file, rule, found: words }) => {
        return (file === '*' || file === path) && rule === fault.rule && (words === '*' || fault.found.includes(words));
      });
      if (at >= 0) used.add(at);
      return at < 0;
    });
    const part = partOf(path, left);
    parts.set(part, [...(parts.get(part) ?? []), ...faults.map((fault) => ({ path, ...fault }))]);
  }
  const faults = [...parts].flatMap(([part, all]) => (all.length > (left[part] ?? 0) ? all : []));
  return { faults, unused: exceptions.filter((_, at) => !used.has(at)) };
}

function main(args) {
  const given = args.filter((arg) => !arg.startsWith('--'));
  const files = given.length > 0 ? given : checkedFiles();
  if (args.includes('--figures')) {
    for (const path of files.filter((name) => name.endsWith('.md'))) {
      const { sentences, mean, ease } = figuresOf(readFileSync(join(root, path), 'utf8'));
      if (sentences > 0)
        console.log(path.padEnd(48), `${sentences} sentences, mean ${mean.toFixed(1)} words, ease ${ease.toFixed(1)}`);
    }
    return;
  }
  const isAll = given.length === 0;
  const { faults, unused } = lint(files, {
    exceptions: json('exceptions.json'),
    left: isAll || args.includes('--left') ? json('left.json') : {},
  });
  for (const { path, line, rule, found, advice } of faults)
    console.log(`${path}:${line}: ${rule}: ${found.replaceAll(CODE, '`…`')} (${advice})`);
  if (isAll)
    for (const { file, found } of unused) console.log(`test/words/exceptions.json: nothing needs ${file}: ${found}`);
  if (faults.length > 0 || (isAll && unused.length > 0)) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
