/**
 * What `action.yml` runs: `ton-finality verify` with what stands in the environment, and exit code 0 only for a report that says
 * final. An exit code alone is not believed: a name such as `--help` would end with 0 as well. What goes wrong in here ends with 5:
 * a block that is not final ends with 1, and nothing else does.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BAD_INPUT = 2;
const FAILED = 5;

/** The exit code of each verdict. */
const CODES = { final: 0, insufficient: 1, rejected: 1, undecided: 4 };

/** Flags that take one value, and where it stands. */
const VALUES = [
  ['checkpoint', 'CHECKPOINT'],
  ['validators', 'VALIDATORS'],
  ['block', 'HEADER'],
  ['quorum', 'QUORUM'],
  ['expect-root-hash', 'EXPECT_ROOT_HASH'],
  ['now', 'NOW'],
];

const env = (name) => (process.env[name] ?? '').trim();

/** The words after `verify`. A value is joined to its flag, so none can be taken for a flag of its own. */
function wordsOf(report) {
  const given = VALUES.filter(([, name]) => env(name) !== '').map(([flag, name]) => `--${flag}=${env(name)}`);
  const urls = env('BASE_URL')
    .split(/\s+/)
    .filter((url) => url !== '');
  const strict = env('STRICT') === 'false' ? [] : ['--strict'];
  return [...given, ...urls.map((url) => `--base-url=${url}`), ...strict, `--out=${report}`, '--', env('BLOCK')];
}

/** Where the report comes to stand. The path is one of the outputs, which are lines. */
function placeOfReport() {
  const report = join(mkdtempSync(join(env('RUNNER_TEMP') || tmpdir(), 'ton-finality-')), 'report.json');
  if (/[\r\n]/.test(report)) throw new Error('RUNNER_TEMP: a path with line breaks');
  return report;
}

/** Written at once, so that it stands before what the command prints next. */
const say = (line) => writeSync(1, `${line}\n`);

/** @returns its exit code; `null` when it was killed */
function run(words) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { stdio: ['ignore', 1, 1] });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('error', reject);
    child.on('exit', resolve);
  });
}

/**
 * The exit code of the command. Nothing that it prints is taken for a command to the runner: all of it goes into the one stream in
 * which commands are stopped, since the runner reads another one in its own time.
 */
async function verify(report) {
  if (env('BLOCK') === '') {
    say('block: expected a file with signatures, or with base-url a number or latest; got nothing');
    return BAD_INPUT;
  }
  const command = fileURLToPath(new URL('../build/bundle/app/cli/cli.js', import.meta.url));
  const token = randomUUID();
  say(`::stop-commands::${token}`);
  try {
    return await run([command, 'verify', ...wordsOf(report)]);
  } finally {
    say(`\n::${token}::`); // on a line of its own, even where the last one has no end
  }
}

/** The status in the report that was written, if the exit code says the same. */
function verdictOf(report, code) {
  let status;
  try {
    ({ status } = JSON.parse(readFileSync(report, 'utf8')).verdict);
  } catch {
    return 'error';
  }
  return Object.hasOwn(CODES, status) && CODES[status] === code ? status : 'error';
}

function tell(verdict, report) {
  if (env('GITHUB_OUTPUT') !== '') appendFileSync(env('GITHUB_OUTPUT'), `report=${report}\nverdict=${verdict}\n`);
}

async function main() {
  const report = placeOfReport();
  const code = await verify(report);
  const verdict = verdictOf(report, code);
  if (verdict === 'error') say('::error title=ton-finality::no verdict');
  else if (verdict !== 'final') say(`::error title=ton-finality::${verdict}`);
  tell(verdict, verdict === 'error' ? '' : report); // last: what fails before it leaves no verdict behind
  if (verdict !== 'error') return code;
  return code === null || Object.values(CODES).includes(code) ? FAILED : code; // no code of a verdict without one
}

/** Each is tried, whatever has failed before it. */
function fail(error) {
  const attempts = [
    () => say(`ton-finality: ${String(error?.message).replace(/[\r\n]+/g, ' ')}`),
    () => say('::error title=ton-finality::no verdict'),
    () => tell('error', ''),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch {
      // the exit code says it
    }
  }
  return FAILED;
}

process.exitCode = await main().catch(fail);
