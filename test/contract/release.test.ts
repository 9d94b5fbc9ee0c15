/** What makes a release: the changelog of files, and the script that refuses to publish anything else. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GROUPS, readChanges, withChanges, withRelease } from '../../scripts/changelog.mjs';
import { missingForRelease } from '../../scripts/require-release.mjs';
import { ROOT } from '../helpers/vectors.ts';

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('the changelog', () => {
  it('has every file of .changes, and nothing else that is not released', () => {
    const page = textOf('CHANGELOG.md');
    expect(withChanges(page, readChanges())).toBe(page);
  });

  const old = '## 0.1.0 - 2026-11-20\n\n### Added\n\n- first\n';
  const page = `# Changelog\n\n## Unreleased\n\n### Fixed\n\n- old words\n\n${old}`;
  const newer = { name: '2', text: '### Fixed\n\n- Newer,\n  in two lines.\n\n### Added\n\n- Of two groups.' };
  const older = { name: '1', text: '### Fixed\n\n- Older.\n- And one more.' };
  const both = '### Added\n\n- Of two groups.\n\n### Fixed\n\n- Newer, in two lines.\n- Older.\n- And one more.\n';

  it('has its groups in order, in each the newest first, and an entry of several lines as one', () => {
    expect(GROUPS).toEqual(['Added', 'Changed', 'Fixed', 'Security', 'Breaking']);
    expect(withChanges(page, [newer, older])).toBe(`# Changelog\n\n## Unreleased\n\n${both}\n${old}`);
    expect(withChanges(page, [])).toBe(`# Changelog\n\n## Unreleased\n\n${old}`);
  });

  it('gets a section of a release, or more entries in one that is there', () => {
    const made = withRelease(page, [newer], '0.2.0', '2026-12-01');
    const fixed = '### Fixed\n\n- Newer, in two lines.\n';
    const head = '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n';
    expect(made).toBe(`${head}\n### Added\n\n- Of two groups.\n\n${fixed}\n${old}`);
    const noted = made.replace('2026-12-01\n', '2026-12-01\n\nA note.\n');
    const more = { name: '3', text: '### Breaking\n\n- Newest.\n\n### Added\n\n- Third.' };
    expect(withRelease(noted, [more], '0.2.0', '2026-12-02')).toBe(
      `${head}\nA note.\n\n### Added\n\n- Third.\n- Of two groups.\n\n${fixed}\n### Breaking\n\n- Newest.\n\n${old}`,
    );
  });

  it.each([
    ['without a group', '- a change', 'expected a heading first: ### Added'],
    ['of a group of its own', '### News\n\n- a change', 'expected one of Added, Changed'],
    ['that is not a list', '### Added\n\na change', 'begin each entry with "- "'],
  ])('refuses a file %s, and names it', (_, text, words) => {
    expect(() => withChanges(page, [{ name: 'x.md', text }])).toThrow(`x.md: `);
    expect(() => withChanges(page, [{ name: 'x.md', text }])).toThrow(words);
  });

  it('has entries of one line, in no other groups, in every release', () => {
    const sections = textOf('CHANGELOG.md').split('\n## ').slice(1);
    expect(sections.length).toBeGreaterThanOrEqual(3);
    for (const section of sections) {
      const lines = section
        .split('\n')
        .slice(1)
        .filter((line) => line !== '');
      for (const line of lines.slice(1)) {
        if (line.startsWith('### ')) expect(GROUPS).toContain(line.slice(4));
        else expect(line).toMatch(/^- .*\.$/);
      }
    }
  });

  it('without its section is refused', () => {
    expect(() => withChanges('# Changelog\n', [])).toThrow('## Unreleased');
  });
});

describe('a release', () => {
  const whole = {
    manifest: {
      name: 'ton-finality',
      version: '0.2.0',
      repository: { url: 'https://example.org/ton-finality.git' },
      bugs: 'https://example.org/bugs',
      homepage: 'https://example.org',
      tonFinality: { nameIsOurs: true },
    },
    changelog: '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n',
    changes: [],
    tags: ['v0.2.0'],
    changed: '',
    provenance: true,
  };
  const without = (member: string) => ({ ...whole, manifest: { ...whole.manifest, [member]: undefined } });

  it('with all that it needs is published', () => {
    expect(missingForRelease(whole)).toEqual([]);
  });

  it.each([
    ['no repository', without('repository'), 'no `repository`'],
    ['no place for faults', without('bugs'), 'no `bugs`'],
    ['no homepage', without('homepage'), 'no `homepage`'],
    ['a name that is not ours', without('tonFinality'), 'not claimed'],
    ['no section in the changelog', { ...whole, changelog: '# Changelog\n\n## Unreleased\n' }, 'no section 0.2.0'],
    ['changes of no release', { ...whole, changes: [{ name: 'a.md', text: 'a' }] }, '1 files in .changes'],
    ['no tag', { ...whole, tags: ['v0.1.0'] }, 'no tag v0.2.0'],
    ['changes that are not committed', { ...whole, changed: ' M README.md' }, 'not committed'],
    ['no provenance', { ...whole, provenance: false }, 'provenance is off'],
  ])('with %s is refused', (_, state, words) => {
    expect(missingForRelease(state)).toEqual([expect.stringContaining(words)]);
  });

  it('is asked for before anything is published', () => {
    expect(JSON.parse(textOf('package.json')).scripts.prepublishOnly).toBe('node scripts/require-release.mjs');
  });
});

/** A command that takes the package from a registry by its name. */
const TAKES =
  /\b(?:npm (?:i|install|add)|yarn add|pnpm (?:i|install|add)|bun (?:i|install|add)|deno add|npx --package[ =])\s*(?:npm:)?ton-finality\b/;
const PRINTED = [
  'README.md',
  'SECURITY.md',
  'action.yml',
  'Dockerfile',
  'docs',
  'examples',
  'site',
  'src',
  'scripts',
  'demo',
  'container',
];

it('no page or program says to install the package by a name that is not ours yet', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly tonFinality?: { readonly nameIsOurs?: boolean };
  };
  const files = PRINTED.flatMap((name) => {
    const path = join(ROOT, name);
    if (!existsSync(path) || statSync(path).isFile()) return existsSync(path) ? [path] : [];
    const inside = readdirSync(path, { recursive: true, encoding: 'utf8' }).map((one) => join(path, one));
    return inside.filter((one) => !one.includes('node_modules') && /\.(md|m?[jt]s|json|ya?ml|html)$/.test(one));
  });
  expect(files.length).toBeGreaterThan(300);
  const saying = files.filter((file) => TAKES.test(readFileSync(file, 'utf8'))).map((file) => relative(ROOT, file));
  // The one switch: when the name is ours, the page for beginners has to say how to install it.
  expect(saying).toEqual(manifest.tonFinality?.nameIsOurs === true ? expect.arrayContaining(['docs/start.md']) : []);
});

it.each([
  'npm install ton-finality',
  'npm i ton-finality@latest',
  'npx --package ton-finality ton-finality',
  'deno add npm:ton-finality',
])('knows %s for an installation by name', (command) => {
  expect(TAKES.test(command)).toBe(true);
  expect(TAKES.test('npm install ../ton-finality/ton-finality-0.2.0.tgz')).toBe(false);
});
