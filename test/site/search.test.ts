/** The site's own search answers what readers ask. The questions were written down before there was a search. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf } from '../../site/guides.mjs';
import { violations } from '../browser/axe.ts';
import { hasChromium, openSite, type Site } from '../browser/chromium.ts';
import { type Question, questions, resourcesOfSite } from './built-site.ts';

const FIRST = 3;

/** Asks the search box, which is open, and gives where the first hits lead. */
async function ask(page: Page, words: string): Promise<string[]> {
  await page.getByRole('searchbox').fill(words);
  await page
    .getByRole('dialog')
    .getByText(/^(?:\d+ results|No page says this)/)
    .waitFor();
  const links = await page.locator('.search-hits a').evaluateAll((all) => all.map((one) => one.getAttribute('href')!));
  return links.slice(0, FIRST);
}

const isOf = (path: string, source: string) =>
  source === 'api/' ? path.startsWith('/api/') : path === `/${addressOf(source)}.html`;

/** The words of a place of a page: of a row, of all up to the next heading, or of the whole page. */
async function wordsAt(page: Page, html: string, place: string): Promise<string> {
  return await page.evaluate(
    ([text, id]) => {
      const root = new DOMParser().parseFromString(text!, 'text/html').querySelector('.vp-doc')!;
      const start = id === '' ? root.querySelector('h1')! : root.querySelector(`[id="${id}"]`)!;
      const words = [start.textContent];
      if (start.tagName === 'TR') return words.join(' ');
      for (
        let next = start.nextElementSibling;
        next !== null && !/^H[1-6]$/.test(next.tagName);
        next = next.nextElementSibling
      )
        words.push(next.textContent);
      return words.join(' ');
    },
    [html, place],
  );
}

describe.skipIf(!hasChromium)('the search of the site', () => {
  const resources = resourcesOfSite();
  let site: Site;
  let page: Page;
  beforeAll(async () => {
    site = await openSite(resources);
    page = await site.open('/overview.html');
    await page.getByRole('button', { name: /^Search/ }).click();
  });
  afterAll(async () => await site?.close());

  async function answers({ pages, says }: Question, link: string): Promise<boolean> {
    const { pathname, hash } = new URL(link, 'http://site');
    if (!pages.some((source) => isOf(pathname, source))) return false;
    const html = Buffer.from(resources[pathname]!.body).toString();
    return (await wordsAt(page, html, hash.slice(1))).toLowerCase().includes(says.toLowerCase());
  }

  it('has thirty questions to answer', () => {
    expect(new Set(questions().map(({ ask: words }) => words)).size).toBe(30);
  });

  it.each(questions())('answers "$ask" by its first three hits', async (question) => {
    const links = await ask(page, question.ask);
    const found = await Promise.all(links.map((link) => answers(question, link)));
    expect(found, links.join(', ')).toContain(true);
  });

  it('says so where no page has the words', async () => {
    expect(await ask(page, 'xyzzyplugh')).toEqual([]);
  });

  it('breaks no rule of axe, with hits and without', async () => {
    expect(await violations(page)).toEqual([]);
    await ask(page, 'checkpoint');
    expect(await violations(page)).toEqual([]);
  });

  it('is opened, asked and followed by the keyboard alone', async () => {
    const other = await site.open('/verdicts.html');
    // The keys have an effect once the page's script runs.
    await expect
      .poll(
        async () => {
          const isOpen = await other.getByRole('searchbox').isVisible();
          if (!isOpen) await other.keyboard.press('Control+k');
          return isOpen;
        },
        { interval: 500, timeout: 20_000 },
      )
      .toBe(true);
    await other.keyboard.type('stale-set');
    await other.getByText(/^\d+ results/).waitFor();
    const second = await other.locator('.search-hits a').nth(1).getAttribute('href');
    await other.keyboard.press('ArrowDown');
    await other.keyboard.press('ArrowDown');
    await other.keyboard.press('ArrowUp');
    await other.keyboard.press('ArrowDown');
    await other.keyboard.press('Enter');
    await other.waitForURL(`**${second}`);
    await expect.poll(() => other.getByRole('dialog').count()).toBe(0);
    await other.close();
  });

  it('asks no server but the one of the site, and no error went uncaught', () => {
    expect(site.elsewhere).toEqual([]);
    expect(site.pageErrors).toEqual([]);
    expect(site.complaints).toEqual([]);
  });
});
