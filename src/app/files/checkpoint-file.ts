/** Reads and writes checkpoint files, and keeps one fresh while the program does other work. */
import { closeSync } from 'node:fs';
import { badArgument } from '../../core/base/arguments.ts';
import { SourceError, type TrustError } from '../../core/base/errors.ts';
import { parseJsonBytes } from '../../core/base/json-text.ts';
import { MAX_HEAD_AGE_SECONDS, MAX_PROOF_ANSWER_BYTES } from '../../core/base/limits.ts';
import { abortSignal, asGiven, callback, number, readOptions } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import { type Checkpoint, checkpointToJson, ownCheckpoint, parseCheckpoint } from '../../core/chain/checkpoint.ts';
import { consult, tell } from '../../net/async/callbacks.ts';
import { sleep } from '../../net/async/timer.ts';
import type { LiteServerClient } from '../../net/lite/client.ts';
import { syncedBlock } from '../../net/lite/fact-head.ts';
import { requireDistinctServers } from '../../net/lite/fleet.ts';
import { syncCheckpoint } from '../../net/lite/sync.ts';
import type { SyncOptions } from '../../net/lite/sync-options.ts';
import type { SyncResult } from '../../net/lite/sync-result.ts';
import { mayPass } from '../../net/machine/outcome.ts';
import { openFound, readFoundFile } from './found-file.ts';
import type { FileLock } from './lock-file.ts';
import { badFile } from './system-error.ts';
import { writeFileAtomically } from './write-file.ts';

function requireName(file: unknown): void {
  if (typeof file !== 'string' || file === '') throw badArgument('file', 'the name of a file', file);
}

/**
 * Reads a checkpoint from a file and proves it again.
 * @param file path of the file
 * @returns the checkpoint
 * @throws UsageError if there is no such file, or another user could have changed it; DecodeError, TrustError as `parseCheckpoint`
 * @example
 * ```ts
 * import { readCheckpoint } from 'ton-finality/node';
 * const checkpoint = readCheckpoint('checkpoint.json');
 * console.log(checkpoint.keyBlock.seqno); // 0, because this network is pinned by its zerostate
 * ```
 */
export function readCheckpoint(file: string): Checkpoint {
  requireName(file);
  const bytes = readFoundFile(file, MAX_PROOF_ANSWER_BYTES);
  if (bytes !== undefined) return parseCheckpoint(parseJsonBytes(bytes, file));
  const hint = 'make one from a block you trust, with writeCheckpoint or ton-finality checkpoint init';
  throw badFile(file, 'no such file', hint);
}

/**
 * Writes a checkpoint atomically, as a new file or in place of a plain file.
 * @param file path of the file
 * @param checkpoint the object that this library returned: a copy can claim anything about how its trust began
 * @throws UsageError for a copy, for a file that cannot be written, and for one that other users may write to
 * @example
 * ```ts
 * import { readCheckpoint, writeCheckpoint } from 'ton-finality/node';
 * const checkpoint = readCheckpoint('checkpoint.json');
 * writeCheckpoint('backup.json', checkpoint);
 * console.log(readCheckpoint('backup.json').keyBlock.seqno === checkpoint.keyBlock.seqno); // true
 * ```
 */
export function writeCheckpoint(file: string, checkpoint: Checkpoint): void {
  requireName(file);
  if (ownCheckpoint(checkpoint).checkpoint !== checkpoint) {
    const hint = 'parseCheckpoint reads one, syncCheckpoint makes one';
    throw badArgument('checkpoint', 'the checkpoint object that this library returned', checkpoint, hint);
  }
  const there = openFound(file);
  if (there !== undefined) closeSync(there);
  writeFileAtomically(file, `${JSON.stringify(checkpointToJson(checkpoint), null, 2)}\n`);
}

/** How often to renew a checkpoint, and which events to report. All other options are those of `syncCheckpoint`. */
export interface KeepCheckpointOptions
  extends Pick<
    SyncOptions,
    'clock' | 'witnesses' | 'strict' | 'countEachServer' | 'maxHeadAgeSeconds' | 'deadlineMs' | 'onStall'
  > {
  /** Seconds between two synchronisations. Default 600. */
  readonly everySeconds?: number;
  /** Called after each synchronisation that held, when the file is written. An error of this callback ends the run. */
  readonly onProgress?: (result: SyncResult) => void | Promise<void>;
  /** Called when servers fail or are behind; the run tries again. Without this callback the first failure ends the run. */
  readonly onError?: (error: SourceError | TrustError) => void;
  /** Ends the run without an error. */
  readonly signal?: SyncOptions['signal'];
}

const DEFAULT_EVERY_SECONDS = 600;
const MAX_EVERY_SECONDS = 86_400;

/** Returns whether another try may succeed. A fork, and a start that is too old, need a person; a clock is set right meanwhile. */
function isPassing(error: unknown): error is SourceError | TrustError {
  return mayPass(error) || (error instanceof SourceError && error.code === 'source/clock');
}

/** A file that was pinned again during the walk stays as it is: what was walked to may be of another network. @throws UsageError */
function requireUnchanged(file: string, known: Checkpoint): void {
  const [before, now] = [known, readCheckpoint(file)].map((one) => JSON.stringify(checkpointToJson(one)));
  if (before === now) return;
  const hint = 'run it again to continue from what is there now';
  throw badFile(file, 'another program changed the checkpoint', hint);
}

/**
 * Keeps the checkpoint in a file fresh until a signal stops the run. Each round reads the file, walks to the newest block, and
 * writes the file if trust has moved.
 * @param file path of a checkpoint; one process at a time may keep it
 * @param clients clients of lite servers
 * @param options `everySeconds` (default 600), callbacks, `signal`, and options of `syncCheckpoint`
 * @throws ForkError with the evidence, and the file unchanged; TrustError `trust/stale-start`; UsageError for a file that cannot be read
 * or written, or that another process keeps; without `onError` any other failure
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { keepCheckpoint } from 'ton-finality/node';
 * import { connectLite, parseGlobalConfig } from 'ton-finality/servers';
 * const { servers } = parseGlobalConfig(JSON.parse(readFileSync('global.config.json', 'utf8')));
 * const clients = servers.map((server) => connectLite(server));
 * const stop = new AbortController();
 * const onProgress = () => stop.abort(); // here after the first round
 * await keepCheckpoint('checkpoint.json', clients, { onProgress, signal: stop.signal });
 * console.log(stop.signal.aborted); // true
 * for (const client of clients) client.close();
 * ```
 */
export async function keepCheckpoint(
  file: string,
  clients: readonly LiteServerClient[],
  options: KeepCheckpointOptions = {},
): Promise<void> {
  const { everySeconds, onProgress, onError, signal, ...sync } = readOptions(options, '', {
    everySeconds: number(Number.MIN_VALUE, MAX_EVERY_SECONDS, DEFAULT_EVERY_SECONDS),
    onProgress: callback(),
    onError: callback(),
    signal: abortSignal,
    clock: callback(() => Date.now() / 1000),
    witnesses: asGiven, // syncCheckpoint checks these
    strict: asGiven,
    countEachServer: asGiven,
    maxHeadAgeSeconds: number(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER, MAX_HEAD_AGE_SECONDS),
    deadlineMs: asGiven,
    onStall: asGiven,
  });
  const distinct = requireDistinctServers(clients);
  const isStopped = () => signal?.aborted === true;
  requireName(file);
  // Loaded on use: it reads the host name, which runtimes may forbid to a program that keeps no file.
  const { lockFile } = await import('./lock-file.ts');
  let lock: FileLock;
  try {
    lock = await lockFile(file, signal);
  } catch (error) {
    if (isStopped()) return;
    throw error;
  }
  try {
    while (!isStopped()) {
      const known = readCheckpoint(file);
      let result: SyncResult | undefined;
      try {
        const reached = await syncCheckpoint(distinct, known, present({ ...sync, signal }));
        syncedBlock(reached);
        result = reached;
      } catch (error) {
        if (isStopped() && error instanceof SourceError && error.code === 'source/aborted') break;
        if (onError === undefined || !isPassing(error)) throw error;
        tell('onError', onError, error);
      }
      if (result !== undefined) {
        lock.requireHeld();
        if (result.checkpoint.keyBlock.seqno > known.keyBlock.seqno) {
          requireUnchanged(file, known);
          writeCheckpoint(file, result.checkpoint);
        }
        try {
          await consult('onProgress', () => onProgress?.(result), signal);
        } catch (error) {
          if (isStopped() && error === signal?.reason) break;
          throw error;
        }
      }
      await sleep(everySeconds * 1000, signal).catch(() => undefined); // only the signal ends the wait
    }
  } finally {
    lock.release();
  }
}
