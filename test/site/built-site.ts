/** The site that `npm run docs:site` has built, for Chromium. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Resource } from '../browser/chromium.ts';

const SITE = join(import.meta.dirname, '..', '..', 'build', 'site');
const QUESTIONS = join(import.meta.dirname, '..', '..', 'site', 'questions.json');

if (!existsSync(join(SITE, 'index.html'))) throw new Error(`${SITE} is missing: npm run docs:site builds it`);

const TYPES: Readonly<Record<string, Resource['type']>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.md': 'text/plain',
};

/** Every file of the site by its path, and `/folder/` for the index of a folder. */
export function resourcesOfSite(): Record<string, Resource> {
  const resources: Record<string, Resource> = {};
  for (const name of readdirSync(SITE, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const path = `/${name.replaceAll('\\', '/')}`;
    const resource = { type, body: readFileSync(join(SITE, name)) };
    resources[path] = resource;
    if (path.endsWith('/index.html')) resources[path.slice(0, -'index.html'.length)] = resource;
  }
  return resources;
}

/** What readers ask, and where in the repository it is answered. */
export interface Question {
  readonly ask: string;
  readonly pages: readonly string[];
  readonly says: string;
}

export function questions(): readonly Question[] {
  return JSON.parse(readFileSync(QUESTIONS, 'utf8')).questions;
}
