/**
 * The guides of the site, in the order in which a reader needs them: the one place that names a page. A page of `docs/` that is
 * not named here fails the build, and so does a name without a page.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Guides, each with its pages as files of the repository. */
const ORDER = [
  { name: 'Start', pages: ['docs/start.md', 'README.md'] },
  {
    name: 'Concepts',
    pages: [
      'docs/verdicts.md',
      'docs/trust-model.md',
      'docs/checkpoints.md',
      'docs/how-finality-works.md',
      'docs/glossary.md',
    ],
  },
  { name: 'Bridge', pages: ['docs/bridge.md', 'docs/deposits.md', 'docs/inclusion.md', 'docs/certificates.md'] },
  { name: 'Light client', pages: ['docs/lite-servers.md', 'docs/servers.md', 'docs/browser.md'] },
  { name: 'Audits', pages: ['docs/audits.md', 'docs/audit-reports.md'] },
  { name: 'Operations', pages: ['docs/operators.md', 'docs/upgrades.md', 'docs/pipelines.md'] },
  {
    name: 'Reference',
    pages: [
      'docs/cli.md',
      'docs/recipes.md',
      'docs/errors.md',
      'docs/formats.md',
      'docs/api.md',
      'docs/rules.md',
      'docs/renamed.md',
      'docs/speed.md',
      'docs/runtimes.md',
      'CHANGELOG.md',
      'SECURITY.md',
    ],
  },
  {
    name: 'How it is made',
    pages: [
      'docs/live-testing.md',
      'docs/conformance.md',
      'conformance/README.md',
      'conformance/protocol.md',
      'docs/mutants.md',
      'docs/kernel.md',
      'docs/architecture.md',
      'docs/decisions/README.md',
      'docs/dependencies.md',
      'docs/style.md',
      'CONTRIBUTING.md',
    ],
  },
];

/** Pages that may still be missing: a name goes away once its page is there. */
const COMING = ['docs/start.md', 'docs/bridge.md', 'docs/recipes.md'];

export const GUIDES = ORDER.map(({ name, pages }) => ({
  name,
  pages: pages.filter((file) => !COMING.includes(file) || existsSync(join(root, file))),
}));

/** Pages whose address is not made of their name. */
const ADDRESSES = {
  'README.md': 'overview',
  'CHANGELOG.md': 'changelog',
  'SECURITY.md': 'security',
  'CONTRIBUTING.md': 'contributing',
  'conformance/README.md': 'conformance-suite',
  'conformance/protocol.md': 'conformance-protocol',
  'docs/decisions/README.md': 'decisions/index',
};

/** Pages that no list shows, since the page before them does: one for each decision. */
function decisions() {
  return readdirSync(join(root, 'docs', 'decisions'))
    .filter((name) => /^\d{3}-.*\.md$/.test(name))
    .map((name) => `docs/decisions/${name}`)
    .sort();
}

/** A page's address in the site without its ending, such as `verdicts`. */
export const addressOf = (file) => ADDRESSES[file] ?? file.replace(/^docs\//, '').replace(/\.md$/, '');

/** How the sidebar calls a page whose heading says too little there. */
const CALLED = { 'README.md': 'ton-finality on one page' };

/** The heading of a page as plain text. */
export function titleOf(file) {
  if (CALLED[file] !== undefined) return CALLED[file];
  const heading = /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'));
  if (heading === null) throw new Error(`${file} has no heading: begin it with "# "`);
  return heading[1].replaceAll('`', '');
}

/** Every page with the guide that shows it. */
export const pages = () => [
  ...GUIDES.flatMap(({ name, pages: files }) => files.map((file) => ({ file, guide: name }))),
  ...decisions().map((file) => ({ file, guide: 'How it is made' })),
];

/** Returns the faults of the table: pages of `docs/` that it does not name, names without a page, and names given twice. */
export function faultsOfGuides(named = pages().map(({ file }) => file), has = (file) => existsSync(join(root, file))) {
  const written = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md'));
  return [
    ...written
      .filter((file) => !named.includes(file))
      .map((file) => `${file} is in no guide: name it in site/guides.mjs`),
    ...named.filter((file) => !has(file)).map((file) => `${file} does not exist: site/guides.mjs names it`),
    ...named
      .filter((file, at) => named.indexOf(file) !== at)
      .map((file) => `${file} is named twice in site/guides.mjs`),
  ];
}
