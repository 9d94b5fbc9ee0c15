/** Extends the Markdown of VitePress: links of the repository, tables that scroll, rows with a name. */
import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { addressOf, pages, root } from './guides.mjs';

/** Files of the repository, no pages, that pages lead to: each has a copy in the site. */
export const copied = new Set();

/** A copy that a browser shows instead of saving it or running it. */
const copyOf = (file) => (/\.(?:json|png|svg|txt)$/.test(file) ? `files/${file}` : `files/${file}.txt`);

/**
 * Where a link of a page leads in the site: a page to its page, any other file of the repository to a copy of it.
 *
 * @param from the page as a file of the repository
 * @param link as it is written there
 */
function siteLink(from, link) {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(link)) return link;
  const [path, place] = link.split('#', 2);
  const target = posix.join(posix.dirname(from), decodeURIComponent(path)).replace(/\/$/, '');
  const named = [target, posix.join(target, 'README.md')].find((file) => known().has(file));
  if (named !== undefined) {
    const way = posix.relative(posix.dirname(addressOf(from)), addressOf(named));
    return `${way.startsWith('.') ? way : `./${way}`}.md${place === undefined ? '' : `#${place}`}`;
  }
  if (target.startsWith('..') || !existsSync(join(root, target))) throw new Error(`${from}: ${link} leads nowhere`);
  if (statSync(join(root, target)).isDirectory()) throw new Error(`${from}: ${link} is a folder without a page`);
  copied.add(target);
  return `/${copyOf(target)}`;
}

let files;
function known() {
  files ??= new Set(pages().map(({ file }) => file));
  return files;
}

/** The repository's file behind a page of the site; undefined for pages that the build writes. */
function sourceOf(relativePath) {
  const address = relativePath.replace(/\.md$/, '');
  return [...known()].find((file) => addressOf(file) === address);
}

/** As GitHub names the place of a heading, so that links hold in both. */
export const slugify = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Tables of these pages are lists of everything, or of figures: no row of them is a place of its own. */
const LISTS =
  /^(?:api\/|(?:api|mutants|rules|conformance|speed|runtimes|changelog|kernel|live-testing|architecture)\b)/;

/** Gives an id to every row that begins with a name: an error, a reason, an option, a term. */
function nameRows(state) {
  const taken = new Set(state.tokens.map((token) => token.attrGet('id')));
  let inBody = false;
  for (const [at, { type }] of state.tokens.entries()) {
    if (type === 'tbody_open' || type === 'tbody_close') inBody = type === 'tbody_open';
    if (!inBody || type !== 'tr_open') continue;
    const { content, children } = state.tokens[at + 2];
    const isName = children.length === 1 && children[0].type === 'code_inline';
    if (!isName && state.env.relativePath !== 'glossary.md') continue;
    const id = content
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
    if (!/[a-z]/.test(id) || id.length > 60 || taken.has(id)) continue;
    taken.add(id);
    state.tokens[at].attrSet('id', id);
  }
}

function changeLinks(state, from) {
  const change = (token, name) => {
    const link = token.attrGet(name);
    if (link !== null) token.attrSet(name, siteLink(from, link));
  };
  for (const token of state.tokens.flatMap((token) => [token, ...(token.children ?? [])])) {
    if (token.type === 'link_open') change(token, 'href');
    else if (token.type === 'image') change(token, 'src');
    else if (/^html_/.test(token.type))
      token.content = token.content.replace(
        /(<img\b[^>]*?\bsrc=")([^"]*)/g,
        (_, start, link) => start + siteLink(from, link),
      );
  }
}

export function ofRepository(md) {
  md.core.ruler.push('of-repository', (state) => {
    const { relativePath = '' } = state.env;
    const from = sourceOf(relativePath);
    if (from !== undefined) changeLinks(state, from);
    if (!LISTS.test(relativePath)) nameRows(state);
  });
  // Code that is indented scrolls as fenced code does.
  md.renderer.rules.code_block = (tokens, at, ...rest) => {
    tokens[at].info = 'text';
    return md.renderer.rules.fence(tokens, at, ...rest);
  };
  md.renderer.rules.table_open = () => '<div class="wide"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
}

/** Where a copy goes in the site. */
export const copies = () => [...copied].map((file) => ({ from: join(root, file), to: copyOf(file) }));
