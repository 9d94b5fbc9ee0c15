/**
 * Every exported name of every entry, with its doc comment, read from the compiled declarations; and docs/api.md made of
 * them: `npm run build && node scripts/public-names.mjs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** `{ a, type B, c as d }` of a declaration file as exported name to inner name. */
function listed(list) {
  return list
    .split(',')
    .map((item) => item.trim().replace(/^type /, ''))
    .filter((item) => item !== '')
    .map((item) => {
      const [inner, outer = inner] = item.split(/ as /);
      return { inner, outer };
    });
}

/** The doc comment right above a declaration, as plain text; empty where there is none. */
function commentAbove(text, at) {
  const before = text.slice(0, at).trimEnd();
  if (!before.endsWith('*/')) return '';
  const comment = before.slice(before.lastIndexOf('/**') + 3, -2);
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trim())
    .join(' ')
    .trim();
}

/** What a file says of itself before all else. */
function commentOfFile(text) {
  return commentAbove(text, text.indexOf('*/') + 2);
}

/** Where a name is declared: kind and comment. Throws for a name that is not there. */
function declared(file, name) {
  const text = readFileSync(file, 'utf8');
  const pattern = new RegExp(
    `^(?:export )?(?:declare )?(?:abstract )?(function|class|interface|type|const|let) ${name.replaceAll('$', '\\$')}\\b`,
    'm',
  );
  const found = pattern.exec(text);
  if (found !== null) return { kind: found[1], comment: commentAbove(text, found.index), file };
  for (const { inner, from } of reexports(file)) {
    for (const { inner: within, outer } of inner) {
      if (outer === name) return declared(from, within);
    }
  }
  throw new Error(`${file} declares no ${name}`);
}

/** `export … from` lines of a declaration file. */
function reexports(file) {
  const text = readFileSync(file, 'utf8');
  const at = (specifier) => join(dirname(file), specifier.replace(/\.js$/, '.d.ts').replace(/\.ts$/, '.ts'));
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';/gm)].map(([, list, specifier]) => ({
    inner: listed(list),
    from: at(specifier.replace(/(?<!\.d)\.ts$/, '.d.ts')),
  }));
}

function namesOf(file) {
  const text = readFileSync(file, 'utf8');
  const own = [
    ...text.matchAll(/^export (?:declare )?(?:abstract )?(?:function|class|interface|type|const) (\w+)/gm),
  ].map(([, name]) => ({ name, ...declared(file, name) }));
  const named = reexports(file).flatMap(({ inner, from }) =>
    inner.map(({ inner: within, outer }) => ({ name: outer, ...declared(from, within) })),
  );
  const stars = [...text.matchAll(/^export \* from '([^']+)';/gm)].flatMap(([, specifier]) =>
    namesOf(join(dirname(file), specifier.replace(/\.(?:js|ts)$/, '.d.ts'))),
  );
  const spaces = [...text.matchAll(/^export \* as (\w+) from '([^']+)';/gm)].flatMap(([, space, specifier]) => {
    const from = join(dirname(file), specifier.replace(/\.(?:js|ts)$/, '.d.ts'));
    const within = namesOf(from).map((entry) => ({ ...entry, name: `${space}.${entry.name}` }));
    return [
      { name: space, kind: 'namespace', comment: commentOfFile(readFileSync(from, 'utf8')), file: from },
      ...within,
    ];
  });
  const all = new Map([...stars, ...spaces, ...named, ...own].map((entry) => [entry.name, entry]));
  return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @returns for each entry of package.json its names, each `{ name, kind, comment, file }`: the file is the declaration's */
export function publicNames() {
  const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(entries)
    .filter(([, entry]) => typeof entry === 'object' && typeof entry.types === 'string')
    .map(([entry, { types }]) => ({
      entry: entry === '.' ? 'ton-finality' : `ton-finality/${entry.slice(2)}`,
      names: namesOf(join(root, types)),
    }));
}

/** Why a comment says nothing by itself of what it is for, or nothing: its first sentence is what docs/api.md shows. */
export function notAlone(comment) {
  if (/^@/.test(comment)) return 'begins with a tag';
  if (/^The same\b/.test(comment)) return 'leans on the name above it';
  if (/^(?:Source|See|As `)/.test(comment)) return 'begins with where it is from';
  return firstSentence(comment).length < 12 ? 'says too little' : undefined;
}

/** Up to the first full stop that ends a sentence, or a colon that begins a list. */
function firstSentence(comment) {
  const plain = comment.split(/\s@\w+/)[0].trim();
  const end = /[.:](?=\s+[A-Z`*-]|$)/.exec(plain);
  return (end === null ? plain : plain.slice(0, end.index)).replaceAll('|', '\\|');
}

/** The list of all names, as it stands in docs/api.md. */
export function apiList() {
  return publicNames()
    .map(({ entry, names }) =>
      [
        `### ${entry}`,
        '',
        '| name | is |',
        '| --- | --- |',
        ...names.map(({ name, kind, comment }) => {
          const call = kind === 'function' ? `${name}()` : name;
          return `| \`${call}\` | ${firstSentence(comment)} |`;
        }),
      ].join('\n'),
    )
    .join('\n\n');
}

const FROM = '## Every name\n';

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const path = join(root, 'docs/api.md');
  const [head] = readFileSync(path, 'utf8').split(FROM);
  writeFileSync(path, `${head}${FROM}\n\`npm run docs\` makes this list from the doc comments.\n\n${apiList()}\n`);
}
