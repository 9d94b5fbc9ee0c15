/**
 * The first 200 calls of a process: how long the slow ones take, when the kernel has taken over, and what is reached then. Each
 * of some fresh processes verifies 200 blocks of 100 signatures with `node:crypto` and with `chooseEngine()`, in turns.
 *
 *   node build/bench/first-calls.js --process node|kernel     one process, whoever begins; prints its times as JSON
 */
import { execFileSync } from 'node:child_process';
import { type KeyObject, verify } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { chooseEngine } from '../src/core/ed25519/choose.ts';
import type { KeyRing } from '../src/core/ed25519/engine.ts';
import { makeFixture, nativeKeys } from './fixture.ts';

const CALLS = 200;
const VALIDATORS = 100;

/** Milliseconds of each call, in order. */
interface ProcessTimes {
  readonly node: readonly number[];
  readonly kernel: readonly number[];
}

export interface FirstCalls {
  readonly processes: number;
  /** Medians over the processes. Calls 2 to 200: the slowest and the 99th percentile, in ms and in times of `node:crypto`'s. */
  readonly worstMs: number;
  readonly worstTimesNode: number;
  readonly p99Ms: number;
  readonly nodeP99Ms: number;
  readonly p99TimesNode: number;
  /** The first of ten calls whose median is a fifth below `node:crypto`'s: then all keys have tables. */
  readonly takeoverCall: number;
  /** Calls 100 to 200: how many times faster than `node:crypto`, all of them together and their medians. */
  readonly from100TimesNode: number;
  readonly from100MedianTimesNode: number;
}

const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(q * values.length) - 1)]!;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What one process shows. */
export function summary({ node, kernel }: ProcessTimes): Omit<FirstCalls, 'processes'> {
  const [nodeLater, kernelLater] = [node.slice(1), kernel.slice(1)];
  const usual = quantile(node, 0.5);
  const takeover = kernel.findIndex((_, n) => quantile(kernel.slice(n, n + 10), 0.5) < 0.8 * usual);
  const [p99Ms, nodeP99Ms] = [quantile(kernelLater, 0.99), quantile(nodeLater, 0.99)];
  const [nodeFrom100, kernelFrom100] = [node.slice(99), kernel.slice(99)];
  return {
    worstMs: Math.max(...kernelLater),
    worstTimesNode: Math.max(...kernelLater) / Math.max(...nodeLater),
    p99Ms,
    nodeP99Ms,
    p99TimesNode: p99Ms / nodeP99Ms,
    takeoverCall: takeover < 0 ? kernel.length + 1 : takeover + 1,
    from100TimesNode: sum(nodeFrom100) / sum(kernelFrom100),
    from100MedianTimesNode: quantile(nodeFrom100, 0.5) / quantile(kernelFrom100, 0.5),
  };
}

/** Starts the processes one after the other. */
export function firstCalls(processes: number): FirstCalls {
  const summaries = Array.from({ length: processes }, (_, n) => {
    const args = [fileURLToPath(import.meta.url), '--process', n % 2 === 0 ? 'node' : 'kernel'];
    return summary(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as ProcessTimes); // printed below
  });
  const middle = (pick: (one: Omit<FirstCalls, 'processes'>) => number): number => quantile(summaries.map(pick), 0.5);
  return {
    processes,
    worstMs: middle((one) => one.worstMs),
    worstTimesNode: middle((one) => one.worstTimesNode),
    p99Ms: middle((one) => one.p99Ms),
    nodeP99Ms: middle((one) => one.nodeP99Ms),
    p99TimesNode: middle((one) => one.p99TimesNode),
    takeoverCall: middle((one) => one.takeoverCall),
    from100TimesNode: middle((one) => one.from100TimesNode),
    from100MedianTimesNode: middle((one) => one.from100MedianTimesNode),
  };
}

async function oneProcess(begins: 'node' | 'kernel'): Promise<ProcessTimes> {
  const { publicKeys, indexes, blocks } = makeFixture(VALIDATORS, 8);
  const times = { node: [] as number[], kernel: [] as number[] };
  let keys: KeyObject[] | undefined;
  let ring: KeyRing | undefined;
  for (let call = 0; call < CALLS; call++) {
    const { message, signatures } = blocks[call % blocks.length]!;
    for (const turn of begins === 'node' ? (['node', 'kernel'] as const) : (['kernel', 'node'] as const)) {
      const start = performance.now();
      let good: boolean;
      if (turn === 'node') {
        keys ??= nativeKeys(publicKeys);
        const cached = keys;
        good = signatures.every((signature, at) => verify(null, message, cached[at]!, signature));
      } else {
        ring ??= (await chooseEngine()).open(publicKeys);
        good = ring.verify(message, indexes, signatures).every(Boolean);
      }
      times[turn].push(performance.now() - start);
      if (!good) throw new Error(`${turn}: wrong`);
    }
  }
  return times;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === '--process') {
  process.stdout.write(JSON.stringify(await oneProcess(process.argv[3] === 'kernel' ? 'kernel' : 'node')));
}
