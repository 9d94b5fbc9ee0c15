/** Reads the version of this package. */
import { readFile } from 'node:fs/promises';

/** The package's own package.json; the same relative path holds from `build/src/app/cli/` and from the bundle. */
const PACKAGE_JSON = new URL('../../../../package.json', import.meta.url);

export async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(PACKAGE_JSON, 'utf8')) as { version: string }; // our own file
  return version;
}
