/** The table of rooms in docs/architecture.md, made of the one that the tests hold (test/contract/rooms.json): `npm run docs`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const PAGE = join(root, 'docs', 'architecture.md');
const BEGIN = '<!-- rooms: made by scripts/room-table.mjs -->';
const END = '<!-- end of rooms -->';

export function roomTable() {
  const wings = JSON.parse(readFileSync(join(root, 'test/contract/rooms.json'), 'utf8'));
  const cells = [
    ['room', 'what it does'],
    ...Object.entries(wings).flatMap(([wing, { what, rooms }]) => [
      [`**\`src/${wing}/\`**`, `**${what}**`],
      ...Object.entries(rooms).map(([room, words]) => [`\`${wing}/${room}/\``, words]),
    ]),
    ['`src/*.ts`', 'the public entries and nothing else'],
  ];
  const widths = [0, 1].map((column) => Math.max(...cells.map((row) => row[column].length)));
  const lines = cells.map((row) => `| ${row.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`);
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return lines.join('\n');
}

export function withRoomTable(page) {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest.split(END);
  return `${before}${BEGIN}\n\n${roomTable()}\n\n${END}${after}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, withRoomTable(readFileSync(PAGE, 'utf8')));
