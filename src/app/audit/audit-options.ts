/** Reads the options of an audit once, and makes the first line of the ledger from them. */
import { badArgument, badOption, requireInteger, requireMembers } from '../../core/base/arguments.ts';
import { MAX_SEQNO } from '../../core/base/limits.ts';
import { abortSignal, asGiven, engine, flag, readOptions, text, whole } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { blockIdToJson } from '../../core/block/block-id-json.ts';
import { type Checkpoint, checkpointToJson, parseCheckpoint } from '../../core/chain/checkpoint.ts';
import type { Ed25519Engine } from '../../core/ed25519/engine.ts';
import { createValidatorSet, membersOf, ownSet, type ValidatorSet } from '../../core/validators/validator-set.ts';
import { resolvePolicy } from '../../core/verify/policy.ts';
import type { ResolvedPolicy } from '../../core/verify/report.ts';
import { requireFileName } from '../files/write-file.ts';
import type { AuditSource } from './audit-source.ts';
import { AUDIT_ROW_SCHEMA, type AuditPlan, MAX_SIGN_EVERY } from './ledger-lines.ts';
import { setLineOf } from './report-to-row.ts';
import type { AuditStart } from './set-book.ts';
import type { SeqnoRange } from './split-range.ts';

/** The range of masterchain blocks, their source, and the trust of an audit. */
export interface AuditOptions {
  /** First and last seqno, both included. */
  readonly from: number;
  readonly to: number;
  /** The range of which this is one part. The ledger names it, and `mergeLedgers` requires all of it. */
  readonly whole?: SeqnoRange;
  /** `auditFiles`, `auditServers`, `auditLite`. */
  readonly blocks: AuditSource;
  /** The set that signs all blocks. Give either this or a checkpoint. */
  readonly validators?: ValidatorSet;
  /** The start of trust: sets are proven from there, as far as the source has proofs. */
  readonly checkpoint?: Checkpoint;
  /** The ledger's file, new or to be continued. Without it the rows are only yielded. */
  readonly out?: string;
  /** n: check the signatures of every n-th block and of key blocks, and prove the others by hashes. Default 1: every block. */
  readonly signEvery?: number;
  /** As in `Policy`: at least 2/3, which is the default. */
  readonly threshold?: { readonly num: bigint; readonly den: bigint };
  /** Accept the number that a source claims for a block whose signatures do not cover it. Default false. */
  readonly acceptUnbound?: boolean;
  /**
   * Leave a block undecided (`unbound-id`) unless its whole id is proven, as always over HTTP without `acceptUnbound`. Default false: from
   * files the number of a block may be a claim.
   */
  readonly requireBoundId?: boolean;
  /** Most blocks that may be missing, each with a row that says so; one more ends the audit with its error. Default 10. */
  readonly maxFailures?: number;
  /** Default: a pool of workers, as many as the machine runs at once. */
  readonly engine?: Ed25519Engine;
  readonly signal?: Signal;
}

/** The options of an audit after validation. */
export interface ResolvedAudit {
  readonly head: AuditPlan;
  readonly blocks: AuditSource;
  readonly start: AuditStart;
  readonly policy: ResolvedPolicy;
  readonly out: string | undefined;
  readonly maxFailures: number;
  readonly engine: Ed25519Engine | undefined;
  readonly signal: Signal;
}

/** Blocks that may be missing before one more ends an audit. */
export const failureLimit = whole(0, MAX_SEQNO, 10);

const AUDIT_READERS = {
  from: asGiven,
  to: asGiven,
  whole: asGiven,
  blocks: auditSource,
  validators: asGiven,
  checkpoint: asGiven,
  out: text(),
  signEvery: whole(1, MAX_SIGN_EVERY, 1),
  threshold: asGiven,
  acceptUnbound: flag(false),
  requireBoundId: flag(false),
  maxFailures: failureLimit,
  engine,
  signal: abortSignal,
} as const;

/** Most digits that readers of ledgers accept. */
const MAX_THRESHOLD_DIGITS = 19;

function readTrust({ validators, checkpoint }: AuditOptions): AuditStart {
  if (validators !== undefined && checkpoint !== undefined) {
    const hint = 'pass the one that you trust: a checkpoint proves its sets';
    throw badOption('expected one of validators and checkpoint, got both', 'validators', hint);
  }
  if (validators === undefined && checkpoint === undefined) {
    const hint = 'pass the validator set, from a source other than that of the signatures';
    throw badOption('expected one of validators and checkpoint, got neither', 'validators', hint);
  }
  // A checkpoint from elsewhere is proven here, once.
  if (checkpoint !== undefined) return { checkpoint: parseCheckpoint(checkpointToJson(checkpoint)) };
  const own = ownSet(validators!); // one of the two is given
  if (own.provenance.kind === 'given') return { validators: own };
  if (own.provenance.kind === 'proven') {
    const { shuffle, utimeUntil } = own; // provenance is dropped: here the set signs all blocks because the caller says so
    return { validators: createValidatorSet(membersOf(own), present({ shuffle, utimeUntil })) };
  }
  throw badOption('pass a given or proven set: a set that a server claims proves nothing', 'validators');
}

function readWhole(given: SeqnoRange, first: number, last: number): SeqnoRange {
  const { from, to } = requireMembers(given, 'a range', 'whole') as Record<'from' | 'to', unknown>;
  return {
    from: requireInteger(from, 'whole.from', 1, first),
    to: requireInteger(to, 'whole.to', last, MAX_SEQNO),
  };
}

function auditSource(source: AuditSource, path: string): AuditSource {
  const { name, open } = requireMembers(source, 'a source of blocks to audit', path);
  if (typeof name === 'string' && typeof open === 'function') return source;
  throw badArgument(path, 'a source of blocks to audit', source, 'make one with auditFiles, auditServers or auditLite');
}

/**
 * Reads the options of an audit.
 * @throws UsageError for options that are unknown, of a wrong type, or contradict each other; TrustError for a checkpoint
 */
export function resolveAudit(given: AuditOptions): ResolvedAudit {
  const opts = readOptions(given, '', AUDIT_READERS, { validatorSet: 'write validators', set: 'write validators' });
  const { blocks, acceptUnbound, signEvery, maxFailures, out } = opts;
  if (out !== undefined) requireFileName(out, 'out');
  const from = requireInteger(opts.from, 'from', 1, MAX_SEQNO);
  const to = requireInteger(opts.to, 'to', from, MAX_SEQNO);
  if (signEvery > 1 && !blocks.bindsIds) {
    const hint = 'use files or lite servers, or check the signatures of every block';
    throw badOption('HTTP servers have no proofs of the blocks between', 'signEvery', hint);
  }
  const start = readTrust(opts);
  const policy = resolvePolicy({
    acceptUnbound,
    requireBoundId: opts.requireBoundId || (!blocks.bindsIds && !acceptUnbound),
    ...present({ threshold: opts.threshold }),
  });
  const { threshold, onDefect, requireBoundId } = policy;
  const { num, den } = threshold;
  if (String(num).length > MAX_THRESHOLD_DIGITS || String(den).length > MAX_THRESHOLD_DIGITS) {
    throw badOption(`expected numbers of at most ${MAX_THRESHOLD_DIGITS} digits`, 'threshold');
  }
  const head: AuditPlan = {
    type: 'audit',
    schema: AUDIT_ROW_SCHEMA,
    from,
    to,
    ...present({ whole: opts.whole && readWhole(opts.whole, from, to) }),
    signEvery,
    policy: { threshold: `${num}/${den}`, onDefect, requireBoundId, acceptUnbound },
    trust:
      'validators' in start
        ? { kind: 'given', set: setLineOf(start.validators).set }
        : {
            kind: 'proven',
            anchor: blockIdToJson(start.checkpoint.anchor),
            keyBlock: blockIdToJson(start.checkpoint.keyBlock),
          },
  };
  const signal = opts.signal ?? new AbortController().signal;
  return { head, blocks, start, policy, out, maxFailures, engine: opts.engine, signal };
}
