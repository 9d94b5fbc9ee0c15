/**
 * The validators entitled to sign masterchain blocks, checked once and frozen. Every other file of this room ends here.
 * It does not know where a list came from: that is said by its provenance.
 */
import { badArgument, requireMembers, requireOptions, requireSeconds, requireUint8Array } from '../base/arguments.ts';
import { encodeHex } from '../base/bytes.ts';
import { UsageError, ValidatorSetError } from '../base/errors.ts';
import { HASH_BYTES, MAX_TOTAL_WEIGHT, PUBLIC_KEY_BYTES } from '../base/limits.ts';
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
  /** Walked from a pinned block, the anchor, to the key block that holds the set. Only `ton-finality/chain` makes such sets. */
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

/** What a caller may say of where a set came from: that it is proven is for the library to say. */
export type StatedProvenance = Exclude<Provenance, { readonly kind: 'proven' }>;

/** What is known of a set beside its members. */
export interface ValidatorSetOptions {
  /** Default `{ kind: 'given' }`; of `selectMasterchainValidators` `{ kind: 'claimed', source: 'configuration' }`. */
  readonly provenance?: StatedProvenance;
  readonly shuffle?: boolean;
  /** Unix seconds. */
  readonly utimeUntil?: number;
}

const GIVEN: Provenance = Object.freeze({ kind: 'given' });

/** Every set made here. Only such a one is what it says it is. */
const own = new WeakSet<object>();

function requireKey(value: unknown, length: number, path: string): Uint8Array {
  const bytes = requireUint8Array(value, path, `a Uint8Array of ${length} bytes`);
  if (bytes.length === length) return Uint8Array.from(bytes);
  throw new ValidatorSetError('validators/bad-key', `expected ${length} bytes, got ${bytes.length}`, { path });
}

function checkValidator(validator: Validator, path: string): Validator {
  const { publicKey, weight, adnlAddr } = requireMembers(validator, 'a validator', path);
  const key = requireKey(publicKey, PUBLIC_KEY_BYTES, `${path}.publicKey`);
  return Object.freeze({
    publicKey: key,
    weight: weight as bigint, // `requireWeights` looks
    ...(adnlAddr === undefined ? {} : { adnlAddr: requireKey(adnlAddr, HASH_BYTES, `${path}.adnlAddr`) }),
  });
}

/**
 * The sum of the weights of a list, of which each is above zero and all together at most 2^61.
 * @throws ValidatorSetError. Source: ton `crypto/block/mc-config.cpp`, unpack_validator_set.
 */
export function requireWeights(list: readonly Validator[]): bigint {
  let total = 0n;
  for (const [index, validator] of list.entries()) {
    const path = `validators[${index}].weight`;
    const { weight } = requireMembers(validator, 'a validator', `validators[${index}]`);
    if (typeof weight !== 'bigint') throw badArgument(path, 'a bigint', weight);
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

/** A provenance that a caller states, copied. @throws UsageError `bad-option` for 'proven' and for what is none */
function statedProvenance(value: unknown, path: string): Provenance {
  const { kind, source } = requireMembers(value, 'a provenance', path);
  if (kind === 'given') return GIVEN;
  if (kind === 'claimed' && typeof source === 'string') return Object.freeze({ kind, source });
  if (kind === 'claimed') throw badArgument(`${path}.source`, 'the name of who claims it', source);
  throw new UsageError(
    'usage/bad-option',
    kind === 'proven' ? 'proven only if this library proved it' : "expected the kind 'given' or 'claimed'",
    {
      path,
      hint:
        kind === 'proven'
          ? 'take the very set that validatorSetAt(checkpoint) gives: a copy has to be proven again, from its checkpoint'
          : "{ kind: 'given' } where you vouch for the set, { kind: 'claimed', source } where a server does",
    },
  );
}

/** Freezes a checked copy. */
function makeSet(
  validators: unknown,
  provenance: Provenance,
  { shuffle, utimeUntil }: { readonly shuffle?: unknown; readonly utimeUntil?: unknown },
): ValidatorSet {
  if (!Array.isArray(validators)) {
    throw badArgument('validators', 'an array of validators', validators, 'validatorSetFromJson reads JSON');
  }
  if (validators.length === 0) throw new ValidatorSetError('validators/empty', 'no validators');
  const seen = new Map<string, number>();
  const checked = validators.map((validator: Validator, index) => {
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
  if (shuffle !== undefined && typeof shuffle !== 'boolean') throw badArgument('shuffle', 'true or false', shuffle);
  const set: ValidatorSet = Object.freeze({
    validators: Object.freeze(checked),
    totalWeight: requireWeights(checked),
    provenance,
    ...(shuffle === undefined ? {} : { shuffle }),
    ...(utimeUntil === undefined ? {} : { utimeUntil: requireSeconds(utimeUntil, 'utimeUntil') }),
  });
  own.add(set);
  return set;
}

/** The names of `ValidatorSetOptions`. */
export const SET_OPTIONS: readonly string[] = ['provenance', 'shuffle', 'utimeUntil'];

/**
 * Checks a list of masterchain validators as the node does and freezes a copy of it.
 * @param validators only those that sign the masterchain (the first `main` of config parameter 34), in config order
 * @throws ValidatorSetError on an empty list, a zero weight, a repeated key, a key of a wrong length, or a total above
 * 2^61; UsageError `bad-option` for another type, and for a provenance that says `proven`. Source: ton
 * `crypto/block/mc-config.cpp`, unpack_validator_set; `validator-set.cpp`, ValidatorSet.
 */
export function createValidatorSet(validators: readonly Validator[], opts: ValidatorSetOptions = {}): ValidatorSet {
  requireOptions(opts, SET_OPTIONS);
  const { provenance = GIVEN } = opts;
  return makeSet(validators, statedProvenance(provenance, 'provenance'), opts);
}

/** The same for a set whose members were read from proven cells. For `chain/` only: it vouches for the proof. */
export function createProvenSet(
  validators: readonly Validator[],
  {
    keyBlock,
    anchor,
    shuffle,
    utimeUntil,
  }: Omit<ValidatorSetOptions, 'provenance'> & Omit<Provenance & { kind: 'proven' }, 'kind'>,
): ValidatorSet {
  const provenance = Object.freeze({
    kind: 'proven' as const,
    keyBlock: copyBlockId(keyBlock, 'keyBlock'),
    anchor: copyBlockId(anchor, 'anchor'),
  });
  return makeSet(validators, provenance, { shuffle, utimeUntil });
}

/**
 * A set that was made here, itself; of any other object a checked copy, so that each of its members is read once and an
 * object put together by hand (with a total that is not the sum, say, or proven by nobody) decides nothing.
 * @throws ValidatorSetError as `createValidatorSet`; UsageError `bad-option` for what is no validator set, for a total that
 * is not the sum of the weights, and for one that says it is proven and is not the very object that was
 */
export function ownSet(set: ValidatorSet): ValidatorSet {
  if (own.has(set)) return set;
  const path = 'validators';
  const hint = 'validatorSetFromJson, createValidatorSet and validatorSetAt make one';
  const { validators, totalWeight, provenance, shuffle, utimeUntil } = requireMembers(
    set,
    'a validator set',
    path,
    hint,
  );
  if (totalWeight === undefined) throw badArgument(path, 'a validator set', set, hint);
  const copy = makeSet(validators, statedProvenance(provenance, `${path}.provenance`), { shuffle, utimeUntil });
  if (copy.totalWeight === totalWeight) return copy;
  throw new UsageError('usage/bad-option', 'not the sum of the weights', { path: `${path}.totalWeight` });
}
