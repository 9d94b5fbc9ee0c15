/** The page of `demo/` as one file. Nothing can be asked but by the user's own press of a button. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCodes } from './error-table.mjs';
import { oneFilePage, root } from './one-file-page.mjs';

/** Where the page ends up. */
export const DEMO_PAGE = join(root, 'build', 'demo', 'index.html');

function definitions() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const remedies = errorCodes().filter(({ code }) => !/^(?:cert|audit)\//.test(code));
  return {
    TON_FINALITY_VERSION: JSON.stringify(version),
    ERROR_REMEDIES: JSON.stringify(Object.fromEntries(remedies.map(({ code, remedy }) => [code, remedy]))),
  };
}

/** The whole page, as text. */
export function demoPage() {
  return oneFilePage({
    html: 'demo/page.html',
    script: 'build/demo/main.js',
    styles: ['./src/app/report-page/style.css', './demo/style.css'],
    define: definitions(),
    scripts: " 'wasm-unsafe-eval'",
    policy: ['worker-src blob:', 'img-src data:', 'connect-src https: http://localhost:* http://127.0.0.1:*'],
  });
}

export async function bundleDemo() {
  mkdirSync(dirname(DEMO_PAGE), { recursive: true });
  writeFileSync(DEMO_PAGE, await demoPage());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleDemo();
