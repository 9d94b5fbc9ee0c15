/** Reads the recorded files under `vectors/`. Paths are relative to the root of the package, where the tests run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = 'vectors/real';

/** The bytes of one recorded file, as a plain Uint8Array. */
export function realBytes(path: string): Uint8Array {
  return Uint8Array.from(readFileSync(join(ROOT, path)));
}

export function realJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

export function httpJson(name: string): unknown {
  return JSON.parse(readFileSync(join('vectors/http', name), 'utf8'));
}

/** All recorded files whose name ends so, in a fixed order. */
export function realFiles(ending: string): string[] {
  return readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(ending))
    .sort();
}
