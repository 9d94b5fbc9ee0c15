/** Reads the options that an audit, a fleet and `checkAgain` share. */
import { MAX_SEQNO } from '../../core/base/limits.ts';
import { abortSignal, asGiven, engine, flag, whole } from '../../core/base/options.ts';
import { MAX_SIGN_EVERY } from './ledger-lines.ts';

/** Blocks that may be missing before one more ends an audit. */
export const failureLimit = whole(0, MAX_SEQNO, 10);

/** The readers of those options. */
export const AUDIT_READERS = {
  from: asGiven,
  to: asGiven,
  validators: asGiven,
  checkpoint: asGiven,
  signEvery: whole(1, MAX_SIGN_EVERY, 1),
  threshold: asGiven,
  acceptUnbound: flag(false),
  maxFailures: failureLimit,
  engine,
  signal: abortSignal,
} as const;
