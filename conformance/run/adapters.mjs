/** Finds an adapter by its name or its folder, builds it, and knows what is expected of it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

export const ADAPTERS = join(import.meta.dirname, '..', 'adapters');
/** What implementations of other people scored, until their maintainers have seen it. Git ignores it: a repository that is published shows all it holds. */
export const DISCLOSURES = join(import.meta.dirname, '..', 'disclosures');

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Names of the adapters that come with the suite. */
export function adapterNames(folder = ADAPTERS) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'adapter.json')))
    .sort();
}

/** @throws Error in words for the user */
export function findAdapter(given) {
  const folder = [join(ADAPTERS, given), resolve(given)].find((one) => existsSync(join(one, 'adapter.json')));
  if (folder === undefined) {
    throw new Error(`no adapter ${given}: give a folder with an adapter.json, or one of ${adapterNames().join(', ')}`);
  }
  const { start, build, needs = [], published = true } = readJson(join(folder, 'adapter.json'));
  const isCommand = Array.isArray(start) && start.length > 0 && start.every((one) => typeof one === 'string');
  if (!isCommand)
    throw new Error(`${folder}/adapter.json: expected start, a list of words such as ["python3", "adapter.py"]`);
  const name = basename(folder);
  const expectedPath = published ? join(folder, 'expected.json') : join(DISCLOSURES, `${name}.expected.json`);
  const expected = existsSync(expectedPath) ? readJson(expectedPath) : undefined;
  return { name, folder, start, build, needs, published, expected, expectedPath };
}

/** Runs the build of an adapter; its words go to standard error. @throws Error when it fails */
export function buildAdapter({ name, folder, build, needs }) {
  for (const tool of needs) {
    const { error } = spawnSync(tool, ['--version'], { stdio: 'ignore' });
    if (error?.code === 'ENOENT') throw new Error(`adapter ${name} needs ${tool}, which is not here`);
  }
  if (build === undefined) return;
  const { status } = spawnSync(build, { cwd: folder, shell: true, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`adapter ${name}: its build failed: ${build}`);
}
