/** What mutants showed stands in a summary; why those that no test noticed may stay stands in the documentation. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/vectors.ts';
import { isOf, parts } from '../mutation/parts.mjs';

interface Row {
  readonly killed: number;
  readonly timeout: number;
  readonly survived: number;
  readonly uncovered: number;
  readonly survivors: readonly string[];
}
const page = readFileSync(join(ROOT, 'docs', 'mutants.md'), 'utf8');
const { all, files } = JSON.parse(readFileSync(join(ROOT, 'test', 'mutation', 'summary.json'), 'utf8')) as {
  readonly all: Readonly<Record<'killed' | 'timeout' | 'survived' | 'uncovered' | 'errors' | 'score', number>>;
  readonly files: Readonly<Record<string, Row>>;
};
/** The rows below each heading that is a file: a mutant in code, and behind a colon the reason. */
const reasons = Object.fromEntries(
  page
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

it('all mutants were tried, and at least 95 of 100 were noticed', () => {
  expect(all.errors).toBe(0);
  expect(all.score).toBeGreaterThanOrEqual(95);
});

/** Of a part: how many mutants were noticed, and how many there are. */
function countsOf(name: string): readonly [noticed: number, all: number] {
  const rows = Object.entries(files).flatMap(([file, row]) => (isOf(name, file) ? [row] : []));
  const sum = (count: (row: Row) => number) => rows.reduce((total, row) => total + count(row), 0);
  const noticed = sum(({ killed, timeout }) => killed + timeout);
  return [noticed, noticed + sum(({ survived, uncovered }) => survived + uncovered)];
}

it.each(Object.keys(parts))('at least 95 of 100 were noticed in the part %s alone', (name) => {
  const [noticed, tried] = countsOf(name);
  expect(noticed).toBeGreaterThan(0);
  expect(noticed / tried).toBeGreaterThanOrEqual(0.95);
});

it('the page has the figures of the record, and names each file of a part that has no record', () => {
  const tried = all.killed + all.timeout + all.survived + all.uncovered;
  expect(page).toContain(`${tried} mutants, of which ${all.survived + all.uncovered}\nsurvived`);
  const scores = Object.keys(parts).map((name) => {
    const [noticed, ofPart] = countsOf(name);
    return `\`${name}\` ${(Math.floor((noticed / ofPart) * 1000) / 10).toFixed(1)}`;
  });
  expect(page).toContain(`by part of the code: ${scores.join(', ')}.`);
  const [, missing = ''] = /There is no record yet of ([\s\S]*?)\.\n/.exec(page) ?? [];
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).map((name) => `src/${name}`);
  const mutated = sources.filter((file) => file.endsWith('.ts') && Object.keys(parts).some((name) => isOf(name, file)));
  expect([...missing.matchAll(/`(src\/[^`]+)`/g)].map(([, file]) => file)).toEqual(
    mutated.filter((file) => !Object.hasOwn(files, file)).sort(),
  );
  expect(Object.keys(files).filter((file) => !mutated.includes(file))).toEqual([]);
});

it('every file that a part mutates by its name is there', () => {
  const named = Object.values(parts).flatMap(({ mutate }) =>
    mutate.flatMap((glob) => {
      const [, before, names, after] = /^!?(.*)\{(.*)\}(.*)$/.exec(glob) ?? [];
      return names === undefined ? [glob.replace('!', '')] : names.split(',').map((name) => `${before}${name}${after}`);
    }),
  );
  const files = named.filter((path) => !path.includes('*'));
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it('every test that a part runs or leaves out is there', () => {
  const json = readFileSync(join(ROOT, 'test', 'mutation', 'parts.json'), 'utf8');
  const named = [...json.matchAll(/"(test\/[^"*{]+)"/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it('no test that a part runs needs the clocks and stand-ins of vitest, without which it runs there', () => {
  const { without } = JSON.parse(readFileSync(join(ROOT, 'test', 'mutation', 'parts.json'), 'utf8'));
  const named = Object.values(parts).flatMap(({ tests }) => tests);
  const filesOf = (path: string) =>
    path.endsWith('.ts')
      ? [path]
      : readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' }).map((name) => `${path}/${name}`);
  const run = named.flatMap(filesOf).filter((path) => path.endsWith('.test.ts') && !without.includes(path));
  expect(run.length).toBeGreaterThan(50);
  const needing = /import \{[^}]*\bvi\b[^}]*\} from 'vitest'/;
  expect(run.filter((path) => needing.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
});

interface Defect {
  readonly name: string;
  readonly near: string;
}
const ofSuite = <T>(name: string) =>
  JSON.parse(readFileSync(join(ROOT, 'test', 'mutation', `suite${name}.json`), 'utf8')) as T;

it('the conformance suite alone noticed at least 95 of 100 defects out of 500, but for those that no case can show', () => {
  const drawn = ofSuite<readonly Defect[]>('-drawn');
  expect(drawn).toHaveLength(500);
  const found = ofSuite<{
    readonly defects: number;
    readonly noticed: number;
    readonly equivalent: Readonly<Record<string, number>>;
    readonly unnoticed: readonly Defect[];
  }>('');
  expect(found.defects).toBe(500);
  const equivalent = Object.values(found.equivalent).reduce((sum, count) => sum + count, 0);
  expect(found.noticed + equivalent + found.unnoticed.length).toBe(500);
  expect(found.noticed / (500 - equivalent)).toBeGreaterThanOrEqual(0.95);
});

it('each defect that no case can show has a reason, and is one of the listed kinds', () => {
  const { equivalent } = ofSuite<{ readonly equivalent: Readonly<Record<string, number>> }>('');
  const rows = ofSuite<readonly (Defect & { readonly why: string; readonly reason: string })[]>('-equivalent');
  expect(new Set(rows.map(({ name, near }) => `${name} ${near}`)).size).toBe(rows.length);
  for (const { name, why, reason } of rows) {
    expect(Object.keys(equivalent), name).toContain(why);
    expect(reason, name).toMatch(/^\S.{20,}\.$/);
  }
});
