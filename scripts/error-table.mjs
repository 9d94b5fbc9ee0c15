/** docs/errors.md, made of the table in src/core/base/errors.ts: `npm run docs`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const KINDS = [
  ['decode', '`DecodeError`: malformed bytes or JSON', 2],
  ['validators', '`ValidatorSetError`: a list of validators that a node would reject', 2],
  ['usage', '`UsageError`: a call that cannot be carried out', 2],
  [
    'trust',
    '`TrustError`: an invalid proof, or a proof of something else',
    '2; of `trust/stale-start` 4, of `trust/too-few-witnesses` 4',
  ],
  ['cert', '`CertificateError`: a malformed certificate', 2],
  ['deposit', '`DepositError`: a deposit that you must not pay; its `retryable` says whether that can change', 2],
  ['audit', '`AuditError`: an audit that cannot begin or continue; its ledger keeps the rows so far', 2],
  ['source', '`SourceError`: a server that did not give the answer', 3],
  ['engine', '`EngineError`: an Ed25519 engine that cannot run here', 5],
];

/** Returns every line of the table: a code, its cause and its remedy. */
export function errorCodes() {
  const text = readFileSync(join(root, 'src/core/base/errors.ts'), 'utf8');
  return [...text.matchAll(/^ {2}\| '([a-z]+\/[a-z0-9-]+)';?(?: \/\/ (.*))?$/gm)].map(([, code, said = '']) => {
    const [cause = '', remedy = ''] = said.split(' → ');
    return { code, cause, remedy };
  });
}

/** The page as it has to be. */
export function errorPage() {
  const codes = errorCodes();
  const parts = KINDS.map(([prefix, title, exit]) => {
    const rows = codes
      .filter(({ code }) => code.startsWith(`${prefix}/`))
      .map(({ code, cause, remedy }) => `| \`${code}\` | ${cause} | ${remedy} |`);
    return [
      `## ${title}`,
      '',
      `Exit code ${exit}.`,
      '',
      '| code | cause | remedy |',
      '| --- | --- | --- |',
      ...rows,
    ].join('\n');
  });
  return [
    '# Errors',
    '',
    '`npm run docs` makes this page from the table in `src/core/base/errors.ts`. Every error has a `code`, a `message` of the form',
    '_where: what was wrong, wanted what, got what_, a `path` where there is one, and often a `hint`. Results of verification are',
    'never errors: a bad signature is a row in the report. New codes may be added. Handle an unknown code by its prefix (`decode/`, `trust/`, `source/` …).',
    '',
    'A `SourceError` also says `retryable`, `attempts`, `retryAfterMs`, `status`, `serverText`, and in `statements` the answer of each server.',
    'The command prints errors on standard error, under `--json` as one object (`schemas/error-2.json`). If a getter or a proxy in a value that',
    'you pass throws, you get the error that it threw.',
    '',
    `${parts.join('\n\n')}\n`,
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(join(root, 'docs/errors.md'), errorPage());
}
