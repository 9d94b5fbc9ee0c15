/** Worlds by several processes: each takes the next seeds that nobody has, and what they count is put together. */
import { type ChildProcess, fork } from 'node:child_process';
import type { Summary } from './runner.ts';

/** Seeds that a process takes at once. */
const TAKEN = { tokens: 500, bytes: 50 };
/** Takes after which a process makes room for another: what worlds share is kept in memory. */
const MOST_TAKES = 20;

/** Worlds run much code a little each: to optimise it as soon as the engine would by itself takes more than it gains. */
const ENGINE = [
  '--max-semi-space-size=32',
  '--single-threaded-gc',
  // Later versions do not know this flag.
  ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : []),
];

export interface Share {
  readonly from: number;
  readonly seeds: number;
}

export interface ShardOptions extends Share {
  readonly jobs: number;
  readonly level: keyof typeof TAKEN;
  /** The file that a process runs, and its arguments. It asks for work by `worker`. */
  readonly file: string;
  readonly args: readonly string[];
  /** What all came to until now, and how many seeds that were. */
  readonly onDone: (summary: Summary, seeds: number) => void;
}

export function emptySummary(): Summary {
  const exceptions = Object.fromEntries([...'abcdef'].map((letter) => [letter, 0]));
  return { worlds: 0, failed: [], exceptions, withoutException: 0, liarFirst: 0, finals: 0, ends: {}, faults: {} };
}

/** Adds what a share came to. */
export function addSummary(all: Summary, one: Summary): void {
  for (const part of ['worlds', 'withoutException', 'liarFirst', 'finals'] as const) all[part] += one[part];
  for (const part of ['exceptions', 'ends'] as const) {
    for (const [name, count] of Object.entries(one[part])) all[part][name] = (all[part][name] ?? 0) + count;
  }
  all.failed.push(...one.failed);
  all.failed.sort((a, b) => a.seed - b.seed);
  for (const [name, fault] of Object.entries(one.faults)) {
    const known = all.faults[name];
    const first = known === undefined || fault.firstSeed < known.firstSeed ? fault : known;
    all.faults[name] = { ...first, worlds: (known?.worlds ?? 0) + fault.worlds };
  }
}

/** @throws Error when a process ends before its work does */
export async function runShards({ from, seeds, jobs, level, file, args, onDone }: ShardOptions): Promise<Summary> {
  const all = emptySummary();
  const end = from + seeds;
  let next = from;
  let done = 0;
  const children = new Set<ChildProcess>();
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = fork(file, [...args], { execArgv: ENGINE });
      children.add(child);
      let takes = 0;
      let share: Share | undefined;
      const give = () => {
        if (next >= end || takes === MOST_TAKES) return child.disconnect();
        share = { from: next, seeds: Math.min(TAKEN[level], end - next) };
        next += share.seeds;
        takes += 1;
        child.send(share);
      };
      child.on('message', (message: 'ready' | Summary) => {
        if (message !== 'ready') {
          addSummary(all, message);
          done += share!.seeds; // it was given this one
          share = undefined;
          onDone(all, done);
        }
        give();
      });
      child.on('exit', (code) => {
        children.delete(child);
        if (share !== undefined || code !== 0)
          reject(new Error(`a process ended with ${code} at seeds from ${share?.from}`));
        else resolve(next < end ? work() : undefined);
      });
    });
  try {
    await Promise.all(Array.from({ length: jobs }, work));
  } finally {
    for (const child of children) child.kill();
  }
  return all;
}

/** In a process that was begun by `runShards`. */
export function worker(run: (share: Share) => Promise<Summary>): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (share: Share) => {
      void run(share).then((summary) => process.send!(summary)); // it has a parent
    });
    process.on('disconnect', resolve);
    process.send!('ready');
  });
}
