/** docs/errors.md, made of the table in src/core/base/errors.ts: `npm run docs`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const KINDS = [
  ['decode', '`DecodeError`: bytes or JSON that are not what they should be', 2],
  ['validators', '`ValidatorSetError`: a list of validators that a node would refuse', 2],
  ['usage', '`UsageError`: a call that cannot be carried out', 2],
  [
    'trust',
    '`TrustError`: a proof that does not hold, or proves something else',
    '2; of `trust/stale-start` 4, of `trust/too-few-witnesses` 4',
  ],
  ['cert', '`CertificateError`: a certificate that is no proper one', 2],
  ['deposit', '`DepositError`: a deposit that must not be paid; its `retryable` says whether that can change', 2],
  ['audit', '`AuditError`: an audit that cannot begin or go on; its ledger stands as far as it came', 2],
  ['source', '`SourceError`: a server that did not give the answer', 3],
  ['engine', '`EngineError`: an Ed25519 engine that cannot run here', 5],
];

/** Every line of the table: a code, and what stands beside it. */
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
    'Made of the table in `src/core/base/errors.ts` by `npm run docs`. Every error that is thrown has a `code`, a `message` that reads',
    '_where: what was wrong, wanted what, got what_, a `path` where there is one, and often a `hint`. Results of verification are',
    'never errors: a bad signature is a row in the report. Codes may grow in number; take one that you do not know by its first word.',
    '',
    'A `SourceError` also says `retryable`, `attempts`, `retryAfterMs`, `status`, `serverText`, and in `statements` who said what.',
    'The command prints errors on standard error, under `--json` as one object (`schemas/error-2.json`).',
    '',
    `${parts.join('\n\n')}\n`,
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(join(root, 'docs/errors.md'), errorPage());
}
