/** The page of `demo/` takes nothing for better than it is: what a server claimed or was asked for stays marked until it is replaced. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleDemo, DEMO_PAGE } from '../../scripts/bundle-demo.mjs';
import { checkpointFromKeyBlock, checkpointToJson, MAINNET } from '../../src/chain.ts';
import { type StandIn, startStandIn } from '../helpers/stand-in.ts';
import { ORDINARY_CASE, readVectorBytes, VECTORS } from '../helpers/vectors.ts';
import { hasChromium, openSite, type Site } from './chromium.ts';

const vector = (path: string) => join(VECTORS, path);
const put = (page: Page, part: string, file: string) => page.setInputFiles(`#${part}-file`, file);
const shownJson = async (page: Page) => JSON.parse((await page.locator('#json pre').textContent())!);
const row = (page: Page, name: string) => page.locator('#verdict dl.facts').locator(`dt:text-is("${name}") + dd`);

async function check(page: Page): Promise<string> {
  await page.locator('#result').evaluate((result) => result.replaceChildren());
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  return (await page.locator('#verdict-title.conclusion').textContent())!;
}

describe.skipIf(!hasChromium)('the page', () => {
  let site: Site;
  let page: Page;
  let api: Server;
  let standIn: StandIn;
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  beforeAll(async () => {
    await bundleDemo();
    standIn = await startStandIn();
    api = createServer(({ url = '' }, response) => {
      response.setHeader('access-control-allow-origin', '*');
      void fetch(`${standIn.origin}${url}`).then(async (answer) => response.end(await answer.text()));
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    site = await openSite({});
  });
  beforeEach(async () => {
    page = await site.openFile(DEMO_PAGE);
  });
  afterEach(() => page.close());
  afterAll(async () => {
    await site?.close();
    api?.close();
    api?.closeAllConnections();
    await standIn?.close();
    rmSync(folder, { recursive: true });
  });

  async function fetchFrom(what: 'Fetch signatures' | 'Fetch the set it claims', block: string): Promise<void> {
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/api/v2`; // it listens on a port
    await page.getByText('Fetch from a server').click();
    await page.getByLabel('API v2 base URL').fill(url);
    await page.getByLabel('Block number, or latest').fill(block);
    await page.getByRole('button', { name: what }).click();
    await page.getByText(what === 'Fetch signatures' ? /^Signatures of block/ : /^The set of block/).waitFor();
  }

  describe('with a set that only a server claims', () => {
    beforeEach(async () => {
      await put(page, 'signatures', vector(`${ORDINARY_CASE}/signatures.json`));
      await fetchFrom('Fetch the set it claims', '46920655');
    });

    it('leaves text that is dropped into the box to the browser, which moves a part of it', async () => {
      const box = page.locator('#validators');
      const before = await box.inputValue();
      const isLeft = await box.evaluate((target) => {
        const data = new DataTransfer();
        data.setData('text/plain', '"main"');
        const told = { dataTransfer: data, cancelable: true, bubbles: true };
        return [new DragEvent('dragover', told), new DragEvent('drop', told)].map((event) =>
          target.dispatchEvent(event),
        );
      });
      expect(isLeft).toEqual([true, true]);
      expect(await box.inputValue()).toBe(before);
      expect(await check(page)).toMatch(/^UNDECIDED, claimed-set/);
    });

    it('takes no text that is dropped beside the box', async () => {
      const isLeft = await page.locator('#validators-note').evaluate((target) => {
        const data = new DataTransfer();
        data.setData('text/plain', '{}');
        return target.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true, bubbles: true }));
      });
      expect(isLeft).toBe(false);
      expect(await check(page)).toMatch(/^UNDECIDED, claimed-set/);
    });

    it('moves a part of the text by the mouse, and the rest stays', async () => {
      const box = page.locator('#validators');
      await box.evaluate((target: HTMLTextAreaElement) => {
        target.value = `AAAA ${target.value}`;
        target.setSelectionRange(0, 4);
        target.focus();
        target.scrollTop = 0;
      });
      const { length } = await box.inputValue();
      const at = (await box.boundingBox())!;
      await page.mouse.move(at.x + 16, at.y + 16);
      await page.mouse.down();
      await page.mouse.move(at.x + 60, at.y + 40, { steps: 5 });
      await page.mouse.move(at.x + 90, at.y + 60, { steps: 5 });
      await page.mouse.up();
      expect((await box.inputValue()).length).toBe(length);
      expect((await box.inputValue()).startsWith('AAAA')).toBe(false);
      expect(await page.locator('#validators-held').textContent()).toMatch(/says so\. Clear/);
    });

    it.each(['paste', 'drop'])('keeps the claim over a %s that is too long for the box', async (kind) => {
      const claimed = await page.locator('#validators').inputValue();
      await page.locator('#validators').evaluate(
        (box, [of, text]) => {
          const data = new DataTransfer();
          data.setData('text/plain', text!);
          const more = { cancelable: true, bubbles: true };
          box.dispatchEvent(
            of === 'paste'
              ? new ClipboardEvent('paste', { clipboardData: data, ...more })
              : new DragEvent('drop', { dataTransfer: data, ...more }),
          );
        },
        [kind, `${claimed}${' '.repeat(300_000)}`],
      );
      expect(await page.locator('#validators-held').textContent()).toMatch(/not shown\. Only .* says so/);
      expect(await check(page)).toMatch(/^UNDECIDED, claimed-set/);
    });

    it('takes the claim away with a file of the user', async () => {
      const own = join(folder, 'own.json');
      writeFileSync(own, await page.locator('#validators').inputValue());
      await put(page, 'validators', own);
      expect(await check(page)).toMatch(/^FINAL/);
    });
  });

  describe('with signatures that were asked for by number', () => {
    beforeEach(async () => {
      await put(page, 'validators', vector(`${ORDINARY_CASE}/validators.json`));
      await fetchFrom('Fetch signatures', '46920655');
    });

    it('leaves the block undecided while nothing binds that number, whatever is typed, flipped and put back', async () => {
      expect(await check(page)).toMatch(/^UNDECIDED, unbound-id/);
      expect(await row(page, 'block').textContent()).toMatch(/46920655\) \(number not bound\)$/);
      expect(await shownJson(page)).toMatchObject({ policy: { requireBoundId: true, acceptUnbound: false } });
      await page.locator('#signatures').press('End');
      await page.locator('#signatures').pressSequentially(' ');
      expect(await check(page)).toMatch(/^UNDECIDED, unbound-id/);
      await page.getByRole('button', { name: 'Flip it' }).click();
      await page.getByRole('heading', { name: /^NOT FINAL, rejected/ }).waitFor();
      await page.getByRole('button', { name: 'Flip it' }).click();
      await page.getByRole('heading', { name: /^UNDECIDED, unbound-id/ }).waitFor();
      await page.getByRole('button', { name: 'Put it back' }).click();
      await page.locator('#flip output:empty').waitFor();
      await page.getByRole('heading', { name: /^UNDECIDED, unbound-id/ }).waitFor();
      expect(await page.locator('#signatures-held').textContent()).toMatch(/by its number/);
    });

    it('judges it when a header binds the number, or when that is accepted by name', async () => {
      await page.getByText('Header and policy').click();
      await page.getByLabel('--accept-unbound').check();
      expect(await check(page)).toMatch(/^FINAL: block with root hash 1df94b183da1e4a2…/);
      expect(await page.locator('#verdict > p').textContent()).toMatch(/--accept-unbound/);
      expect(await shownJson(page)).toMatchObject({ policy: { requireBoundId: false, acceptUnbound: true } });
      await page.getByLabel('--require-bound-id').check();
      expect(await page.getByLabel('--accept-unbound').isChecked()).toBe(false);
      expect(await check(page)).toMatch(/^UNDECIDED, unbound-id/);
      await page.getByLabel('--require-bound-id').uncheck();
      await put(page, 'header', vector(`${ORDINARY_CASE}/dest-proof.boc`));
      expect(await check(page)).toBe('FINAL: masterchain block 46920655 (ordinary signatures)');
      expect(await row(page, 'block').textContent()).toMatch(/46920655\)$/);
    });

    it('asks for no more of the same answer as a file of the user', async () => {
      await put(page, 'signatures', vector(`${ORDINARY_CASE}/signatures.json`));
      expect(await check(page)).toMatch(/^FINAL: block with root hash/);
      expect(await row(page, 'block').textContent()).toMatch(/\(number not bound\)$/);
    });
  });

  it('says of a stale start that was accepted by name what that means, in words and in the report', async () => {
    const start = readVectorBytes('real/mainnet-2025-04/block-46897112/config-proof.boc');
    const checkpoint = join(folder, 'checkpoint.json');
    writeFileSync(checkpoint, JSON.stringify(checkpointToJson(checkpointFromKeyBlock(start, MAINNET.initBlock))));
    await put(page, 'signatures', vector(`${ORDINARY_CASE}/signatures.json`));
    await page.getByLabel('a checkpoint, and a proof').check();
    await put(page, 'checkpoint', checkpoint);
    await put(page, 'proof', vector('real/mainnet-2025-04/partial-block-proof.tl'));
    await page.getByText('Header and policy').click();
    await page.getByLabel('--accept-stale-start').check();
    const warning = expect.objectContaining({ code: 'accepted-stale-start' });
    expect(await check(page)).toMatch(/^FINAL.*, by the exception --accept-stale-start$/);
    expect((await shownJson(page)).headline).toMatch(/, by the exception --accept-stale-start$/);
    expect(await shownJson(page)).toMatchObject({ warnings: expect.arrayContaining([warning]) });
    expect(await page.locator('#verdict > p').textContent()).toMatch(/^Final only .*old keys.*--accept-stale-start\.$/);
    await page.getByLabel('--now').fill('1744880000'); // a time at which the start was young
    expect(await check(page)).toMatch(/^FINAL.*signatures\)$/);
    expect(JSON.stringify((await shownJson(page)).warnings)).not.toContain('accepted-stale-start');
    expect(await page.locator('#verdict > p').textContent()).toBe('A node would accept this block.');
  });
});
