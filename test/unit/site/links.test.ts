/** The site's own check of its links finds a dead one however it is written, and takes no living one for dead. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenLinks } from '../../../site/links.mjs';

let parent: string;
let root: string;
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'links-'));
  root = join(parent, 'site');
  mkdirSync(join(root, 'folder'), { recursive: true });
  mkdirSync(join(parent, 'site-of-others'));
  writeFileSync(join(parent, 'site-of-others', 'page.html'), '');
  writeFileSync(join(root, 'folder', 'index.html'), '<p id="here"><a name=there>');
  writeFileSync(join(root, 'a b.png'), '');
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

function brokenIn(html: string): string[] {
  const file = join(root, 'page.html');
  writeFileSync(file, html);
  return brokenLinks(root, [file]).map(({ link }) => link);
}

describe('a page of the site', () => {
  it.each([
    ['a file', '<a href="none.html">', 'none.html'],
    ['a place', '<a href="folder/#none">', 'folder/#none'],
    ['a place of its own', '<a href="#none">', '#none'],
    ['a picture', '<img src="none.png">', 'none.png'],
    ['capitals', '<A HREF="none.html">', 'none.html'],
    ['single quotes', "<a href='none.html'>", 'none.html'],
    ['no quotes', '<a href=none.html>', 'none.html'],
    ['blanks around the sign', '<a href = "none.html">', 'none.html'],
    ['a second attribute', '<img src="a%20b.png" data-a=">" srcset="a%20b.png 1x, none.png 2x">', 'none.png'],
    ['a script', '<a href="JavaScript:alert(1)">', 'JavaScript:alert(1)'],
    ['a script of another name', '<a href=" javascript:alert(1)">', ' javascript:alert(1)'],
    ['a script’s file', '<script src="none.js"></script>', 'none.js'],
    [
      'a folder beside the site of a like name',
      '<a href="../site-of-others/page.html">',
      '../site-of-others/page.html',
    ],
    ['what is above the site', '<a href="..">', '..'],
    ['a name that cannot be decoded', '<a href="%zz">', '%zz'],
  ])('is told of a dead link: %s', (_, html, link) => {
    expect(brokenIn(html)).toEqual([link]);
  });

  it.each([
    '<a href="folder/#here">',
    '<a href=folder/#there>',
    "<a href='/folder/index.html?x#here'>",
    '<a href="https://example.invalid/none">',
    '<a href="mailto:a@b">',
    '<img src="data:,">',
    '<img srcset="a%20b.png, /a%20b.png 2x">',
    '<a href="#">',
    '<script>const a = `<a href="none.html">`;</script>',
    '<!-- <a href="none.html"> -->',
    '<p data-href="none.html" title="href=none.html">',
  ])('is told of none in %s', (html) => {
    expect(brokenIn(html)).toEqual([]);
  });

  it('counts links from the folder of the host that the site is served from', () => {
    const file = join(root, 'page.html');
    writeFileSync(file, '<a href="/docs/folder/#here"><a href="/folder/#here"><a href="/docs/none">');
    expect(brokenLinks(root, [file], '/docs/').map(({ link }) => link)).toEqual(['/folder/#here', '/docs/none']);
  });
});
