/** Writes the suite: `npm run conformance:make`. The same sources give the same bytes. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../test/helpers/vectors.ts';
import { filesOf, MAKERS } from './suite.ts';

const FOLDER = join(ROOT, 'conformance', 'suite');

interface Writer {
  suiteText(file: object): string;
}

const { suiteText } = (await import(join(ROOT, 'conformance/run/read-suite.mjs'))) as Writer; // plain JavaScript

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
const isOf = (operation: string) => (name: string) => name.replace(/(-\d+)?\.json$/, '') === operation;
for (const [operation, make] of Object.entries(MAKERS)) {
  if (wanted.length > 0 && !wanted.includes(operation)) continue;
  const { cases } = make();
  for (const name of readdirSync(FOLDER).filter(isOf(operation))) rmSync(join(FOLDER, name));
  for (const file of filesOf(operation, cases)) writeFileSync(join(FOLDER, file.name), suiteText(file));
  process.stdout.write(`${operation}: ${cases.length} cases\n`);
}
