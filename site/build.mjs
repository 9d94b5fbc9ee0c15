/**
 * The documentation site in `build/site`: the API of typedoc, everything in `docs/`, and the page of `demo/`. A warning or a link
 * that leads nowhere ends it with 1.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { bundleDemo, DEMO_PAGE } from '../scripts/bundle-demo.mjs';
import { brokenLinks } from './links.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'build', 'site');

/** Stands for the page of `demo/` until each file's way to it is known. */
const PAGE = 'https://page.invalid/';

/** Every public entry that has types. */
function entryPoints() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.values(exports).flatMap(({ types }) =>
    types === undefined ? [] : [join(root, types.replace('build/', '').replace(/\.d\.ts$/, '.ts'))],
  );
}

async function writeSite() {
  const app = await Application.bootstrap({
    name: 'ton-finality',
    entryPoints: entryPoints(),
    tsconfig: join(root, 'site', 'tsconfig.json'),
    readme: join(root, 'README.md'),
    projectDocuments: [
      join(root, 'docs', '*.md'),
      join(root, 'docs', 'decisions', '*.md'),
      ...['CHANGELOG', 'CONTRIBUTING', 'SECURITY'].map((name) => join(root, `${name}.md`)),
    ],
    out,
    cleanOutputDir: true,
    disableSources: true,
    hideGenerator: true,
    githubPages: false,
    excludeInternal: true,
    excludePrivate: true,
    skipErrorChecking: true, // `npm run build` has checked the types, with the compiler that the project uses
    navigationLinks: { 'Try it in the browser': PAGE },
    validation: { invalidLink: true, invalidPath: true, rewrittenLink: true, notExported: false, notDocumented: false },
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc could not read the sources');
  app.validate(project);
  await app.generateOutputs(project);
  const { warningCount, errorCount } = app.logger;
  if (warningCount + errorCount > 0) throw new Error(`${warningCount} warnings and ${errorCount} errors of typedoc`);
}

const htmlFiles = () =>
  readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => join(out, name));

async function addPage() {
  await bundleDemo();
  const target = join(out, 'demo', 'index.html');
  for (const file of htmlFiles()) {
    const way = relative(dirname(file), target).split(sep).join('/');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(PAGE, way));
  }
  mkdirSync(dirname(target), { recursive: true });
  cpSync(DEMO_PAGE, target);
}

await writeSite();
await addPage();
const broken = brokenLinks(out, htmlFiles());
for (const { file, link } of broken) console.error(`${relative(out, file)}: ${link} leads nowhere`);
if (broken.length > 0 || !existsSync(join(out, 'index.html'))) process.exitCode = 1;
else
  console.log(
    `${htmlFiles().length} pages in ${relative(process.cwd(), out) || out}, every link of theirs leads somewhere`,
  );
