/** Keeps the progress of `follow` in a file. The file is locked, replaced as a whole, and written once more when a signal ends the run. */
import { UsageError } from '../../core/base/errors.ts';
import { parseJsonBytes } from '../../core/base/json-text.ts';
import { type BlockIdExt, formatBlockId, parseBlockId } from '../../core/block/block-id.ts';
import { type Checkpoint, checkpointToJson, parseCheckpoint } from '../../core/chain/checkpoint.ts';
import { readFoundFile } from '../files/found-file.ts';
import { type FileLock, lockFile } from '../files/lock-file.ts';
import { writeFileAtomically } from '../files/write-file.ts';
import { withFileName } from './input/error-with-file.ts';
import { lateNotes } from './late-notes.ts';
import { beforeStop } from './stop.ts';

/** Most bytes of a state: a checkpoint has about 60 kB. */
const MAX_STATE_BYTES = 16 * 1024 * 1024;
const STATE_SCHEMA = 'ton-finality/follow-state@1';

export interface SavedFollowState {
  /** The last block that was printed. */
  readonly after?: BlockIdExt;
  /** The first block to print, if none was printed yet. */
  readonly from?: number;
  /** The checkpoint that the run had reached; absent if trust does not move. */
  readonly checkpoint?: Checkpoint;
  /** The key block of the checkpoint that the user gave. */
  readonly start?: string;
}

export interface FollowStateOptions {
  /** The block at which the user wants to begin; an existing state contradicts it. */
  readonly from?: number | undefined;
  /** Keep what was noted through a power cut too. Default false: through a kill only. */
  readonly sync?: boolean | undefined;
}

export interface FollowStateFile {
  /** The state of an earlier run. */
  readonly kept: SavedFollowState | undefined;
  /**
   * Called before a block is printed: after a kill at most a tenth of a second of blocks is printed again.
   * @throws UsageError when the file cannot be written
   */
  beforeNext(): void;
  /** Called before the first block is printed: a run that is killed before its first note then leaves no gap. @throws UsageError */
  begin(from: number): void;
  /** Called after a block was printed, if there was a reader. */
  note(state: SavedFollowState): void;
  /** Writes the last note now. @throws UsageError */
  keep(): void;
  /** Releases the file without writing. */
  close(): void;
}

/** @throws UsageError, DecodeError, TrustError for a file that is not a state, or of another user */
function readState(file: string): SavedFollowState | undefined {
  const bytes = readFoundFile(file, MAX_STATE_BYTES);
  if (bytes === undefined) return undefined; // the first run creates it
  const json = parseJsonBytes(bytes, file) as {
    schema?: unknown;
    after?: unknown;
    from?: unknown;
    checkpoint?: unknown;
    start?: unknown;
  } | null; // checked next
  const { after, from, checkpoint, start } = json ?? {};
  const isFirst = after === undefined && Number.isInteger(from) && (from as number) >= 1;
  if (json?.schema !== STATE_SCHEMA || (typeof after !== 'string' && !isFirst)) {
    throw new UsageError('usage/bad-option', `expected ${STATE_SCHEMA}`, {
      path: file,
      hint: 'pass another file, or remove this one',
    });
  }
  return withFileName(file, () => ({
    ...(typeof after === 'string' ? { after: parseBlockId(after) } : { from: from as number }),
    ...(checkpoint === undefined ? {} : { checkpoint: parseCheckpoint(checkpoint) }),
    ...(typeof start === 'string' ? { start } : {}),
  }));
}

/**
 * @param file `undefined`: nothing is kept
 * @throws UsageError when another process has the file
 */
export async function openFollowState(
  file: string | undefined,
  opts: FollowStateOptions = {},
): Promise<FollowStateFile> {
  const lock = file === undefined ? undefined : await lockFile(file);
  try {
    return await openLocked(file, opts, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function openLocked(
  file: string | undefined,
  { from, sync = false }: FollowStateOptions,
  lock: FileLock | undefined,
): Promise<FollowStateFile> {
  const kept = file === undefined ? undefined : readState(file);
  if (kept !== undefined && from !== undefined && kept.from !== from) {
    const place = kept.after === undefined ? `begins at block ${kept.from}` : `resumes after block ${kept.after.seqno}`;
    throw new UsageError('usage/bad-option', `the state ${place}`, {
      path: '--from',
      hint: 'remove this option, or remove the state file',
    });
  }
  let isBegun = false;
  const notes = lateNotes(({ after, from: first, checkpoint, start }: SavedFollowState) => {
    if (file === undefined) return;
    lock?.requireHeld();
    const json = {
      schema: STATE_SCHEMA,
      ...(after === undefined ? { from: first } : { after: formatBlockId(after) }),
      ...(checkpoint === undefined ? {} : { checkpoint: checkpointToJson(checkpoint) }),
      ...(start === undefined ? {} : { start }),
    };
    writeFileAtomically(file, `${JSON.stringify(json)}\n`, sync);
  });
  const unwatch = beforeStop(() => {
    try {
      notes.flush();
    } catch {
      // the next run prints again what was printed since the last write
    }
  });
  return {
    kept,
    begin(first) {
      if (kept !== undefined || isBegun) return;
      isBegun = true;
      notes.note({ from: first });
      notes.flush();
    },
    beforeNext: notes.beforeNext,
    note: notes.note,
    keep: notes.flush,
    close() {
      unwatch();
      notes.close();
      lock?.release();
    },
  };
}
