/**
 * Compares what README, CONTRIBUTING and `docs/` state with an earlier commit: error codes, options, spans of code, numbers, exit codes,
 * addresses and blocks of code. Words may change, these may not, but for what `test/words/facts-differences.md` lists.
 * `node scripts/page-facts.mjs COMMIT [PAGE...]`
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GENERATED } from './lint-prose.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const FENCE = /^```\w*\n([\s\S]*?)^```$/gm;

/** The facts of a text as a multiset: name to how often. */
export function factsOf(text) {
  const facts = new Map();
  const add = (kind, value) => facts.set(`${kind} ${value}`, (facts.get(`${kind} ${value}`) ?? 0) + 1);
  for (const [, body] of text.matchAll(FENCE)) {
    add(
      'block',
      `${createHash('sha256').update(body).digest('hex').slice(0, 12)} ${body.slice(0, 50).replaceAll('\n', ' ')}`,
    );
  }
  let prose = text.replace(FENCE, '');
  for (const [, target] of prose.matchAll(/\]\(([^)\s]+)\)/g)) add('link', target);
  prose = prose.replace(/\]\([^)]*\)/g, ']');
  for (const [, span] of prose.matchAll(/`([^`\n]+)`/g)) add('code', span.trim());
  prose = prose.replace(/`[^`\n]*`/g, ' ');
  for (const [, code] of prose.matchAll(/exit(?:s with)? code (\d+)/gi)) add('exit', code);
  for (const [number] of prose.matchAll(/\d[\d,.:/-]*(?<=\d)/g)) add('number', number.replaceAll(',', ''));
  return facts;
}

function main([commit = 'HEAD', ...given]) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const pages = (list) =>
    list
      .split('\n')
      .filter((path) => /^(?:README|CONTRIBUTING|SECURITY|docs\/.*)\.md$/.test(path) && !GENERATED.includes(path));
  const before = pages(git('ls-tree', '-r', '--name-only', commit));
  const after = pages(git('ls-files', '-co', '--exclude-standard'));
  const all = given.length > 0 ? given : [...new Set([...before, ...after])].sort();
  for (const page of all) {
    const old = before.includes(page) ? factsOf(git('show', `${commit}:${page}`)) : new Map();
    const now = after.includes(page) ? factsOf(readFileSync(join(root, page), 'utf8')) : new Map();
    const lines = [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((fact) => {
      const [was, is] = [old.get(fact) ?? 0, now.get(fact) ?? 0];
      return was === is
        ? []
        : [`  ${was > is ? '-' : '+'} ${fact}${Math.abs(was - is) > 1 ? ` (${Math.abs(was - is)} times)` : ''}`];
    });
    if (lines.length > 0) console.log(`${page}\n${lines.join('\n')}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
