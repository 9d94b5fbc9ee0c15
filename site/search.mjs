/**
 * How the search of the site reads pages and questions: the same when the index is made and when a browser asks it.
 * A page is found by headings, by named rows of tables, and by text.
 */

/** Words of questions that say nothing of what is looked for. */
const EMPTY = new Set(
  'a an and are as at be by can do does for from have how i if in into is it its me my of on or so than that the their them then there this to was what when where which who why will with you your'.split(
    ' ',
  ),
);

/** Words of a text: `stale-set` is two words, and `createVerifier` three, `createverifier` among them. */
export function tokenize(text) {
  return text.split(/[\s\p{P}\p{S}]+/u).flatMap((word) => {
    const parts = word.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}

/** A word as the index has it: in small letters, one form for one and for many, for `pin` and `pinned`; nothing of empty words. */
export function processTerm(term) {
  const small = term.toLowerCase();
  if (small === '' || EMPTY.has(small)) return null;
  if (/^\P{L}|\d/u.test(small)) return small;
  if (/.{2}ies$/.test(small)) return `${small.slice(0, -3)}y`;
  const one = /.{2}[^su]s$/.test(small) ? small.slice(0, -1) : small;
  const bare = one.replace(/(?<=.[aeiouy].*)(?:ed|ing)$/, '');
  return bare === one ? one : bare.replace(/([b-df-hj-km-np-rtv-z])\1$/, '$1');
}

/** How much a place is worth: guides come before pages that list everything, and before those of how the library is made. */
const WORTH = [
  [/^api\/(?:[^/]*\/)?(?:$|#|index\.html)/, 0.3],
  [/^api\//, 0.4],
  [/^(?:api|changelog|mutants|rules|renamed|style)\.html/, 0.35],
  [/^(?:decisions\/|conformance|architecture|kernel|live-testing|dependencies|contributing)/, 0.45],
  [/^(?:#|$)/, 0.5],
  [/^errors\.html/, 0.7],
  [/^overview\.html/, 0.8],
  [/^glossary\.html#/, 1.2],
  [/^[^#]*$/, 1.3],
];

/** Characters of a result's text that are shown with its name. */
const START = 150;

export const indexOptions = {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles', 'start'],
  extractField: (place, field) => (field === 'start' ? place.text.slice(0, START) : place[field]),
  tokenize,
  processTerm,
};

/** Words of questions that the pages say otherwise. */
const OTHERWISE = {
  fast: ['speed'],
  slow: ['speed'],
  quick: ['speed'],
  resume: ['continue'],
  exist: ['absent'],
  absence: ['absent'],
  token: ['jetton'],
};

function asked(term) {
  const word = processTerm(term);
  return word === null ? null : [word, ...(OTHERWISE[word] ?? [])];
}

export const searchOptions = (base) => ({
  processTerm: asked,
  boost: { title: 4, titles: 3, text: 1 },
  weights: { fuzzy: 0.1, prefix: 0.15 },
  fuzzy: (term) => (term.length > 5 ? 0.15 : false),
  prefix: (term, at, terms) => term.length > 2 && at === terms.length - 1,
  boostDocument: (id) => WORTH.find(([pattern]) => pattern.test(id.slice(base.length)))?.[1] ?? 1,
});

const CODE = /<div class="language-.*?<\/pre><\/div>/gs;

/** Returns the words of a part of a page, programs last, so that a result shows prose. */
const wordsOf = (html) => textOf([html.replace(CODE, ' '), ...(html.match(CODE) ?? [])].join(' '));

const textOf = (html) =>
  html
    .replace(
      /<a class="header-anchor".*?<\/a>|<button.*?<\/button>|<span class="lang">.*?<\/span>|<style.*?<\/style>/gs,
      '',
    )
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();

/** Headings of the API that only say what comes next. */
const BARE =
  /^(?:Inherited from|Overrides|Implementation of|Returns|Parameters|Throws|Extends|Extended by|Properties|Methods|Constructors?|Call Signature|Type Parameters|Example)$/;

const HEADING = /<h([1-6])[^>]*? id="([^"]*)"[^>]*>(.*?)<\/h\1>/gs;
const ROW = /<tr id="([^"]*)"[^>]*>(.*?)<\/tr>/gs;

/** Every place of a page that can be found. The text under a bare heading belongs to the place before. */
export function sectionsOf(html) {
  const found = [];
  const path = [];
  const parts = html.split(HEADING);
  for (let at = 1; at < parts.length; at += 4) {
    const [level, anchor, heading, content] = [Number(parts[at]), parts[at + 1], textOf(parts[at + 2]), parts[at + 3]];
    const last = found.at(-1);
    if (BARE.test(heading) && last !== undefined) {
      last.text += ` ${wordsOf(content)}`;
      continue;
    }
    path.length = level - 1;
    path[level - 1] = heading;
    const titles = path.filter((title) => title !== undefined);
    found.push({ anchor: level === 1 ? '' : anchor, titles, text: wordsOf(content) });
    for (const [, row, cells] of content.matchAll(ROW)) {
      const [name, ...rest] = [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => textOf(cell));
      found.push({ anchor: row, titles: [...titles, name], text: rest.join(' ') });
    }
  }
  return found;
}
