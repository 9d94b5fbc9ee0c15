import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDINARY_CASE, ROOT, readAnswer, readVector } from '../helpers/vectors.ts';
import { bundleCode, bundleProgram, pageWith } from './bundle.ts';
import { call } from './call.ts';
import { hasChromium, openSite, type Site } from './chromium.ts';
import type { RootProgram } from './root-program.ts';

/** The worker as docs/kernel.md prints it. */
function recipe(): string {
  const blocks = [...readFileSync(join(ROOT, 'docs/kernel.md'), 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)];
  expect(blocks).toHaveLength(1);
  expect(blocks[0]![1]).toContain('verify-worker.js');
  return blocks[0]![1]!;
}

describe.skipIf(!hasChromium)('the Web Worker of docs/kernel.md, in Chromium', () => {
  let site: Site;
  beforeAll(async () => {
    const [root, worker] = await Promise.all([bundleProgram('root-program'), bundleCode(recipe())]);
    site = await openSite({
      '/': pageWith('/root.js'),
      '/root.js': root.resource,
      '/verify-worker.js': worker.resource,
    });
  });
  afterAll(() => site?.close());

  it.each([
    ['waits for its keys to be there', true],
    ['sends the first blocks behind the keys', false],
  ])('two of them verify blocks for a page that %s', async (_, waitForKeys) => {
    const answer = readAnswer(ORDINARY_CASE);
    const damaged = 17;
    const good = answer.result.signatures.map(() => true);
    const blocks = await call<RootProgram, 'workerVerdicts'>(
      await site.open('/'),
      'workerVerdicts',
      '/verify-worker.js',
      answer,
      readVector(`${ORDINARY_CASE}/validators.json`),
      damaged,
      waitForKeys,
    );
    expect(blocks).toEqual([good, good, good.map((_, entry) => entry !== damaged)]);
  });

  it('none of this left an uncaught error or a request elsewhere', () => {
    expect(site.pageErrors).toEqual([]);
    expect(site.elsewhere).toEqual([]);
    expect(site.served.filter((path) => path === '/verify-worker.js')).toHaveLength(4);
  });
});
