// Drops what no user can import: the declarations that no entry of the package leads to (a sixth of its size), and the comments
// of names that no entry exports (a fortieth).
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const entries = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [join(root, types)]));
// What an entry exports as one name is public by its members.
for (const file of entries)
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^export \* as \w+ from '([^']+)'/gm))
    entries.push(join(dirname(file), name.replace(/\.[jt]s$/, '.d.ts')));
const exported = new Set(
  entries.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names]) =>
      names.split(',').flatMap((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .split(' as '),
      ),
    ),
  ),
);
const COMMENT = '\\/\\*\\*(?:(?!\\*\\/)[\\s\\S])*\\*\\/\\n';
const OF_FILE = new RegExp(`^${COMMENT}(?=import|export \\{)`);
const OF_NAME = new RegExp(
  `${COMMENT}((?:export )?(?:declare )?(?:abstract )?(?:function\\*?|const|class|interface|type) (\\w+))`,
  'g',
);
const WITH_MEMBERS = /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface) (\w+)[\s\S]*?^\}/gm;
const withoutComments = (text) => text.replace(/\s*\/\*\*(?:(?!\*\/)[\s\S])*\*\//g, '');
for (const file of reached) {
  if (entries.includes(file)) continue;
  const text = readFileSync(file, 'utf8')
    // Compilers before 5.7 do not know what its bytes lie in; others take what it says by default.
    .replaceAll(/Uint8Array<ArrayBuffer(?:Like)?>/g, 'Uint8Array')
    .replace(OF_FILE, '')
    .replace(OF_NAME, (whole, head, name) => (exported.has(name) ? whole : head))
    .replace(WITH_MEMBERS, (whole, name) => (exported.has(name) ? whole : withoutComments(whole)));
  writeFileSync(file, text);
}
