/** Compares a validator set with the set that the block's header names, and with the clock. */

import { STAKE_HELD_SECONDS } from '../base/limits.ts';
import { ownMembers } from '../base/present.ts';
import { validatorListHashShort } from '../validators/list-hash-short.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { BlockHeaderFacts, ValidatorSetCheck } from './report.ts';

/**
 * Compares the set with the header: the key block that installed it, if both name one, and the list hash. The hash has
 * 32 bits: a mismatch is certain, a match is not a proof. A key block names the previous key block, so the validators
 * that it installs do not count for it. Source: ton `crypto/block/check-proof.cpp`, BlockProofLink::validate;
 * `validator/impl/check-proof.cpp`.
 * @param header as `resolveContext` reads it
 */
export function checkSet(validators: ValidatorSet, header?: BlockHeaderFacts): ValidatorSetCheck {
  const {
    catchainSeqno,
    validatorListHashShort: named,
    prevKeyBlockSeqno,
  } = ownMembers<Partial<BlockHeaderFacts>>(header ?? {});
  const { provenance } = validators;
  if (provenance.kind === 'proven' && (prevKeyBlockSeqno ?? provenance.keyBlock.seqno) !== provenance.keyBlock.seqno) {
    return 'mismatch';
  }
  if (catchainSeqno === undefined || named === undefined) return 'not-checked';
  const computed = validatorListHashShort(validators, catchainSeqno);
  if (computed === undefined) return 'not-checked';
  return computed === named ? 'match' : 'mismatch';
}

/** Unix seconds from which the stakes of a set are free again. */
export function stakesEnd({ utimeUntil = Number.POSITIVE_INFINITY }: Pick<ValidatorSet, 'utimeUntil'>): number {
  return utimeUntil + STAKE_HELD_SECONDS;
}

/**
 * Whether a set is too old at this time: its round is over and its stakes are free again. Nodes do not enforce
 * `utime_until` alone: a set signs until the next key block.
 * @param seconds Unix seconds
 */
export function isStale(validators: Pick<ValidatorSet, 'utimeUntil'>, seconds: number | undefined): boolean {
  return seconds !== undefined && seconds > stakesEnd(validators);
}
