/** The version of this package. */
import { readFile } from 'node:fs/promises';

/** Where the package's own package.json stands, seen from `build/src/app/cli/` and from the bundle, which is as deep. */
const PACKAGE_JSON = new URL('../../../../package.json', import.meta.url);

export async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(PACKAGE_JSON, 'utf8')) as { version: string }; // our own file
  return version;
}
