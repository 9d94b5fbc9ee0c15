/** Files that are written in full before they get their name. Those that a killed process left are removed by the next one. */
import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NAME = /^\.ton-finality-[0-9a-f]{16,32}\.tmp$/;
/** They last for the moment of a write. */
const LEFT_AFTER_MS = 60_000;

/** @param token hex digits that no other file has */
export function temporaryBeside(path: string, token: string): string {
  return join(dirname(path), `.ton-finality-${token}.tmp`);
}

/** Removes what was left behind. Says nothing where that cannot be done. @param nowMs by the clock of the file system */
export function removeLeftovers(folder: string, names: readonly string[], nowMs: number): void {
  for (const name of names) {
    if (!NAME.test(name)) continue;
    try {
      const path = join(folder, name);
      const file = lstatSync(path);
      if (file.isFile() && nowMs - file.mtimeMs >= LEFT_AFTER_MS) unlinkSync(path);
    } catch {
      // gone, or somebody else's
    }
  }
}

const tidied = new Set<string>();

/** Removes what was left beside a file, once for each folder. @param nowMs by the clock of the file system */
export function tidyBeside(path: string, nowMs: number): void {
  const folder = dirname(path);
  if (tidied.has(folder)) return;
  tidied.add(folder);
  try {
    removeLeftovers(folder, readdirSync(folder), nowMs);
  } catch {
    // a folder that can be written to and not read
  }
}
