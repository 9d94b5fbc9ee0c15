/** Errors, and checks of arguments, that several kinds of facts share. */
import { badArgument, requireMembers } from '../base/arguments.ts';
import type { TrustError } from '../base/errors.ts';
import { trustError } from '../chain/shared-checks.ts';

/** Makes the error for missing contents. @param what as in `a block` */
export function unproven(what: string, path: string, hint = 'pass the returned object, not a copy'): TrustError {
  return trustError('trust/unproven-block', `expected ${what} that was proven here`, path, hint);
}

/**
 * Makes the error for contents that are given although their absence is proven. @param what as in `a library` @param
 * holder as in `state`
 */
export function contradiction(what: string, holder: string, path: string): TrustError {
  return trustError('trust/contradiction', `${what} is given that the ${holder} is proven not to hold`, path);
}

/** Makes the error for a proof and an answer that contradict each other about a shard. */
export function shardContradiction(): TrustError {
  return trustError('trust/contradiction', 'proof and answer disagree on the shard', 'answer.shardblk');
}

/** Makes the error for contents that the answer leaves out. @param what as in `the account` */
export function notGiven(what: string, path: string, hint?: string): TrustError {
  return trustError('trust/state-missing', `${what} is proven to exist, and not given`, path, hint);
}

/**
 * Requires an object with this member.
 * @param wanted as in `an answer`
 * @throws UsageError `usage/bad-option`
 */
export function requireMember(value: unknown, member: string, wanted: string, path: string): void {
  if (requireMembers(value, wanted, path)[member] === undefined) throw badArgument(path, wanted, value);
}

/** Requires an unsigned 64-bit number. @throws UsageError `usage/bad-option` */
export function requireLt(lt: bigint, path: string): bigint {
  if (typeof lt === 'bigint' && lt === BigInt.asUintN(64, lt)) return lt;
  throw badArgument(path, 'an unsigned 64-bit bigint', lt);
}

/** Requires one of these words. @throws UsageError `usage/bad-option` */
export function requireWord(value: unknown, path: string, ...words: readonly string[]): void {
  if (!words.includes(value as string)) throw badArgument(path, words.join(' or '), value);
}
