/** The package as a stranger gets it: packed, looked over, and installed in a folder outside the repository. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_PACKED_BYTES = 800_000;
const LIMIT_MS = 300_000;

export const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Every entry that is code, by its name; the worker's program is not for importing. */
export const ENTRIES = Object.entries(MANIFEST.exports)
  .filter(([, target]) => typeof target !== 'string')
  .map(([name]) => name.replace(/^\./, 'ton-finality'));

export const run = (command, args, cwd, env = {}) =>
  promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env }, timeout: LIMIT_MS, maxBuffer: 2 ** 24 });

/** Everything that the package may contain. A file that fits no pattern was packed by mistake. */
export const PACKED = [
  /^(?:package\.json|README\.md|LICENSE|SECURITY\.md|CHANGELOG\.md)$/,
  /^build\/src\/(?:[\w-]+\/)*[\w-]+\.(?:js|d\.ts)$/,
  /^build\/bundle\/(?:[\w-]+\/)*(?:[\w-]+\.js|THIRD-PARTY\.txt)$/,
  /^build\/report-page\/page\.html$/,
  /^schemas\/[\w-]+-\d+\.json$/,
  /^docs\/[\w-]+\.md$/,
  /^examples\/(?:[\w-]+\/)*[\w-]+\.(?:mjs|md|json)$/,
];

/** Packs what is built. @returns the file */
export async function pack(scratch) {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch], ROOT);
  const packed = Object.values(JSON.parse(stdout))[0]; // a list, or by name in later versions of npm
  assert.ok(packed.size <= MAX_PACKED_BYTES, `${packed.size} bytes packed, wanted at most ${MAX_PACKED_BYTES}`);
  const names = packed.files.map(({ path }) => path);
  for (const wanted of ['README.md', 'LICENSE', 'SECURITY.md', 'CHANGELOG.md'])
    assert.ok(names.includes(wanted), wanted);
  assert.deepEqual(
    names.filter((name) => !PACKED.some((pattern) => pattern.test(name))),
    [],
    'files that the package should not contain',
  );
  console.log(`${packed.size} bytes packed, ${names.length} files`);
  return join(scratch, packed.filename);
}

/** An empty project with the package and the types of Node. @returns its folder */
export async function install(tarball, scratch) {
  const folder = join(scratch, 'consumer');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const types = `@types/node@${MANIFEST.devDependencies['@types/node']}`;
  await run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', tarball, types], folder);
  return folder;
}

/** No source map and no link that leads nowhere, and no data in declarations. */
export function lookOver(folder) {
  const installed = join(folder, 'node_modules', 'ton-finality');
  const files = readdirSync(join(installed, 'build'), { recursive: true }).map((name) =>
    join(installed, 'build', name),
  );
  const code = files.filter((name) => /\.(js|ts)$/.test(name));
  assert.ok(code.length > 100);
  assert.deepEqual(
    files.filter((name) => name.endsWith('.map')),
    [],
  );
  for (const name of code) {
    const text = readFileSync(name, 'utf8');
    assert.doesNotMatch(text, /^\/\/# sourceMappingURL=/m, name);
    if (!name.endsWith('.d.ts')) continue;
    const declarations = text.replace(/^ *\*(?!\/|.*\*\/).*$/gm, ''); // an example in a comment may import anything
    assert.doesNotMatch(declarations, /(?:from |import\()['"](?:zod|bullmq|ioredis|undici|node:)/, name);
    assert.doesNotMatch(text, /['"`][A-Za-z0-9+/=]{80,}['"`]/, `${name}: data in a declaration`);
  }
  const pages = [
    'README.md',
    'SECURITY.md',
    'CHANGELOG.md',
    ...readdirSync(join(installed, 'docs')).map((name) => `docs/${name}`),
  ];
  for (const page of pages.filter((name) => name.endsWith('.md'))) {
    const text = readFileSync(join(installed, page), 'utf8');
    for (const [, target] of text.matchAll(/(?<!!)\[(?!!)[^\]]+\]\((?!https:)([^)#]+)/g))
      assert.ok(
        existsSync(join(installed, dirname(page), target)),
        `${page} leads to ${target}, which is not in the package`,
      );
    for (const [, picture] of text.matchAll(/(?:!\[[^\]]*\]\(|<img src=")(?!https:)([^)"]+)/g))
      assert.ok(
        existsSync(join(installed, dirname(page), picture)) || text.includes('package leaves pictures out'),
        `${page} shows ${picture}, which is not in the package, and does not say so`,
      );
  }
}
