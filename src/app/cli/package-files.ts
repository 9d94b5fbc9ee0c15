/** Reads files of this package. Each path holds from `build/src/app/cli/` and from the bundle, which has the same depth. */
import { readFile } from 'node:fs/promises';

const PACKAGE_JSON = new URL('../../../../package.json', import.meta.url);
/** The page of reports without its data, as `scripts/bundle-report-page.mjs` made it. */
const PAGE = new URL('../../../report-page/page.html', import.meta.url);

export async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(PACKAGE_JSON, 'utf8')) as { version: string }; // our own file
  return version;
}

export function readPageTemplate(): Promise<string> {
  return readFile(PAGE, 'utf8');
}
