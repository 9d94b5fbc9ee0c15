/** What `followBlocks` is told: its options, read strictly and copied, with every default filled in. */

import { badArgument, isList, isObject, requireInteger } from '../../core/base/arguments.ts';
import { type SourceError, UsageError } from '../../core/base/errors.ts';
import { MAX_SEQNO } from '../../core/base/limits.ts';
import {
  abortSignal,
  asGiven,
  callback,
  engine,
  flag,
  number,
  optional,
  readOptions,
  whole,
} from '../../core/base/options.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { SignatureList } from '../../core/block/signature-set.ts';
import type { Ed25519Engine } from '../../core/ed25519/engine.ts';
import type { ValidatorSet } from '../../core/validators/validator-set.ts';
import { POLICY_READERS, pickPolicy, resolvePolicy } from '../../core/verify/policy.ts';
import type { BlockContext, Policy } from '../../core/verify/report.ts';
import { voicesOf } from '../machine/voices.ts';
import { type BlockSource, requireDistinct } from '../sources/block-source.ts';
import type { LiveWarning } from '../sources/witness-report.ts';
import type { FollowStall } from './voice.ts';

/** How far the next report is behind the head of the chain. */
export interface FollowLag {
  /** Seqno of the next block to be reported. */
  readonly next: number;
  /** Seqno of the newest block the source knows. */
  readonly head: number;
  /** Blocks that are there and not reported yet. */
  readonly behind: number;
  /** Blocks left out just now; 0 unless sampling. */
  readonly skipped: number;
}

/** The arguments of the callback `validators`, in addition to the block. */
export interface ValidatorsQuestion {
  /** Fires when the run ends: nothing waits for the answer then. */
  readonly signal: Signal;
  /** true: nobody in the set it named for this block signed it, so the validators have probably changed. */
  readonly isAgain: boolean;
}

/**
 * Options of `followBlocks`. The whole block id has to be bound (`requireBoundId` is the default), unless you pass
 * `acceptUnbound`.
 */
export interface FollowOptions extends Policy {
  /**
   * The set, or who knows the set of each block: it is asked anew for every block, and may answer with the same object. Where
   * nobody in its set signed a block it is asked again, with `isAgain`; until it names the set of that block, the block is
   * tried again and not reported.
   */
  readonly validators:
    | ValidatorSet
    | ((set: SignatureList, opts: ValidatorsQuestion) => ValidatorSet | Promise<ValidatorSet>);
  /** First seqno. Default: the head at the start. */
  readonly from?: number;
  /** Ends the iteration, without an error. */
  readonly signal?: Signal;
  readonly engine?: Ed25519Engine;
  /** What else is known of a block, such as its header: see `crossCheck`. A SourceError here counts as trouble: the block is tried again. */
  readonly contextOf?: (set: SignatureList, opts: { readonly signal: Signal }) => BlockContext | Promise<BlockContext>;
  /**
   * The time in Unix seconds, by which a block at the head is judged: nothing newer was seen, so that a server which stopped
   * long ago, or shows an old chain, is noticed by the age of the validator set. Default: this machine's clock.
   */
  readonly now?: () => number;
  /**
   * Servers that blocks are compared with: one of them about each block, in turn, and only the end of the run waits for it, up to 1.5 s. One that shows another
   * block signed by the same set ends the run with a ForkError. The server that gave a block is no witness of it. Default: none.
   */
  readonly others?: readonly BlockSource[];
  /** How many of `others` must name a block before it is handed out. Default 0. */
  readonly witnesses?: number;
  /** At least one witness, where `witnesses` names no number. Default false. */
  readonly strict?: boolean;
  /** Each server is a witness, though several are of one address block (/24, /48) or host name, and count once else. Default false. */
  readonly countEachServer?: boolean;
  /** Told of servers that name other blocks. */
  readonly onWarning?: (warning: LiveWarning) => void;
  /** Milliseconds between looks at the head when there is nothing new. Default 400, the chain's own pace. */
  readonly pollMs?: number;
  /** Blocks behind the head from which on the lag is told. Default 10. */
  readonly lagAfter?: number;
  /** Default false: every block, ever later. true: when behind by `lagAfter`, go on at the head and leave the rest out. */
  readonly sample?: boolean;
  readonly onLag?: (lag: FollowLag) => void;
  /** Blocks asked for at a time while catching up, as far as the pace of the source lets them go. Default 8; 1 asks one by one. */
  readonly prefetch?: number;
  /** Sees every failure that is tried again. */
  readonly onTrouble?: (error: SourceError) => void;
  /**
   * Told why there is no report: after `stallAfterMs` without one, then after twice as long, and so on; at once when the head went
   * back, or the first one is more than 100 blocks before `from`.
   */
  readonly onStall?: (stall: FollowStall) => void;
  /** Milliseconds without a report after which that is told. Default 10 s. */
  readonly stallAfterMs?: number;
  /** Milliseconds without a report in which the head does not move on, or answers fail, after which it ends with an error. Default 10 minutes. */
  readonly maxOutageMs?: number;
}

/** What people write at the top. */
const ELSEWHERE = {
  policy: 'its members are options themselves, as in { requireBoundId: true }',
  nowSeconds: 'write now: () => seconds, a function that is called for each block',
  context: 'write contextOf: async (set) => context',
  evidenceOf: 'write contextOf',
  header: 'write contextOf: async (set) => ({ header })',
  expect: 'compare coverage.blockId of a report, or use verifyBlock',
};

/** A year: no run that is to end at all waits longer. */
const MAX_PATIENCE_MS = 365 * 24 * 60 * 60 * 1000;

function machineClock(): number {
  return Math.floor(Date.now() / 1000);
}

function requireValidators(validators: unknown, path: string): void {
  const isSet = isObject(validators) && isList(validators.validators);
  if (isSet || typeof validators === 'function') return;
  const hint = 'parseValidatorSet reads a set from JSON';
  throw badArgument(path, 'a validator set or a function that gives one', validators, hint);
}

/** @throws UsageError `usage/bad-option` or `usage/bad-policy` */
export function readFollowOptions(given: FollowOptions) {
  const opts = readOptions(
    given,
    '',
    {
      ...POLICY_READERS,
      validators: requireValidators,
      from: whole(1, MAX_SEQNO),
      signal: abortSignal,
      engine,
      contextOf: callback(),
      now: callback(machineClock),
      onLag: callback(),
      onTrouble: callback(),
      onStall: callback(),
      onWarning: callback(),
      sample: flag(false),
      strict: flag(),
      countEachServer: flag(),
      others: optional(requireDistinct, []),
      witnesses: asGiven,
      pollMs: number(0, 60 * 60 * 1000, 400),
      lagAfter: number(1, Number.POSITIVE_INFINITY, 10),
      prefetch: number(1, 64, 8),
      stallAfterMs: number(1, MAX_PATIENCE_MS, 10_000),
      maxOutageMs: number(0, MAX_PATIENCE_MS, 10 * 60 * 1000),
    },
    ELSEWHERE,
  );
  const { others, strict, countEachServer, acceptUnbound } = opts;
  const names = others.map(({ name }) => ({ name }));
  const voices = voicesOf(names, undefined, countEachServer);
  const witnesses = requireInteger(opts.witnesses ?? Number(strict === true), 'witnesses', 0, voices);
  // A server asked for a number has to be bound to it: what it sends under another is not what was asked for.
  if (opts.requireBoundId === false && acceptUnbound !== true) {
    const hint = 'write acceptUnbound: true; every report then shows it';
    throw new UsageError('usage/bad-policy', 'write acceptUnbound: true to accept an unbound number', {
      path: 'requireBoundId',
      hint,
    });
  }
  const policy = { ...pickPolicy(opts), requireBoundId: opts.requireBoundId ?? acceptUnbound !== true };
  resolvePolicy(policy);
  return Object.freeze({ ...opts, policy, witnesses, prefetch: Math.floor(opts.prefetch) });
}

/** The options, with what has a default filled in. */
export type FollowSettings = ReturnType<typeof readFollowOptions>;
