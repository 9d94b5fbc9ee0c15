/**
 * The validators entitled to sign masterchain blocks, checked once and frozen. Every other file of this room ends here.
 * It does not know where a list came from: that is said by its provenance.
 */
import { encodeHex } from '../base/bytes.ts';
import { UsageError, ValidatorSetError } from '../base/errors.ts';
import { HASH_BYTES, MAX_TOTAL_WEIGHT, MAX_VALIDATORS, PUBLIC_KEY_BYTES } from '../base/limits.ts';
import { ownBytes, ownList, wrongType } from '../base/own-bytes.ts';
import { type BlockIdExt, copyBlockId } from '../decode/block-id.ts';
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

const HINT = 'make one with createValidatorSet, validatorSetFromJson, selectMasterchainValidators or validatorSetAt';
const GIVEN: Provenance = Object.freeze({ kind: 'given' });

/** The members of every set made here, in bytes that nobody else holds: those of the set itself can be written to. */
const members = new WeakMap<ValidatorSet, readonly Validator[]>();

function ownKey(bytes: Uint8Array, length: number, path: string): Uint8Array {
  const own = ownBytes(bytes, path);
  if (own.length === length) return own;
  throw new ValidatorSetError('validators/bad-key', `expected ${length} bytes, got ${own.length}`, { path });
}

/** Every member is read once. */
function copyValidator(validator: Validator, at: number): Validator {
  const path = `validators[${at}]`;
  if (typeof validator !== 'object' || validator === null) throw wrongType('a validator', validator, path);
  const { publicKey, weight, adnlAddr } = validator;
  if (typeof weight !== 'bigint') throw wrongType('a bigint', weight, `${path}.weight`);
  return Object.freeze({
    publicKey: ownKey(publicKey, PUBLIC_KEY_BYTES, `${path}.publicKey`),
    weight,
    ...(adnlAddr === undefined ? {} : { adnlAddr: ownKey(adnlAddr, HASH_BYTES, `${path}.adnlAddr`) }),
  });
}

/**
 * A copy of a list that a caller hands in.
 * @throws ValidatorSetError `validators/bad-key` for a key of a wrong length; DecodeError `decode/too-large`; UsageError
 */
export function copyValidators(list: readonly Validator[]): readonly Validator[] {
  return ownList(list, 'validators', MAX_VALIDATORS).map(copyValidator);
}

/** A copy of where a set came from. */
export function copyProvenance(provenance: Provenance): Provenance {
  const copy = { ...provenance };
  if (copy.kind !== 'proven') return Object.freeze(copy);
  const { kind, keyBlock, anchor } = copy;
  return Object.freeze({
    kind,
    keyBlock: copyBlockId(keyBlock, 'provenance.keyBlock'),
    anchor: copyBlockId(anchor, 'provenance.anchor'),
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
  const own = copyValidators(validators);
  if (own.length === 0) throw new ValidatorSetError('validators/empty', 'no validators');
  const seen = new Map<string, number>();
  for (const [index, { publicKey }] of own.entries()) {
    const key = encodeHex(publicKey);
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      throw new ValidatorSetError('validators/repeated-key', `the same key as validators[${earlier}]`, {
        path: `validators[${index}].publicKey`,
      });
    }
    seen.set(key, index);
  }
  const totalWeight = requireWeights(own);
  const { provenance = GIVEN, shuffle, utimeUntil } = opts;
  if (utimeUntil !== undefined && !Number.isSafeInteger(utimeUntil))
    throw new TypeError('utimeUntil: expected an integer');
  const set = Object.freeze({
    validators: Object.freeze(own.map(copyValidator)),
    totalWeight,
    provenance: copyProvenance(provenance),
    ...(shuffle === undefined ? {} : { shuffle }),
    ...(utimeUntil === undefined ? {} : { utimeUntil }),
  });
  members.set(set, own);
  return set;
}

/**
 * The set itself when it was made here: whatever is written into its bytes since, it stands for what was checked. One put
 * together by hand can change between two calls, so it is read, checked and copied anew for each.
 * @throws ValidatorSetError as `createValidatorSet`; UsageError when `totalWeight` is not the sum of the weights, and for
 * what is no set
 */
export function ownSet(set: ValidatorSet): ValidatorSet {
  if (members.has(set)) return set;
  if (typeof set !== 'object' || set === null) throw wrongType('a ValidatorSet', set, 'validators', HINT);
  const { validators, totalWeight, provenance, shuffle, utimeUntil } = set;
  if (typeof provenance !== 'object' || provenance === null) {
    throw wrongType('a ValidatorSet', set, 'validators', HINT);
  }
  const own = createValidatorSet(validators, {
    provenance,
    ...(shuffle === undefined ? {} : { shuffle }),
    ...(utimeUntil === undefined ? {} : { utimeUntil }),
  });
  if (own.totalWeight === totalWeight) return own;
  throw new UsageError('usage/bad-option', 'not the sum of the weights', { path: 'validators.totalWeight' });
}

/** The members of a set, in bytes that nobody else writes to. Not for handing out. @throws as `ownSet` */
export function membersOf(set: ValidatorSet): readonly Validator[] {
  return members.get(ownSet(set)) ?? []; // what `ownSet` gives is known
}
