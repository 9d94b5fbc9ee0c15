/** What the search of the site makes of words and of pages. */
import { describe, expect, it } from 'vitest';
import { processTerm, sectionsOf, tokenize } from '../../../site/search.mjs';

const termsOf = (text: string) => tokenize(text).flatMap((word) => processTerm(word) ?? []);

describe('words', () => {
  it.each([
    ['stale-set', ['stale', 'set']],
    ['trust/hardfork', ['trust', 'hardfork']],
    ['createVerifier()', ['createverifier', 'create', 'verifier']],
    ['LARGEST_OF_ALL', ['largest', 'all']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['what is a checkpoint', ['checkpoint']],
    ['exit codes 4', ['exit', 'code', '4']],
    ['pinned proofs of entries', ['pin', 'proof', 'entry']],
    ['address status less', ['address', 'status', 'less']],
    ['Ed25519 sing red', ['ed25519', 'sing', 'red']],
  ])('of %s', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });
});

describe('a page', () => {
  const heading = (level: number, id: string, text: string) =>
    `<h${level} id="${id}" tabindex="-1">${text} <a class="header-anchor" href="#${id}">&#8203;</a></h${level}>`;

  it('has a place for its head, for each heading under those above it, and for each row with a name', () => {
    const html = [
      heading(1, 'errors', 'Errors'),
      '<p>All of <b>them</b> &amp; more</p>',
      heading(2, 'of-trust', 'Of <code>trust</code>'),
      '<table><tr id="trust-fork" tabindex="-1"><td><code>trust/fork</code></td><td>cause</td><td>remedy</td></tr><tr><td>none</td></tr></table>',
      heading(3, 'deeper', 'Deeper'),
      '<p>down</p>',
      heading(2, 'next', 'Next'),
    ].join('\n');
    expect(sectionsOf(html)).toEqual([
      { anchor: '', titles: ['Errors'], text: 'All of them & more' },
      { anchor: 'of-trust', titles: ['Errors', 'Of trust'], text: 'trust/fork cause remedy none' },
      { anchor: 'trust-fork', titles: ['Errors', 'Of trust', 'trust/fork'], text: 'cause remedy' },
      { anchor: 'deeper', titles: ['Errors', 'Of trust', 'Deeper'], text: 'down' },
      { anchor: 'next', titles: ['Errors', 'Next'], text: '' },
    ]);
  });

  it('says its prose before its programs, and keeps what is under a bare heading with the place before', () => {
    const html = [
      heading(1, 'parse', 'parse()'),
      '<div class="language-ts"><button title="Copy"></button><span class="lang">ts</span><pre><code>function parse()</code></pre></div><p>Parses.</p>',
      heading(2, 'returns', 'Returns'),
      '<p>A value</p>',
    ].join('\n');
    expect(sectionsOf(html)).toEqual([{ anchor: '', titles: ['parse()'], text: 'Parses. function parse() A value' }]);
  });
});
