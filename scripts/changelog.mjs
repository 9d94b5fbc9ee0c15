/**
 * CHANGELOG.md, made of the files in `.changes`, which hold entries under the headings of their groups.
 *
 *   node scripts/changelog.mjs                    writes the section "Unreleased" again
 *   node scripts/changelog.mjs release VERSION    moves the entries to the section of a release, and removes the files
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const FOLDER = join(root, '.changes');
const PAGE = join(root, 'CHANGELOG.md');
const HEADING = '## Unreleased\n';

/** Groups of a section, in order. */
export const GROUPS = ['Added', 'Changed', 'Fixed', 'Security', 'Breaking'];

/** The files of `.changes`, newest name first. */
export function readChanges() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return names
    .sort()
    .reverse()
    .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8').trim() }));
}

/** The entries of a text by group, and what comes before the first heading. An entry of several lines becomes one line. */
function groupsOf(name, text) {
  const groups = new Map(GROUPS.map((group) => [group, []]));
  const intro = [];
  let entries = intro;
  for (const line of text.split('\n')) {
    const heading = /^#+ +(.*)$/.exec(line)?.[1];
    if (heading !== undefined) {
      entries = groups.get(heading);
      if (entries === undefined) throw new Error(`${name}: ${line}: expected one of ${GROUPS.join(', ')}`);
    } else if (line.startsWith('- ') || (entries === intro && line !== '')) entries.push(line);
    else if (line.trim() !== '') {
      if (entries.length === 0) throw new Error(`${name}: begin each entry with "- "`);
      entries.push(`${entries.pop()} ${line.trim()}`);
    }
  }
  return { intro, groups };
}

/** Entries of these changes by group, each change before the older ones. @throws Error where a change has no group */
function entriesOf(changes) {
  const all = new Map(GROUPS.map((group) => [group, []]));
  for (const { name, text } of changes) {
    const { intro, groups } = groupsOf(name, text);
    if (intro.length > 0) throw new Error(`${name}: expected a heading first: ### ${GROUPS.join(', ### ')}`);
    for (const [group, entries] of groups) all.get(group).push(...entries);
  }
  return all;
}

const written = (groups) =>
  [...groups]
    .filter(([, entries]) => entries.length > 0)
    .map(([group, entries]) => `\n### ${group}\n\n${entries.join('\n')}\n`)
    .join('');

/** The text of a section after its heading: from where to where. */
function sectionAt(page, heading) {
  const start = page.indexOf(heading);
  if (start < 0)
    throw new Error(`CHANGELOG.md has no line ${JSON.stringify(heading.trim())}: add it above the newest release`);
  const from = page.indexOf('\n', start) + 1;
  const next = page.indexOf('\n## ', from - 1);
  return { from, to: next < 0 ? page.length : next };
}

/** The page with these changes as its section "Unreleased". @throws Error where the page has no such section */
export function withChanges(page, changes) {
  const { from, to } = sectionAt(page, HEADING);
  return `${page.slice(0, from)}${written(entriesOf(changes))}${page.slice(to)}`;
}

/** The page with these changes in the section of a release, which is made where there is none: its own entries come after. */
export function withRelease(page, changes, version, day) {
  const empty = withChanges(page, []);
  const heading = `## ${version} - `;
  if (!empty.includes(`\n${heading}`)) {
    const { from, to } = sectionAt(empty, HEADING);
    return `${empty.slice(0, from)}\n${heading}${day}\n${written(entriesOf(changes))}${empty.slice(to)}`;
  }
  const { from, to } = sectionAt(empty, heading);
  const { intro, groups } = groupsOf(heading, empty.slice(from, to));
  const all = entriesOf(changes);
  for (const [group, entries] of groups) all.get(group).push(...entries);
  const head = intro.length === 0 ? '' : `\n${intro.join('\n')}\n`;
  return `${empty.slice(0, from)}${head}${written(all)}${empty.slice(to)}`;
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
    writeFileSync(PAGE, withRelease(page, changes, version, day));
    for (const { name } of changes) rmSync(join(FOLDER, name));
  }
}
