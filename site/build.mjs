/**
 * The documentation site in `build/site`: a landing page, the guides of `docs/`, the API of typedoc, and the page of `demo/`. A page
 * without a guide, a warning or a link that leads nowhere ends it with 1. `--base /folder/` is for a host that serves it from a folder,
 * `--port N` serves it on loopback until Ctrl-C.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleDemo, DEMO_PAGE } from '../scripts/bundle-demo.mjs';
import { writeApi } from './api.mjs';
import { addressOf, faultsOfGuides, pages, root } from './guides.mjs';
import { landingPage } from './landing.mjs';
import { brokenLinks } from './links.mjs';
import { serveSite } from './serve.mjs';

const { values } = parseArgs({ options: { base: { type: 'string', default: '/' }, port: { type: 'string' } } });
if (!/^\/(?:[^/]+\/)*$/.test(values.base)) throw new Error(`--base: wanted a path such as /docs/, got ${values.base}`);
process.env.SITE_BASE = values.base;

const written = join(root, 'build', 'site-pages');
const out = join(root, 'build', 'site');

function write(file, text) {
  mkdirSync(dirname(join(written, file)), { recursive: true });
  writeFileSync(join(written, file), text);
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

async function writePages() {
  const faults = faultsOfGuides();
  if (faults.length > 0) throw new Error(faults.join('\n'));
  rmSync(written, { recursive: true, force: true });
  await writeApi(join(written, 'api'));
  for (const { file } of pages()) write(`${addressOf(file)}.md`, readFileSync(join(root, file), 'utf8'));
  write('index.md', landingPage());
  for (const name of readdirSync(join(root, 'docs')).filter((file) => /\.(?:png|svg)$/.test(file)))
    copy(join(root, 'docs', name), join(written, 'public', 'files', 'docs', name));
  copy(join(root, 'site', 'icon.svg'), join(written, 'public', 'icon.svg'));
}

const htmlFiles = () =>
  readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => join(out, name));

await writePages();
const { build } = await import('vitepress');
await build(join(root, 'site'));
await bundleDemo();
copy(DEMO_PAGE, join(out, 'demo', 'index.html'));

const broken = brokenLinks(out, htmlFiles(), values.base);
for (const { file, link } of broken) console.error(`${relative(out, file)}: ${link} leads nowhere`);
if (broken.length > 0 || !existsSync(join(out, 'index.html'))) process.exitCode = 1;
else
  console.log(
    `${htmlFiles().length} pages in ${relative(process.cwd(), out) || out}, every link of theirs leads somewhere`,
  );

if (values.port !== undefined) console.log(await serveSite(out, values.base, Number(values.port)));
