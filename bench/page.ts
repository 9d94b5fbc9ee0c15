/**
 * How long the page of `demo/` takes from the click on a sample to the verdict on the screen: each in a page of its own, in the
 * installed Chromium.
 *
 *   node build/bench/page.js [ROUNDS]     prints medians; 9 rounds unless told
 */

import { execFileSync } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { parseSignatureList, parseValidatorSet, signedMessage } from '../src/index.ts';
import { simplexSample } from '../src/sample.ts';
import { openSite, type Site } from '../test/browser/chromium.ts';
import { ROOT } from '../test/helpers/vectors.ts';

const DEMO_PAGE = join(ROOT, 'build/demo/index.html');
const SAMPLES = ['Block 59379986 of 2026, simplex', 'Block 3082200 of 2020, ordinary'] as const;

/** Milliseconds that somebody looks at the page before the click. */
const LOOKED_AT = [0, 1000] as const;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

/** Milliseconds from the time of the click, as the browser stamps it, to the frame that shows the verdict. */
function watch(page: Page): Promise<void> {
  return page.evaluate(() => {
    let clicked = 0;
    addEventListener(
      'click',
      ({ timeStamp }) => {
        clicked = timeStamp;
      },
      { capture: true, once: true },
    );
    const seen = new MutationObserver(() => {
      if (document.querySelector('#verdict-title.conclusion') === null) return;
      seen.disconnect();
      // The frame is drawn between the two.
      requestAnimationFrame(() =>
        setTimeout(() => document.body.setAttribute('data-took', String(performance.now() - clicked))),
      );
    });
    seen.observe(document.getElementById('result')!, { childList: true });
  });
}

async function once(site: Site, sample: string, lookedAt: number): Promise<number> {
  const page = await site.openFile(DEMO_PAGE);
  try {
    await watch(page);
    await page.waitForTimeout(lookedAt);
    await page.getByRole('button', { name: sample }).click();
    return Number(await page.locator('body[data-took]').getAttribute('data-took'));
  } finally {
    await page.close();
  }
}

export interface PageRow {
  readonly name: string;
  readonly medianMs: number;
  readonly worstMs: number;
}

export async function firstVerdicts(rounds: number): Promise<PageRow[]> {
  execFileSync(process.execPath, [join(ROOT, 'scripts/bundle-demo.mjs')]);
  const site = await openSite({});
  try {
    const rows: PageRow[] = [];
    for (const sample of SAMPLES) {
      for (const lookedAt of LOOKED_AT) {
        const times: number[] = [];
        for (let round = 0; round < rounds; round++) times.push(await once(site, sample, lookedAt));
        const name = `${sample}, ${lookedAt === 0 ? 'at once' : `after ${lookedAt / 1000} s`}`;
        rows.push({ name, medianMs: median(times), worstMs: Math.max(...times) });
      }
    }
    return rows;
  } finally {
    await site.close();
  }
}

/** Microseconds of one signature in node:crypto, to know how fast this machine is today. */
function machineUs(): number {
  const set = parseSignatureList(simplexSample.signatures);
  const { publicKey } = parseValidatorSet(simplexSample.validators).validators[0]!;
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const message = signedMessage(set);
  const times: number[] = [];
  for (let round = 0; round < 301; round++) {
    const begin = performance.now();
    verify(null, message, key, set.signatures[0]!.signature);
    times.push(performance.now() - begin);
  }
  return median(times) * 1000;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`one signature in node:crypto: ${machineUs().toFixed(0)} us\n`);
  for (const { name, medianMs, worstMs } of await firstVerdicts(Number(process.argv[2] ?? 9))) {
    process.stdout.write(`${name.padEnd(50)}${medianMs.toFixed(0).padStart(6)} ms, at worst ${worstMs.toFixed(0)}\n`);
  }
}
