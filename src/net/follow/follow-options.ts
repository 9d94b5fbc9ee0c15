/** What `followBlocks` is told: its options, read strictly and copied, with every default filled in. */

import { badArgument, isList, isObject, requireInteger, requireOptions } from '../../core/base/arguments.ts';
import { type SourceError, UsageError } from '../../core/base/errors.ts';
import { MAX_SEQNO } from '../../core/base/limits.ts';
import { requireEngine, requireNumber, requireSignal, requireType } from '../../core/base/option-values.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { SignatureSet } from '../../core/block/signature-set.ts';
import type { Ed25519Engine } from '../../core/ed25519/engine.ts';
import type { ValidatorSet } from '../../core/validators/validator-set.ts';
import { pickPolicy, resolvePolicy } from '../../core/verify/policy.ts';
import type { Evidence, Policy } from '../../core/verify/report.ts';
import { voicesOf } from '../machine/voices.ts';
import { requireDistinct } from '../sources/attribution.ts';
import type { BlockSource } from '../sources/block-source.ts';
import type { LiveWarning } from '../sources/witness-report.ts';
import type { FollowStall } from './voice.ts';

/** How far behind the chain's head the next report is. */
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

/** What the callback `validators` is told beside the block. */
export interface ValidatorsQuestion {
  /** Fires when the run ends: nothing waits for the answer then. */
  readonly signal: Signal;
  /** true: nobody in the set it named for this block signed it, so the validators have probably changed. */
  readonly isAgain: boolean;
}

/** The whole block id has to be bound (`requireBoundId` is the default), unless `acceptUnbound` names the exception. */
export interface FollowOptions extends Policy {
  /**
   * The set, or who knows the set of each block: it is asked anew for every block, and may answer with the same object. Where
   * nobody in its set signed a block it is asked again, with `isAgain`; until it names the set of that block, the block is
   * tried again and not reported.
   */
  readonly validators:
    | ValidatorSet
    | ((set: SignatureSet, opts: ValidatorsQuestion) => ValidatorSet | Promise<ValidatorSet>);
  /** First seqno. Default: the head at the start. */
  readonly from?: number;
  /** Ends the iteration, without an error. */
  readonly signal?: Signal;
  readonly engine?: Ed25519Engine;
  /** What else is known of a block, such as its header: see `crossCheck`. A SourceError here counts as trouble: the block is tried again. */
  readonly evidenceOf?: (set: SignatureSet, opts: { readonly signal: Signal }) => Evidence | Promise<Evidence>;
  /**
   * The time in Unix seconds, by which a block at the head is judged: nothing newer was seen, so that a server which stopped
   * long ago, or shows an old chain, is noticed by the age of the validator set. Default: this machine's clock.
   */
  readonly now?: () => number;
  /**
   * Servers that blocks are compared with: one of them about each block, in turn, and nothing waits for it. One that shows another
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

/** Every option, so that one of another name is an error. */
const NAMES: Readonly<Record<keyof FollowOptions, true>> = {
  onDefect: true,
  threshold: true,
  acceptClaimed: true,
  acceptUnbound: true,
  requireBoundId: true,
  requireProvenSet: true,
  requireHeader: true,
  validators: true,
  from: true,
  signal: true,
  engine: true,
  evidenceOf: true,
  now: true,
  pollMs: true,
  lagAfter: true,
  sample: true,
  onLag: true,
  prefetch: true,
  onTrouble: true,
  onStall: true,
  stallAfterMs: true,
  maxOutageMs: true,
  others: true,
  witnesses: true,
  strict: true,
  countEachServer: true,
  onWarning: true,
};
const KNOWN = Object.keys(NAMES);

/** What people write at the top. */
const ELSEWHERE = {
  policy: 'its members are options themselves, as in { requireBoundId: true }',
  nowSeconds: 'write now: () => seconds, which is asked for each block at the head',
  evidence: 'write evidenceOf: async (set) => evidence',
  header: 'write evidenceOf: async (set) => ({ header })',
  expect: 'compare coverage.blockId of a report, or use verifyBlock',
};

const DEFAULT_POLL_MS = 400;
const DEFAULT_LAG_AFTER = 10;
const DEFAULT_PREFETCH = 8;
const MAX_PREFETCH = 64;
const DEFAULT_STALL_AFTER_MS = 10_000;
const DEFAULT_MAX_OUTAGE_MS = 10 * 60 * 1000;
const MAX_POLL_MS = 60 * 60 * 1000;
/** A year: no run that is to end at all waits longer. */
const MAX_PATIENCE_MS = 365 * 24 * 60 * 60 * 1000;

type Defaulted =
  | 'now'
  | 'pollMs'
  | 'lagAfter'
  | 'sample'
  | 'prefetch'
  | 'stallAfterMs'
  | 'maxOutageMs'
  | 'others'
  | 'witnesses';
/** The options, with what has a default filled in. */
export interface FollowSettings extends Omit<FollowOptions, Defaulted>, Required<Pick<FollowOptions, Defaulted>> {
  readonly policy: Policy;
}

function machineClock(): number {
  return Math.floor(Date.now() / 1000);
}

/** @throws UsageError `usage/bad-option` or `usage/bad-policy` */
export function readFollowOptions(given: FollowOptions): FollowSettings {
  const opts = requireOptions(given, KNOWN, '', ELSEWHERE);
  const { validators, from, engine } = opts;
  const isSet = isObject(validators) && isList(validators.validators);
  if (!isSet && typeof validators !== 'function') {
    const hint = 'validatorSetFromJson reads a set from JSON';
    throw badArgument('validators', 'a validator set or a function that gives one', validators, hint);
  }
  if (from !== undefined && !(Number.isInteger(from) && from > 0 && from <= MAX_SEQNO)) {
    throw badArgument('from', `a seqno from 1 to ${MAX_SEQNO}`, from);
  }
  requireSignal(opts.signal, 'signal');
  requireEngine(engine);
  for (const name of ['evidenceOf', 'now', 'onLag', 'onTrouble', 'onStall', 'onWarning'] as const)
    requireType(opts[name], 'function', name);
  for (const name of ['sample', 'strict', 'countEachServer'] as const) requireType(opts[name], 'boolean', name);
  const others = opts.others === undefined ? [] : requireDistinct(opts.others);
  const witnesses = opts.witnesses ?? Number(opts.strict === true);
  const voices = voicesOf(
    others.map(({ name }) => ({ name })),
    undefined,
    opts.countEachServer,
  );
  requireInteger(witnesses, 'witnesses', 0, voices);
  requireNumber(opts.pollMs, 0, MAX_POLL_MS, 'pollMs');
  requireNumber(opts.lagAfter, 1, Number.POSITIVE_INFINITY, 'lagAfter');
  requireNumber(opts.prefetch, 1, MAX_PREFETCH, 'prefetch');
  requireNumber(opts.stallAfterMs, 1, MAX_PATIENCE_MS, 'stallAfterMs');
  requireNumber(opts.maxOutageMs, 0, MAX_PATIENCE_MS, 'maxOutageMs');
  // A server asked for a number has to be bound to it: what it sends under another is not what was asked for.
  if (opts.requireBoundId === false && opts.acceptUnbound !== true) {
    const hint = 'write acceptUnbound: true, which every report then shows';
    throw new UsageError('usage/bad-policy', 'only by its name is an unbound number accepted', {
      path: 'requireBoundId',
      hint,
    });
  }
  const policy = { ...pickPolicy(opts), requireBoundId: opts.requireBoundId ?? opts.acceptUnbound !== true };
  resolvePolicy(policy);
  return Object.freeze({
    ...opts,
    policy,
    others,
    witnesses,
    now: opts.now ?? machineClock,
    pollMs: opts.pollMs ?? DEFAULT_POLL_MS,
    lagAfter: opts.lagAfter ?? DEFAULT_LAG_AFTER,
    sample: opts.sample ?? false,
    prefetch: Math.floor(opts.prefetch ?? DEFAULT_PREFETCH),
    stallAfterMs: opts.stallAfterMs ?? DEFAULT_STALL_AFTER_MS,
    maxOutageMs: opts.maxOutageMs ?? DEFAULT_MAX_OUTAGE_MS,
  });
}
