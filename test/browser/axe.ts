/** What axe finds wrong with a page as it is shown now. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Rules that the page breaks, with what breaks them. */
export async function violations(page: Page): Promise<unknown[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { axe: loaded } = globalThis as unknown as { axe: typeof axe }; // its source was just run
    const { violations: found } = await loaded.run();
    return found.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]);
  });
}
