/** Is this the set that signed? Compares a set with what the block's header says of its signers, and with the clock. */
import { STAKE_HELD_SECONDS } from '../base/limits.ts';
import { validatorListHashShort } from '../validators/list-hash-short.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { BlockHeaderFacts, SetCheck } from './report.ts';

/**
 * Compares the list hash of the set with the one the header names. 32 bits: a mismatch is certain, a match is not a proof.
 * Source: ton `crypto/block/check-proof.cpp`, BlockProofLink::validate.
 */
export function checkSet(validators: ValidatorSet, header: BlockHeaderFacts | undefined): SetCheck {
  if (header?.catchainSeqno === undefined || header.validatorListHashShort === undefined) return 'not-checked';
  const computed = validatorListHashShort(validators, header.catchainSeqno >>> 0);
  if (computed === undefined) return 'not-checked';
  return computed === header.validatorListHashShort >>> 0 ? 'match' : 'mismatch';
}

/**
 * Whether a set is too old to vouch for anything at this time: its round is over and the stakes that answered for it
 * are free again. `utime_until` itself is not enforced by the node: a set signs until the next key block.
 * @param seconds Unix seconds
 */
export function isStale(validators: ValidatorSet, seconds: number | undefined): boolean {
  if (seconds === undefined || validators.utimeUntil === undefined) return false;
  if (!Number.isFinite(seconds)) throw new TypeError('expected a time in Unix seconds');
  return seconds > validators.utimeUntil + STAKE_HELD_SECONDS;
}
