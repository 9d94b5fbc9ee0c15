/**
 * CHANGELOG.md, made of the files in `.changes`, one a change.
 *
 *   node scripts/changelog.mjs                    writes the section "Unreleased" anew
 *   node scripts/changelog.mjs release VERSION    makes a section of them, with the day, and removes the files
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const FOLDER = join(root, '.changes');
const PAGE = join(root, 'CHANGELOG.md');
const HEADING = '## Unreleased\n';

/** What has changed, newest name first. */
export function readChanges() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return names
    .sort()
    .reverse()
    .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8').trim() }));
}

/** One change as a line of the list; a file may hold a list of its own. */
const asList = ({ text }) => (text.startsWith('- ') ? text : `- ${text.replaceAll('\n', '\n  ')}`);

/** The page with the section anew. @throws Error where the page has no such section */
export function withChanges(page, changes, heading = HEADING) {
  const start = page.indexOf(HEADING);
  if (start < 0)
    throw new Error(`CHANGELOG.md has no line ${JSON.stringify(HEADING.trim())}: add it above the newest release`);
  const next = page.indexOf('\n## ', start + HEADING.length);
  const list = changes.map((change) => `${asList(change)}\n`).join('');
  return `${page.slice(0, start)}${heading}${list === '' ? '' : `\n${list}`}${next < 0 ? '' : page.slice(next)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command, version] = process.argv.slice(2);
  const page = readFileSync(PAGE, 'utf8');
  const changes = readChanges();
  if (command === undefined) writeFileSync(PAGE, withChanges(page, changes));
  else if (command !== 'release' || !/^\d+\.\d+\.\d+$/.test(version ?? '') || changes.length === 0) {
    console.error('expected: node scripts/changelog.mjs [release VERSION], with at least one file in .changes');
    process.exitCode = 2;
  } else {
    const day = new Date().toISOString().slice(0, 10);
    writeFileSync(PAGE, withChanges(page, changes, `${HEADING}\n## ${version} (${day})\n`));
    for (const { name } of changes) rmSync(join(FOLDER, name));
  }
}
