/**
 * The short hash by which a block header names the validator set that signs the block. It has 32 bits, so it is not a
 * proof.
 */
import { crc32c } from '../base/crc32c.ts';
import { requireUint32 } from '../base/fields.ts';
import { sessionMembers } from './select-masterchain.ts';
import type { ValidatorSet } from './validator-set.ts';

/** int32 magic of the hashed structure, test0.validatorSet. Source: ton `crypto/block/block.cpp`, compute_validator_set_hash. */
const VALIDATOR_SET_MAGIC = 0x901660ed;
const HEAD_BYTES = 4 + 4 + 4;
/** Bytes of an entry: key, weight, ADNL address. */
const VALIDATOR_BYTES = 32 + 8 + 32;

/**
 * Computes the short hash of a validator set, which a block header contains as gen_validator_list_hash_short. This
 * CRC-32C covers the magic number, the catchain seqno and the count; and for each validator in session order its key,
 * weight and ADNL address. Source: ton `crypto/block/block.cpp`, compute_validator_set_hash.
 * @param validatorSet whose validators have ADNL addresses
 * @param catchainSeqno uint32, gen_catchain_seqno of the block
 * @returns a uint32; `undefined` when the set does not contain ADNL addresses or does not say whether it is shuffled
 * @throws DecodeError `decode/range` for a number that is not a uint32; ValidatorSetError, UsageError for a value that
 * is not a set
 * @example
 * ```ts
 * import { validatorListHashShort, parseValidatorSet } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * const validators = parseValidatorSet(simplexSample.validators);
 * console.log(validatorListHashShort(validators, 1)); // undefined, because this JSON has no ADNL addresses
 * ```
 */
export function validatorListHashShort(validatorSet: ValidatorSet, catchainSeqno: number): number | undefined {
  requireUint32(catchainSeqno, 'catchainSeqno');
  const validators = sessionMembers(validatorSet, catchainSeqno);
  if (validators === undefined) return undefined;
  const bytes = new Uint8Array(HEAD_BYTES + VALIDATOR_BYTES * validators.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, VALIDATOR_SET_MAGIC, true);
  view.setUint32(4, catchainSeqno, true);
  view.setUint32(8, validators.length, true);
  let at = HEAD_BYTES;
  for (const { publicKey, weight, adnlAddr } of validators) {
    bytes.set(publicKey, at);
    view.setBigUint64(at + 32, weight, true);
    bytes.set(adnlAddr, at + 40);
    at += VALIDATOR_BYTES;
  }
  return crc32c(bytes);
}
