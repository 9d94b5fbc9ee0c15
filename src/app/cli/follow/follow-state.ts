/** Keeps the progress of `follow` in a file. The file is locked, replaced as a whole, and written once more when a signal ends the run. */
import { UsageError } from '../../../core/base/errors.ts';
import { parseJsonBytes } from '../../../core/base/json-text.ts';
import { present } from '../../../core/base/present.ts';
import { type BlockIdExt, formatBlockId, parseBlockId } from '../../../core/block/block-id.ts';
import { type Checkpoint, checkpointToJson, parseCheckpoint } from '../../../core/chain/checkpoint.ts';
import { readFoundFile } from '../../files/found-file.ts';
import { type FileLock, lockFile } from '../../files/lock-file.ts';
import { orElse } from '../../files/system-error.ts';
import { withFileName } from '../../files/with-file-name.ts';
import { requireFileName, writeFileAtomically } from '../../files/write-file.ts';
import { badFlag } from '../input/option-rows.ts';
import { beforeStop } from '../stop.ts';

/** Most bytes of a state: a checkpoint has about 60 kB. */
const MAX_STATE_BYTES = 16 * 1024 * 1024;
const STATE_SCHEMA = 'ton-finality/follow-state@1';

export interface SavedFollowState {
  /** The last block that was printed. */
  readonly after?: BlockIdExt;
  /** The first block to print, if none was printed yet. */
  readonly from?: number;
  /** The first block that was printed; absent in states of earlier versions. */
  readonly first?: number;
  /** The checkpoint that the run had reached; absent if trust does not move. */
  readonly checkpoint?: Checkpoint;
  /** The key block of the checkpoint that the user gave. */
  readonly start?: string;
}

export interface FollowStateOptions {
  /** The block at which the user wants to begin; a state that began at another one contradicts it. */
  readonly from?: number | undefined;
  /**
   * Where trust begins. A state without a printed block keeps it: the user may pin a later block before the next run.
   * Absent over HTTP, where trust does not move; a state that has moved is refused then.
   */
  readonly trust?: Required<Pick<SavedFollowState, 'checkpoint' | 'start'>>;
  /** Keep what was noted through a power cut too. Default false: through a kill only. */
  readonly sync?: boolean | undefined;
}

/** Milliseconds for which a block may be handed out without a note. */
const LATE_MS = 100;

/** Holds notes that wait to be written. @param write writes the note before it returns */
export function lateNotes<T>(write: (value: T) => void) {
  let waiting: { readonly value: T; readonly sinceMs: number } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failure: { readonly error: unknown } | undefined;

  function keep(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== undefined) write(waiting.value);
    waiting = undefined;
    failure = undefined;
  }

  return {
    /**
     * Called before a block is handed out: after a kill at most a tenth of a second of blocks is handed out again.
     * @throws an error of writing, now or earlier in the background
     */
    beforeNext() {
      if (failure !== undefined) throw failure.error;
      if (waiting !== undefined && performance.now() - waiting.sinceMs > LATE_MS) keep();
    },
    /** Called after a block was handed out. */
    note(value: T) {
      waiting = { value, sinceMs: waiting?.sinceMs ?? performance.now() };
      timer ??= setTimeout(() => {
        try {
          keep();
        } catch (error) {
          failure = { error }; // the next block is not handed out
        }
      }, LATE_MS);
      (timer as { unref?(): void }).unref?.();
    },
    /** Writes the last note now. @throws as `beforeNext` */
    keep,
    /** Stops writing, and releases what the notes are written to. */
    close() {
      clearTimeout(timer);
    },
  };
}

export interface FollowStateFile extends ReturnType<typeof lateNotes<SavedFollowState>> {
  /** The state of an earlier run. */
  readonly kept: SavedFollowState | undefined;
  /** Called before the first block is printed: a run that is killed before its first note then leaves no gap. @throws UsageError */
  begin(from: number): void;
}

/** @throws UsageError, DecodeError, TrustError for a file that is not a state, was cut off, or is of another user */
function readState(file: string): SavedFollowState | undefined {
  const bytes = readFoundFile(file, MAX_STATE_BYTES);
  if (bytes === undefined) return undefined; // the first run creates it
  const json = orElse(() => parseJsonBytes(bytes, file), null) as Readonly<Record<string, unknown>> | null; // checked next
  const { schema, after, from, checkpoint, start } = json ?? {};
  const first = Number.isInteger(from) && (from as number) >= 1 ? (from as number) : undefined;
  if (schema !== STATE_SCHEMA || (typeof after !== 'string' && (after !== undefined || first === undefined))) {
    const hint = 'pass another file; or remove this one, and pass --from with the number after the last block you have';
    throw new UsageError('usage/bad-option', `expected ${STATE_SCHEMA}`, { path: file, hint });
  }
  return withFileName(file, () => ({
    ...present(typeof after === 'string' ? { after: parseBlockId(after), first } : { from: first }),
    ...(checkpoint === undefined ? {} : { checkpoint: parseCheckpoint(checkpoint) }),
    ...(typeof start === 'string' ? { start } : {}),
  }));
}

/**
 * @param file `undefined`: nothing is kept
 * @throws UsageError for a name that no file has, and when another process has the file
 */
export async function openFollowState(
  file: string | undefined,
  opts: FollowStateOptions = {},
): Promise<FollowStateFile> {
  if (file !== undefined) requireFileName(file, '--state');
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
  { from, trust, sync = false }: FollowStateOptions,
  lock: FileLock | undefined,
): Promise<FollowStateFile> {
  const kept = file === undefined ? undefined : readState(file);
  let begun = kept?.from ?? kept?.first;
  if (kept !== undefined && from !== undefined && begun !== from) {
    const began = begun === undefined ? '' : `began at block ${begun} and `;
    const place =
      kept.after === undefined ? `begins at block ${begun}` : `${began}resumes after block ${kept.after.seqno}`;
    throw badFlag('from', `the state ${place}`, 'remove this option, or remove the state file');
  }
  // A run over HTTP would write the state without the checkpoint, and judge the next block by a different set.
  if (kept?.checkpoint !== undefined && trust === undefined) {
    const hint = 'continue it over lite servers, or pass another file';
    throw badFlag('state', `the state ${file} is of a run over lite servers`, hint);
  }
  let isBegun = false;
  const notes = lateNotes(({ after, from: first, checkpoint, start }: SavedFollowState) => {
    if (file === undefined) return;
    lock?.requireHeld();
    const place = after === undefined ? { from: first } : { after: formatBlockId(after), ...present({ from: begun }) };
    const reached = present({ checkpoint: checkpoint && checkpointToJson(checkpoint), start });
    const json = { schema: STATE_SCHEMA, ...place, ...reached };
    writeFileAtomically(file, `${JSON.stringify(json)}\n`, sync);
  });
  const unwatch = beforeStop(() => {
    try {
      notes.keep();
    } catch {
      // the next run prints again what was printed since the last write
    }
  });
  return {
    ...notes,
    kept,
    begin(first) {
      if (isBegun) return;
      isBegun = true;
      if (kept === undefined) begun = first;
      // The run begins at the checkpoint of the user, and nothing was printed: from now on the state has that trust.
      const isUnprinted = kept?.after === undefined && (trust?.checkpoint.keyBlock.seqno ?? 0) < first;
      // With --sync, what an earlier run noted without it is brought to disk as well: blocks after it are printed now.
      if (!isUnprinted && !sync) return;
      notes.note(isUnprinted ? { from: kept?.from ?? first, ...trust } : kept!);
      notes.keep();
    },
    close() {
      unwatch();
      notes.close();
      lock?.release();
    },
  };
}
