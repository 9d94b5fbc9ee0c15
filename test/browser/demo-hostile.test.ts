/** The page of `demo/` under somebody who does everything at once, and under input that wants to be more than it is. */
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleDemo, DEMO_PAGE } from '../../scripts/bundle-demo.mjs';
import { hasChromium, openSite, type Site } from './chromium.ts';

const SIMPLEX = 'Block 59379986 of 2026, simplex';

/** A report on the page, and what stood in the form at that moment. */
interface Seen {
  readonly report: string;
  readonly signatures: string;
  readonly validators: string;
  readonly header: string;
  readonly isByCheckpoint: boolean;
  readonly ignoresDefects: boolean;
  readonly clock: string;
}

/** Runs in the page: does anything at any time, and looks at every change. @returns each report with the form beside it */
async function monkey({ seed, steps }: { readonly seed: number; readonly steps: number }): Promise<Seen[]> {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const one = <T extends HTMLElement>(query: string) => document.querySelector<T>(query)!; // all stand in the form
  const buttons = () => [...document.querySelectorAll<HTMLButtonElement>('#page button')];
  const seen = new Map<string, Seen>();
  const look = () => {
    const report = document.querySelector('#json pre')?.textContent ?? '';
    if (report === '' || report.includes('ton-finality/error@')) return;
    const now: Seen = {
      report,
      signatures: one<HTMLTextAreaElement>('#signatures').value,
      validators: one<HTMLTextAreaElement>('#validators').value,
      header: one<HTMLTextAreaElement>('#header').value,
      isByCheckpoint: one<HTMLInputElement>('#who-checkpoint').checked,
      ignoresDefects: one<HTMLInputElement>('#option-ignoreDefects').checked,
      clock: one<HTMLInputElement>('#clock').value,
    };
    seen.set(JSON.stringify(now), now);
  };
  new MutationObserver(look).observe(one('#result'), { childList: true, subtree: true });
  const kept: [string, string][] = [];
  const drop = (field: string, text: string) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'dropped.json'));
    one(field).dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true, bubbles: true }));
  };
  const actions: readonly (() => void)[] = [
    () => {
      const all = buttons().filter((button) => !/^(?:Fetch|Copy|Save)/.test(button.textContent ?? ''));
      all[random(all.length)]!.click();
    },
    () => buttons()[random(2)]!.click(), // the samples
    () =>
      buttons()
        .find(({ textContent }) => textContent === 'Check')!
        .click(),
    () =>
      buttons()
        .find(({ textContent }) => textContent === 'Flip it')
        ?.click(),
    () =>
      buttons()
        .find(({ textContent }) => textContent === 'Put it back')
        ?.click(),
    () => one('#option-ignoreDefects').click(),
    () => one(random(4) === 0 ? '#who-checkpoint' : '#who-set').click(),
    () => {
      const clock = one<HTMLInputElement>('#clock');
      clock.value = ['', 'soon', '1775775496', '1'][random(4)]!;
      clock.dispatchEvent(new Event('input'));
    },
    () => {
      for (const field of ['#signatures', '#validators']) {
        const text = one<HTMLTextAreaElement>(field).value;
        if (text !== '') kept.push([field, text]);
      }
    },
    () => {
      if (kept.length > 0) drop(...kept[random(kept.length)]!);
    },
    () => {
      const box = one<HTMLTextAreaElement>('#signatures');
      box.value += ' ';
      box.dispatchEvent(new Event('input'));
    },
  ];
  for (let step = 0; step < steps; step++) {
    actions[random(actions.length)]!();
    look();
    const pause = random(4);
    if (pause === 1) await Promise.resolve();
    if (pause === 2) await new Promise((resolve) => setTimeout(resolve, random(15)));
    if (pause === 3) await new Promise((resolve) => setTimeout(resolve, 60 + random(90)));
  }
  return [...seen.values()];
}

describe.skipIf(!hasChromium)('the page', () => {
  let site: Site;
  beforeAll(async () => {
    await bundleDemo();
    site = await openSite({});
  });
  afterAll(async () => {
    await site?.close();
  });
  const title = (page: Page) => page.locator('#verdict-title.conclusion');
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

  it.each([1, 2])('shows no verdict beside what it is not about, whatever is done in any order: %d', async (seed) => {
    const page = await site.openFile(DEMO_PAGE);
    const seen = await page.evaluate(monkey, { seed, steps: 200 });
    expect(seen.length).toBeGreaterThan(5);
    for (const { report, signatures, validators, header, isByCheckpoint, ignoresDefects, clock } of seen) {
      const { run, policy } = JSON.parse(report);
      const hashes = run.inputs.map(({ sha256 }: { readonly sha256: string }) => sha256);
      const expected = [...(isByCheckpoint ? [] : [validators]), signatures, ...(header === '' ? [] : [header])];
      expect(hashes).toEqual(expected.map(hashOf));
      expect(policy.onDefect).toBe(ignoresDefects ? 'ignore' : 'reject');
      if (clock !== '') expect(run.judgedAt).toBe(Number(clock));
    }
    await press(page, SIMPLEX);
    await page.close();
  });

  it('holds what grows too long for a box beside it', async () => {
    const page = await site.openFile(DEMO_PAGE);
    await page.locator('#signatures').evaluate((box: HTMLTextAreaElement) => {
      box.focus();
      for (let n = 0; n < 3; n++) document.execCommand('insertText', false, '[1,'.repeat(30_000));
    });
    expect((await page.locator('#signatures').inputValue()).length).toBe(0);
    expect(await page.locator('#signatures-held').textContent()).toBe('pasted text: 270000 bytes, not shown.');
    await page.locator('#validators').fill(' '.repeat(300_000)); // an event more than from a keyboard
    expect(await page.locator('#validators-held').textContent()).toBe('pasted text: 300000 bytes, not shown.');
    await press(page, 'Check');
    await title(page).waitFor();
    await page.locator('#signatures').pressSequentially('1');
    expect(await page.locator('#signatures-held').textContent()).toBe('');
    await page.close();
  });

  it('comes back from a reload with nothing in it, and with no exception asked for', async () => {
    const page = await site.openFile(DEMO_PAGE);
    await page.getByText('Header and policy').click();
    await page.getByLabel('a checkpoint, and a proof').check();
    await page.getByLabel('--ignore-defects').check();
    await page.locator('#signatures').fill('{}');
    await page.reload();
    expect(await page.locator('#who-set').isChecked()).toBe(true);
    expect(await page.locator('#option-ignoreDefects').isChecked()).toBe(false);
    expect(await page.locator('#signatures').inputValue()).toBe('');
    expect(await page.locator('#page form').first().getAttribute('autocomplete')).toBe('off');
    await page.close();
  });

  it('does nothing that its address says', async () => {
    const page = await site.openFile(DEMO_PAGE);
    for (const more of ['#verdict-title', '#<img src=x onerror=alert(1)>', '?server=https://example.invalid#check']) {
      await page.goto(`${page.url().replace(/[?#].*$/, '')}${more}`);
      await press(page, SIMPLEX);
      expect(await title(page).textContent()).toMatch(/^FINAL: masterchain block 59379986/);
      expect(await page.locator('#server').inputValue()).toBe('https://toncenter.com/api/v2');
      await page.reload();
    }
    await page.close();
  });

  it('asked nobody for anything, and complained of nothing', () => {
    expect(site.served).toEqual([]);
    expect(site.pageErrors).toEqual([]);
    expect(site.complaints).toEqual([]);
  });
});
