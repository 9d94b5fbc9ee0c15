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
    `This page lists how verifiers judge the ${cases} cases of [the conformance suite](../conformance/README.md), version ${suiteVersion}. \`npm run docs\` makes it`,
    'from `conformance/results`; we write nothing here by hand. The rules behind the cases are in [rules](rules.md).',
    '',
    'A _wrong-accept_ is unsound: the verifier accepted an input without proof. A _wrong-reject_ is unusable: the verifier rejected an input with a proof. If an',
    'adapter cannot ask its verifier, the case is unsupported. We show the results of a verifier by other people once they have seen the results.',
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
