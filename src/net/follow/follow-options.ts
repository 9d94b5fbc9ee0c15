/** The options of `followBlocks`, checked and copied, with every default filled in. */

import { badArgument, isList, isObject, requireInteger } from '../../core/base/arguments.ts';
import { type SourceError, UsageError } from '../../core/base/errors.ts';
import { MAX_SEQNO } from '../../core/base/limits.ts';
import { callback, flag, number, optional, readOptions, whole } from '../../core/base/options.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { SignatureList } from '../../core/block/signature-list.ts';
import type { Ed25519Engine } from '../../core/ed25519/engine.ts';
import type { ValidatorSet } from '../../core/validators/validator-set.ts';
import { POLICY_READERS, pickPolicy, resolvePolicy } from '../../core/verify/policy.ts';
import type { BlockContext, Policy } from '../../core/verify/report.ts';
import type { FollowLag } from '../machine/follow-blocks.ts';
import { voicesOf } from '../machine/witness-count.ts';
import { type BlockSource, requireDistinct } from '../sources/block-source.ts';
import type { LiveWarning } from '../sources/witness-report.ts';
import { followReaders } from './live-options.ts';
import type { FollowStall } from './stall-reports.ts';

/** The arguments of the callback `validators`, in addition to the block. */
export interface ValidatorsQuestion {
  /** Fires when the run ends: the answer is not needed then. */
  readonly signal: Signal;
  /** true: no validator of the set that you named for this block signed it, so the validators have probably changed. */
  readonly isAgain: boolean;
}

/**
 * Options of `followBlocks`. The whole block id has to be bound (`requireBoundId` is the default), unless you pass
 * `acceptUnbound`.
 */
export interface FollowOptions extends Policy {
  /**
   * The validator set, or a function that returns the set of a block. The function is called for every block, and may
   * return the same object. If no validator of its set signed a block, it is called again with `isAgain`. Until it
   * returns the set of that block, the block is tried again and is not reported.
   */
  readonly validators:
    | ValidatorSet
    | ((signatures: SignatureList, opts: ValidatorsQuestion) => ValidatorSet | Promise<ValidatorSet>);
  /** The seqno of the first block. Default: the head at the start. */
  readonly from?: number;
  /** Ends the iteration without an error. */
  readonly signal?: Signal;
  readonly engine?: Ed25519Engine;
  /**
   * Returns further context of a block, such as its header: see `crossCheck`. `source` names the server that gave the
   * signatures. After a SourceError the block is tried again.
   */
  readonly contextOf?: (
    signatures: SignatureList,
    opts: { readonly signal: Signal; readonly source: string },
  ) => BlockContext | Promise<BlockContext>;
  /**
   * The time in Unix seconds, by which every block is judged. A server that stopped long ago, or that shows an old chain,
   * is detected by the age of the validator set, whatever head it names. Default: this machine's clock.
   */
  readonly clock?: () => number;
  /**
   * Accepts blocks of a set whose validators can have withdrawn their stakes, as when you catch up from long ago.
   * Otherwise such a block is `undecided: stale-set`. Holders of the old keys could forge every such block. Each report
   * carries the warning `stale-start`. Default false.
   */
  readonly acceptStaleStart?: boolean;
  /**
   * Servers that blocks are compared with: one of them for each block, in turn. Only the end of the run waits for the
   * answer, up to a second. A server that shows a different block signed by the same set ends the run with a ForkError.
   * The server that gave a block does not count as a witness of the same block. Default: none.
   */
  readonly others?: readonly BlockSource[];
  /**
   * How many of `others` must name a block before it is handed out. After a second the remaining ones are asked as well;
   * a server that was slow does not hold up the next block. Default 0.
   */
  readonly witnesses?: number;
  /** Requires one witness, where `witnesses` names no number; not the policy of the function `strict`. Default false. */
  readonly strict?: boolean;
  /**
   * Counts each server as a witness. Otherwise servers of one address block (/24, /48) or host name count once. Default
   * false.
   */
  readonly countEachServer?: boolean;
  /** Called when a server names a different block. */
  readonly onWarning?: (warning: LiveWarning) => void;
  /** Milliseconds between looks at the head when there is nothing new. Default 400, the chain's own pace. */
  readonly pollMs?: number;
  /** Blocks behind the head from which `onLag` reports the lag. Default 10. */
  readonly lagAfter?: number;
  /**
   * false: every block is reported, however late. true: when behind by `lagAfter`, resume at the head and leave the
   * blocks between out. Default false.
   */
  readonly sample?: boolean;
  readonly onLag?: (lag: FollowLag) => void;
  /**
   * Blocks asked for at a time while catching up, as far as the pace of the source allows. Default 8; 1 asks one by
   * one.
   */
  readonly prefetch?: number;
  /** Called for every failure that is tried again. */
  readonly onTrouble?: (error: SourceError) => void;
  /**
   * Called when there is no report for `stallAfterMs`, then after twice as long, and so on. Called at once when the
   * head went back, but not again within 10 s, 20 s and so on, or when the first head is more than 100 blocks before
   * `from`.
   */
  readonly onStall?: (stall: FollowStall) => void;
  /** Milliseconds without a report before the first call of `onStall`. Default 10 s. */
  readonly stallAfterMs?: number;
  /**
   * Milliseconds without a report after which the run ends with an error, while the head does not move or questions
   * fail. Where the head does not move, at least `stallAfterMs`. Default 10 minutes.
   */
  readonly maxOutageMs?: number;
}

/** Options of other calls, with a hint for each. */
const ELSEWHERE = {
  policy: 'its members are options, as in { requireBoundId: true }',
  nowSeconds: 'write clock: () => seconds, called for each block',
  context: 'write contextOf: async (signatures) => ({ header })',
  header: 'write contextOf: async (signatures) => ({ header })',
  expect: 'compare coverage.blockId of a report, or use verifyBlock',
};

/** One hour, and one year. */
const [MAX_POLL_MS, MAX_STALL_MS] = [3_600_000, 365 * 86_400_000];

function requireValidators(validators: unknown, path: string): void {
  const isSet = isObject(validators) && isList(validators.validators);
  if (isSet || typeof validators === 'function') return;
  const hint = 'parseValidatorSet reads a set from JSON';
  throw badArgument(path, 'a validator set or a function that gives one', validators, hint);
}

/** Checks the options. @throws UsageError `usage/bad-option` or `usage/bad-policy` */
export function readFollowOptions(given: FollowOptions) {
  const opts = readOptions(
    given,
    '',
    {
      ...POLICY_READERS,
      ...followReaders(),
      validators: requireValidators,
      from: whole(1, MAX_SEQNO),
      contextOf: callback(),
      clock: callback(() => Math.floor(Date.now() / 1000)),
      acceptStaleStart: flag(false),
      onLag: callback(),
      sample: flag(false),
      others: optional(requireDistinct, []),
      pollMs: number(0, MAX_POLL_MS, 400),
      lagAfter: number(1, Number.POSITIVE_INFINITY, 10),
      prefetch: number(1, 64, 8),
      stallAfterMs: number(1, MAX_STALL_MS, 10_000),
    },
    ELSEWHERE,
  );
  const { others, strict, countEachServer, acceptUnbound } = opts;
  const names = others.map(({ name }) => ({ name }));
  const voices = voicesOf(names, undefined, countEachServer);
  const witnesses = requireInteger(opts.witnesses ?? Number(strict), 'witnesses', 0, voices);
  // The number must be bound: a server could otherwise answer with a block of a different number.
  if (opts.requireBoundId === false && acceptUnbound !== true) {
    throw new UsageError('usage/bad-policy', 'write acceptUnbound: true to accept an unbound number', {
      path: 'requireBoundId',
      hint: 'write acceptUnbound: true; every report then shows it',
    });
  }
  const policy = { ...pickPolicy(opts), requireBoundId: opts.requireBoundId ?? acceptUnbound !== true };
  resolvePolicy(policy);
  return Object.freeze({ ...opts, policy, witnesses, prefetch: Math.floor(opts.prefetch) });
}

/** The options with their defaults. */
export type FollowSettings = ReturnType<typeof readFollowOptions>;
