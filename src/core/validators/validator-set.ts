/**
 * The validators that may sign masterchain blocks, checked once and frozen. Every other file of this room produces or
 * uses this set. Its provenance says where the list comes from.
 */

import {
  badArgument,
  badOption,
  isList,
  memberOf,
  requireInt32,
  requireMembers,
  requireSeconds,
} from '../base/arguments.ts';
import { encodeHex } from '../base/bytes.ts';
import { ValidatorSetError, type ValidatorSetErrorCode } from '../base/errors.ts';
import type { Hash256 } from '../base/fields.ts';
import { HASH_BYTES, MAX_TOTAL_WEIGHT, MAX_VALIDATORS, PUBLIC_KEY_BYTES } from '../base/limits.ts';
import { requireOptions } from '../base/options.ts';
import { type Own, ownBytes, ownList } from '../base/own-bytes.ts';
import { ownMembers, present } from '../base/present.ts';
import { registry } from '../base/registry.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';

/** One validator of the masterchain. */
export interface Validator {
  /** 32 bytes, Ed25519. */
  readonly publicKey: Uint8Array;
  /** uint64, above zero. */
  readonly weight: bigint;
  /** 32 bytes; absent means unknown, which is not zero. */
  readonly adnlAddr?: Hash256;
}

/** The origin of a validator set. Every report prints it. */
export type Provenance =
  /** You supplied it. */
  | { readonly kind: 'given' }
  /**
   * Proven from a pinned block, the anchor, up to the key block that contains the set. Only `ton-finality/chain` makes
   * such sets.
   */
  | { readonly kind: 'proven'; readonly keyBlock: BlockIdExt; readonly anchor: BlockIdExt }
  /** A server supplied it, without a proof. */
  | { readonly kind: 'claimed'; readonly source: string };

/**
 * The validators that may sign masterchain blocks, in config order (the shuffle depends on the block's catchain seqno).
 */
export interface ValidatorSet {
  readonly validators: readonly Validator[];
  /** Sum of the weights above. */
  readonly totalWeight: bigint;
  readonly provenance: Provenance;
  /** Config parameter 28, shuffle_mc_validators, when known. */
  readonly shuffle?: boolean;
  /** Unix seconds until which the set was elected, when known. */
  readonly utimeUntil?: number;
  /** int32: the network whose blocks the set signs, when known; for a proven set the network of its key block. */
  readonly globalId?: number;
}

/** The origin of a set as you may state it. Only the library can say that a set is proven. */
export type StatedProvenance = Exclude<Provenance, { readonly kind: 'proven' }>;

/** Known properties of a set, in addition to its members. */
export interface ValidatorSetOptions {
  /** Default `{ kind: 'given' }`; for `selectMasterchainValidators` `{ kind: 'claimed', source: 'configuration' }`. */
  readonly provenance?: StatedProvenance;
  readonly shuffle?: boolean;
  /** Unix seconds. */
  readonly utimeUntil?: number;
  /** int32, the global id of the network. A block whose proven header names a different network is rejected. */
  readonly globalId?: number;
}

/**
 * Marks trust that began with validators whose stakes were already free. Such a start was refused, or it was accepted
 * because the caller passed an option or enough servers named the same head.
 */
export type StaleStart = 'refused' | 'accepted';

/**
 * The mark of a set: how the trust in its key block began. 'none': with valid stakes; 'unknown': without a clock, or in
 * a file that does not say.
 */
export type StaleStartMark = 'none' | StaleStart | 'unknown';

/** Properties of the key block of a proven set. A block that the set signs has to agree with them. */
export interface SetOrigin {
  readonly keyBlock: BlockIdExt;
  /** The pinned block. */
  readonly anchor: BlockIdExt;
  /** int32: the network. */
  readonly globalId: number;
  /** Unix seconds. */
  readonly genUtime: number;
  /** Number of hardforks before and in the key block. */
  readonly vertSeqno: number;
  readonly staleStart: StaleStartMark;
  /** The block from which the walk to the key block began; absent if it is the key block itself. */
  readonly start?: BlockIdExt;
}

type ProvenOrigin = SetOrigin & { readonly kind: 'proven' };

const HINT = 'parseValidatorSet, createValidatorSet and validatorSetAt make one';
const GIVEN: Provenance = Object.freeze({ kind: 'given' });

/** The checked content of a set made here. */
interface OwnSet {
  readonly members: readonly Validator[];
  /** Present for a proven set only. */
  readonly origin: ProvenOrigin | undefined;
}

/**
 * Every set made here, in bytes that no other code holds: a caller can write to the bytes of the set itself. The
 * provenance only counts for sets that are registered here.
 */
const sets = registry<OwnSet>();

/** Makes the error for a list of validators. */
export function setError(code: ValidatorSetErrorCode, message: string, path: string, hint?: string): ValidatorSetError {
  return new ValidatorSetError(code, message, { path, hint });
}

function ownKey(bytes: unknown, length: number, path: string): Uint8Array {
  const own = ownBytes(bytes as Uint8Array, path); // `ownBytes` checks that these are bytes
  if (own.length === length) return own;
  throw setError('validators/bad-key', `expected ${length} bytes, got ${own.length}`, path);
}

/** Copies one validator, reading each member once. */
function copyValidator(validator: Validator, at: number): Validator {
  const path = `validators[${at}]`;
  const members = requireMembers(validator, 'a validator', path);
  const { publicKey, weight } = members;
  const adnlAddr = memberOf(members, 'adnlAddr');
  if (typeof weight !== 'bigint') throw badArgument(`${path}.weight`, 'a bigint', weight);
  return Object.freeze({
    publicKey: ownKey(publicKey, PUBLIC_KEY_BYTES, `${path}.publicKey`),
    weight,
    ...(adnlAddr === undefined ? {} : { adnlAddr: ownKey(adnlAddr, HASH_BYTES, `${path}.adnlAddr`) }),
  });
}

/**
 * Copies a list that a caller passes in.
 * @throws ValidatorSetError `validators/bad-key` for a key of a wrong length; DecodeError `decode/too-large`;
 * UsageError
 */
export function copyValidators(list: readonly Validator[]): Own<readonly Validator[]> {
  if (!isList(list)) throw badArgument('validators', 'an array of validators', list, 'parseValidatorSet reads JSON');
  return ownList(list, 'validators', MAX_VALIDATORS).map(copyValidator) as unknown as Own<readonly Validator[]>; // copied above
}

/**
 * Returns the sum of the weights of a list. Each weight has to be above zero, and the sum at most 2^61.
 * @throws ValidatorSetError. Source: ton `crypto/block/mc-config.cpp`, unpack_validator_set.
 */
export function requireWeights(list: readonly Validator[]): bigint {
  return list.reduce((total, { weight }, index) => addWeight(total, weight, `validators[${index}].weight`), 0n);
}

/** Adds the weight of one validator to that of the others. @throws ValidatorSetError */
export function addWeight(others: bigint, weight: bigint, path: string): bigint {
  if (weight <= 0n) throw setError('validators/zero-weight', `expected more than 0, got ${weight}`, path);
  const total = others + weight;
  if (total <= MAX_TOTAL_WEIGHT) return total;
  throw setError('validators/weight-overflow', `expected a total of at most 2^61, got ${total}`, path);
}

/** Copies the origin of a set. */
export function copyProvenance(provenance: Provenance): Provenance {
  if (provenance.kind !== 'proven') return Object.freeze({ ...provenance });
  const { kind, keyBlock, anchor } = provenance;
  return Object.freeze({ kind, keyBlock: copyBlockId(keyBlock, 'keyBlock'), anchor: copyBlockId(anchor, 'anchor') });
}

/** Copies a provenance that a caller states. @throws UsageError `bad-option` for 'proven' and for anything unknown */
function statedProvenance(value: unknown, path: string): Provenance {
  const members = requireMembers(value, 'a provenance', path);
  const { kind } = members;
  if (kind === 'given') return GIVEN;
  const source = memberOf(members, 'source');
  if (kind === 'claimed' && typeof source === 'string') return Object.freeze({ kind, source });
  if (kind === 'claimed') throw badArgument(`${path}.source`, 'the name of who claims it', source);
  if (kind !== 'proven') throw badArgument(path, "{ kind: 'given' } or { kind: 'claimed', source }", kind);
  const hint = 'pass the set of validatorSetAt(checkpoint), not a copy';
  throw badOption('proven only if this library proved it', path, hint);
}

/** Checks members, and makes a set of copies: callers can write to the bytes of members. */
function makeSet(
  own: Own<readonly Validator[]>,
  provenance: Provenance,
  { shuffle, utimeUntil, globalId }: { readonly [K in 'shuffle' | 'utimeUntil' | 'globalId']?: unknown },
  origin?: ProvenOrigin,
): ValidatorSet {
  if (own.length === 0) throw new ValidatorSetError('validators/empty', 'no validators');
  const seen = new Map<string, number>();
  for (const [index, { publicKey }] of own.entries()) {
    const key = encodeHex(publicKey);
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      const path = `validators[${index}].publicKey`;
      throw setError('validators/repeated-key', `the same key as validators[${earlier}]`, path);
    }
    seen.set(key, index);
  }
  if (shuffle !== undefined && typeof shuffle !== 'boolean') throw badArgument('shuffle', 'true or false', shuffle);
  const set: ValidatorSet = ownMembers({
    validators: Object.freeze(own.map(copyValidator)),
    totalWeight: requireWeights(own),
    provenance,
    ...present({
      shuffle,
      utimeUntil: utimeUntil === undefined ? utimeUntil : requireSeconds(utimeUntil, 'utimeUntil'),
      globalId: globalId === undefined ? globalId : requireInt32(globalId, 'globalId'),
    }),
  });
  // The form for error messages: it is in a line of text and has no prototype that would name it.
  Object.defineProperty(set, 'toString', { value: () => '[object ValidatorSet]' });
  return sets.make(set, { members: own, origin });
}

/** The names of `ValidatorSetOptions`. */
export const SET_OPTIONS: readonly string[] = ['provenance', 'shuffle', 'utimeUntil', 'globalId'];

/**
 * Creates a validator set: checks a list as the node does, and freezes a copy of it.
 * @param validators only those that sign the masterchain (the first `main` of config parameter 34), in config order
 * @param given `provenance` (default `{ kind: 'given' }`), `utimeUntil` (Unix seconds), `shuffle` and `globalId`
 * @returns the frozen set
 * @throws ValidatorSetError for an empty list, a zero weight, a repeated key, a key of a wrong length, or a total above
 * 2^61; UsageError `bad-option` for a wrong type, and for a provenance that says `proven`. Source: ton
 * `crypto/block/mc-config.cpp`, unpack_validator_set; `validator-set.cpp`, ValidatorSet.
 * @example
 * ```ts
 * import { createValidatorSet } from 'ton-finality';
 * const validators = createValidatorSet([{ publicKey: new Uint8Array(32).fill(7), weight: 5n }], {
 *   provenance: { kind: 'given' },
 * });
 * console.log(validators.totalWeight); // 5n
 * ```
 */
export function createValidatorSet(validators: readonly Validator[], given: ValidatorSetOptions = {}): ValidatorSet {
  return statedSet(copyValidators(validators), requireOptions(given, SET_OPTIONS));
}

/** `createValidatorSet` for members that no other code can write to, and options that were read. */
export function statedSet(members: Own<readonly Validator[]>, opts: ValidatorSetOptions): ValidatorSet {
  const own = ownMembers(opts);
  const { provenance = GIVEN } = own;
  return makeSet(members, statedProvenance(provenance, 'provenance'), own);
}

/**
 * Creates a set whose members were read from proven cells. For `chain/` only, which has checked the proof and keeps the
 * members and the ids of the origin to itself.
 */
export function createProvenSet(
  members: Own<readonly Validator[]>,
  { shuffle, utimeUntil, ...origin }: SetOrigin & Pick<ValidatorSetOptions, 'shuffle' | 'utimeUntil'>,
): ValidatorSet {
  const proven = { ...origin, kind: 'proven' } as const;
  const { globalId } = origin;
  return makeSet(members, copyProvenance(proven), { shuffle, utimeUntil, globalId }, proven);
}

/** Copies the origin of a set that was made here, from its registered content. */
export function ownProvenance(set: ValidatorSet): Provenance {
  return copyProvenance(originOf(set) ?? set.provenance);
}

/** Returns the origin of a proven set; `undefined` for any other set. Do not return it to a caller. */
export function originOf(set: ValidatorSet): ProvenOrigin | undefined {
  return sets.own(set)?.origin;
}

/**
 * Returns a set that was made here unchanged: its registered content counts, whatever the caller wrote into its bytes
 * since. Any other object can change between two calls, so it is read, checked and copied again each time. A look-alike
 * never counts as proven.
 * @throws ValidatorSetError as `createValidatorSet`; UsageError `bad-option` for a value that is not a validator set,
 * for a total that is not the sum of the weights, and for a copy that says it is proven
 */
export function ownSet(set: ValidatorSet): ValidatorSet {
  if (sets.has(set)) return set;
  const path = 'validators';
  const members = requireMembers(set, 'a validator set', path, HINT);
  const { validators, totalWeight, provenance } = members;
  if (totalWeight === undefined) throw badArgument(path, 'a validator set', set, HINT);
  const stated = statedProvenance(provenance, `${path}.provenance`);
  const own = makeSet(copyValidators(validators as readonly Validator[]), stated, {
    shuffle: memberOf(members, 'shuffle'),
    utimeUntil: memberOf(members, 'utimeUntil'),
    globalId: memberOf(members, 'globalId'),
  }); // `makeSet` checks them
  if (own.totalWeight === totalWeight) return own;
  throw badOption('not the sum of the weights', `${path}.totalWeight`);
}

/** The members of a set, in bytes that no other code writes to. Do not return them to a caller. @throws as `ownSet` */
export function membersOf(set: ValidatorSet): readonly Validator[] {
  return sets.own(ownSet(set))?.members ?? []; // `ownSet` returns registered sets
}
