#!/usr/bin/env node
/** The runner: one adapter through the suite. Exit 0 when its results are those expected of it, 1 when not, 2 when it could not be run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ADAPTERS, adapterNames, buildAdapter, DISCLOSURES, findAdapter } from './adapters.mjs';
import { feed, LIMITS } from './feed.mjs';
import { html } from './html.mjs';
import { junit } from './junit.mjs';
import { readSuite } from './read-suite.mjs';
import { differences, resultsOf } from './score.mjs';
import { progress, text } from './text.mjs';

const HERE = join(import.meta.dirname, '..');

const HELP = `node run/main.mjs [options]

  --adapter NAME|DIR   default ton-finality; here: ${adapterNames().join(', ')}
  --suite DIR          default suite/
  --only TEXT          only cases whose id begins so, such as proof-chain/
  --junit FILE         results as JUnit XML
  --html FILE          results as a page
  --json FILE          results as JSON
  --record             writes results/NAME-VERSION.json; the whole suite only. What an adapter with "published": false scored
                       goes to disclosures/, which git ignores
  --expect             writes expected.json beside the adapter: these failures are known from now on; the whole suite only
  --case-timeout MS    default ${LIMITS.caseMs}
  --quiet              no progress
`;

const OPTIONS = {
  adapter: { type: 'string', default: 'ton-finality' },
  suite: { type: 'string', default: join(HERE, 'suite') },
  only: { type: 'string', default: '' },
  junit: { type: 'string' },
  html: { type: 'string' },
  json: { type: 'string' },
  record: { type: 'boolean', default: false },
  expect: { type: 'boolean', default: false },
  'case-timeout': { type: 'string', default: String(LIMITS.caseMs) },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

const toJson = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Failures that its maintainers do not know of are not written where others read them. */
function requireTold({ folder, published }, { totals }) {
  if (!published || dirname(folder) !== ADAPTERS || totals['wrong-accept'] === 0) return;
  throw new Error('wrong accepts: say "published": false in adapter.json until the maintainers know of them');
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const caseMs = Number(values['case-timeout']);
  if (!(caseMs >= 1 && caseMs <= 3_600_000)) throw new Error('--case-timeout: expected milliseconds, 1 to 3600000');
  const isWhole = values.only === '';
  if (!isWhole && (values.record || values.expect))
    throw new Error('--record and --expect are for the whole suite, without --only');
  const suite = readSuite(values.suite);
  const cases = suite.cases.filter(({ id }) => id.startsWith(values.only));
  if (cases.length === 0) throw new Error(`--only ${values.only}: no case has an id that begins so`);
  const adapter = findAdapter(values.adapter);
  buildAdapter(adapter);
  const [command, ...args] = adapter.start;
  const bar = values.quiet ? undefined : progress(cases.length, process.stderr);
  const fed = await feed(
    cases,
    { command, args, cwd: adapter.folder },
    {
      caseMs,
      onOutcome: (id, outcome) => bar?.outcome(id, outcome),
    },
  ).finally(() => bar?.end());
  const results = { ...resultsOf(suite, cases, fed), adapter: adapter.name };
  const { operations, notPassed } = results;
  if (values.expect || values.record) requireTold(adapter, results);
  if (values.expect) {
    mkdirSync(dirname(adapter.expectedPath), { recursive: true });
    const failures = Object.fromEntries(notPassed.map(({ id, score }) => [id, score]));
    adapter.expected = { operations, notPassed: failures, either: results.either };
    writeFileSync(adapter.expectedPath, toJson(adapter.expected));
  }
  // Where nothing is known of an implementation of other people, nothing is compared.
  const isCompared = adapter.expected !== undefined || adapter.published;
  const ids = new Set(cases.map(({ id }) => id));
  const differ = isCompared ? differences(results, adapter.expected ?? { operations }, ids) : [];
  results.asExpected = isCompared && differ.length === 0;
  if (values.junit !== undefined) writeFileSync(values.junit, junit(results, cases));
  if (values.html !== undefined) writeFileSync(values.html, html(results, cases));
  if (values.json !== undefined) writeFileSync(values.json, toJson(results));
  if (values.record) {
    const name = `${results.implementation}-${results.version}`.replace(/[^A-Za-z0-9.+-]+/g, '-');
    const folder = adapter.published ? join(HERE, 'results') : DISCLOSURES;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.json`), toJson(results));
  }
  process.stdout.write(text(results));
  if (!isCompared) process.stdout.write(`\nnot compared with anything: ${adapter.expectedPath} is not there\n`);
  if (differ.length > 0)
    process.stdout.write(
      `\nnot as expected:\n${differ
        .slice(0, 50)
        .map((one) => `  ${one}\n`)
        .join('')}`,
    );
  return differ.length === 0 ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  },
);
