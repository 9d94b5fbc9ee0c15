/**
 * An audit of files against the worker pool alone over the same blocks, parsed beforehand; what it holds on to; and whether it slows
 * down. Two threads. `node --expose-gc build/bench/audit.js [--blocks 2000] [--long 10500] [--save NAME]`
 */
import { execFileSync } from 'node:child_process';
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { auditFiles } from '../src/audit/files.ts';
import { auditRange } from '../src/audit/run.ts';
import { readJsonText } from '../src/decode/json-text.ts';
import { parseSignatureSet, type SignatureSet } from '../src/decode/signature-set.ts';
import { createWorkerPool } from '../src/ed25519/workers.ts';
import { createVerifier } from '../src/verify/verifier.ts';
import { makeSignedSet, toAnswer } from '../test/helpers/make-block.ts';
import { makeSet, makeSigners } from '../test/helpers/make-validators.ts';
import { ROOT } from '../test/helpers/vectors.ts';

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '2000' },
    long: { type: 'string', default: '10500' },
    rounds: { type: 'string', default: '5' },
    save: { type: 'string' },
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
const file = join(folder, 'blocks.ndjson');
const handle = openSync(file, 'w');
for (let seqno = 1; seqno <= Math.max(BLOCKS, LONG); seqno++) writeSync(handle, `${lineOf(seqno)}\n`);
closeSync(handle);

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
async function parsedBlocks(): Promise<readonly { readonly set: SignatureSet }[]> {
  const sets: { readonly set: SignatureSet }[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    sets.push({ set: parseSignatureSet(readJsonText(line).value) });
    if (sets.length === BLOCKS) break;
  }
  return sets;
}

/**
 * Blocks a second of the pool over what the audit is over too, in turns; neither of them has the other's garbage about. Each of them
 * opens a ring of its own and so builds its tables, since an audit does. The same verifier once more, with the tables that it has by
 * then, is given beside it: an audit of many more blocks comes close to that.
 */
async function throughput() {
  const alone: number[] = [];
  const warm: number[] = [];
  const audited: number[] = [];
  const aloneCpu: number[] = [];
  const auditedCpu: number[] = [];
  /** Microseconds of all threads: beside the wall clock, for machines that have other things to do. */
  const cpu = (): number => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  for (let round = -1; round < ROUNDS; round++) {
    let sets = await parsedBlocks();
    gc();
    let startMs = performance.now();
    let startCpu = cpu();
    const verifier = await createVerifier(validators, { engine: pool });
    const verifyAll = (): void => {
      for (let at = 0; at < sets.length; at += TOGETHER) verifier.verifyMany(sets.slice(at, at + TOGETHER));
    };
    verifyAll();
    const aloneMs = performance.now() - startMs;
    const aloneUs = cpu() - startCpu;
    gc();
    startMs = performance.now();
    verifyAll();
    const warmMs = performance.now() - startMs;
    verifier.close();
    sets = [];
    gc();
    startMs = performance.now();
    startCpu = cpu();
    await audit(BLOCKS);
    const auditMs = performance.now() - startMs;
    const auditUs = cpu() - startCpu;
    if (round < 0) continue; // compiled code
    alone.push((1000 * aloneMs) / BLOCKS);
    warm.push((1000 * warmMs) / BLOCKS);
    audited.push((1000 * auditMs) / BLOCKS);
    aloneCpu.push(aloneUs / BLOCKS);
    auditedCpu.push(auditUs / BLOCKS);
  }
  const ratiosOver = (list: readonly number[]) => list.map((one, n) => one / audited[n]!);
  const ratios = ratiosOver(alone);
  const ratiosToWarm = ratiosOver(warm);
  return {
    poolMicroseconds: median(alone),
    auditMicroseconds: median(audited),
    ratio: median(ratios),
    ratios,
    warm: { poolMicroseconds: median(warm), ratio: median(ratiosToWarm), ratios: ratiosToWarm },
    cpu: { pool: median(aloneCpu), audit: median(auditedCpu) },
  };
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

try {
  const memory = await growth();
  const speed = await throughput();
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
    memory,
    length,
  };
  const text = `${JSON.stringify(results, null, 1)}\n`;
  if (values.save !== undefined) writeFileSync(join(ROOT, 'bench', 'results', `${values.save}.json`), text);
  process.stdout.write(text);
} finally {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
}
