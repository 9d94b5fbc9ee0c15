/**
 * The page of reports as one file: style and script inside, and a policy that lets no other run and nothing be fetched. The
 * data is put in by the command (`src/report/audit/html.ts`).
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const outdir = join(root, 'build', 'report-page');

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

export async function bundleReportPage() {
  const script = await bundle({ entryPoints: ['build/src/report-page/main.js'], platform: 'browser', format: 'iife' });
  const style = await bundle({
    stdin: {
      contents: '@import "uplot/dist/uPlot.min.css"; @import "./src/report-page/style.css";',
      loader: 'css',
      resolveDir: root,
    },
  });
  if (/<\/script|<!--/i.test(script)) throw new Error('the script would end before its end');
  if (/<\/style/i.test(style)) throw new Error('the style would end before its end');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // A hash is of all that stands between the tags, white space too.
  const parts = [
    [/content="policy"/, `content="${policy}"`],
    [/(?<=<style>)\s*\/\* style \*\/\s*(?=<\/style>)/, style],
    [/(?<=<script>)\s*\/\* script \*\/\s*(?=<\/script>)/, script],
  ];
  let page = readFileSync(join(root, 'src', 'report-page', 'page.html'), 'utf8');
  for (const [place, part] of parts) {
    const around = page.split(place);
    if (around.length !== 2) throw new Error(`expected one place for ${place}`);
    page = around.join(part);
  }
  if (page.split('"ton-finality:data"').length !== 2) throw new Error('expected one place for the data');
  mkdirSync(outdir, { recursive: true });
  writeFileSync(join(outdir, 'page.html'), page);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleReportPage();
