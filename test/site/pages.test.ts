/** The pages of the site: light, clean for axe, within every window, quiet, and without a question to any other server. */
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, pages, root } from '../../site/guides.mjs';
import { violations } from '../browser/axe.ts';
import { hasChromium, openSite, type Site } from '../browser/chromium.ts';
import { resourcesOfSite } from './built-site.ts';

const PAGE_LIMIT = 300_000;
const SEARCH_LIMIT = 350_000;

const resources = resourcesOfSite();
const htmlPaths = Object.keys(resources).filter((path) => path.endsWith('.html') && path !== '/demo/index.html');
const textOf = (path: string) => Buffer.from(resources[path]!.body).toString();
const zipped = (path: string) => gzipSync(resources[path]!.body).length;

/** A page of each kind that the API has. */
const kinds = new Map(
  htmlPaths.filter((path) => /^\/api\/[^/]+\/[^/]+\//.test(path)).map((path) => [posix.basename(dirname(path)), path]),
);
const GUIDES = ['/', ...pages().map(({ file }) => `/${addressOf(file)}.html`), '/404.html'].filter(
  (path) => !/decisions\/0(?!01)/.test(path),
);
/** Every kind of page, for what differs between kinds and not between pages: colours in the dark, on a phone. */
const DARK = [
  '/',
  '/cli.html',
  '/errors.html',
  '/speed.html',
  '/404.html',
  '/api/',
  kinds.get('functions'),
  kinds.get('interfaces'),
];
const LOOKED_AT = [...GUIDES, '/api/', '/api/servers/', ...kinds.values()];

/** All that a page loads by itself: what its HTML names. */
function loadedBy(path: string): string[] {
  const named = [...textOf(path).matchAll(/<(?:script|link|img)\b[^>]*?\s(?:src|href)="(\/[^"]+)"/g)];
  return [path, ...new Set(named.map(([, link]) => link!))];
}

const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

describe('a page of the site', () => {
  it('is less than 300 kB to load, with all that it loads, as servers send it; so is its HTML alone before it is packed', () => {
    const weights = htmlPaths.map((path) => [path, loadedBy(path).reduce((sum, one) => sum + zipped(one), 0)] as const);
    const [heaviest] = [...weights].sort(([, a], [, b]) => b - a);
    console.log(`${weights.length} pages, the heaviest ${heaviest!.join(': ')} bytes with all that it loads, gzipped`);
    expect(weights.filter(([, weight]) => weight >= PAGE_LIMIT)).toEqual([]);
    expect(htmlPaths.filter((path) => resources[path]!.body.length >= PAGE_LIMIT)).toEqual([]);
  });

  it('loads the index of the search only for the one who searches, and it is less than 350 kB', () => {
    const index = Object.keys(resources).filter((path) => path.includes('localSearchIndexroot'));
    expect(index).toHaveLength(1);
    console.log(`the search index: ${zipped(index[0]!)} bytes gzipped`);
    expect(zipped(index[0]!)).toBeLessThan(SEARCH_LIMIT);
    expect(htmlPaths.filter((path) => textOf(path).includes('localSearchIndex'))).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('in Chromium', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite(resources);
  });
  afterAll(async () => await site?.close());

  async function at<T>(path: string, use: (page: Page) => Promise<T>): Promise<T> {
    const page = await site.open(path);
    try {
      return await use(page);
    } finally {
      await page.close();
    }
  }

  const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

  it.each(LOOKED_AT)(
    '%s breaks no rule of axe, fits its window, and loads nothing beside what it names',
    async (path) => {
      const before = site.served.length;
      await at(path, async (page) => {
        await page.setViewportSize({ width: 1280, height: 900 });
        expect(await violations(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        for (const width of [768, 390]) {
          await page.setViewportSize({ width, height: 844 });
          expect(await widthOf(page), String(width)).toBeLessThanOrEqual(width);
        }
        if (DARK.includes(path)) expect(await violations(page)).toEqual([]);
      });
      if (path === '/404.html') return; // it is shown in place of another page, so it names nothing
      const named = path === '/' ? '/index.html' : path.endsWith('/') ? `${path}index.html` : path;
      expect(site.served.slice(before).filter((one) => one !== path && !loadedBy(named).includes(one))).toEqual([]);
    },
  );

  it('has its guides behind a button on a phone', async () => {
    await at('/verdicts.html', async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Trust model', exact: true }).click();
      await page.waitForURL('**/trust-model.html');
    });
  });

  it('scrolls a wide table by itself, and by the keyboard', async () => {
    await at('/verdicts.html', async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      const table = page.locator('.wide').first();
      await expect.poll(() => table.getAttribute('tabindex')).toBe('0');
      expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeGreaterThan(0);
      await table.focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => table.evaluate((box) => box.scrollLeft)).toBeGreaterThan(0);
    });
  });

  it('is dark where its reader wants that, and remembers it', async () => {
    await at('/verdicts.html', async (page) => {
      await page.setViewportSize({ width: 1280, height: 900 });
      const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
      expect(await isDark()).toBe(false);
      await page.getByRole('switch').first().click();
      expect(await isDark()).toBe(true);
      await page.reload();
      expect(await isDark()).toBe(true);
    });
  });

  it('shows the row that a link names', async () => {
    await at('/errors.html#trust-hardfork', async (page) => {
      const row = page.locator('#trust-hardfork');
      expect(await row.textContent()).toContain('trust/hardfork');
      await expect.poll(() => row.evaluate((one) => one.getBoundingClientRect().top)).toBeLessThan(800);
    });
  });

  it('can be read without scripts', async () => {
    const page = await site.open('/verdicts.html', { javaScript: false });
    expect(await page.locator('h1').textContent()).toContain('Verdicts');
    expect(await page.locator('#stale-set').isVisible()).toBe(true);
    await page.close();
  });

  it('begins with the program of README, and with figures of the files of results', async () => {
    await at('/', async (page) => {
      const [, program] = /^```ts\n(.*?)^```/ms.exec(readFileSync(join(root, 'README.md'), 'utf8'))!;
      expect(await page.locator('.language-ts code').first().textContent()).toBe(program!.trimEnd());
      const words = (await page.locator('main').textContent())!.replaceAll(/\s+/g, ' ');
      expect(words).toContain(`(${json('test/mutation/summary.json').all.score} %)`);
      expect(words).toContain(`${json('vectors/real/index.json').length} blocks`);
      expect(await page.locator('.chart svg').isVisible()).toBe(true);
    });
  });

  it('leads to the page that shows one block', async () => {
    await at('/', async (page) => {
      await page.getByRole('link', { name: 'Try it in the browser' }).click();
      await page.waitForURL('**/demo/index.html');
      await page.getByRole('button', { name: /^Block \d+ of 2026/ }).click();
      await page.locator('#verdict-title.conclusion').waitFor();
    });
  });

  it('may ask no other server', async () => {
    await at('/', async (page) => {
      const asked = await page.evaluate(() =>
        fetch('http://192.0.2.1/').then(
          () => 'answered',
          (error) => error.name,
        ),
      );
      expect(asked).toBe('TypeError');
    });
    expect(site.refused.filter((url) => url.includes('192.0.2.1'))).toEqual([]);
  });

  it('asked nothing of others, and had no error and no warning in its console', () => {
    expect(site.elsewhere).toEqual([]);
    expect(site.pageErrors).toEqual([]);
    expect(site.complaints.filter((one) => !one.includes('192.0.2.1'))).toEqual([]);
  });
});
