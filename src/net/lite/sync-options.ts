/** What a synchronisation is asked for, and what it tells on the way. */
import { badArgument, requireList, requireSeconds } from '../../core/base/arguments.ts';
import type { SourceError } from '../../core/base/errors.ts';
import { MAX_HEAD_AGE_SECONDS, MAX_SEQNO, MAX_SYNC_ANSWERS } from '../../core/base/limits.ts';
import {
  abortSignal,
  asGiven,
  callback,
  engine,
  flag,
  number,
  optional,
  type Read,
  readOptions,
  whole,
} from '../../core/base/options.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import type { Checkpoint } from '../../core/chain/checkpoint.ts';
import type { KeyBlock } from '../../core/chain/key-blocks.ts';
import type { Ed25519Engine } from '../../core/ed25519/engine.ts';
import type { VerificationReport } from '../../core/verify/report.ts';
import type { SyncStallReason } from '../machine/sync.ts';
import type { LiteServerClient } from './client.ts';
import { requireWitnesses } from './fleet.ts';

/** The progress of a synchronisation. Everything in it is proven. */
export interface SyncProgress {
  /** Where a later run can go on, together with `startIsStale`. */
  readonly checkpoint: Checkpoint;
  /** Those that the last answer led over, in order; the last one may be `tip`. */
  readonly keyBlocks: readonly KeyBlock[];
  /** What the signatures of these come to, in the same order, and those of `tip` where it is no key block. */
  readonly reports: readonly VerificationReport[];
  /** The newest block proven so far, and the one that is gone for. */
  readonly tip: BlockIdExt;
  readonly target: BlockIdExt;
  readonly startIsStale: boolean;
  readonly links: number;
  readonly answers: number;
  readonly bytes: number;
  /** The server that gave the last answer. */
  readonly source: string;
  /** That answer, TL: keep it for `resume`. */
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
  /** Unix seconds. Default: this machine's clock, read whenever it matters. */
  readonly clock?: () => number;
  /** Seqno of a later block to go to, in place of the head; its age is then not judged. Above that of the start. */
  readonly to?: number;
  /** How many servers beside the one that gave the proof must name the same block, else it is undecided. Default: none must, all are asked. */
  readonly witnesses?: number;
  /** At least one witness, where `witnesses` names no number. Default false. */
  readonly strict?: boolean;
  /** Each server is a witness, though several are of one address block (/24, /48) or host name, and count once else. Default false. */
  readonly countEachServer?: boolean;
  /** Take a head for final though whoever has the old keys of the start could have made it. Default false. */
  readonly acceptStaleStart?: boolean;
  /** What an interrupted run said of its start, when this one goes on from its checkpoint. */
  readonly startWasStale?: boolean;
  /** Answers that an interrupted run from the same start was given (`SyncProgress.answer`), in order: they are proven again. */
  readonly resume?: readonly Uint8Array[];
  /** Seconds after which a head is stale. Default 60. */
  readonly maxHeadAgeSeconds?: number;
  /** Milliseconds for all of it, after which it ends with `source/timeout`. Default: it ends when there is nothing left to try. */
  readonly deadlineMs?: number;
  /** Called after each answer that holds; waited for. What it throws is thrown. */
  readonly onProgress?: (progress: SyncProgress) => void | Promise<void>;
  /** Told why there is no result yet: after 10 s, 20 s, 40 s and so on. */
  readonly onStall?: (stall: SyncStall) => void;
  readonly engine?: Ed25519Engine;
  readonly signal?: Signal;
}

function answers(value: unknown, path: string): readonly unknown[] {
  requireList(value, path);
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

const plainReaders = () => ({
  clock: callback(() => Date.now() / 1000),
  witnesses: asGiven, // as many as there are servers: `readSyncOptions`
  strict: flag(false),
  countEachServer: flag(false),
  maxHeadAgeSeconds: number(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER, MAX_HEAD_AGE_SECONDS),
  deadlineMs: number(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER),
  onProgress: callback(),
  onStall: callback(),
});

/** The readers of `FactOptions`. The type is written out, since an inferred one names a type of the runtime. */
export const factReaders = (): ReturnType<typeof plainReaders> & { readonly signal: Read<Signal | undefined> } => ({
  ...plainReaders(),
  signal: abortSignal,
});

/** A copy of the options, each of its type and in its range. @throws UsageError `bad-option` */
export function readSyncOptions(given: SyncOptions, startSeqno: number, servers: readonly LiteServerClient[]) {
  const opts = readOptions(given, '', {
    ...factReaders(),
    to: whole(Math.max(1, startSeqno), MAX_SEQNO),
    acceptStaleStart: flag(false),
    startWasStale: flag(false),
    resume: optional(answers, []),
    engine,
  });
  const { clock } = opts;
  const witnesses = requireWitnesses(servers, opts);
  return { ...opts, witnesses, clock: () => requireSeconds(clock(), 'clock()') };
}

export type SyncSettings = ReturnType<typeof readSyncOptions>;
