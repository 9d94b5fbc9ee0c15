/** The page of reports as one file. The data is put in by the command (`src/app/report/audit/html.ts`). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneFilePage, root } from './one-file-page.mjs';

const outdir = join(root, 'build', 'report-page');

export async function bundleReportPage() {
  const page = await oneFilePage({
    html: 'src/app/report-page/page.html',
    script: 'build/src/app/report-page/main.js',
    styles: ['uplot/dist/uPlot.min.css', './src/app/report-page/style.css'],
  });
  for (const place of ['"ton-finality:data"', '<!-- verdict -->']) {
    if (page.split(place).length !== 2) throw new Error(`expected one place for ${place}`);
  }
  mkdirSync(outdir, { recursive: true });
  writeFileSync(join(outdir, 'page.html'), page);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleReportPage();
