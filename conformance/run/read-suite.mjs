/** Reads the files of the suite, and refuses one that was changed since it was written. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const SUITE_SCHEMA = 'ton-finality/conformance-suite@1';
/** A file that is larger is not ours; readers may count on it. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** Digest of cases as they are written: a line each, without the comma that parts them. */
export function digestOf(lines) {
  return sha256(lines.map((line) => `${line}\n`).join(''));
}

/** The text of a file of the suite: one case a line, so that its digest can be made by `grep` and `sha256sum`. */
export function suiteText({ version, operation, notes, cases }) {
  const lines = cases.map((one) => JSON.stringify(one));
  const head = [
    ['schema', SUITE_SCHEMA],
    ['version', version],
    ['operation', operation],
    ['notes', notes],
    ['sha256', digestOf(lines)],
  ].map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  return `{\n${head.join('\n')}\n"cases": [\n${lines.join(',\n')}\n]}\n`;
}

/** The lines of the cases as they stand in a file. */
function caseLines(text) {
  const start = text.indexOf('\n"cases": [\n');
  const end = text.lastIndexOf('\n]}');
  if (start < 0 || end < start) return undefined;
  return text
    .slice(start + '\n"cases": [\n'.length, end)
    .split('\n')
    .map((line) => line.replace(/,$/, ''));
}

function readFile(path) {
  const bytes = readFileSync(path);
  if (bytes.length > MAX_FILE_BYTES) throw new Error(`${path}: expected at most ${MAX_FILE_BYTES} bytes`);
  const text = bytes.toString('utf8');
  const file = JSON.parse(text);
  if (file.schema !== SUITE_SCHEMA) throw new Error(`${path}: expected ${SUITE_SCHEMA}, got ${file.schema}`);
  const lines = caseLines(text);
  if (lines === undefined || digestOf(lines) !== file.sha256 || lines.length !== file.cases.length) {
    throw new Error(`${path}: the cases are not those of its sha256; take the file as it was published`);
  }
  for (const one of file.cases) {
    if (one.operation !== file.operation) throw new Error(`${path}: case ${one.id} is of ${one.operation}`);
  }
  return file;
}

/** @returns {{ version: string, sha256: string, cases: object[], files: string[] }} all cases, in order of the files' names */
export function readSuite(folder) {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  if (names.length === 0) throw new Error(`${folder}: no file of cases`);
  const files = names.map((name) => readFile(join(folder, name)));
  const versions = new Set(files.map(({ version }) => version));
  if (versions.size !== 1) throw new Error(`${folder}: files of ${versions.size} versions`);
  const cases = files.flatMap((file) => file.cases);
  const ids = new Set(cases.map(({ id }) => id));
  if (ids.size !== cases.length) throw new Error(`${folder}: an id stands twice`);
  return { version: files[0].version, sha256: digestOf(files.map((file) => file.sha256)), cases, files: names };
}
