/** What mutants showed stands in a summary; why those that no test noticed may stay stands in the documentation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/vectors.ts';

const { all, files } = JSON.parse(readFileSync(join(ROOT, 'test', 'mutation', 'summary.json'), 'utf8')) as {
  readonly all: { readonly score: number };
  readonly files: Readonly<Record<string, { readonly survivors: readonly string[] }>>;
};

/** The rows below each heading that is a file: a mutant in code, and behind a colon the reason. */
const reasons = Object.fromEntries(
  readFileSync(join(ROOT, 'docs', 'mutants.md'), 'utf8')
    .split(/^## /m)
    .filter((section) => section.startsWith('src/'))
    .map((section) => {
      const [file, ...lines] = section.split('\n');
      return [file!, lines.flatMap((line) => /^- `(.+)`: \S/.exec(line)?.[1] ?? [])];
    }),
);

it('every mutant that no test noticed has its reason, and no reason is of another', () => {
  const survivors = Object.entries(files).filter(([, row]) => row.survivors.length > 0);
  expect(reasons).toEqual(Object.fromEntries(survivors.map(([file, row]) => [file, row.survivors])));
});

it('at least 95 of 100 mutants were noticed', () => {
  expect(all.score).toBeGreaterThanOrEqual(95);
});
