/** The page of `demo/`, when things happen in any order: no older answer in the place of a newer one, no verdict beside what it is not about. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleDemo, DEMO_PAGE } from '../../scripts/bundle-demo.mjs';
import { readVectorBytes, SIMPLEX_CASE } from '../helpers/vectors.ts';
import { hasChromium, openSite, type Site } from './chromium.ts';

const SIMPLEX = 'Block 59379986 of 2026, simplex';
const ORDINARY = 'Block 3082200 of 2020, ordinary';
const json = (path: string) => Buffer.from(readVectorBytes(path));
const SIGNATURES = json(`${SIMPLEX_CASE}/signatures.json`);

/** Files are read when the test says so, by name. */
const HELD_FILES = `{
  const read = Blob.prototype.arrayBuffer;
  const held = new Map();
  Blob.prototype.arrayBuffer = function () {
    return new Promise((resolve) => held.set(this.name, () => resolve(read.call(this))));
  };
  globalThis.letRead = (name) => held.get(name)();
}`;
const letRead = (page: Page, name: string) =>
  page.evaluate((of) => (globalThis as unknown as { letRead(name: string): void }).letRead(of), name); // as above

const title = (page: Page) => page.locator('#verdict-title');
const give = (page: Page, part: string, name: string, buffer: Buffer) =>
  page.setInputFiles(`#${part}-file`, { name, mimeType: 'application/json', buffer });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const verdict = (page: Page, text: RegExp) => page.getByRole('heading', { name: text }).waitFor();
const held = (page: Page, part: string) => page.locator(`#${part}-held`).textContent();
/** What was begun has ended: the page says so by hiding what it shows while it works. */
const rest = (page: Page) => page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });

let site: Site;
beforeAll(async () => {
  if (!hasChromium) return;
  await bundleDemo();
  site = await openSite({});
});
afterAll(async () => {
  await site?.close();
});

describe.skipIf(!hasChromium)('the page, while a file is being read', () => {
  let page: Page;
  beforeEach(async () => {
    page = await site.openFile(DEMO_PAGE, async (of) => {
      await of.addInitScript(HELD_FILES);
    });
  });
  afterEach(() => page.close());

  it('empties the field at once, and takes the verdict of what stood there away', async () => {
    await press(page, SIMPLEX);
    await verdict(page, /^FINAL/);
    await give(page, 'signatures', 'next.json', SIGNATURES);
    expect(await title(page).count()).toBe(1);
    expect(await title(page).textContent()).toBe('Verdict');
    expect(await page.locator('#signatures').inputValue()).toBe('');
    expect(await held(page, 'signatures')).toMatch(/next\.json/);
  });

  it('judges what is read, not what stood there, when Check is pressed meanwhile', async () => {
    await press(page, SIMPLEX);
    await verdict(page, /^FINAL/);
    await give(page, 'signatures', 'other.json', Buffer.from('{"ok":false,"error":"not this","code":500}'));
    await press(page, 'Check');
    await page.getByText('Waiting for what is being read').waitFor();
    expect(await title(page).textContent()).toBe('Verdict');
    await letRead(page, 'other.json');
    await page.getByText('decode/api-error', { exact: true }).waitFor();
    await rest(page);
  });

  it('waits for every file that it needs, and for no other', async () => {
    await give(page, 'signatures', 'signatures.json', SIGNATURES);
    await give(page, 'validators', 'validators.json', json(`${SIMPLEX_CASE}/validators.json`));
    await page.getByLabel('a checkpoint, and a proof').check();
    await give(page, 'proof', 'never.tl', Buffer.of(1));
    await page.getByRole('radio', { name: 'a validator set' }).check();
    await press(page, 'Check');
    await letRead(page, 'validators.json');
    await page.getByText(/^validators\.json: \d+ bytes/).waitFor();
    expect(await title(page).textContent()).toBe('Verdict');
    await letRead(page, 'signatures.json');
    await verdict(page, /^FINAL: masterchain block 59379986/);
  });

  it('keeps the file that was chosen last, whichever is read first', async () => {
    await give(page, 'signatures', 'first.json', Buffer.from('"first"'));
    await give(page, 'signatures', 'second.json', Buffer.from('"second"'));
    await letRead(page, 'second.json');
    await page.getByText('second.json: 8 bytes.').waitFor();
    await letRead(page, 'first.json');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(await page.locator('#signatures').inputValue()).toBe('"second"');
  });

  it.each([
    ['typed text', () => page.locator('#signatures').pressSequentially('x'), 'x'],
    ['the clear button', () => press(page, 'Clear signatures'), ''],
  ])('does not overwrite %s', async (_, act, text) => {
    await give(page, 'signatures', 'late.json', Buffer.from('"late"'));
    await act();
    expect(await held(page, 'signatures')).toMatch(/given up/);
    await letRead(page, 'late.json');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(await page.locator('#signatures').inputValue()).toBe(text);
    await rest(page);
  });

  it('does not overwrite a sample', async () => {
    await give(page, 'signatures', 'late.json', Buffer.from('"late"'));
    await press(page, ORDINARY);
    await verdict(page, /^FINAL/);
    await letRead(page, 'late.json');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(await page.locator('#signatures').inputValue()).toContain('3082200');
    expect(await title(page).textContent()).toMatch(/^FINAL/);
  });

  it('leaves nothing of before in a field whose new file is too large', async () => {
    await press(page, SIMPLEX);
    await verdict(page, /^FINAL/);
    await give(page, 'signatures', 'large.json', Buffer.alloc(3_000_000, 0x20));
    await page.getByText('decode/too-large', { exact: true }).waitFor();
    await press(page, 'Check');
    await page.getByText('expected signatures, got none').first().waitFor();
  });

  it('gives up what is being read when Stop is pressed', async () => {
    await give(page, 'signatures', 'late.json', SIGNATURES);
    await press(page, 'Check');
    await press(page, 'Stop');
    await page.getByText('Stopped.').waitFor();
    await rest(page);
    await letRead(page, 'late.json');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(await page.locator('#signatures').inputValue()).toBe('');
    expect(await title(page).textContent()).toBe('Verdict');
  });
});

describe.skipIf(!hasChromium)('the page, while something is being fetched', () => {
  let page: Page;
  let api: Server;
  const waiting = new Map<string, ServerResponse>();
  beforeAll(async () => {
    api = createServer(({ url = '' }, response) => {
      response.setHeader('access-control-allow-origin', '*');
      waiting.set(url, response);
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    api.close();
    api.closeAllConnections();
  });
  beforeEach(async () => {
    page = await site.openFile(DEMO_PAGE);
    await page.getByLabel('a checkpoint, and a proof').check();
    for (const one of ['checkpoint', 'proof']) await page.getByText(`Fetch the ${one} from a URL`).click();
  });
  afterEach(() => page.close());

  const asked = async (path: string): Promise<ServerResponse> => {
    for (;;) {
      const response = waiting.get(path);
      if (response !== undefined) return response;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const fetchInto = async (part: 'checkpoint' | 'proof', path: string) => {
    const { port } = api.address() as AddressInfo; // it listens on a port
    await page.getByLabel(`URL of the ${part}`).fill(`http://127.0.0.1:${port}${path}`);
    await press(page, `Fetch the ${part}`);
    return await asked(path);
  };

  it('keeps both of two that go into two fields', async () => {
    const first = await fetchInto('checkpoint', '/a/checkpoint.json');
    const second = await fetchInto('proof', '/a/proof.txt');
    second.end('"proof"');
    await page.getByText('proof.txt: 7 bytes.').waitFor();
    first.end('"checkpoint"');
    await page.getByText('checkpoint.json: 12 bytes.').waitFor();
    expect(await page.locator('#proof').inputValue()).toBe('"proof"');
    await rest(page);
  });

  it('keeps the newer of two that go into one field, and says so', async () => {
    const first = await fetchInto('checkpoint', '/b/first');
    const second = await fetchInto('checkpoint', '/b/second');
    expect(await held(page, 'checkpoint')).toMatch(/given up/);
    second.end('"second"');
    await page.getByText('second: 8 bytes.').waitFor();
    first.end('"first"');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(await page.locator('#checkpoint').inputValue()).toBe('"second"');
    await rest(page);
  });

  it('does not put an answer beside the verdict of a sample that was pressed meanwhile', async () => {
    const late = await fetchInto('checkpoint', '/c/late');
    await press(page, SIMPLEX);
    await verdict(page, /^FINAL/);
    late.end('"late"');
    await rest(page);
    expect(await title(page).textContent()).toMatch(/^FINAL/);
    expect(await page.locator('#checkpoint').inputValue()).toBe('');
  });

  it('judges what comes when Check is pressed meanwhile, and gives no verdict where nothing comes', async () => {
    await give(page, 'signatures', 'signatures.json', SIGNATURES);
    const one = await fetchInto('checkpoint', '/d/none');
    await press(page, 'Check');
    one.writeHead(404).end();
    await page.getByText('the server answered 404').first().waitFor();
    await rest(page);
    expect(await title(page).textContent()).toMatch(/^No verdict/);
  });
});

describe.skipIf(!hasChromium)('the page, after a byte was flipped', () => {
  let page: Page;
  beforeEach(async () => {
    page = await site.openFile(DEMO_PAGE);
    await press(page, SIMPLEX);
    await verdict(page, /^FINAL/);
    await press(page, 'Flip it');
    await verdict(page, /^NOT FINAL/);
    await page.getByText('Header and policy').click();
  });
  afterEach(() => page.close());

  it('keeps the way back when the clock turns out to be none', async () => {
    const flipped = await page.locator('#signatures').inputValue();
    await page.getByLabel('--now').fill('soon');
    await press(page, 'Check');
    await page.getByText('expected Unix seconds as the clock').first().waitFor();
    await press(page, 'Put it back');
    expect(await page.locator('#signatures').inputValue()).not.toBe(flipped);
    await page.getByLabel('--now').fill('');
    await press(page, 'Check');
    await verdict(page, /^FINAL/);
  });

  it('keeps the way back when the policy changes, and after the next verdict', async () => {
    await page.getByLabel('--ignore-defects').check();
    await page.getByRole('button', { name: 'Put it back' }).waitFor();
    await press(page, 'Check');
    await verdict(page, /^NOT FINAL, insufficient/);
    await press(page, 'Put it back');
    await page.getByText('66 of 66').waitFor();
    expect(await page.getByRole('button', { name: 'Put it back' }).isVisible()).toBe(false);
  });

  it('has no way back from signatures that somebody put in', async () => {
    await page.locator('#signatures').press('End');
    await page.locator('#signatures').pressSequentially(' ');
    expect(await page.getByRole('button', { name: 'Put it back' }).count()).toBe(0);
  });

  it('changes nothing in the form before it has the verdict of what it will change', async () => {
    await page.getByLabel('--now').evaluate((clock: HTMLInputElement) => {
      clock.value = 'soon'; // without a word to the page
    });
    const before = await page.locator('#signatures').inputValue();
    await press(page, 'Flip it');
    await page.getByText('expected Unix seconds as the clock').first().waitFor();
    expect(await page.locator('#signatures').inputValue()).toBe(before);
    await press(page, 'Put it back');
    expect(await page.locator('#signatures').inputValue()).not.toBe(before);
  });
});
