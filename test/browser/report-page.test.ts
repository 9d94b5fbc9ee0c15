/** The page of a report in Chromium: opened from a file, by keyboard, in every scheme, with nothing asked of anybody. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditLine, seqnoOf } from '../../src/audit/row.ts';
import { Surveyor } from '../../src/audit/survey/survey.ts';
import { surveyLedger } from '../../src/audit/survey/survey-ledger.ts';
import { renderAuditHtml } from '../../src/report/audit/html.ts';
import { longLedgerLines, writeLongLedger } from '../helpers/long-ledger.ts';
import { ROOT } from '../helpers/vectors.ts';
import { hasChromium, openSite, type Site } from './chromium.ts';

const template = () => readFile(join(ROOT, 'build/report-page/page.html'), 'utf8');

async function pageOf(file: string): Promise<string> {
  return renderAuditHtml((await surveyLedger(file)).survey, await template());
}

/** A ledger that no reader would let through. */
async function hostilePage(): Promise<string> {
  const surveyor = new Surveyor();
  const code = '</script><img src=x onerror="window.hurt=1"><script>window.hurt=1</script>';
  for (const line of longLedgerLines({ rows: 9, validators: 4, setEvery: 100 })) {
    const isThird = line.type === 'block' && seqnoOf(line) === 50_000_003;
    surveyor.add(isThird ? ({ type: 'failure', seqno: seqnoOf(line), code } as AuditLine) : line);
  }
  return renderAuditHtml(surveyor.finish('0'.repeat(64))!, await template());
}

describe.skipIf(!hasChromium)('the page of a report', () => {
  let site: Site;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'report-page-'));
  beforeAll(async () => {
    const long = join(folder, 'long.ndjson');
    writeLongLedger(long, { rows: 10_000, validators: 100, setEvery: 4000 });
    const html = { type: 'text/html' } as const;
    site = await openSite({
      '/mixed': { ...html, body: await pageOf(join(ROOT, 'vectors/audit/mixed.ndjson')) },
      '/hostile': { ...html, body: await hostilePage() },
      '/long': { ...html, body: await pageOf(long) },
    });
    page = await site.open('/mixed');
  });
  afterAll(async () => {
    await site?.close();
    rmSync(folder, { recursive: true });
  });

  const block = (of: Page) => of.locator('#block');
  const headings = (of: Page) => of.locator('h1, h2').allTextContents();

  it('has its sections, and says first what the audit comes to', async () => {
    expect(await page.title()).toBe(
      'NOT ALL FINAL: masterchain blocks 5000 to 5039, 33 of 40 final, numbers of 13 not bound',
    );
    expect(await headings(page)).toEqual([
      'NOT ALL FINAL: masterchain blocks 5000 to 5039, 33 of 40 final, numbers of 13 not bound',
      'Coverage',
      'Block',
      'Margins',
      'Validators',
      'Set changes',
      'Not final',
    ]);
  });

  it('begins at the first block that is not final, with its signers', async () => {
    const words = await block(page).textContent();
    expect(words).toContain('not final: insufficient weight');
    expect(words).toContain('22 short of 67');
    const states = await block(page).locator('tbody tr td:nth-child(2)').allTextContents();
    expect(states).toEqual(['– absent', '– absent', '✓ signed', '✓ signed', '✓ signed']);
  });

  it('goes to any block by its number, and by the keyboard alone', async () => {
    await page.getByLabel('Block number').fill('5012');
    await page.keyboard.press('Enter');
    expect(await block(page).textContent()).toContain('bad entries: 0');
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByLabel('Block number').inputValue()).toBe('5013');
    await page.keyboard.press('End');
    expect(await page.getByLabel('Block number').inputValue()).toBe('5039');
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/^block 5039: final, /);
    const map = page.getByLabel(/^Participation of validators/);
    await map.focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    expect(await page.getByLabel('Block number').inputValue()).toBe('5001');
    await page.getByRole('button', { name: 'blocks 5030 to 5031' }).press('Enter');
    expect(await block(page).textContent()).toContain('not fetched: source/not-ready');
  });

  it('lets nobody be asked: its policy forbids all of the network, and other scripts', async () => {
    const outcome = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.added = 1';
      document.body.append(script);
      const asked = await fetch('/mixed').then(
        () => 'answered',
        () => 'refused',
      );
      return { asked, added: 'added' in window };
    });
    expect(outcome).toEqual({ asked: 'refused', added: false });
  });

  it('shows text of a ledger as text', async () => {
    const hostile = await site.open('/hostile');
    await hostile.getByLabel('Block number').fill('50000003');
    await hostile.keyboard.press('Enter');
    expect(await block(hostile).textContent()).toContain('</script><img src=x onerror="window.hurt=1">');
    expect(await hostile.evaluate(() => 'hurt' in window || document.images.length > 0)).toBe(false);
    await hostile.close();
  });

  it('stays within a narrow window, and is light on paper', async () => {
    const narrow = await site.open('/mixed');
    await narrow.setViewportSize({ width: 360, height: 700 });
    // The charts follow their window when it has told them so.
    await expect.poll(() => narrow.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await narrow.emulateMedia({ colorScheme: 'dark' });
    const back = () => narrow.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(await back()).toBe('rgb(15, 20, 25)');
    await narrow.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await back()).toBe('rgb(255, 255, 255)');
    await narrow.close();
  });

  it('holds 10 000 rows in less than 3 MB, each with its signers', async () => {
    const long = await site.open('/long');
    expect(await long.evaluate(() => document.documentElement.outerHTML.length)).toBeLessThan(3_000_000);
    await long.getByLabel('Block number').fill('50009876');
    await long.keyboard.press('Enter');
    expect(await block(long).locator('tbody tr').count()).toBe(100);
    expect(await block(long).textContent()).toContain('50009876');
    await long.close();
  });

  it('asked for nothing but itself, and no error went uncaught', () => {
    expect(new Set(site.served)).toEqual(new Set(['/mixed', '/hostile', '/long']));
    expect(site.elsewhere).toEqual([]);
    expect(site.pageErrors).toEqual([]);
  });
});
