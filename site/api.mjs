/** The API as Markdown, one page for each exported name, made by typedoc from the entries of package.json. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Application, Converter } from 'typedoc';
import { root } from './guides.mjs';

/** Every public entry that has types: what a program imports, and the source file behind it. */
export function entries() {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, { types }]) => {
    if (types === undefined) return [];
    const source = types.replace('build/', '').replace(/\.d\.ts$/, '.ts');
    return [{ imported: path.replace('.', name), folder: path.slice(2) || name, source }];
  });
}

/** Returns the first comment of an entry, without the name. */
function saidOf({ source }) {
  const [, comment = ''] = /^\/\*\*(.*?)\*\//s.exec(readFileSync(join(root, source), 'utf8')) ?? [];
  const words = comment.replace(/\s*\n \*\s?/g, ' ').trim();
  return words.replace(/^`[^`]*`:\s*/, '');
}

/** Writes the pages into a folder; a warning of typedoc ends the build. */
export async function writeApi(out) {
  const all = entries();
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    name: 'API',
    entryPoints: all.map(({ source }) => join(root, source)),
    tsconfig: join(root, 'site', 'tsconfig.json'),
    readme: 'none',
    out,
    cleanOutputDir: true,
    disableSources: true,
    githubPages: false,
    excludeInternal: true,
    excludePrivate: true,
    skipErrorChecking: true, // `npm run build` has checked the types, with the compiler that the project uses
    validation: { invalidLink: true, invalidPath: true, rewrittenLink: true, notExported: false, notDocumented: false },
    router: 'member',
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    useHTMLEncodedBrackets: true,
    sanitizeComments: true,
    parametersFormat: 'table',
    indexFormat: 'table',
    pageTitleTemplates: {
      index: ({ projectName }) => projectName,
      // A namespace is a module too.
      module: ({ name }) => all.find(({ folder }) => folder === name)?.imported ?? name,
      member: ({ name }) => name,
    },
  });
  // typedoc names a module by its file, but readers know the name that they import.
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project: { children = [] } }) => {
    for (const module of children) {
      const entry = all.find(({ source }) => source.endsWith(`/${module.name}.ts`));
      if (entry === undefined) throw new Error(`no entry of package.json is ${module.name}`);
      module.name = entry.folder;
    }
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc could not read the sources');
  app.validate(project);
  await app.generateOutputs(project);
  const { warningCount, errorCount } = app.logger;
  if (warningCount + errorCount > 0) throw new Error(`${warningCount} warnings and ${errorCount} errors of typedoc`);
  for (const entry of all) sayImports(join(out, entry.folder), entry);
  writeFileSync(join(out, 'index.md'), indexOf(all));
}

/** Under the heading of each exported name, what it is imported from. */
function sayImports(folder, { imported }) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.md') || name === 'index.md') continue;
    const parts = name.split(sep);
    const space = parts[0] === 'namespaces' ? parts[1] : undefined;
    const way = '../'.repeat(parts.length - 1);
    const what = space === undefined ? 'it' : `\`${space}\``;
    const page = readFileSync(join(folder, name), 'utf8');
    writeFileSync(
      join(folder, name),
      page.replace('\n', `\n\nImport ${what} from [\`${imported}\`](${way}index.md).\n`),
    );
  }
}

const indexOf = (all) => `# API

Every exported name has a page, by what you import it from. [One table](../api.md) has them all.

| import from | holds |
| ----------- | ----- |
${all.map((entry) => `| [\`${entry.imported}\`](${entry.folder}/index.md) | ${saidOf(entry)} |`).join('\n')}
`;
