/**
 * The page of `demo/` as one file: style and script inside, known by their hashes to a policy that lets no other run, and lets
 * nothing be asked but by the user's own press of a button.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { errorCodes } from './error-table.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Where the page ends up. */
export const DEMO_PAGE = join(root, 'build', 'demo', 'index.html');

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

function definitions() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const remedies = errorCodes().filter(({ code }) => !/^(?:cert|audit)\//.test(code));
  return {
    TON_FINALITY_VERSION: JSON.stringify(version),
    ERROR_REMEDIES: JSON.stringify(Object.fromEntries(remedies.map(({ code, remedy }) => [code, remedy]))),
  };
}

/** The whole page, as text. */
export async function demoPage() {
  const script = await bundle({
    entryPoints: ['build/demo/main.js'],
    platform: 'browser',
    format: 'iife',
    define: definitions(),
  });
  const style = await bundle({
    stdin: {
      contents: '@import "./src/report-page/style.css"; @import "./demo/style.css";',
      loader: 'css',
      resolveDir: root,
    },
  });
  if (/<\/script|<!--/i.test(script)) throw new Error('the script would end before its end');
  if (/<\/style/i.test(style)) throw new Error('the style would end before its end');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
    `style-src ${hashOf(style)}`,
    'worker-src blob:',
    'img-src data:',
    'connect-src https: http://localhost:* http://127.0.0.1:*',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // A hash is of all that stands between the tags, white space too.
  const parts = [
    [/content="policy"/, `content="${policy}"`],
    [/(?<=<style>)\s*\/\* style \*\/\s*(?=<\/style>)/, style],
    [/(?<=<script>)\s*\/\* script \*\/\s*(?=<\/script>)/, script],
  ];
  let page = readFileSync(join(root, 'demo', 'page.html'), 'utf8');
  for (const [place, part] of parts) {
    const around = page.split(place);
    if (around.length !== 2) throw new Error(`expected one place for ${place}`);
    page = around.join(part);
  }
  return page;
}

export async function bundleDemo() {
  mkdirSync(dirname(DEMO_PAGE), { recursive: true });
  writeFileSync(DEMO_PAGE, await demoPage());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleDemo();
