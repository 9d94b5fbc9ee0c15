import { createHash } from 'node:crypto';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entries } from '../api.mjs';
import { addressOf, GUIDES, root, titleOf } from '../guides.mjs';
import { copies, ofRepository, slugify } from '../markdown.mjs';
import { indexOptions, sectionsOf } from '../search.mjs';

/** Replaced parts of VitePress's theme: some break rules of axe, and the search box shows no text of its results. */
const OWN = {
  '../NotFound.vue': 'NotFound.vue',
  './VPLocalSearchBox.vue': 'SearchBox.vue',
  './VPNavBarSearchButton.vue': 'SearchButton.vue',
  '@docsearch/css': 'search.css',
};

const base = process.env.SITE_BASE ?? '/';

const guides = GUIDES.map(({ name, pages }) => ({
  text: name,
  items: pages.map((file) => ({ text: titleOf(file), link: `/${addressOf(file)}` })),
}));

/** VitePress writes the members that can be listed into its pages. These functions are not listed: the browser imports them. */
const search = {};
Object.defineProperty(search, 'miniSearch', {
  value: { options: indexOptions, _splitIntoSections: (_, html) => sectionsOf(html) },
});

/** A page may load its own files, and nothing of any other host. */
function policyOf(html) {
  const scripts = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(scripts)].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

export default {
  title: 'ton-finality',
  description: "Proves a TON masterchain block final from its validators' signatures",
  lang: 'en',
  base,
  srcDir: join(root, 'build', 'site-pages'),
  outDir: join(root, 'build', 'site'),
  cacheDir: join(root, 'build', 'site-cache'),
  metaChunk: true,
  router: { prefetchLinks: false },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: ofRepository,
  },
  transformHtml: (html) =>
    html.replace(
      /<meta charset="[^"]*">/i,
      `$&\n    <meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">`,
    ),
  buildEnd({ outDir }) {
    for (const { from, to } of copies()) {
      mkdirSync(dirname(join(outDir, to)), { recursive: true });
      cpSync(from, join(outDir, to));
    }
  },
  themeConfig: {
    search: { provider: 'local', options: search },
    nav: [
      { text: 'Guides', link: guides[0].items[0].link },
      { text: 'API', link: '/api/' },
      { text: 'Try it', link: '/demo/index.html', target: '_self' },
    ],
    sidebar: {
      '/': [...guides, { text: 'API', items: [{ text: 'By import', link: '/api/' }] }],
      '/api/': [
        {
          text: 'API',
          items: [
            { text: 'All entries', link: '/api/' },
            ...entries().map(({ imported, folder }) => ({ text: imported, link: `/api/${folder}/` })),
          ],
        },
        { text: 'Guides', items: guides.map(({ text, items: [first] }) => ({ text, link: first.link })) },
      ],
    },
    outline: [2, 3],
  },
  vite: {
    plugins: [
      {
        name: 'search-of-this-site',
        enforce: 'pre',
        resolveId: (id, importer = '') =>
          /VP(?:NavBarSearch|Content)\.vue/.test(importer) && id in OWN
            ? join(root, 'site', '.vitepress', 'theme', OWN[id])
            : null,
      },
    ],
  },
};
