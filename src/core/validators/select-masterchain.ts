/** Selects the validators that sign the masterchain, and the order in which a session lists them. */
import { sha512 } from '@noble/hashes/sha2.js';
import { badArgument, isList, memberOf, requireMembers } from '../base/arguments.ts';
import { describeJson } from '../base/json-structure.ts';
import { MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN } from '../base/limits.ts';
import { requireOptions } from '../base/options.ts';
import { ownMembers, present } from '../base/present.ts';
import {
  copyValidators,
  membersOf,
  ownSet,
  requireWeights,
  SET_OPTIONS,
  type StatedProvenance,
  setError,
  statedSet,
  type Validator,
  type ValidatorSet,
  type ValidatorSetOptions,
} from './validator-set.ts';

/** Every validator in config parameter 34, before the masterchain subset is selected. */
export interface ValidatorConfig {
  /** Unix seconds. */
  readonly utimeSince: number;
  /** Unix seconds. */
  readonly utimeUntil: number;
  /** How many of `list`, from its start, sign the masterchain. */
  readonly main: number;
  readonly list: readonly Validator[];
}

/**
 * Returns the first `main` entries of a list, in config order: the validators that sign the masterchain. Source: ton
 * `crypto/block/mc-config.cpp`, do_compute_validator_set.
 * @throws ValidatorSetError `bad-main` unless 1 <= main <= list.length; `zero-weight`, `weight-overflow` for any entry
 * of the list. Source: ton `crypto/block/mc-config.cpp`, unpack_validator_set.
 */
export function masterchainSubset<T extends readonly Validator[]>(list: T, main: unknown): T {
  if (typeof main === 'number' && Number.isInteger(main) && main >= 1 && main <= list.length) {
    requireWeights(list);
    return list.slice(0, main) as readonly Validator[] as T; // in the same bytes
  }
  const message = `expected 1 to ${list.length}, the length of the list, got ${describeJson(main)}`;
  const hint = 'only the first `main` of config parameter 34 sign the masterchain';
  throw setError('validators/bad-main', message, 'main', hint);
}

/** The default provenance of a configuration. */
const CONFIGURATION: StatedProvenance = Object.freeze({ kind: 'claimed', source: 'configuration' });

/**
 * Selects the masterchain's validator set from a config parameter. Coverage is measured against the weight of this set,
 * not of the whole list. The set counts as claimed, since the function does not know the origin of the configuration.
 * If you trust it, pass `provenance: { kind: 'given' }`. For a proven set use `validatorSetAt`.
 * @param config the whole list, and `main`, of config parameter 34
 * @param given `provenance` (default `claimed`), `utimeUntil` (Unix seconds), `shuffle` and `globalId`
 * @returns the checked and frozen set of the first `main` validators
 * @throws ValidatorSetError as `createValidatorSet`, and `bad-main`; UsageError `bad-option`
 * @example
 * ```ts
 * import { selectMasterchainValidators } from 'ton-finality';
 * const list = [1, 2, 3].map((n) => ({ publicKey: new Uint8Array(32).fill(n), weight: 5n }));
 * const validators = selectMasterchainValidators({ utimeSince: 0, utimeUntil: 65536, main: 2, list });
 * console.log(validators.totalWeight); // 10n
 * ```
 */
export function selectMasterchainValidators(config: ValidatorConfig, given: ValidatorSetOptions = {}): ValidatorSet {
  const members = requireMembers(config, 'a validator config', 'config', 'parseValidatorConfig reads one');
  const { list, main } = members;
  const utimeUntil = memberOf(members, 'utimeUntil');
  if (!isList(list)) throw badArgument('config', 'a validator config', config, 'parseValidatorConfig reads one');
  const opts = requireOptions(given, SET_OPTIONS);
  return statedSet(masterchainSubset(copyValidators(list as readonly Validator[]), main), {
    provenance: CONFIGURATION,
    ...present({ utimeUntil: utimeUntil as number | undefined }), // `statedSet` checks it
    ...opts,
  });
}

const SEED_BYTES = 32;
/** seed:int256 shard:int64 workchain:int32 catchain_seqno:int32, big-endian */
const PRNG_INPUT_BYTES = 48;
const DRAWS_PER_HASH = 8;

/**
 * Computes the random numbers of one session: the eight big-endian uint64 of SHA-512(seed, shard, workchain, catchain
 * seqno), in order. The seed starts at zero and grows by one, as a big-endian number, with each hash. Source: ton
 * `crypto/block/mc-config.cpp`, ValidatorSetPRNG.
 */
function* sessionDraws(catchainSeqno: number): Generator<bigint, never> {
  const input = new Uint8Array(PRNG_INPUT_BYTES);
  const view = new DataView(input.buffer);
  view.setBigInt64(SEED_BYTES, MASTERCHAIN_SHARD);
  view.setInt32(SEED_BYTES + 8, MASTERCHAIN_WORKCHAIN);
  view.setUint32(SEED_BYTES + 12, catchainSeqno);
  for (let seed = 0; ; seed++) {
    view.setUint32(SEED_BYTES - 4, seed); // at most 65535 numbers are drawn, so the low 32 bits of the seed suffice
    const hash = sha512(input);
    const draws = new DataView(hash.buffer, hash.byteOffset);
    for (let i = 0; i < DRAWS_PER_HASH; i++) yield draws.getBigUint64(8 * i);
  }
}

/**
 * Returns the order in which the session of `catchainSeqno` lists the masterchain validators: `order[k]` is a position
 * in `ValidatorSet.validators`. The order changes the list hash and the session id, but not the members. Source: ton
 * `crypto/block/mc-config.cpp`, do_compute_validator_set.
 * @param count number of validators in the set
 * @param catchainSeqno uint32
 */
export function shuffledOrder(count: number, catchainSeqno: number): readonly number[] {
  const draws = sessionDraws(catchainSeqno);
  const order: number[] = [];
  for (let i = 0; i < count; i++) {
    const j = Number((draws.next().value * BigInt(i + 1)) >> 64n);
    order[i] = order[j] ?? i; // for j = i the slot is still empty and gets i itself
    order[j] = i;
  }
  return order;
}

/**
 * Returns the members of a set in the order of a session, in bytes that must not be returned to a caller.
 * @returns `undefined` when the set does not contain ADNL addresses or does not say whether it is shuffled
 * @throws as `ownSet`
 */
export function sessionMembers(set: ValidatorSet, catchainSeqno: number): Required<Validator>[] | undefined {
  const own = ownSet(set);
  if (own.shuffle === undefined) return undefined;
  const members = membersOf(own);
  const order = own.shuffle ? shuffledOrder(members.length, catchainSeqno) : members.keys();
  const listed: Required<Validator>[] = [];
  for (const position of order) {
    const { publicKey, weight, adnlAddr } = ownMembers(members[position]!);
    if (adnlAddr === undefined) return undefined;
    listed.push({ publicKey, weight, adnlAddr });
  }
  return listed;
}
