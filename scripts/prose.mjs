/** Takes the prose out of Markdown and TypeScript, a sentence at a time, and counts its words and syllables. */

/** Stands for a span of code in a sentence: a word without syllables. */
export const CODE = '\u2022';

const FENCE = /^(```|~~~)[^\n]*\n[\s\S]*?^\1[ \t]*$/gm;
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf|approx|No|Fig)\.$/;

/** A line of Markdown without its marks: links as their text, code as one sign. */
export function plain(markdown) {
  return markdown
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, CODE)
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<(?:https?:[^>]*|\/?[a-z][^>]*)>/g, '')
    .replace(/\bhttps?:\/\/\S+/g, CODE)
    .replace(/\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)/g, '')
    .replace(/\\([|*_<>[\]])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The sentences of a plain text: an end mark, white space, and something that can begin a sentence. */
export function sentencesOf(text) {
  const found = [];
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(/[.!?]["”’)]*(?=\s+["“‘(]?[\p{Lu}\d\u2022])/gu)) {
    const sentence = text.slice(from, index + mark.length);
    if (ABBREVIATION.test(sentence)) continue;
    found.push(sentence.trim());
    from = index + mark.length;
  }
  const last = text.slice(from).trim();
  return (last === '' ? found : [...found, last]).filter((sentence) => /\p{L}{2}/u.test(sentence));
}

/** Blocks of prose of a Markdown page in order: `{ kind: 'heading' | 'text' | 'item' | 'cell', line, text }`. */
export function blocksOf(markdown) {
  const blank = (code) => code.replace(/[^\n]/g, '');
  const lines = markdown
    .replace(/^---\n[\s\S]*?\n---\n/, blank)
    .replace(FENCE, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .split('\n');
  const blocks = [];
  let open;
  const close = () => {
    if (open !== undefined) blocks.push({ ...open, text: plain(open.text) });
    open = undefined;
  };
  for (const [at, line] of lines.entries()) {
    const heading = /^#+ (.*)$/.exec(line);
    const item = /^ *(?:[-*+]|\d+\.) +(.*)$/.exec(line);
    if (line.trim() === '' || /^ *:{3}/.test(line)) close();
    else if (heading !== null) {
      close();
      blocks.push({ kind: 'heading', line: at + 1, text: plain(heading[1]) });
    } else if (/^ *\|/.test(line)) {
      close();
      if (/^[ |:-]+$/.test(line)) continue;
      for (const cell of line
        .replace(/`[^`]*`/g, CODE)
        .split(/(?<!\\)\|/)
        .slice(1, -1)) {
        blocks.push({ kind: 'cell', line: at + 1, text: plain(cell) });
      }
    } else if (item !== null) {
      close();
      open = { kind: 'item', line: at + 1, text: item[1] };
    } else if (open !== undefined) open.text += `\n${line.replace(/^ *>? ?/, '')}`;
    else open = { kind: 'text', line: at + 1, text: line.replace(/^ *>? ?/, '') };
  }
  close();
  return blocks.filter(({ text }) => /\p{L}{2}/u.test(text));
}

const HOLE = String.raw`\$\{(?:[^{}\x60]|\{[^{}]*\}|\x60(?:\\[\s\S]|[^\x60\\])*\x60)*\}`;
const TOKEN = new RegExp(
  [
    String.raw`(?<=[(,=:[!&|?{};]\s*|return )\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*`, // a regular expression
    String.raw`(?<doc>\/\*\*[\s\S]*?\*\/)`,
    String.raw`(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)`,
    String.raw`(?<message>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\x60(?:\\[\s\S]|${HOLE}|[^\x60\\])*\x60)`,
  ].join('|'),
  'g',
);
const TAG = /@(?:param|throws|returns?|see|link|internal|default|defaultValue)\b(?: \w+ -)?/g;

/** Blocks of prose of a TypeScript file: comments (`doc` those with two stars), and literals that hold at least three words. */
export function sourceBlocksOf(code) {
  const blocks = [];
  for (const { index, groups } of code.matchAll(TOKEN)) {
    const line = code.slice(0, index).split('\n').length;
    const { doc, comment = doc, message } = groups;
    const add = (kind, text, isList = false) => /\p{L}{2}/u.test(text) && blocks.push({ kind, line, text, isList });
    if (comment !== undefined) {
      const body = comment.replace(/^\/\*\*?|\*\/$/g, '').replace(/^[ \t]*(?:\*|\/\/) ?/gm, '');
      if (/^\s*biome-ignore/.test(body)) continue;
      // A tag and a list item are blocks of their own; an example is code.
      const parts = body
        .replace(/```[\s\S]*?```/g, '')
        .replace(/@example[\s\S]*/, '')
        .split(/\n(?=@\w+|[ \t]*- )|\n\s*\n/);
      for (const part of parts) {
        // A list of errors, and a line of a schema, have no sentences.
        const isList = /@throws|\w(?:#[0-9a-f]{1,8}|\$[01_]*) /.test(part);
        add(doc === undefined ? 'comment' : 'doc', plain(part.replace(TAG, '').replace(/[{}]|^\s*- /g, '')), isList);
      }
    } else if (message !== undefined) {
      const text = message
        .slice(1, -1)
        .replace(new RegExp(HOLE, 'g'), CODE)
        .replace(/\\n/g, '\n')
        .replace(/\\(.)/g, '$1');
      if ((text.match(/\p{L}+/gu)?.length ?? 0) < 3 || !text.includes(' ')) continue;
      for (const part of text.split(/\n\s*\n|\n(?= {2,}-)/)) add('message', plain(part));
    }
  }
  return blocks;
}

/** Words of a sentence; a span of code is one. */
export const wordsOf = (sentence) => sentence.match(/[\p{L}\d][\p{L}\d'’./,-]*|\u2022/gu) ?? [];

/** Syllables of an English word, by its groups of vowels. */
export function syllablesOf(word) {
  const bare = word.toLowerCase().replace(/[^a-z]/g, '');
  if (bare.length <= 3) return bare === '' ? 0 : 1;
  const cut = bare
    .replace(/([^aeiouyl])es$/, (end, last) => (/[sxzhcg]/.test(last) ? end : last))
    .replace(/([^aeiouytd])ed$/, '$1')
    .replace(/([^aeiouyl])e$/, '$1')
    .replace(/^y/, '');
  return Math.max(1, cut.match(/[aeiouy]{1,2}/g)?.length ?? 1);
}

/** Sentence count, mean words a sentence and the Flesch reading ease of a page; headings, tables and code left out. */
export function figuresOf(markdown) {
  const sentences = blocksOf(markdown)
    .filter(({ kind }) => kind === 'text' || kind === 'item')
    .flatMap(({ text }) => sentencesOf(text));
  const words = sentences.flatMap(wordsOf);
  const spoken = words.filter((word) => /\p{L}/u.test(word));
  const mean = words.length / sentences.length;
  const syllables = spoken.reduce((sum, word) => sum + syllablesOf(word), 0) / spoken.length;
  return { sentences: sentences.length, words: words.length, mean, ease: 206.835 - 1.015 * mean - 84.6 * syllables };
}
