/**
 * How long a ledger of many rows takes to be read and reported, beside another build of this package; and one whose hashes share words,
 * beside an honest one. Processor time of processes of their own, in turns: the machine may have other things to do.
 * `node build/bench/report-ledger.js --other DIR [--rows 1000000] [--hostile 100000] [--rounds 3] [--save NAME]`
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { NO_HASH, writeLine } from '../src/app/audit/ledger-check.ts';
import type { AuditLine } from '../src/app/audit/ledger-lines.ts';
import { longLedgerLines, writeLongLedger } from '../test/helpers/long-ledger.ts';
import { ROOT } from '../test/helpers/vectors.ts';

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    rows: { type: 'string', default: '1000000' },
    hostile: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    save: { type: 'string' },
  },
});
const [ROWS, HOSTILE, ROUNDS] = [Number(values.rows), Number(values.hostile), Number(values.rounds)];
const SHAPE = { validators: 100, setEvery: 20_000 };

const folder = mkdtempSync(join(tmpdir(), 'ton-finality-bench-'));

interface Cost {
  /** Seconds of all threads. */
  readonly cpu: number;
  readonly peakMegabytes: number;
}

/** Last words of a process that runs the command: what it took. */
const MEASURED = `
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  require('node:fs').writeFileSync(process.env.COST, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, peakMegabytes: maxRSS / 1024 }));
});
`;

/** The command of a build, over a ledger, as its users run it. */
function report(build: string, ledger: string): Cost {
  const [cost, before] = [join(folder, 'cost.json'), join(folder, 'measured.cjs')];
  writeFileSync(before, MEASURED);
  const cli = join(build, 'build/bundle/app/cli/cli.js');
  const words = ['--require', before, cli, 'report', ledger, '--html', join(folder, 'page.html'), '--json'];
  try {
    execFileSync(process.execPath, words, {
      env: { ...process.env, COST: cost },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch (error) {
    if ((error as { readonly status?: unknown }).status !== 1) throw error; // some blocks of it are not final
  }
  return JSON.parse(readFileSync(cost, 'utf8')) as Cost; // as written above
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1]!;
const round = (value: number) => Math.round(1000 * value) / 1000;

/** Two sides in turns, each first as often as the other. */
function inTurns(one: () => Cost, other: () => Cost) {
  const sides: { readonly one: Cost[]; readonly other: Cost[] } = { one: [], other: [] };
  for (let at = 0; at < ROUNDS; at++) {
    const turns = [() => sides.one.push(one()), () => sides.other.push(other())];
    for (const turn of at % 2 === 0 ? turns : turns.reverse()) turn();
  }
  const cpuOf = (list: readonly Cost[]) => list.map(({ cpu }) => cpu);
  return {
    cpuSeconds: cpuOf(sides.one),
    otherCpuSeconds: cpuOf(sides.other),
    ratio: round(median(cpuOf(sides.one)) / median(cpuOf(sides.other))),
    peakMegabytes: Math.ceil(Math.max(...sides.one.map(({ peakMegabytes }) => peakMegabytes))),
    otherPeakMegabytes: Math.ceil(Math.max(...sides.other.map(({ peakMegabytes }) => peakMegabytes))),
  };
}

/** The root hash of a block in a ledger whose maker chose it: all of them share their second 32 bits. */
function chosen(line: AuditLine): AuditLine {
  if (line.type !== 'block') return line;
  const rootHash = `${createHash('sha256').update(`${line.block.seqno}`).digest('hex').slice(0, 8)}00000007${line.block.rootHash.slice(16)}`;
  return { ...line, block: { ...line.block, rootHash } };
}

function writeHostile(file: string): void {
  const handle = openSync(file, 'w');
  let before = NO_HASH;
  for (const line of longLedgerLines({ rows: HOSTILE, validators: 100, setEvery: HOSTILE })) {
    const { text, hash } = writeLine(chosen(line), before);
    before = hash;
    writeSync(handle, `${text}\n`);
  }
  closeSync(handle);
}

try {
  const hostile = join(folder, 'hostile.ndjson');
  writeHostile(hostile);
  const honest = join(folder, 'honest.ndjson');
  writeLongLedger(honest, { rows: HOSTILE, validators: 100, setEvery: HOSTILE });
  const collisions = inTurns(
    () => report(ROOT, hostile),
    () => report(ROOT, honest),
  );
  let beside: ReturnType<typeof inTurns> | undefined;
  if (values.other !== undefined) {
    const other = resolve(values.other);
    const long = join(folder, 'long.ndjson');
    writeLongLedger(long, { rows: ROWS, ...SHAPE });
    beside = inTurns(
      () => report(ROOT, long),
      () => report(other, long),
    );
  }
  const commitOf = (cwd: string) =>
    execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd, encoding: 'utf8' }).trim();
  const results = {
    schema: 'ton-finality/bench-report-ledger@1',
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryBytes: totalmem(),
      node: process.version,
    },
    commit: commitOf(ROOT),
    other: values.other === undefined ? null : commitOf(values.other),
    command: 'node build/bench/report-ledger.js --other DIR',
    rows: ROWS,
    hostileRows: HOSTILE,
    ...SHAPE,
    beside,
    collisions,
  };
  const text = `${JSON.stringify(results, null, 1)}\n`;
  if (values.save !== undefined) writeFileSync(join(ROOT, 'bench', 'results', `${values.save}.json`), text);
  process.stdout.write(text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
