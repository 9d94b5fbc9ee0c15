/** A page as one file: style and script inside, known by their hashes to a policy that lets no other run. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

async function bundle(options) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
  });
  return outputFiles[0].text.trim();
}

/**
 * @param {object} parts
 * @param {string} parts.html the page, with places for policy, style and script
 * @param {string} parts.script the compiled program
 * @param {readonly string[]} parts.styles
 * @param {Record<string, string>} [parts.define] what the program is told, as JSON
 * @param {string} [parts.scripts] what else its policy lets run
 * @param {readonly string[]} [parts.policy] what else it lets
 * @returns {Promise<string>} the whole page
 */
export async function oneFilePage({ html, script: entry, styles, define = {}, scripts = '', policy: more = [] }) {
  const script = await bundle({ entryPoints: [entry], platform: 'browser', format: 'iife', define });
  const contents = styles.map((path) => `@import ${JSON.stringify(path)};`).join(' ');
  const style = await bundle({ stdin: { contents, loader: 'css', resolveDir: root } });
  if (/<\/script|<!--/i.test(script)) throw new Error('the script would end before its end');
  if (/<\/style/i.test(style)) throw new Error('the style would end before its end');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}${scripts}`,
    `style-src ${hashOf(style)}`,
    ...more,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // A hash is of all that stands between the tags, white space too.
  const parts = [
    [/content="policy"/, `content="${policy}"`],
    [/(?<=<style>)\s*\/\* style \*\/\s*(?=<\/style>)/, style],
    [/(?<=<script>)\s*\/\* script \*\/\s*(?=<\/script>)/, script],
  ];
  let page = readFileSync(join(root, html), 'utf8');
  for (const [place, part] of parts) {
    const around = page.split(place);
    if (around.length !== 2) throw new Error(`expected one place for ${place}`);
    page = around.join(part);
  }
  return page;
}
