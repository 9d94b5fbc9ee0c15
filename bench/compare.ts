/** The change against a stored run: ratios only, since two runs of two days share nothing else. */
import type { Run } from './main.ts';

/** The figures of a results file that are compared; files of before have one run, without a list, and fewer figures. */
export interface StoredRun {
  readonly node: string;
  readonly steady: readonly { readonly name: string; readonly timesNode: number }[];
  readonly threads?: { readonly twoThreads: number; readonly twoThreadsMany?: number };
  readonly cold?: { readonly block1TimesNode: number };
  readonly firstCalls?: Partial<Run['firstCalls']>;
  readonly start?: readonly { readonly name: string; readonly timesNode: number }[];
  readonly endToEnd?: readonly { readonly name: string; readonly ratio: number }[];
}

export interface Change {
  readonly node: string;
  readonly name: string;
  readonly before: number;
  readonly after: number;
  /** after / before - 1. */
  readonly change: number;
}

/** What is compared, by name. More is better for those with "times faster", less for the others. */
function figures(run: StoredRun): Map<string, number> {
  const found = new Map(run.steady.map(({ name, timesNode }) => [`${name}: times faster`, timesNode]));
  const add = (name: string, value: number | undefined): void => {
    if (value !== undefined) found.set(name, value);
  };
  add('two threads: times faster', run.threads?.twoThreads);
  add('two threads, many blocks: times faster', run.threads?.twoThreadsMany);
  add('first block: x node', run.cold?.block1TimesNode);
  add('p99 of calls 2 to 200: x node', run.firstCalls?.p99TimesNode);
  add('slowest of calls 2 to 200: x node', run.firstCalls?.worstTimesNode);
  add('taken over by call', run.firstCalls?.takeoverCall);
  add('calls 100 to 200: times faster', run.firstCalls?.from100TimesNode);
  for (const { name, timesNode } of run.start ?? []) add(`${name}: x node`, timesNode);
  for (const { name, ratio } of run.endToEnd ?? []) add(`${name}: x bare calls`, ratio);
  return found;
}

const major = (run: StoredRun): string => run.node.split('.')[0]!;

/** Figures that both have, for each major version of Node that both have. */
export function changes(before: readonly StoredRun[], after: readonly StoredRun[]): Change[] {
  return after.flatMap((run) => {
    const old = before.find((candidate) => major(candidate) === major(run));
    if (old === undefined) return [];
    const known = figures(old);
    return [...figures(run)].flatMap(([name, value]) => {
      const was = known.get(name);
      return was === undefined ? [] : [{ node: run.node, name, before: was, after: value, change: value / was - 1 }];
    });
  });
}

/** The runs in a results file of this or the first format. @throws TypeError if it is neither */
export function storedRuns(file: unknown): readonly StoredRun[] {
  const results = file as Partial<StoredRun> & { readonly runs?: readonly StoredRun[] }; // looked at next
  if (Array.isArray(results?.runs)) return results.runs;
  if (typeof results?.node !== 'string' || !Array.isArray(results.steady)) throw new TypeError('not a results file');
  return [results as StoredRun]; // has what every use needs
}

export function printChanges(list: readonly Change[]): void {
  for (const { node, name, before, after, change } of list) {
    const percent = `${change >= 0 ? '+' : ''}${(100 * change).toFixed(1)} %`;
    const numbers = [before.toFixed(2), after.toFixed(2), percent].map((cell) => cell.padStart(10)).join('');
    process.stdout.write(`${node.padEnd(10)}${name.padEnd(62)}${numbers}\n`);
  }
}
