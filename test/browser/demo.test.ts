/** The page of `demo/` in Chromium, opened from its file: verdicts, trouble, a flipped byte, and what it asks of whom. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleDemo, DEMO_PAGE } from '../../scripts/bundle-demo.mjs';
import { checkpointFromKeyBlock, checkpointToJson, MAINNET } from '../../src/chain.ts';
import { parseSignatureList, parseValidatorSet, verifyBlock } from '../../src/index.ts';
import { type ReportJson, reportToJson } from '../../src/report.ts';
import { ordinarySample, simplexSample } from '../../src/sample.ts';
import { runCli } from '../helpers/run-cli.ts';
import { type StandIn, startStandIn } from '../helpers/stand-in.ts';
import { ORDINARY_CASE, readVectorBytes, SIMPLEX_CASE, VECTORS } from '../helpers/vectors.ts';
import { violations } from './axe.ts';
import { hasChromium, openSite, type Site } from './chromium.ts';

const SIMPLEX = 'Block 59379986 of 2026, simplex';
const ORDINARY = 'Block 3082200 of 2020, ordinary';

/** A time at which the set that the recorded proof begins with still answered for its keys. */
const THEN = '1744880000';

const vector = (path: string) => join(VECTORS, path);
const title = (page: Page) => page.locator('#verdict-title.conclusion');
const shownJson = async (page: Page) => JSON.parse((await page.locator('#json pre').textContent())!);
const put = (page: Page, part: string, file: string) => page.setInputFiles(`#${part}-file`, file);

async function check(page: Page): Promise<string> {
  await page.locator('#result').evaluate((result) => result.replaceChildren());
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  return (await title(page).textContent())!;
}

async function press(page: Page, name: string): Promise<string> {
  await page.locator('#result').evaluate((result) => result.replaceChildren());
  await page.getByRole('button', { name, exact: true }).click();
  return (await title(page).textContent())!;
}

describe.skipIf(!hasChromium)('the page, opened from its file', () => {
  let site: Site;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  const file = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  beforeAll(async () => {
    await bundleDemo();
    site = await openSite({});
    page = await site.openFile(DEMO_PAGE);
  });
  afterAll(async () => {
    await site?.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    [SIMPLEX, simplexSample, {}],
    [ORDINARY, ordinarySample, { bound: ['workchain', 'shard', 'seqno', 'rootHash', 'fileHash'] }],
  ])('shows in one click what the library says of the sample: %s', async (name, sample, more) => {
    const report = verifyBlock(parseSignatureList(sample.signatures), parseValidatorSet(sample.validators));
    const expected: ReportJson = reportToJson(report);
    await press(page, name);
    const shown = await shownJson(page);
    expect(shown).toMatchObject({
      verdict: { status: 'final' },
      engine: 'kernel',
      signedWeight: expected.signedWeight,
      requiredWeight: expected.requiredWeight,
      totalWeight: expected.totalWeight,
      signers: expected.signers,
      missing: expected.missing,
      ...more,
    });
    expect(await title(page).textContent()).toBe(shown.headline);
    expect(await page.getByRole('status').first().textContent()).toBe(shown.headline);
    const rows = await page.locator('#signers tbody tr').count();
    expect(rows).toBe(expected.signers.length + expected.missing.length);
    const signed = await page.locator('#weight svg rect.signed').count();
    expect([signed, await page.locator('#weight svg rect.missing').count()]).toEqual([
      expected.counts.valid,
      expected.counts.missing,
    ]);
  });

  it('gives the very JSON of the command, from the same files and by the same clock', async () => {
    const from = (sample: typeof simplexSample) => [
      file('signatures.json', JSON.stringify(sample.signatures)),
      file('validators.json', JSON.stringify(sample.validators)),
    ];
    const [signatures, validators] = from(simplexSample) as [string, string]; // just made
    const words = [
      'verify',
      basename(signatures),
      '--validators',
      basename(validators),
      '--now',
      '1775775496',
      '--json',
    ];
    const { stdout, code } = await runCli(words, { cwd: folder });
    expect(code).toBe(0);
    const other = await site.openFile(DEMO_PAGE);
    await put(other, 'signatures', signatures);
    await put(other, 'validators', validators);
    await other.getByText('Header and policy').click();
    await other.getByLabel('--now').fill('1775775496');
    expect(await check(other)).toMatch(/^FINAL/);
    expect({ ...(await shownJson(other)), engine: '' }).toEqual({ ...JSON.parse(stdout), engine: '' });
    await other.close();
  });

  it('proves the set from a checkpoint and a proof, and binds the number by a header', async () => {
    const start = readVectorBytes('real/mainnet-2025-04/block-46897112/config-proof.boc');
    const checkpoint = JSON.stringify(checkpointToJson(checkpointFromKeyBlock(start, MAINNET.initBlock)));
    const other = await site.openFile(DEMO_PAGE);
    await put(other, 'signatures', vector(`${ORDINARY_CASE}/signatures.json`));
    await other.getByLabel('a checkpoint, and a proof').check();
    await put(other, 'checkpoint', file('checkpoint.json', checkpoint));
    await put(other, 'proof', vector('real/mainnet-2025-04/partial-block-proof.tl'));
    expect(await check(other)).toMatch(/wrong in the proof/);
    expect(await shownJson(other)).toMatchObject({ code: 'trust/stale-start' });
    await other.getByText('Header and policy').click();
    await other.getByLabel('--now').fill(THEN);
    await put(other, 'header', vector(`${ORDINARY_CASE}/dest-proof.boc`));
    await other.getByLabel('--strict').check();
    expect(await check(other)).toBe('FINAL: masterchain block 46920655 (ordinary signatures)');
    expect(await shownJson(other)).toMatchObject({
      validatorSet: { provenance: { kind: 'proven' }, setCheck: 'match' },
      policy: { requireProvenSet: true, requireBoundId: true },
      counts: { valid: 95, missing: 5 },
    });
    await other.close();
  });

  it('names every field of what was signed', async () => {
    await press(page, SIMPLEX);
    const fields = await page.locator('#message th[scope=row]').allTextContents();
    expect(fields).toEqual(
      expect.arrayContaining(['consensus.dataToSign', 'session id', 'slot', 'candidate hash', 'seqno']),
    );
    const bytes = (await page.locator('#message .bytes').allTextContents()).join('').trim().split(/\s+/);
    expect(bytes).toHaveLength(84 + 160);
    expect(bytes.slice(0, 4)).toEqual(['f8', '3d', 'e3', 'a8']);
  });

  it('turns the verdict when a byte is flipped, says so, and takes it back', async () => {
    await press(page, SIMPLEX);
    await page.getByLabel('of entry').fill('7');
    await page.getByRole('button', { name: 'Flip it' }).click();
    const said = page.locator('#flip output');
    await said.getByText('rejected for 1 bad entry').waitFor();
    expect(await said.textContent()).toMatch(
      /^Flipped the lowest bit of byte 0 of the signature of entry 7\. NOT FINAL/,
    );
    expect(await title(page).textContent()).toMatch(/^NOT FINAL, rejected for 1 bad entry/);
    expect(await page.locator('#weight svg rect.bad').count()).toBe(1);
    await page.locator('#flip-part').selectOption('session');
    await page.getByRole('button', { name: 'Flip it' }).click();
    await said.getByText('rejected for 66 bad entries').waitFor();
    expect(await page.locator('#message mark').allTextContents()).toEqual([expect.stringMatching(/^[0-9a-f]{2}$/)]);
    await page.getByRole('button', { name: 'Put it back' }).click();
    await page.getByRole('heading', { name: /^FINAL: masterchain block 59379986/ }).waitFor();
    expect(await page.locator('#message mark').count()).toBe(0);
  });

  it('shows what a flipped candidate breaks, and the way back', async () => {
    await press(page, SIMPLEX);
    await page.locator('#flip-part').selectOption('candidate');
    await page.getByLabel('at byte').fill('30');
    await page.getByRole('button', { name: 'Flip it' }).click();
    await page.getByText('decode/candidate-mismatch', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Put it back' }).click();
    await page.getByRole('heading', { name: /^FINAL/ }).waitFor();
  });

  const markup = '<img src=x onerror="window.hurt=1"></textarea><script>window.hurt=1</script>';
  const answer = JSON.parse(readFileSync(vector(`${SIMPLEX_CASE}/signatures.json`), 'utf8'));
  const [first] = answer.result.signatures;
  const changed = (more: object) => JSON.stringify({ ...answer, result: { ...answer.result, ...more } });
  const others = readFileSync(vector(`${ORDINARY_CASE}/validators.json`), 'utf8');
  const twice = Array.from({ length: 66 }, () => first);
  const tooMany = Array.from({ length: 5000 }, () => first);
  it.each<readonly [string, string, string | Uint8Array, string]>([
    ['nothing', 'signatures', '', 'usage/bad-option'],
    ['blanks', 'signatures', ' \n ', 'decode/shape'],
    ['HTML', 'signatures', `<!doctype html>${markup}`, 'decode/shape'],
    ['bytes', 'signatures', Uint8Array.of(0, 255, 254, 128, 7), 'decode/shape'],
    ['markup in a member', 'signatures', changed({ '@type': markup }), 'decode/shape'],
    [
      'markup as a key that stands twice',
      'signatures',
      `{${JSON.stringify(markup)}:1,${JSON.stringify(markup)}:2,${JSON.stringify(answer).slice(1)}`,
      'decode/shape',
    ],
    ['deep nesting', 'signatures', '['.repeat(200_000), 'decode/shape'],
    [
      '__proto__',
      'signatures',
      '{"__proto__":{"@type":"blocks.blockSignatures"},"constructor":{"prototype":1}}',
      'decode/shape',
    ],
    ['20 MB', 'signatures', new Uint8Array(20_000_000).fill(0x20), 'decode/too-large'],
    ['20 MB', 'validators', new Uint8Array(20_000_000).fill(0x20), 'decode/too-large'],
    ['too many signatures', 'signatures', changed({ signatures: tooMany }), 'decode/too-large'],
    ['an error of a server', 'signatures', JSON.stringify({ ok: false, error: markup, code: 500 }), 'decode/api-error'],
    [
      'another candidate',
      'signatures',
      changed({ id: { ...answer.result.id, seqno: 7 } }),
      'decode/candidate-mismatch',
    ],
    ['a validator without weight', 'validators', `{"${'aa'.repeat(32)}":"0"}`, 'validators/zero-weight'],
    ['an answer in the place of the set', 'validators', JSON.stringify(answer), 'decode/shape'],
    ['a set in the place of a checkpoint', 'checkpoint', others, 'trust/checkpoint'],
    ['text in the place of a proof', 'proof', 'no proof, this', 'decode/base64'],
    ['bytes in the place of a proof', 'proof', Uint8Array.of(1, 2, 3, 200), 'decode/tl'],
    ['text in the place of a header', 'header', 'AAAA', 'decode/boc'],
  ])('says what is wrong with %s as %s', async (_, part, content, code) => {
    await press(page, SIMPLEX);
    if (part === 'checkpoint' || part === 'proof') await page.getByLabel('a checkpoint, and a proof').check();
    if (part === 'proof') {
      await put(page, 'checkpoint', vector('checkpoints/0.1.0/from-zerostate.json'));
    }
    await page.locator('#result').evaluate((result) => result.replaceChildren());
    if (content === '') await page.getByRole('button', { name: 'Clear signatures' }).click();
    else await put(page, part, file('hostile', content));
    if (content.length < 20_000_000) await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('heading', { name: `No verdict: something is wrong in the` }).waitFor();
    expect(await shownJson(page)).toMatchObject({ code });
    expect(await page.locator('#verdict dd').first().textContent()).toBe(code);
    expect(await page.locator('#verdict').getByText('remedy', { exact: true }).count()).toBe(1);
    expect(await page.evaluate(() => 'hurt' in window || document.images.length > 0)).toBe(false);
  });

  it.each<readonly [string, string, string, RegExp]>([
    ['a set of another network', 'validators', others, /^UNDECIDED, no-known-signer/],
    ['one signature 66 times', 'signatures', changed({ signatures: twice }), /^NOT FINAL, rejected for 66 bad entries/],
    ['no signatures', 'signatures', changed({ signatures: [] }), /^NOT FINAL, insufficient weight/],
  ])('judges %s', async (_, part, content, headline) => {
    await press(page, SIMPLEX);
    await put(page, part, file('other.json', content));
    expect(await check(page)).toMatch(headline);
  });

  it('holds a paste of megabytes beside the page, and refuses it', async () => {
    await page.locator('#validators').evaluate((box) => {
      const data = new DataTransfer();
      data.setData('text/plain', '[1,'.repeat(7_000_000));
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true, bubbles: true }));
    });
    expect(await title(page).textContent()).toBe('No verdict: something is wrong in the validator set');
    expect(await shownJson(page)).toMatchObject({ code: 'decode/too-large' });
  });

  it('takes a file that is dropped on a field, and leaves one that is dropped beside it', async () => {
    await press(page, SIMPLEX);
    const drop = (on: string) =>
      page.locator(on).evaluate((target) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.of(0, 1, 2, 255)], 'binary.bin'));
        return target.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true, bubbles: true }));
      });
    expect(await drop('h1')).toBe(false);
    expect(await drop('#signatures')).toBe(false);
    await page.getByText('binary.bin: 4 bytes, not shown.').waitFor();
    expect(await check(page)).toMatch(/wrong in the signatures/);
  });

  it('is used by the keyboard alone, and leads the focus to the verdict', async () => {
    const other = await site.openFile(DEMO_PAGE);
    for (let presses = 0; presses < 3; presses++) {
      await other.keyboard.press('Tab');
      const name = await other.evaluate(() => document.activeElement?.textContent);
      if (name === SIMPLEX) break;
    }
    await other.keyboard.press('Enter');
    await other.getByRole('heading', { name: /^FINAL/ }).waitFor();
    expect(await other.evaluate(() => document.activeElement?.id)).toBe('verdict-title');
    await other.close();
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)(
    'breaks no rule of axe, %s and %d pixels wide, with nothing, a verdict and an error',
    async (scheme, width) => {
      const other = await site.openFile(DEMO_PAGE);
      await other.setViewportSize({ width, height: 780 });
      await other.emulateMedia({ colorScheme: scheme });
      for (const summary of await other.locator('summary:visible').all()) await summary.click();
      expect(await violations(other)).toEqual([]);
      await press(other, SIMPLEX);
      await other.locator('#flip button[type=submit]').click();
      await other.getByText('rejected for 1 bad entry').first().waitFor();
      expect(await violations(other)).toEqual([]);
      expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await other.getByLabel('a checkpoint, and a proof').check();
      await check(other);
      expect(await violations(other)).toEqual([]);
      expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await other.close();
    },
  );

  it('does the same in the page where no worker can be had', async () => {
    const other = await site.openFile(DEMO_PAGE, async (of) => {
      await of.addInitScript('delete globalThis.Worker');
    });
    expect(await press(other, ORDINARY)).toMatch(/^FINAL/);
    await other.close();
  });

  it('lets nothing else run: no other script, and no request beyond its policy', async () => {
    const other = await openSite({});
    const shown = await other.openFile(DEMO_PAGE);
    const outcome = await shown.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.added = 1';
      document.body.append(script);
      const asked = await fetch('http://example.invalid/').then(
        () => 'answered',
        () => 'refused',
      );
      return { asked, added: 'added' in window };
    });
    expect(outcome).toEqual({ asked: 'refused', added: false });
    expect(other.elsewhere).toEqual([]);
    await other.close();
  });

  it('asked nobody for anything, and complained of nothing', () => {
    expect(site.served).toEqual([]);
    expect(site.elsewhere).toEqual([]);
    expect(site.pageErrors).toEqual([]);
    expect(site.complaints).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('the page, asked to fetch', () => {
  let site: Site;
  let api: Server;
  let standIn: StandIn;
  const asked: string[] = [];
  beforeAll(async () => {
    await bundleDemo();
    standIn = await startStandIn();
    api = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.setHeader('access-control-allow-origin', '*');
      if (url.startsWith('/large')) response.end('x'.repeat(17 * 1024 * 1024));
      else if (url.startsWith('/wrong')) response.end(readFileSync(vector(`${SIMPLEX_CASE}/signatures.json`)));
      else void fetch(`${standIn.origin}${url}`).then(async (answer) => response.end(await answer.text()));
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    site = await openSite({});
  });
  afterAll(async () => {
    await site?.close();
    api?.close();
    api?.closeAllConnections();
    await standIn?.close();
  });

  const origin = () => `http://127.0.0.1:${(api.address() as AddressInfo).port}`; // it listens on a port

  it('asks the server that was named, for the block that was named, and only when the button is pressed', async () => {
    const page = await site.openFile(DEMO_PAGE);
    await put(page, 'validators', vector(`${SIMPLEX_CASE}/validators.json`));
    await page.getByText('Fetch from a server').click();
    await page.getByLabel('API v2 base URL').fill(`${origin()}/api/v2`);
    await page.getByLabel('Block number, or latest').fill('59379986');
    expect([asked, site.elsewhere]).toEqual([[], []]);
    await page.getByRole('button', { name: 'Fetch signatures' }).click();
    await page.getByText('Signatures of block 59379986, from').waitFor();
    expect(asked).toEqual(['/api/v2/getMasterchainBlockSignatures?seqno=59379986']);
    expect(await check(page)).toMatch(/^FINAL: masterchain block 59379986/);
    await page.close();
  });

  it.each([
    ['a URL that is none', 'nonsense', '7', 'usage/bad-option'],
    ['plain HTTP to another machine', 'http://example.invalid/api/v2', '7', 'usage/bad-option'],
    ['a number that is none', '', '7e3', 'usage/bad-option'],
    ['an answer about another block', 'wrong', '7', 'source/wrong-block'],
  ])('says what is wrong with %s', async (_, url, block, code) => {
    const page = await site.openFile(DEMO_PAGE);
    await page.getByText('Fetch from a server').click();
    await page.getByLabel('API v2 base URL').fill(/^(?:wrong)?$/.test(url) ? `${origin()}/${url}/api/v2` : url);
    await page.getByLabel('Block number, or latest').fill(block);
    await page.getByRole('button', { name: 'Fetch signatures' }).click();
    await page.getByRole('heading', { name: 'No verdict: something is wrong in the server' }).waitFor();
    expect(await shownJson(page)).toMatchObject({ code });
    await page.close();
  });

  it('leaves a block undecided under a set that only its server claims, unless that is accepted by name', async () => {
    const page = await site.openFile(DEMO_PAGE);
    await put(page, 'signatures', vector(`${ORDINARY_CASE}/signatures.json`));
    await page.getByText('Fetch from a server').click();
    await page.getByLabel('API v2 base URL').fill(`${origin()}/api/v2`);
    await page.getByLabel('Block number, or latest').fill('46920655');
    await page.getByRole('button', { name: 'Fetch the set it claims' }).click();
    await page.getByText(/^The set of block 46920655, as .* claims it\.$/).waitFor();
    await page.getByText('says so.').waitFor();
    expect(await check(page)).toMatch(/^UNDECIDED, claimed-set/);
    await page.locator('#validators').press('End'); // what is typed into it does not make it ours
    await page.locator('#validators').pressSequentially(' ');
    expect(await check(page)).toMatch(/^UNDECIDED, claimed-set/);
    const claimed = await page.locator('#validators').inputValue();
    for (const text of ['', claimed]) await page.locator('#validators').fill(text); // nor does taking it out and putting it in
    expect(await check(page)).toMatch(/^UNDECIDED, claimed-set/);
    const padded = `${claimed}${' '.repeat(300_000)}`; // nor that it has to be held beside the page
    await page.locator('#validators').fill(padded);
    expect(await check(page)).toMatch(/^UNDECIDED, claimed-set/);
    await page.getByText('Header and policy').click();
    await page.getByLabel('--accept-claimed').check();
    expect(await check(page)).toMatch(/^FINAL: block with root hash 1df94b183da1e4a2…/);
    await page.getByLabel('--accept-claimed').uncheck();
    await page.getByRole('button', { name: 'Clear validator set' }).click();
    await page.locator('#validators').fill(claimed);
    expect(await check(page)).toMatch(/^FINAL/);
    await page.close();
  });

  it('stops at a file that is larger than any', async () => {
    const page = await site.openFile(DEMO_PAGE);
    await page.getByLabel('a checkpoint, and a proof').check();
    await page.getByText('Fetch the checkpoint from a URL').click();
    await page.getByLabel('URL of the checkpoint').fill(`${origin()}/large/checkpoint.json`);
    await page.getByRole('button', { name: 'Fetch the checkpoint', exact: true }).click();
    await page.getByText('source/too-large', { exact: true }).waitFor();
    await page.close();
  });
});

describe.skipIf(!hasChromium)('the page, where there is no WebAssembly', () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['with a compiler that is switched off', ['--js-flags=--jitless'], true],
    ['under a policy that forbids it', [], false],
  ])('says what that costs, and gives the same verdicts, %s', async (_, flags, isAllowed) => {
    await bundleDemo();
    const file = join(folder, 'index.html');
    const page = readFileSync(DEMO_PAGE, 'utf8');
    writeFileSync(file, isAllowed ? page : page.replace(" 'wasm-unsafe-eval'", ''));
    const site = await openSite({}, flags);
    try {
      const shown = await site.openFile(file);
      await shown.getByText('about a millisecond a signature').waitFor();
      expect(await press(shown, SIMPLEX)).toMatch(/^FINAL: masterchain block 59379986/);
      expect(await shownJson(shown)).toMatchObject({ engine: 'reference', counts: { valid: 66 } });
      expect(site.pageErrors).toEqual([]);
    } finally {
      await site.close();
    }
  });
});
