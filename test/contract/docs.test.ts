/** What stands in `docs/` is true: examples are TypeScript, and links lead somewhere. `test/real-time/contract/doc-pages.test.ts` runs them. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examplesIn, sourceTexts } from '../helpers/doc-examples.ts';
import { headingAnchors, programExamples, relativeLinks } from '../helpers/readme.ts';
import { ROOT } from '../helpers/vectors.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...docs];

it('every program, and every example in a doc comment, is TypeScript too, under the strictest flags', () => {
  const folder = join(ROOT, 'build', 'examples-typed');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const page of pages) {
    for (const [n, { code }] of programExamples(read(page)).entries()) {
      writeFileSync(join(folder, `${page.replace(/\W+/g, '-')}-${n}.ts`), code);
    }
  }
  for (const { name, code } of sourceTexts().flatMap(examplesIn)) {
    writeFileSync(join(folder, `of-${name}.ts`), `${code}export {};\n`); // a module, also without an import
  }
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', types: ['node'], noEmit: true };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder],
    {
      encoding: 'utf8',
    },
  );
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  rmSync(folder, { recursive: true });
});

it.each(pages)('links of %s lead to files and headings that exist', (page) => {
  for (const { path, anchor } of relativeLinks(read(page))) {
    const target = path === '' ? page : join(dirname(page), path);
    expect(existsSync(join(ROOT, target)), target).toBe(true);
    if (anchor !== undefined) expect(headingAnchors(read(target)), `${target}#${anchor}`).toContain(anchor);
  }
});

it('docs/formats.md names every format that the sources name, and every schema', () => {
  const page = read('docs/formats.md');
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.ts$/.test(name),
  );
  const named = sources.flatMap((name) =>
    [...read(`src/${name}`).matchAll(/ton-finality\/([a-z-]+@\d)/g)].map(([, one]) => one!),
  );
  expect(named.length).toBeGreaterThan(20);
  for (const one of new Set(named)) expect(page, one).toContain(`\`${one}\``);
  for (const name of readdirSync(join(ROOT, 'schemas'))) expect(page).toContain(`](../schemas/${name})`);
});

describe('a page about the project', () => {
  const house = docs.filter((page) => page === 'docs/architecture.md' || page.startsWith('docs/decisions/'));

  it.each(house)('%s names files that are there', (page) => {
    const named = [...read(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|mjs))`/g)].map(([, path]) => path!);
    const missing = named.filter((path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, 'src', path)));
    // Those of the tests are named from their own folder.
    expect(missing.filter((path) => !existsSync(join(ROOT, 'test', path)))).toEqual([]);
  });

  it('with decisions is in their list, and says context, decision, cost and date', () => {
    const list = read('docs/decisions/README.md');
    for (const page of house.filter((name) => /\/\d{3}-/.test(name))) {
      expect(list).toContain(`](${page.slice('docs/decisions/'.length)})`);
      const parts = ['Date: \\d{4}-\\d\\d-\\d\\d', '## Context', '## Decision', '## What it costs'];
      expect(read(page)).toMatch(new RegExp(`^# .+\n\n${parts.join('\n[^]*\n')}\n\n`));
    }
  });

  it('answers where each thing is decided by a file that has that function', () => {
    const rows = [...read('docs/architecture.md').matchAll(/^\| .*\? +\| `([^`]+)` +\| (\w+) +\|$/gm)];
    expect(rows.length).toBeGreaterThanOrEqual(12);
    for (const [, file, name] of rows) expect(read(`src/${file}`), file).toMatch(new RegExp(`function ${name}\\b`));
  });

  it('that shows the whole has at most 120 lines', () => {
    expect(read('docs/architecture.md').split('\n').length).toBeLessThanOrEqual(121);
  });
});
