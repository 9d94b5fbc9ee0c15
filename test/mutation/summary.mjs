/** What became of the mutants, by file: `summary.json`, which is committed. `docs/mutants.md` gives a reason for each survivor in it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isOf, parts } from './parts.mjs';

const SUMMARY = fileURLToPath(new URL('./summary.json', import.meta.url));

const CHARS = 70;
const short = (text) => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > CHARS ? `${line.slice(0, CHARS)}…` : line;
};

/** What stood there, and what stands there now: as `docs/mutants.md` names it. */
function nameOf({ location: { start, end }, replacement }, source) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return `${short(lines.join(' '))} → ${short(replacement)}`.replaceAll('`', "'");
}

/** What counts: a mutant that is caught, or that never ends, is noticed; one that nothing runs is not. */
function rowOf({ mutants, source }) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const row = {
    killed: count('Killed'),
    timeout: count('Timeout'),
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
  };
  const errors = count('RuntimeError', 'CompileError');
  const missed = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const inOrder = missed.sort(({ location: a }, { location: b }) => a.start.line - b.start.line);
  const survivors = inOrder.map((mutant) => nameOf(mutant, source));
  return { ...row, ...(errors > 0 ? { errors } : {}), score: scoreOf(row), survivors };
}

function scoreOf({ killed, timeout, survived, uncovered }) {
  const all = killed + timeout + survived + uncovered;
  return all === 0 ? 100 : Math.floor(((killed + timeout) / all) * 10_000) / 100;
}

const KEYS = ['killed', 'timeout', 'survived', 'uncovered', 'errors'];

export function readSummary() {
  return JSON.parse(readFileSync(SUMMARY, 'utf8'));
}

/**
 * Renews the summary.
 * @param report the JSON report of Stryker
 * @param part its name, when the report is of a whole part: then no other lines of its files stay, nor of files that no part has
 */
export function writeSummary(report, part) {
  const stays = (file) =>
    part === undefined || (!isOf(part, file) && Object.keys(parts).some((name) => isOf(name, file)));
  const files = Object.fromEntries(
    [
      ...Object.entries(existsSync(SUMMARY) ? readSummary().files : {}).filter(([file]) => stays(file)),
      ...Object.entries(report.files).map(([file, result]) => [file, rowOf(result)]),
    ].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const sum = (key) => Object.values(files).reduce((total, row) => total + (row[key] ?? 0), 0);
  const all = Object.fromEntries(KEYS.map((key) => [key, sum(key)]));
  writeFileSync(SUMMARY, `${JSON.stringify({ all: { ...all, score: scoreOf(all) }, files }, null, 2)}\n`);
}
