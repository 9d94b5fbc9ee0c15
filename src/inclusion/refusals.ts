/** The refusals that several kinds of facts share. */
import { type TrustError, UsageError } from '../base/errors.ts';
import { trustError } from '../chain/shared-checks.ts';

/** @param what as in `a block` */
export function unproven(what: string, path: string, hint?: string): TrustError {
  return trustError('trust/unproven-block', `expected ${what} that was proven here`, path, hint);
}

/** Something is given that is proven not to be there. @param what as in `a library` @param holder as in `state` */
export function contradiction(what: string, holder: string, path: string): TrustError {
  return trustError('trust/contradiction', `${what} is given that the ${holder} is proven not to hold`, path);
}

/** Proof and answer say different things of a shard. */
export function shardContradiction(): TrustError {
  return trustError(
    'trust/contradiction',
    'proof and answer disagree on whether there is such a shard',
    'answer.shardblk',
  );
}

/** @param what as in `the account` */
export function notGiven(what: string, path: string, hint?: string): TrustError {
  return trustError('trust/state-missing', `${what} is proven to exist, its contents were not given`, path, hint);
}

export function badOption(message: string, path: string, hint?: string): UsageError {
  return new UsageError('usage/bad-option', message, { path, hint });
}
