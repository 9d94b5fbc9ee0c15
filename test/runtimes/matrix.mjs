/** What was measured, against what has to be: all hashes equal, the number of cases, and the rows that docs/runtimes.md shows. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

/** Recorded blocks with a set, and the first 99 of mainnet. A smaller number would compare less than it says. */
export const CASES = 156;

const DOCUMENT = new URL('../../docs/runtimes.md', import.meta.url);

/** @returns the one hash of all results */
export function requireEqual(rows) {
  const all = rows.flatMap(({ runtime, results }) => results.map((result) => ({ runtime, ...result })));
  for (const { runtime, results } of rows) assert.ok(results.length >= 2, `${runtime}: fewer engines than it has`);
  for (const { runtime, label, cases } of all) assert.equal(cases, CASES, `${runtime}, ${label}: number of cases`);
  const hashes = new Set(all.map(({ hash }) => hash));
  assert.equal(
    hashes.size,
    1,
    `different reports:\n${all.map(({ hash, runtime, label }) => `${hash} ${runtime} ${label}`).join('\n')}`,
  );
  return all[0].hash;
}

const line = ({ runtime, results }) => {
  const [{ engine }, ...others] = results;
  return `| ${runtime} | ${engine} | ${others.map(({ label }) => label).join(', ')} |`;
};

/** Without what differs from machine to machine: the padding of columns and their rulers, and the version of a Chromium that nobody pins. */
const plain = (text) =>
  text
    .replace(/ +/g, ' ')
    .replace(/-{3,}/g, '---')
    .replace(/Chromium [\d.]+/g, 'Chromium');

/** Requires that the document has these rows, or writes them where the last argument says so. */
export function requireDocumented(name, rows, isToWrite = process.argv.includes('--write')) {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const table = `\n| runtime | engine it chooses | also compared |\n| --- | --- | --- |\n${rows.map(line).join('\n')}\n\n`;
  const text = readFileSync(DOCUMENT, 'utf8');
  const [from, to] = [text.indexOf(start) + start.length, text.indexOf(end)];
  assert.ok(from >= start.length && to >= from, `docs/runtimes.md has no place for ${name}`);
  if (isToWrite) writeFileSync(DOCUMENT, text.slice(0, from) + table + text.slice(to));
  else
    assert.equal(plain(text.slice(from, to)), plain(table), 'docs/runtimes.md shows other rows: run this with --write');
}
