/** What is mutated, in parts that each have their tests: `parts.json`. */
import { readFileSync } from 'node:fs';

const { parts, writing, without } = JSON.parse(readFileSync(new URL('./parts.json', import.meta.url), 'utf8'));

/** Tests that write to what they were given. */
export { parts, writing };

/** The room of a path or glob: the wing and the name in it. */
export const roomOf = (path) => /^!?src\/([^/]+\/[^/]+)/.exec(path)?.[1];

/** Names of the parts that the paths belong to, each with its paths. */
export function partsOf(paths) {
  const rooms = Object.entries(parts).map(([name, { mutate }]) => [name, new Set(mutate.map(roomOf))]);
  const chosen = rooms.map(([name, own]) => [name, paths.filter((path) => own.has(roomOf(path)))]);
  const surplus = paths.filter((path) => !rooms.some(([, own]) => own.has(roomOf(path))));
  if (surplus.length > 0) throw new Error(`not in parts.json: ${surplus.join(', ')}`);
  return chosen.filter(([, own]) => own.length > 0);
}

/** The tests of a part, of all parts where none is named: files, and folders with what is not of them. */
export function testsOf(name) {
  const chosen = name === undefined ? Object.values(parts) : [parts[name]];
  return { paths: [...new Set(chosen.flatMap(({ tests }) => tests))], without };
}
