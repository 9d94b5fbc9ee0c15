/**
 * The validators entitled to sign masterchain blocks, checked once and frozen. Every other file of this room ends here.
 * It does not know where a list came from: that is said by its provenance.
 */
import { encodeHex } from '../base/bytes.ts';
import { ValidatorSetError } from '../base/errors.ts';
import { HASH_BYTES, MAX_TOTAL_WEIGHT, PUBLIC_KEY_BYTES } from '../base/limits.ts';
import type { BlockIdExt } from '../decode/block-id.ts';
import type { Hash256 } from '../decode/fields.ts';

/** One validator of the masterchain. */
export interface Validator {
  /** 32 bytes, Ed25519. */
  readonly publicKey: Uint8Array;
  /** uint64, above zero. */
  readonly weight: bigint;
  /** 32 bytes; absent means unknown, which is not zero. */
  readonly adnlAddr?: Hash256;
}

/** Where a validator set came from. Printed in every report. */
export type Provenance =
  /** The caller vouches for it. */
  | { readonly kind: 'given' }
  /** Walked from a pinned block, the anchor, to the key block that holds the set. */
  | { readonly kind: 'proven'; readonly keyBlock: BlockIdExt; readonly anchor: BlockIdExt }
  /** A server said so; nothing proves it. */
  | { readonly kind: 'claimed'; readonly source: string };

/** The validators entitled to sign masterchain blocks, in config order (the shuffle depends on the block's catchain seqno). */
export interface ValidatorSet {
  readonly validators: readonly Validator[];
  /** Sum of the weights above. */
  readonly totalWeight: bigint;
  readonly provenance: Provenance;
  /** Config parameter 28, shuffle_mc_validators, when known. */
  readonly shuffle?: boolean;
  /** Unix seconds until which the set was elected, when known. */
  readonly utimeUntil?: number;
}

/** What is known of a set beside its members. */
export interface ValidatorSetOptions {
  /** Default `{ kind: 'given' }`. */
  readonly provenance?: Provenance;
  readonly shuffle?: boolean;
  /** Unix seconds. */
  readonly utimeUntil?: number;
}

const GIVEN: Provenance = Object.freeze({ kind: 'given' });

function requireBytes(bytes: unknown, length: number, path: string): void {
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`${path}: expected a Uint8Array`);
  if (bytes.length !== length) {
    throw new ValidatorSetError('validators/bad-key', `expected ${length} bytes, got ${bytes.length}`, { path });
  }
}

function checkValidator(validator: Validator, path: string): Validator {
  requireBytes(validator.publicKey, PUBLIC_KEY_BYTES, `${path}.publicKey`);
  if (validator.adnlAddr !== undefined) requireBytes(validator.adnlAddr, HASH_BYTES, `${path}.adnlAddr`);
  if (typeof validator.weight !== 'bigint') throw new TypeError(`${path}.weight: expected a bigint`);
  return Object.freeze({
    publicKey: validator.publicKey.slice(),
    weight: validator.weight,
    ...(validator.adnlAddr === undefined ? {} : { adnlAddr: validator.adnlAddr.slice() }),
  });
}

/**
 * The sum of the weights of a list, of which each is above zero and all together at most 2^61.
 * @throws ValidatorSetError. Source: ton `crypto/block/mc-config.cpp`, unpack_validator_set.
 */
export function requireWeights(list: readonly Validator[]): bigint {
  let total = 0n;
  for (const [index, { weight }] of list.entries()) {
    const path = `validators[${index}].weight`;
    if (weight <= 0n)
      throw new ValidatorSetError('validators/zero-weight', `expected more than 0, got ${weight}`, { path });
    total += weight;
    if (total > MAX_TOTAL_WEIGHT) {
      throw new ValidatorSetError('validators/weight-overflow', `expected a total of at most 2^61, got ${total}`, {
        path,
      });
    }
  }
  return total;
}

/**
 * Checks a list of masterchain validators as the node does and freezes a copy of it.
 * @param validators only those that sign the masterchain (the first `main` of config parameter 34), in config order
 * @throws ValidatorSetError on an empty list, a zero weight, a repeated key, a key of a wrong length, or a total above
 * 2^61. Source: ton `crypto/block/mc-config.cpp`, unpack_validator_set; `validator-set.cpp`, ValidatorSet.
 */
export function createValidatorSet(validators: readonly Validator[], opts: ValidatorSetOptions = {}): ValidatorSet {
  if (validators.length === 0) throw new ValidatorSetError('validators/empty', 'no validators');
  const seen = new Map<string, number>();
  const checked = validators.map((validator, index) => {
    const path = `validators[${index}]`;
    const copy = checkValidator(validator, path);
    const key = encodeHex(copy.publicKey);
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      throw new ValidatorSetError('validators/repeated-key', `the same key as validators[${earlier}]`, {
        path: `${path}.publicKey`,
      });
    }
    seen.set(key, index);
    return copy;
  });
  const totalWeight = requireWeights(checked);
  const { provenance = GIVEN, shuffle, utimeUntil } = opts;
  if (utimeUntil !== undefined && !Number.isSafeInteger(utimeUntil))
    throw new TypeError('utimeUntil: expected an integer');
  return Object.freeze({
    validators: Object.freeze(checked),
    totalWeight,
    provenance: Object.freeze({ ...provenance }),
    ...(shuffle === undefined ? {} : { shuffle }),
    ...(utimeUntil === undefined ? {} : { utimeUntil }),
  });
}
