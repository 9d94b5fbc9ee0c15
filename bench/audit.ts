/**
 * An audit of files against the worker pool alone over the same blocks, parsed beforehand; what it holds on to; and whether it slows
 * down. Two threads. `node --expose-gc build/bench/audit.js [--blocks 2000] [--long 10500] [--rounds 5] [--save NAME]`
 */
import { execFileSync } from 'node:child_process';
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { auditRange } from '../src/app/audit/audit-range.ts';
import { auditFiles } from '../src/app/audit/file-source.ts';
import { readJsonText } from '../src/core/base/json-text.ts';
import { parseSignatureList, type SignatureList } from '../src/core/block/signature-list.ts';
import { createWorkerPool } from '../src/core/ed25519/workers.ts';
import { createVerifier, type Verifier } from '../src/core/verify/verifier.ts';
import { makeSignedSet, toAnswer } from '../test/helpers/make-block.ts';
import { makeSet, makeSigners } from '../test/helpers/make-validators.ts';
import { ROOT } from '../test/helpers/vectors.ts';

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '2000' },
    long: { type: 'string', default: '10500' },
    rounds: { type: 'string', default: '5' },
    save: { type: 'string' },
    side: { type: 'string' }, // of the process that is one side of `throughput`
    file: { type: 'string' },
  },
});
const BLOCKS = Number(values.blocks);
const LONG = Number(values.long);
const ROUNDS = Number(values.rounds);
const VALIDATORS = 100;
/** As many as a verifier checks together at most. */
const TOGETHER = 64;
const gc = globalThis.gc ?? (() => {});

const signers = makeSigners(Array.from({ length: VALIDATORS }, () => 10n));
const validators = makeSet(signers);
/** Each block is signed, which takes a minute for all: one block under two numbers would end the audit. */
const lineOf = (seqno: number): string =>
  JSON.stringify({ ok: true, result: toAnswer(makeSignedSet('ordinary', signers, seqno)) });

const folder = mkdtempSync(join(tmpdir(), 'ton-finality-bench-'));
const file = values.file ?? join(folder, 'blocks.ndjson');
if (values.file === undefined) {
  const handle = openSync(file, 'w');
  for (let seqno = 1; seqno <= Math.max(BLOCKS, LONG); seqno++) writeSync(handle, `${lineOf(seqno)}\n`);
  closeSync(handle);
}

const pool = await createWorkerPool({ threads: 2 });
let run = 0;
async function audit(to: number, each: (rows: number) => void = () => {}): Promise<void> {
  let rows = 0;
  const out = join(folder, `${run++}.ndjson`);
  for await (const row of auditRange({ from: 1, to, validators, blocks: auditFiles(file), engine: pool, out })) {
    if (row.type === 'failure' || row.verdict.status !== 'final') throw new Error(JSON.stringify(row));
    each(++rows);
  }
  rmSync(out);
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1]!;

/** The blocks that are audited, parsed. */
async function parsedBlocks(): Promise<readonly { readonly signatures: SignatureList }[]> {
  const sets: { readonly signatures: SignatureList }[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    sets.push({ signatures: parseSignatureList(readJsonText(line).value) });
    if (sets.length === BLOCKS) break;
  }
  return sets;
}

/** Microseconds of all threads: beside the wall clock, for machines that have other things to do. */
function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** What one side takes for a block, in microseconds. */
interface SideTimes {
  readonly wall: number;
  readonly cpu: number;
}

async function timed(work: () => void | Promise<void>): Promise<SideTimes> {
  const [startMs, startCpu] = [performance.now(), cpuMicroseconds()];
  await work();
  return { wall: (1000 * (performance.now() - startMs)) / BLOCKS, cpu: (cpuMicroseconds() - startCpu) / BLOCKS };
}

type Sets = Awaited<ReturnType<typeof parsedBlocks>>;

/** The pool over blocks that are parsed, with a ring of its own, so that it builds its tables as an audit does; and once more with these. */
async function poolOnce(sets: Sets): Promise<{ readonly cold: SideTimes; readonly warm: SideTimes }> {
  let verifier: Verifier | undefined;
  const verifyAll = async (): Promise<void> => {
    verifier ??= await createVerifier(validators, { engine: pool });
    for (let at = 0; at < sets.length; at += TOGETHER) verifier.verifyMany(sets.slice(at, at + TOGETHER));
  };
  const cold = await timed(verifyAll);
  const warm = await timed(verifyAll);
  verifier?.close();
  return { cold, warm };
}

/** Turns that are not timed: V8 compiles what is hot by and by. */
const WARM_UPS = 2;

/** One side, in a process that does nothing else. */
async function oneSide(side: string): Promise<{ readonly cold: SideTimes; readonly warm?: SideTimes }> {
  if (side === 'audit') {
    for (let turn = 0; turn < WARM_UPS; turn++) await audit(BLOCKS);
    return { cold: await timed(() => audit(BLOCKS)) };
  }
  const sets = await parsedBlocks();
  for (let turn = 0; turn < WARM_UPS; turn++) await poolOnce(sets);
  return await poolOnce(sets);
}

function inOwnProcess(side: 'audit' | 'pool'): Awaited<ReturnType<typeof oneSide>> {
  const args = [fileURLToPath(import.meta.url), '--side', side, '--file', file, '--blocks', String(BLOCKS)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as ReturnType<typeof inOwnProcess>; // printed below
}

const ratiosOf = (pools: readonly SideTimes[], audits: readonly SideTimes[]) =>
  pools.map(({ wall }, n) => wall / audits[n]!.wall);

/**
 * Blocks a second of the pool over what the audit is over too, in turns, each in a process of its own, as an audit is. With `warm` tables
 * the same pool is given beside it: an audit of many more blocks comes close to that.
 */
function throughput() {
  const pools: Required<Awaited<ReturnType<typeof oneSide>>>[] = [];
  const audits: SideTimes[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const turns = [
      () => pools.push(inOwnProcess('pool') as (typeof pools)[number]), // the pool's side has both
      () => audits.push(inOwnProcess('audit').cold),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) turn();
  }
  const [cold, warm] = [pools.map((one) => one.cold), pools.map((one) => one.warm)];
  const ratios = ratiosOf(cold, audits);
  return {
    poolMicroseconds: median(cold.map(({ wall }) => wall)),
    auditMicroseconds: median(audits.map(({ wall }) => wall)),
    ratio: median(ratios),
    ratios,
    warm: { poolMicroseconds: median(warm.map(({ wall }) => wall)), ratio: median(ratiosOf(warm, audits)) },
    cpu: { pool: median(cold.map(({ cpu }) => cpu)), audit: median(audits.map(({ cpu }) => cpu)) },
  };
}

/**
 * The same of both sides in one process, with a full collection of garbage before each: they share compiled code and a heap whose young
 * generation is small again each time, which costs whoever makes more garbage.
 */
async function throughputTogether() {
  const pools: SideTimes[] = [];
  const audits: SideTimes[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    let sets: Sets = await parsedBlocks();
    gc();
    const { cold } = await poolOnce(sets);
    sets = [];
    gc();
    const audited = await timed(() => audit(BLOCKS));
    if (round < 0) continue; // compiled code
    pools.push(cold);
    audits.push(audited);
  }
  const ratios = ratiosOf(pools, audits);
  return { ratio: median(ratios), ratios };
}

/** Bytes that are held from block 200 to the last. */
async function growth() {
  const at: { heap: number; rss: number }[] = [];
  const look = () => {
    gc();
    const { heapUsed, rss } = process.memoryUsage();
    at.push({ heap: heapUsed, rss });
  };
  await audit(BLOCKS, (rows) => {
    if (rows === 200 || rows === BLOCKS) look();
  });
  const [first, last] = at;
  return { heapBytes: last!.heap - first!.heap, rssBytes: last!.rss - first!.rss, hasGc: globalThis.gc !== undefined };
}

/** Microseconds a block around block 1 000 and around block 10 000: medians of stretches of 128 blocks. */
async function slowing() {
  const marks: number[] = [];
  await audit(LONG, (rows) => {
    if (rows % 128 === 0) marks.push(performance.now());
  });
  const stretch = (from: number, to: number) => {
    const part = marks.slice(Math.floor(from / 128), Math.floor(to / 128));
    return median(part.slice(1).map((mark, n) => (1000 * (mark - part[n]!)) / 128));
  };
  const early = stretch(500, 1500);
  const late = stretch(LONG - 1000, LONG);
  return { at1000: early, at10000: late, ratio: late / early };
}

async function main(): Promise<void> {
  const memory = await growth();
  const speed = throughput();
  const together = await throughputTogether();
  const length = await slowing();
  const results = {
    schema: 'ton-finality/bench-audit@1',
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryBytes: totalmem(),
      node: process.version,
    },
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
    command: 'node --expose-gc build/bench/audit.js',
    blocks: BLOCKS,
    signatures: VALIDATORS,
    threads: 2,
    speed,
    together,
    memory,
    length,
  };
  const text = `${JSON.stringify(results, null, 1)}\n`;
  if (values.save !== undefined) writeFileSync(join(ROOT, 'bench', 'results', `${values.save}.json`), text);
  process.stdout.write(text);
}

try {
  if (values.side === undefined) await main();
  else process.stdout.write(JSON.stringify(await oneSide(values.side)));
} finally {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
}
