/** The page of a report in Chromium: opened from a file, by keyboard, in every scheme, with nothing asked of anybody. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditLine, seqnoOf } from '../../src/app/audit/ledger-lines.ts';
import { Surveyor, surveyLedger } from '../../src/app/audit/survey/survey.ts';
import { renderAuditHtml } from '../../src/app/report/audit/html.ts';
import { longLedgerLines, writeLongLedger } from '../helpers/long-ledger.ts';
import { ROOT } from '../helpers/vectors.ts';
import { hasChromium, openSite, type Site } from './chromium.ts';

const template = () => readFile(join(ROOT, 'build/report-page/page.html'), 'utf8');

async function pageOf(file: string): Promise<string> {
  return renderAuditHtml((await surveyLedger(file)).survey, await template());
}

async function madePage(lines: Iterable<AuditLine>, about = {}): Promise<string> {
  const surveyor = new Surveyor();
  for (const line of lines) surveyor.add(line);
  return renderAuditHtml(surveyor.finish('0'.repeat(64))!, await template(), about);
}

const binnedPage = () => madePage(longLedgerLines({ rows: 12_000, validators: 4, setEvery: 4000 }));

/** Blocks 3 to 6 of 2 to 7 are not final, each in another way, and none has signatures of its set. */
function doubtfulPage(): Promise<string> {
  const verdicts = [
    { status: 'undecided', reason: 'wrong-validator-set' },
    { status: 'undecided', reason: 'no-known-signer' },
    { status: 'rejected', defects: [1] },
    { status: 'insufficient' },
  ] as const;
  const lines = [...longLedgerLines({ rows: 6, validators: 5, setEvery: 10, from: 2 })].map((line): AuditLine => {
    if (line.type === 'audit') return { ...line, whole: { from: 2, to: 13 } };
    if (line.type !== 'block' || line.kind === null || line.block.seqno < 3 || line.block.seqno > 6) return line;
    return { ...line, verdict: verdicts[line.block.seqno - 3]!, setCheck: 'mismatch' };
  });
  return madePage(lines, { ledger: 'part-<1>.ndjson', tool: 'ton-finality 9.9.9' });
}

/** Pixels of a colour of the style in the picture of coverage, between two shares of its width. */
function painted(page: Page, name: string, from: number, to: number): Promise<number> {
  return page.evaluate(
    ([variable, start, end]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('#coverage canvas')!;
      const { left, width } = document.querySelector('#coverage .u-over')!.getBoundingClientRect();
      const scale = canvas.width / canvas.getBoundingClientRect().width;
      const x = (left - canvas.getBoundingClientRect().left + width * start) * scale;
      const ctx = canvas.getContext('2d')!;
      const { data } = ctx.getImageData(x, 0, width * (end - start) * scale, canvas.height);
      const hex = getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
      const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        if (wanted.every((value, n) => Math.abs(data[at + n]! - value) < 24) && data[at + 3]! > 200) count += 1;
      }
      return count;
    },
    [`--${name}`, from, to] as const,
  );
}

/** Pixels at the very left of the picture of coverage: words that are cut off have some there. */
function inkAtTheEdge(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('#coverage canvas')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, 1, canvas.height);
    return data.filter((value, at) => at % 4 === 3 && value > 0).length;
  });
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
      '/binned': { ...html, body: await binnedPage() },
      '/doubt': { ...html, body: await doubtfulPage() },
      '/one': { ...html, body: await madePage(longLedgerLines({ rows: 1, validators: 7, setEvery: 10 })) },
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

  it('has a mark for every block that is not final, where no signature of its set was counted too', async () => {
    const doubtful = await site.open('/doubt');
    await doubtful.getByLabel('Block number').fill('7');
    await doubtful.keyboard.press('Enter');
    for (const [seqno, name] of [
      [3, 'doubt'],
      [4, 'doubt'],
      [5, 'bad'],
      [6, 'bad'],
    ] as const) {
      const middle = (seqno - 2) / 5;
      expect(await painted(doubtful, name, middle - 0.05, middle + 0.05), String(seqno)).toBeGreaterThan(20);
    }
    for (const name of ['doubt', 'bad']) expect(await painted(doubtful, name, 0, 0.1), name).toBe(0);
    await doubtful.close();
  });

  it('names the ledger, its part and time, and the program', async () => {
    const doubtful = await site.open('/doubt');
    const header = await doubtful.locator('header').textContent();
    for (const words of ['part-<1>.ndjson', 'part 1 of 2 of blocks 2 to 13', 'ton-finality 9.9.9']) {
      expect(header).toContain(words);
    }
    expect(header).toMatch(/2025-10-09 08:53:20 UTC to 2025-10-09 08:53:32 UTC/);
    await doubtful.close();
  });

  it('says what a ledger is worth', async () => {
    expect(await page.locator('header .facts').textContent()).toContain('a ledger contains no signatures');
  });

  it('has the verdict in words for a browser without scripts', async () => {
    const [doubtful, one] = await Promise.all(['/doubt', '/one'].map((path) => site.open(path, { javaScript: false })));
    expect(await doubtful!.locator('h1').textContent()).toBe('NOT ALL FINAL: masterchain blocks 2 to 7, 2 of 6 final');
    const words = await doubtful!.locator('pre').textContent();
    expect(words).toContain('undecided: wrong-validator-set');
    expect(words).toContain('part 1 of 2 of blocks 2 to 13');
    expect(words).toMatch(/time {7}\d{4}-\S+Z to \d{4}-\S+Z\n/);
    expect(words).toContain('a ledger contains no signatures');
    expect(await doubtful!.locator('pre + p').textContent()).toBe('Report of part-<1>.ndjson, by ton-finality 9.9.9');
    expect(await one!.locator('h1').textContent()).toMatch(/^ALL FINAL/);
    await Promise.all([doubtful!.close(), one!.close()]);
  });

  it('draws the line of what is final beside a single block, which stands in the middle', async () => {
    const one = await site.open('/one');
    await expect.poll(() => painted(one, 'fore', 0.49, 0.51)).toBeGreaterThan(20);
    expect(await painted(one, 'limit', 0, 0.2)).toBeGreaterThan(20);
    expect(await one.locator('#changes').textContent()).toContain('under one validator set');
    await one.close();
  });

  it('moves the picture to a block that is chosen beyond its ends', async () => {
    const long = await site.open('/long');
    for (let n = 0; n < 4; n++) await long.getByRole('button', { name: 'Zoom in' }).click();
    await long.getByRole('button', { name: 'Next not final' }).click();
    await long.getByRole('button', { name: 'Next not final' }).click();
    await expect.poll(() => painted(long, 'fore', 0, 1)).toBeGreaterThan(100);
    await long.close();
  });

  it('keeps the number that was typed, says that its bin shows another block, and names numbers that are not there', async () => {
    const binned = await site.open('/binned');
    const number = binned.getByLabel('Block number');
    await number.fill('50000501');
    await binned.keyboard.press('Enter');
    expect(await number.inputValue()).toBe('50000501');
    expect(await block(binned).textContent()).toMatch(/Block 50000501 has no details .* This is block 50000500/);
    expect(await binned.getByRole('slider').getAttribute('aria-valuetext')).toBe(
      'blocks 50000500 to 50000501. Of them block 50000500: not fetched',
    );
    await number.fill('50012000');
    await binned.keyboard.press('Enter');
    expect(await block(binned).getByRole('status').textContent()).toBe(
      'This ledger has blocks 50000000 to 50011999, and no block 50012000.',
    );
    expect(await binned.getByRole('slider').getAttribute('aria-valuenow')).toBe('250');
    await binned.close();
  });

  it('sorts a table by its heads', async () => {
    const sorted = await site.open('/mixed');
    const head = sorted.locator('#validators th', { hasText: 'weight' });
    const weights = async () =>
      (await sorted.locator('#validators tbody td:nth-child(6)').allTextContents()).map(Number);
    for (const [state, sign] of [
      ['ascending', 1],
      ['descending', -1],
    ] as const) {
      await head.getByRole('button').press('Enter');
      expect(await head.getAttribute('aria-sort')).toBe(state);
      const found = await weights();
      expect(found).toEqual([...found].sort((a, b) => sign * (a - b)));
    }
    await sorted.close();
  });

  it('shows whole keys, says where a table goes on at its side, and cuts no word of an axis', async () => {
    const narrow = await site.open('/mixed');
    for (const [width, isWider] of [
      [360, true],
      [900, false],
    ] as const) {
      await narrow.setViewportSize({ width, height: 700 });
      const hints = narrow.locator('#validators .note', { hasText: 'Scroll the table to see more columns' });
      await expect.poll(() => hints.isVisible()).toBe(isWider);
      const key = narrow.locator('#validators tbody td.hash').first();
      expect(await key.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBeLessThanOrEqual(0);
      expect(await inkAtTheEdge(narrow)).toBe(0);
    }
    await narrow.setViewportSize({ width: 360, height: 700 });
    const rows = narrow.locator('#validators tbody tr');
    expect(await rows.first().evaluate((row) => row.getBoundingClientRect().height)).toBeLessThan(40); // one line
    await narrow.close();
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
    expect(new Set(site.served)).toEqual(new Set(['/mixed', '/hostile', '/long', '/binned', '/doubt', '/one']));
    expect(site.elsewhere).toEqual([]);
    expect(site.pageErrors).toEqual([]);
  });
});
