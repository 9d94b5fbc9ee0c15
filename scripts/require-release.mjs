/**
 * Refuses to publish what is not a release: `npm publish` runs it first (`prepublishOnly`). Each line that it prints says what is
 * missing and what to do.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readChanges } from './changelog.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What is missing for a release, a sentence each. */
export function missingForRelease({ manifest, changelog, changes, tags, changed, provenance }) {
  const { name, version } = manifest;
  const address = (value) => typeof (value?.url ?? value) === 'string';
  return [
    [address(manifest.repository), 'package.json has no `repository`: npm gives no provenance without it'],
    [address(manifest.bugs), 'package.json has no `bugs`: say where users report faults'],
    [address(manifest.homepage), 'package.json has no `homepage`'],
    [
      manifest.tonFinality?.nameIsOurs === true,
      `the name ${name} is not claimed: publish a placeholder, then set tonFinality.nameIsOurs in package.json`,
    ],
    [
      changelog.includes(`\n## ${version} - `),
      `CHANGELOG.md has no section ${version}: run node scripts/changelog.mjs release ${version}`,
    ],
    [
      changes.length === 0,
      `${changes.length} files in .changes are in no release: run node scripts/changelog.mjs release ${version}`,
    ],
    [tags.includes(`v${version}`), `the commit has no tag v${version}: git tag -s v${version}`],
    [changed === '', 'there are changes that are not committed'],
    [provenance, 'provenance is off: publish from the release workflow, with NPM_CONFIG_PROVENANCE=true'],
  ].flatMap(([there, words]) => (there ? [] : [words]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const missing = missingForRelease({
    manifest: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    changes: readChanges(),
    tags: git('tag', '--points-at', 'HEAD').split('\n'),
    changed: git('status', '--porcelain'),
    provenance: process.env.NPM_CONFIG_PROVENANCE === 'true',
  });
  for (const line of missing) console.error(`not a release: ${line}`);
  if (missing.length > 0) process.exitCode = 1;
}
