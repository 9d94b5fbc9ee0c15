/** The form of the page of `demo/`: what it shows, what a sample leaves of what was asked, and what it does with a great deal. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleDemo, DEMO_PAGE } from '../../scripts/bundle-demo.mjs';
import { ORDINARY_CASE, readVectorBytes, SIMPLEX_CASE, VECTORS } from '../helpers/vectors.ts';
import { hasChromium, openSite, type Site } from './chromium.ts';

const SIMPLEX = 'Block 59379986 of 2026, simplex';
const ORDINARY = 'Block 3082200 of 2020, ordinary';
const vector = (path: string) => join(VECTORS, path);

describe.skipIf(!hasChromium)('the form of the page', () => {
  let site: Site;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  beforeAll(async () => {
    await bundleDemo();
    site = await openSite({});
  });
  beforeEach(async () => {
    page = await site.openFile(DEMO_PAGE);
  });
  afterEach(() => page.close());
  afterAll(async () => {
    await site?.close();
    rmSync(folder, { recursive: true });
  });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const verdict = (text: RegExp) => page.getByRole('heading', { name: text }).waitFor();
  const isOpen = () => page.locator('details:has(#header)').evaluate((details: HTMLDetailsElement) => details.open);

  it('is set back by a sample, and hides nothing that takes part', async () => {
    expect(await isOpen()).toBe(false);
    await page.getByText('Header and policy').click();
    for (const name of ['--ignore-defects', '--accept-claimed', '--require-bound-id'])
      await page.getByLabel(name).check();
    await page.getByLabel('--now').fill('soon');
    await press(SIMPLEX);
    await verdict(/^FINAL/);
    expect(await page.locator('input[type=checkbox]:checked').count()).toBe(0);
    expect(await page.locator('input[type=checkbox]:disabled').count()).toBe(0);
    expect(await page.getByLabel('--now').inputValue()).toBe('');
    await page.getByText('Header and policy').click();
    expect(await isOpen()).toBe(false);
    await press(ORDINARY); // it has a header
    await verdict(/^FINAL/);
    expect(await isOpen()).toBe(true);
  });

  it('opens where the trouble is', async () => {
    await press(SIMPLEX);
    await verdict(/^FINAL/);
    await page.locator('#header').evaluate((box: HTMLTextAreaElement) => {
      box.value = 'AAAA'; // without a word to the page
    });
    expect(await isOpen()).toBe(false);
    await press('Check');
    await verdict(/wrong in the header/);
    expect(await isOpen()).toBe(true);
  });

  it('says of each kind what of it is signed', async () => {
    await press(SIMPLEX);
    await verdict(/^FINAL/);
    expect(await page.locator('#flip .note').textContent()).toMatch(/^Everything is signed/);
    await press(ORDINARY);
    await page.getByText('Both hashes are signed, and the number is not').waitFor();
  });

  it('says that a header that was given could not be compared, and of none that there was none', async () => {
    await page.setInputFiles('#signatures-file', vector(`${ORDINARY_CASE}/signatures.json`));
    const set = JSON.parse(Buffer.from(readVectorBytes(`${ORDINARY_CASE}/validators.json`)).toString());
    const weights = Object.fromEntries(
      set.validators.map(({ public_key: key, weight }: Record<string, string>) => [key, weight]),
    );
    writeFileSync(join(folder, 'weights.json'), JSON.stringify(weights));
    await page.setInputFiles('#validators-file', join(folder, 'weights.json'));
    await press('Check');
    await page.getByText('given by you; not compared with a header').waitFor();
    await page.setInputFiles('#header-file', vector(`${ORDINARY_CASE}/dest-proof.boc`));
    await press('Check');
    await page.getByText('given by you; could not be compared with the header').waitFor();
  });

  it('shows a set of tens of thousands, its pieces joined where they are too thin to be seen', async () => {
    const set = JSON.parse(Buffer.from(readVectorBytes(`${SIMPLEX_CASE}/validators.json`)).toString());
    const real = set.validators.map(({ public_key: key, weight }: Record<string, string>) => [key, weight]);
    const others = Array.from({ length: 30_000 - real.length }, (_, n) => [
      `a${n.toString(16).padStart(63, '0')}`,
      '1',
    ]);
    writeFileSync(join(folder, 'large.json'), JSON.stringify(Object.fromEntries([...real, ...others])));
    await page.setInputFiles('#signatures-file', vector(`${SIMPLEX_CASE}/signatures.json`));
    await page.setInputFiles('#validators-file', join(folder, 'large.json'));
    await press('Check');
    await page.locator('#verdict-title.conclusion').waitFor({ timeout: 90_000 });
    expect(await page.locator('#weight svg rect').count()).toBeLessThan(2500);
    expect(await page.locator('#weight svg rect.missing').count()).toBeGreaterThan(0);
    expect((await page.locator('#json pre').textContent())!.length).toBe(256 * 1024);
    const [saved] = await Promise.all([page.waitForEvent('download'), press('Save for all')]);
    const report = JSON.parse(readFileSync(await saved.path(), 'utf8'));
    expect(report.counts.validators).toBe(30_000);
  }, 120_000);

  it('says that it takes the first of several files', async () => {
    await page.locator('#signatures').evaluate((target) => {
      const data = new DataTransfer();
      for (const name of ['a.json', 'b.json', 'c.json']) data.items.add(new File([`"${name}"`], name));
      target.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true, bubbles: true }));
    });
    await page.getByText('a.json: 8 bytes. Only the first of 3 files was taken.').waitFor();
    await page.locator('#signatures').fill('x');
    expect(await page.locator('#signatures-held').textContent()).toBe('');
  });

  describe('while a verdict stands', () => {
    let api: Server;
    beforeAll(async () => {
      api = createServer((_, response) => {
        response.writeHead(404, { 'access-control-allow-origin': '*' }).end();
      });
      await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => {
      api.close();
      api.closeAllConnections();
    });

    it('keeps it when nothing comes into a field that is not judged', async () => {
      await press(SIMPLEX);
      await verdict(/^FINAL/);
      const { port } = api.address() as AddressInfo; // it listens on a port
      await page.locator('#checkpoint-url').evaluate((input: HTMLInputElement, url) => {
        input.value = url;
      }, `http://127.0.0.1:${port}/none`);
      await page.getByText('Fetch the checkpoint', { exact: true }).evaluate((fetchIt: HTMLElement) => fetchIt.click());
      await page.getByText('Nothing was put in: the server answered 404').waitFor();
      await verdict(/^FINAL/);
      expect(await page.locator('#result #json').count()).toBe(1);
    });
  });

  it('is left out of what is printed, and the verdict is not', async () => {
    await press(SIMPLEX);
    await verdict(/^FINAL/);
    await page.emulateMedia({ media: 'print' });
    for (const part of ['#samples', '#input', '#flip']) expect(await page.locator(part).isVisible()).toBe(false);
    for (const part of ['#verdict', '#weight', '#message', '#signers']) {
      expect(await page.locator(part).isVisible()).toBe(true);
    }
  });

  it('keeps words whole on a phone: a caption has the whole width, and so has each part of the flip', async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    await press(SIMPLEX);
    await verdict(/^FINAL/);
    await page.locator('#message').scrollIntoViewIfNeeded();
    const caption = (await page.locator('#message caption').first().boundingBox())!;
    expect(caption.width).toBeGreaterThan(250);
    expect(caption.height).toBeLessThan(100);
    const label = (await page.locator('label[for=flip-part]').boundingBox())!;
    const part = (await page.locator('#flip-part').boundingBox())!;
    expect(part.y).toBeGreaterThanOrEqual(label.y + label.height - 1);
  });

  it.each(['light', 'dark'] as const)('draws what is missing so that it can be seen, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await press(SIMPLEX);
    await verdict(/^FINAL/);
    const ratio = await page.evaluate(() => {
      const channels = (text: string) =>
        text
          .match(/[\d.]+/g)!
          .slice(0, 3)
          .map(Number);
      const light = (text: string) => {
        const [r, g, b] = channels(text).map((part) => {
          const c = part / 255;
          return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        }) as [number, number, number];
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const fill = light(getComputedStyle(document.querySelector('#weight .missing')!).fill);
      const back = light(getComputedStyle(document.documentElement).backgroundColor);
      return (Math.max(fill, back) + 0.05) / (Math.min(fill, back) + 0.05);
    });
    expect(ratio).toBeGreaterThan(3);
  });

  it('names each colour of the picture of the weight beside a mark of that colour', async () => {
    await press(SIMPLEX);
    await verdict(/^FINAL/);
    const marks = await page.evaluate(() =>
      [...document.querySelectorAll('#weight .key li')].map((one) => getComputedStyle(one, '::before').backgroundColor),
    );
    expect(new Set(marks).size).toBe(4);
    expect(marks).not.toContain('rgba(0, 0, 0, 0)');
    const colourOf = (selector: string, property: 'fill' | 'stroke') =>
      page.evaluate(([one, of]) => getComputedStyle(document.querySelector(one!)!)[of as 'fill'], [selector, property]);
    expect(marks[0]).toBe(await colourOf('#weight svg .signed', 'fill'));
    expect(marks[2]).toBe(await colourOf('#weight svg .missing', 'fill'));
    expect(marks[3]).toBe(await colourOf('#weight svg .needed', 'stroke'));
  });

  it('draws with the colours of the user where they are forced', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await press(SIMPLEX);
    await verdict(/^FINAL/);
    const [signed, missing] = await page.evaluate(() =>
      ['.signed', '.missing'].map((kind) => {
        const { fill, stroke } = getComputedStyle(document.querySelector(`#weight ${kind}`)!);
        return { fill, stroke };
      }),
    );
    expect(signed!.stroke).not.toBe('none');
    expect(missing!.stroke).not.toBe('none');
    expect(signed!.fill).not.toBe(missing!.fill);
  });
});
