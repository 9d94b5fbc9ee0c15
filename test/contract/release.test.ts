/** What makes a release: the changelog of files, and the script that refuses to publish anything else. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readChanges, withChanges } from '../../scripts/changelog.mjs';
import { missingForRelease } from '../../scripts/require-release.mjs';
import { ROOT } from '../helpers/vectors.ts';

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('the changelog', () => {
  it('has every file of .changes, and nothing else that is not released', () => {
    const page = textOf('CHANGELOG.md');
    expect(withChanges(page, readChanges())).toBe(page);
  });

  it('shows the newest first, and a text of several lines as one entry', () => {
    const page = '# Changelog\n\n## Unreleased\n\n- old words\n\n## 0.1.0\n\n- first\n';
    const changes = [
      { name: '2', text: 'Newer,\nin two lines.' },
      { name: '1', text: '- Older.\n- And one more.' },
    ];
    expect(withChanges(page, changes)).toBe(
      '# Changelog\n\n## Unreleased\n\n- Newer,\n  in two lines.\n- Older.\n- And one more.\n\n## 0.1.0\n\n- first\n',
    );
    expect(withChanges(page, [])).toBe('# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- first\n');
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
    changelog: '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n',
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
  expect(TAKES.test('npm install ../ton-finality/ton-finality-0.1.0.tgz')).toBe(false);
});
