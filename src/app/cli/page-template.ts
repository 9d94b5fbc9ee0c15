/** The page of reports without its data, as `scripts/bundle-report-page.mjs` made it. */
import { readFile } from 'node:fs/promises';

/** Seen from `build/src/app/cli/` and from the bundle, which is as deep. */
const PAGE = new URL('../../../report-page/page.html', import.meta.url);

export function readPageTemplate(): Promise<string> {
  return readFile(PAGE, 'utf8');
}
