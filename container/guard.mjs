/**
 * What `action.yml` runs: `ton-finality verify` with what stands in the environment, and exit code 0 only for a report that says
 * final. An exit code alone is not believed: a name such as `--help` would end with 0 as well.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NOT_FINAL = 1;
const BAD_INPUT = 2;

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

/** The status in the report that was written, if one was. */
function statusOf(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).verdict.status;
  } catch {
    return undefined;
  }
}

const folder = mkdtempSync(join(env('RUNNER_TEMP') || tmpdir(), 'ton-finality-'));
const report = join(folder, 'report.json');
const command = fileURLToPath(new URL('../build/bundle/cli/cli.js', import.meta.url));

/** Written at once, so that it stands before what the command prints next. */
const say = (line) => writeSync(1, `${line}\n`);

/**
 * The exit code; `null` when it was killed. Nothing that it prints is taken for a command to the runner: all of it goes into the
 * one stream in which commands are stopped, since the runner reads another one in its own time.
 */
function verify() {
  if (env('BLOCK') === '') {
    say('block: expected a file with signatures, or with base-url a number or latest; got nothing');
    return BAD_INPUT;
  }
  const token = randomUUID();
  say(`::stop-commands::${token}`);
  const words = [command, 'verify', ...wordsOf(report)];
  const { status: code } = spawnSync(process.execPath, words, { stdio: ['ignore', 1, 1] });
  say(`\n::${token}::`); // on a line of its own, even where the last one has no end
  return code;
}

const code = verify();

const known = ['final', 'insufficient', 'rejected', 'undecided'];
const status = statusOf(report);
const verdict = known.includes(status) ? status : 'error';
if (env('GITHUB_OUTPUT') !== '') {
  const path = status === undefined ? '' : report;
  appendFileSync(env('GITHUB_OUTPUT'), `verdict=${verdict}\nreport=${path}\n`);
}
const isFinal = code === 0 && verdict === 'final';
if (!isFinal) say(`::error title=ton-finality::${verdict === 'error' ? 'no verdict' : verdict}`);
process.exitCode = isFinal ? 0 : code || NOT_FINAL;
