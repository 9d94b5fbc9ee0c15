/**
 * Writes the files next to a ledger that add nothing to its claims: sources of the blocks, engine, duration, and texts of failures
 * (`.run`), and proven sets (`.sets`). If they are lost, the result of an audit stays the same.
 */
import { appendFileSync, lstatSync } from 'node:fs';
import { parseJsonBytes } from '../../core/base/json-text.ts';
import { type Checkpoint, checkpointToJson, parseCheckpoint } from '../../core/chain/checkpoint.ts';
import { readFoundFile } from '../files/found-file.ts';
import { writeFileAtomically } from '../files/write-file.ts';

/** One batch of blocks. */
export interface SideLine {
  readonly from: number;
  readonly to: number;
  readonly engine: string;
  /** Milliseconds spent on checking and writing. */
  readonly ms: number;
  /** Number of blocks by source. */
  readonly sources: Readonly<Record<string, number>>;
  readonly failures: readonly { readonly seqno: number; readonly message: string }[];
}

/** Most sources that one line names: for a file of answers each line is a source. */
const MAX_NAMED_SOURCES = 8;

export function countSources(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) {
    const key = counts.has(name) || counts.size < MAX_NAMED_SOURCES ? name : 'others';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** Most bytes of kept checkpoints that are read: two checkpoints have about 100 kB. */
const MAX_SETS_BYTES = 1 << 24;

/** Returns whether a file is plain: a pipe would block, and a link would write elsewhere. */
function isPlain(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
}

export function sideFiles(ledger: string) {
  const runFile = `${ledger}.run`;
  const setsFile = `${ledger}.sets`;
  return {
    add(line: SideLine): void {
      try {
        if (isPlain(runFile)) appendFileSync(runFile, `${JSON.stringify(line)}\n`);
      } catch {
        // the file is only for people
      }
    },

    /** Keeps the sets proven so far, so that a later run need not prove them again. They are written before the rows that need them. */
    keepCheckpoints(checkpoints: readonly Checkpoint[]): void {
      try {
        writeFileAtomically(setsFile, JSON.stringify(checkpoints.slice(-2).map(checkpointToJson)), false);
      } catch {
        // the next run proves them again
      }
    },

    /**
     * Returns the checkpoints that an earlier run kept, from the same anchor. Each is checked again, but only the ledger says whether its key
     * block is final.
     */
    readCheckpoints(start: Checkpoint): readonly Checkpoint[] {
      try {
        const list = parseJsonBytes(readFoundFile(setsFile, MAX_SETS_BYTES) ?? new Uint8Array(), setsFile);
        const read = Array.isArray(list) ? list.map(parseCheckpoint) : [];
        const { anchor } = checkpointToJson(start);
        return read.filter((one) => JSON.stringify(checkpointToJson(one).anchor) === JSON.stringify(anchor));
      } catch {
        return []; // the first run, or an incomplete file
      }
    },
  };
}
