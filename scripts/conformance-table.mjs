/** docs/conformance.md, made of conformance/results: `npm run docs`. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'conformance', 'results');

/** The scores, the worst first. */
const SCORES = ['wrong-accept', 'wrong-reject', 'crash', 'timeout', 'passed', 'unsupported'];

function allResults() {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

const row = (cells) => `| ${cells.join(' | ')} |`;
const numbers = (counts) => SCORES.map((score) => counts[score]);

/** The page as it has to be. */
export function conformancePage(results = allResults()) {
  const head = (first) => [row([...first, ...SCORES]), row([...first, ...SCORES].map(() => '---'))];
  const all = results.map(({ implementation, version, language, totals }) =>
    row([implementation, version, language, ...numbers(totals)]),
  );
  const each = results.flatMap(({ implementation, version, byOperation, operations }) => [
    `## ${implementation} ${version}`,
    '',
    ...head(['operation']),
    ...Object.entries(byOperation)
      .filter(([operation]) => operations.includes(operation))
      .map(([operation, counts]) => row([`\`${operation}\``, ...numbers(counts)])),
    '',
  ]);
  const { version: suiteVersion, cases } = results[0]?.suite ?? { version: '', cases: 0 };
  return [
    '# Conformance',
    '',
    `This page lists the results of implementations on version ${suiteVersion} of [the conformance suite](../conformance/README.md), ${cases} cases. \`npm run docs\` makes it`,
    'from `conformance/results`; nothing here is written by hand. The rules behind the cases are in [rules](rules.md).',
    '',
    'A _wrong-accept_ is unsound: the implementation accepted an unproven input. A _wrong-reject_ is unusable: it rejected a proven input. An operation that an',
    'adapter does not ask of its implementation is unsupported. We publish results of implementations by other people once their maintainers have seen them.',
    '',
    ...head(['implementation', 'version', 'language']),
    ...all,
    '',
    ...each,
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(join(root, 'docs/conformance.md'), conformancePage());
}
