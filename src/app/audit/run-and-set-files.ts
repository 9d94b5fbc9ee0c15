/**
 * What is worth keeping beside a ledger and is no part of what the chain said: who gave the blocks, which engine checked them,
 * how long it took, and the words of failures. Lost, it changes nothing.
 */
import { appendFileSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Checkpoint, checkpointToJson, parseCheckpoint } from '../../core/chain/checkpoint.ts';

/** One batch of blocks. */
export interface SideLine {
  readonly from: number;
  readonly to: number;
  readonly engine: string;
  /** Milliseconds of checking and writing. */
  readonly ms: number;
  /** Blocks by who gave them. */
  readonly sources: Readonly<Record<string, number>>;
  readonly failures: readonly { readonly seqno: number; readonly message: string }[];
}

/** Sources that are named in one line: each line of a file of answers is one. */
const MAX_SOURCES = 8;

export function countSources(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) {
    const key = counts.has(name) || counts.size < MAX_SOURCES ? name : 'others';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** Bytes of kept checkpoints that are read: two of them have some 100 kB. */
const MAX_SETS_BYTES = 1 << 24;

/** A pipe would have us wait, a link would have us write elsewhere. */
function isPlain(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
}

export class SideFiles {
  readonly #lines: string;
  readonly #sets: string;

  constructor(ledger: string) {
    this.#lines = `${ledger}.run`;
    this.#sets = `${ledger}.sets`;
  }

  add(line: SideLine): void {
    try {
      if (isPlain(this.#lines)) appendFileSync(this.#lines, `${JSON.stringify(line)}\n`);
    } catch {
      // it is only of use to people
    }
  }

  /** Sets proven so far, so that a later run need not prove them again. Written before the rows that stand on them. */
  keepCheckpoints(checkpoints: readonly Checkpoint[]): void {
    try {
      rmSync(`${this.#sets}.tmp`, { force: true });
      const text = JSON.stringify(checkpoints.slice(-2).map(checkpointToJson));
      writeFileSync(`${this.#sets}.tmp`, text, { flag: 'wx' });
      renameSync(`${this.#sets}.tmp`, this.#sets);
    } catch {
      // they are proven again
    }
  }

  /** Those of an earlier run from the same start; each is hashed again, but only the ledger says that its key block is final. */
  readCheckpoints(start: Checkpoint): readonly Checkpoint[] {
    try {
      const found = lstatSync(this.#sets);
      if (!found.isFile() || found.size > MAX_SETS_BYTES) return [];
      const list: unknown = JSON.parse(readFileSync(this.#sets, 'utf8'));
      const read = Array.isArray(list) ? list.map(parseCheckpoint) : [];
      const { anchor } = checkpointToJson(start);
      return read.filter((one) => JSON.stringify(checkpointToJson(one).anchor) === JSON.stringify(anchor));
    } catch {
      return []; // the first run, or half a file
    }
  }
}
