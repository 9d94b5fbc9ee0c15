/** The options of a synchronisation, and the progress that it reports. */
import { badArgument, requireArray } from '../../core/base/arguments.ts';
import type { SourceError } from '../../core/base/errors.ts';
import { MAX_SEQNO, MAX_SYNC_ANSWERS } from '../../core/base/limits.ts';
import { engine, flag, optional, readOptions, whole } from '../../core/base/options.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import type { KeyBlock } from '../../core/chain/key-blocks.ts';
import type { Ed25519Engine } from '../../core/ed25519/engine.ts';
import type { VerificationReport } from '../../core/verify/report.ts';
import { factReaders } from '../follow/live-options.ts';
import type { SyncStallReason } from '../machine/sync.ts';
import type { LiteServerClient } from './client.ts';
import { requireWitnesses } from './fleet.ts';

/** The progress of a synchronisation. Everything in it is proven. */
export interface SyncProgress {
  /** The checkpoint that a later run can resume from, together with `startIsStale`. */
  readonly checkpoint: Checkpoint;
  /** The key blocks of the last answer, in order; the last one may be `tip`. */
  readonly keyBlocks: readonly KeyBlock[];
  /** The reports of those key blocks in the same order, and the report of `tip` if it is not a key block. */
  readonly reports: readonly VerificationReport[];
  /** The newest block proven so far, and the target. */
  readonly tip: BlockIdExt;
  readonly target: BlockIdExt;
  readonly startIsStale: boolean;
  readonly links: number;
  readonly answers: number;
  readonly bytes: number;
  /** The server that gave the last answer. */
  readonly source: string;
  /** That answer as TL: keep it for `resume`. */
  readonly answer: Uint8Array;
}

/** Why a run that asks lite servers has no result yet. */
export interface SyncStall extends SyncStallReason {
  /** Milliseconds without a result. */
  readonly forMs: number;
  /** The last failure, where there is one. */
  readonly error?: SourceError;
}

/** Where the walk ends, which servers must agree on its end, and which events to report. */
export interface SyncOptions {
  /** Returns the time in Unix seconds. Default: this machine's clock, read whenever the time matters. */
  readonly clock?: () => number;
  /** Seqno of a later block to go to instead of the head, after the start. Its age is not judged. Default: the head. */
  readonly to?: number;
  /**
   * How many servers must name the same block, without the one that gave the proof; otherwise the verdict is undecided.
   * Default 0; all servers are asked in any case.
   */
  readonly witnesses?: number;
  /** Requires one witness, where `witnesses` names no number; not the policy of the function `strict`. Default false. */
  readonly strict?: boolean;
  /**
   * Counts each server as a witness. Otherwise servers of one address block (/24, /48) or host name count once. Default
   * false.
   */
  readonly countEachServer?: boolean;
  /**
   * Accepts a head that old keys of the start could have made: its validators can have withdrawn their stakes. Default
   * false.
   */
  readonly acceptStaleStart?: boolean;
  /** The `startIsStale` of an interrupted run, when this run resumes from its checkpoint. */
  readonly startWasStale?: boolean;
  /** Answers of an interrupted run from the same start (`SyncProgress.answer`), in order. They are proven again. */
  readonly resume?: readonly Uint8Array[];
  /** Seconds after which a head is stale. Default 60. */
  readonly maxHeadAgeSeconds?: number;
  /**
   * Milliseconds for the whole run, after which it ends with `source/timeout`. Default: it ends when there is nothing
   * left to try.
   */
  readonly deadlineMs?: number;
  /** Called after each answer that holds; the run waits for it. If it throws, the run fails with that error. */
  readonly onProgress?: (progress: SyncProgress) => void | Promise<void>;
  /** Called when there has been no result for 10 s, 20 s, 40 s and so on, with the reason in `code`. */
  readonly onStall?: (stall: SyncStall) => void;
  readonly engine?: Ed25519Engine;
  readonly signal?: Signal;
}

function answers(value: unknown, path: string): readonly unknown[] {
  requireArray(value, path);
  if (value.length > MAX_SYNC_ANSWERS) throw badArgument(path, `at most ${MAX_SYNC_ANSWERS} answers`, value);
  return value;
}

/** How to reach the newest block, for calls that prove facts below it: `syncCheckpoint` has the same options. */
export interface FactOptions
  extends Pick<
    SyncOptions,
    'clock' | 'witnesses' | 'strict' | 'countEachServer' | 'maxHeadAgeSeconds' | 'onProgress' | 'onStall' | 'signal'
  > {
  /** Milliseconds for the whole call, after which it ends with `source/timeout`. Default 10 minutes. */
  readonly deadlineMs?: number;
}

/** Checks the options, and returns a copy. @throws UsageError `bad-option` */
export function readSyncOptions(given: SyncOptions, startSeqno: number, servers: readonly LiteServerClient[]) {
  const opts = readOptions(given, '', {
    ...factReaders(),
    to: whole(Math.max(1, startSeqno), MAX_SEQNO),
    acceptStaleStart: flag(false),
    startWasStale: flag(false),
    resume: optional(answers, []),
    engine,
  });
  const witnesses = requireWitnesses(servers, opts);
  return { ...opts, witnesses };
}

export type SyncSettings = ReturnType<typeof readSyncOptions>;
