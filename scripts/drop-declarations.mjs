// Drops the declarations that no entry of the package leads to: nobody can import them, and they were a sixth of its size.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const reached = new Set();
const next = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [join(root, types)]));

for (let file = next.pop(); file !== undefined; file = next.pop()) {
  if (reached.has(file)) continue;
  reached.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport |\bimport\()['"](\.[^'"]+)['"]/g))
    next.push(join(dirname(file), name.replace(/\.[jt]s$/, '.d.ts')));
}

const library = join(root, 'build', 'src');
for (const name of readdirSync(library, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.d.ts') && !reached.has(join(library, name))) rmSync(join(library, name));
