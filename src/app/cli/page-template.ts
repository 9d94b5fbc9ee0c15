/** Reads the page of reports without its data, as `scripts/bundle-report-page.mjs` made it. */
import { readFile } from 'node:fs/promises';

/** This relative path holds from `build/src/app/cli/` and from the bundle, which has the same depth. */
const PAGE = new URL('../../../report-page/page.html', import.meta.url);

export function readPageTemplate(): Promise<string> {
  return readFile(PAGE, 'utf8');
}
