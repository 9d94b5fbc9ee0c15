/** The short name by which a block header calls the set that signs it. 32 bits: an identifier, never a proof. */
import { concatBytes } from '../base/bytes.ts';
import { crc32c } from '../base/crc32c.ts';
import { requireUint32 } from '../decode/fields.ts';
import { tlUint32, tlUint64 } from '../tl/writer.ts';
import { shuffledOrder } from './select-masterchain.ts';
import { membersOf, ownSet, type ValidatorSet } from './validator-set.ts';

/** int32 magic of the hashed structure, test0.validatorSet. Source: ton `crypto/block/block.cpp`, compute_validator_set_hash. */
const VALIDATOR_SET_MAGIC = 0x901660ed;

/**
 * The uint32 a block header calls gen_validator_list_hash_short, for that block's catchain seqno: CRC-32C over the magic,
 * the catchain seqno, the count, and key, weight, ADNL address of each validator in session order.
 * Source: ton `crypto/block/block.cpp`, compute_validator_set_hash.
 * @param catchainSeqno uint32, gen_catchain_seqno of the block
 * @returns `undefined` when the set does not carry ADNL addresses (unknown is not zero) or does not say whether it is shuffled
 * @throws DecodeError `decode/range` for another number than a uint32; ValidatorSetError, UsageError for what is no set
 */
export function validatorListHashShort(set: ValidatorSet, catchainSeqno: number): number | undefined {
  requireUint32(catchainSeqno, 'catchainSeqno');
  const own = ownSet(set);
  const validators = membersOf(own);
  const { shuffle } = own;
  if (shuffle === undefined) return undefined;
  const order = shuffle ? shuffledOrder(validators.length, catchainSeqno) : validators.keys();
  const parts = [tlUint32(VALIDATOR_SET_MAGIC), tlUint32(catchainSeqno), tlUint32(validators.length)];
  for (const position of order) {
    const validator = validators[position]!;
    if (validator.adnlAddr === undefined) return undefined;
    parts.push(validator.publicKey, tlUint64(validator.weight), validator.adnlAddr);
  }
  return crc32c(concatBytes(...parts));
}
