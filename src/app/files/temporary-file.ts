/** Names files that are complete before they get their final name. The next process removes those that a killed process left. */
import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from './system-error.ts';

const NAME = /^\.ton-finality-[0-9a-f]{16,32}\.tmp$/;
/** Milliseconds after which a temporary file counts as left behind: it is needed only while one write runs. */
const LEFT_AFTER_MS = 60_000;

/** @param token hex digits that are unique */
export function temporaryBeside(path: string, token: string): string {
  return join(dirname(path), `.ton-finality-${token}.tmp`);
}

/** Removes a file. @returns whether it is gone now */
export function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}

/** Removes files that were left behind. Failures are ignored. @param nowMs by the clock of the file system */
export function removeLeftovers(folder: string, names: readonly string[], nowMs: number): void {
  for (const name of names) {
    if (!NAME.test(name)) continue;
    try {
      const path = join(folder, name);
      const file = lstatSync(path);
      if (file.isFile() && nowMs - file.mtimeMs >= LEFT_AFTER_MS) unlinkSync(path);
    } catch {
      // removed already, or owned by another user
    }
  }
}

const tidied = new Set<string>();

/** Removes what was left next to a file, once for each folder. @param nowMs by the clock of the file system */
export function tidyBeside(path: string, nowMs: number): void {
  const folder = dirname(path);
  if (tidied.has(folder)) return;
  tidied.add(folder);
  try {
    removeLeftovers(folder, readdirSync(folder), nowMs);
  } catch {
    // a folder that can be written to but not read
  }
}
