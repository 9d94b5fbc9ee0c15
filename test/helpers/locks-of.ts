/** The locks that lie beside a file. */
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

export const locksOf = (file: string): readonly string[] =>
  readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.lock`));
