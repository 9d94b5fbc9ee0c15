/** What is mutated, in parts that each have their tests: `parts.json`. */
import { readFileSync } from 'node:fs';

const { parts, writing, without } = JSON.parse(readFileSync(new URL('./parts.json', import.meta.url), 'utf8'));

/** Tests that write to what they were given. */
export { parts, writing };

/** The room of a path or glob: the wing and the name in it. */
const roomOf = (path) => /^!?src\/([^/]+\/[^/]+)/.exec(path)?.[1];

/** `**` of any folders, `*` of one name, `{a,b}` of either. */
const patternOf = (glob) =>
  new RegExp(
    `^${glob
      .replace(/[.+^$()|[\]\\]/g, '\\$&')
      .replace(
        /\*\*\/|\*|[{},]/g,
        (sign) => ({ '**/': '(?:.*/)?', '*': '[^/]*', '{': '(?:', '}': ')', ',': '|' })[sign],
      )}$`,
  );

/** Whether a part mutates a file. */
export function isOf(name, file) {
  const globs = parts[name].mutate;
  const has = (only) =>
    globs.some((glob) => glob.startsWith('!') === only && patternOf(glob.replace('!', '')).test(file));
  return has(false) && !has(true);
}

/** Names of the parts that the paths belong to, each with its paths. A glob belongs to each part of its room. */
export function partsOf(paths) {
  const isFor = (name, path) =>
    path.includes('*') ? parts[name].mutate.map(roomOf).includes(roomOf(path)) : isOf(name, path);
  const names = Object.keys(parts);
  const surplus = paths.filter((path) => !names.some((name) => isFor(name, path)));
  if (surplus.length > 0) throw new Error(`not in parts.json: ${surplus.join(', ')}`);
  const chosen = names.map((name) => [name, paths.filter((path) => isFor(name, path))]);
  return chosen.filter(([, own]) => own.length > 0);
}

/** The tests of a part, of all parts where none is named: files, and folders with what is not of them. */
export function testsOf(name) {
  const chosen = name === undefined ? Object.values(parts) : [parts[name]];
  return { paths: [...new Set(chosen.flatMap(({ tests }) => tests))], without };
}
