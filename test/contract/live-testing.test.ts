/** The numbers on the page about simulated worlds are those of the files that runs wrote. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/vectors.ts';
import inBytes from '../simulation/bytes/mutants.json' with { type: 'json' };
import bytes from '../simulation/bytes/results.json' with { type: 'json' };
import found from '../simulation/found.json' with { type: 'json' };
import { INVARIANTS } from '../simulation/invariants.ts';
import mutants from '../simulation/mutants.json' with { type: 'json' };
import { MUTANTS } from '../simulation/mutants.ts';
import networks from '../simulation/networks.json' with { type: 'json' };
import results from '../simulation/results.json' with { type: 'json' };

const page = readFileSync(join(ROOT, 'docs', 'live-testing.md'), 'utf8');
const line = (start: string) => page.split('\n').find((one) => one.startsWith(start)) ?? '';

/** Cells of the table under a heading. */
function tableUnder(heading: string): string[][] {
  const section = page.split(/^## /m).find((one) => one.startsWith(`${heading}\n`))!;
  const rows = section.split('\n').filter((one) => one.startsWith('| '));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

it('tells the recorded runs as they were', () => {
  const violations = `${results.violations} violation${Number(results.violations) === 1 ? '' : 's'}`;
  expect(line('- `results.json`')).toBe(
    `- \`results.json\`: ${results.worlds} worlds on the sources of ${results.commit}, ${violations}. ${results.withoutException} of them fall under no exception, and in ${results.liarFirst} of these a liar answers first.`,
  );
  expect(line('- `networks.json`')).toBe(
    `- \`networks.json\`: ${networks.worlds} worlds with a hardfork or another network, of ${networks.seeds} seeds, on the sources of ${networks.commit}, ${networks.violations} violations.`,
  );
  expect(line('- `bytes/results.json`')).toBe(
    `- \`bytes/results.json\`: ${bytes.worlds} worlds whose answers are real bytes, on the sources of ${bytes.commit}, ${bytes.violations} violations.`,
  );
  expect(line('- Before')).toContain(`the sources of ${found.commit} `);
  expect(line('- Before')).toContain(` ${found.failed} of ${found.seeds} worlds failed`);
});

it('lists each fault that was found, and after how many worlds', () => {
  expect(tableUnder('What the recorded runs showed')).toEqual(
    Object.values(found.faults).map(({ words, after, worlds }) => [words, String(after), String(worlds)]),
  );
});

it('lists each fault that is put back, by what and after how many worlds it is noticed', () => {
  expect(tableUnder('After how many worlds a fault is noticed')).toEqual(
    mutants.map(({ breaks, noticed, firstSeed }) => [
      breaks,
      `\`${noticed}\``,
      String(firstSeed),
      String(inBytes.find((one) => one.breaks === breaks)?.firstSeed ?? 'none'),
    ]),
  );
  expect(mutants.map(({ breaks, noticed }) => [breaks, noticed])).toEqual(
    MUTANTS.map(({ breaks, noticed }) => [breaks, noticed]),
  );
});

it('names every invariant', () => {
  expect(tableUnder('What must never be').map(([name]) => name!.replaceAll('`', ''))).toEqual([...INVARIANTS]);
});
