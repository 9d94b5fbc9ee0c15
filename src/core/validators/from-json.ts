/** Reads validator sets from JSON: the list form that this project prints, and a plain key map. */

import { badOption } from '../base/arguments.ts';
import { decodeHash } from '../base/bytes.ts';
import { DecodeError } from '../base/errors.ts';
import { readInt32, readUint32 } from '../base/fields.ts';
import {
  badRange,
  badShape,
  describeJson,
  type JsonObject,
  requireAtMost,
  requireList,
  requireObject,
  requireString,
} from '../base/json-structure.ts';
import { MAX_VALIDATORS, MAX_WEIGHT } from '../base/limits.ts';
import { requireOptions } from '../base/options.ts';
import type { Own } from '../base/own-bytes.ts';
import { present } from '../base/present.ts';
import { masterchainSubset } from './select-masterchain.ts';
import {
  SET_OPTIONS,
  setError,
  statedSet,
  type Validator,
  type ValidatorSet,
  type ValidatorSetOptions,
} from './validator-set.ts';

/** Members in bytes that were decoded from text here. */
type Members = Own<readonly Validator[]>;

const DECIMAL = /^(?:0|[1-9][0-9]{0,19})$/;

function readWeight(json: unknown, path: string): bigint {
  if (typeof json !== 'string' && typeof json !== 'number') {
    throw badShape('a weight', json, path);
  }
  if (typeof json === 'number' && !Number.isSafeInteger(json)) {
    throw new DecodeError('decode/range', `expected a whole number of at most 2^53 - 1, got ${json}`, {
      path,
      hint: 'write the weight as a string',
    });
  }
  const digits = String(json);
  if (!DECIMAL.test(digits)) {
    throw badShape('a decimal weight', json, path);
  }
  const value = BigInt(digits);
  if (value <= MAX_WEIGHT) return value;
  throw badRange('an unsigned 64-bit integer', digits, path);
}

function readHexOrBase64(json: unknown, path: string): Uint8Array {
  const text = requireString(json, path);
  const bytes = decodeHash(text);
  if (bytes !== undefined) return bytes;
  throw setError('validators/bad-key', `expected 32 bytes in hex or base64, got ${text.length} characters`, path);
}

function readEntry(json: unknown, path: string): Validator {
  const { public_key, weight, adnl_addr } = requireObject(json, path);
  return {
    publicKey: readHexOrBase64(public_key, `${path}.public_key`),
    weight: readWeight(weight, `${path}.weight`),
    ...(adnl_addr === undefined ? {} : { adnlAddr: readHexOrBase64(adnl_addr, `${path}.adnl_addr`) }),
  };
}

function requireEqual(got: unknown, wanted: number | bigint, what: string, path: string): void {
  if (got !== wanted) throw badRange(`${wanted}, ${what}`, describeJson(got), path);
}

/** Merges options of the caller with those of the file. @throws UsageError if they contradict each other */
function withStated(opts: ValidatorSetOptions, said: Omit<ValidatorSetOptions, 'provenance'>) {
  for (const name of ['shuffle', 'utimeUntil', 'globalId'] as const) {
    if (said[name] === undefined || (opts[name] ?? said[name]) === said[name]) continue;
    throw badOption(`the JSON says ${said[name]}, the caller ${opts[name]}`, name);
  }
  return { ...said, ...opts };
}

function fromList(json: JsonObject, opts: ValidatorSetOptions): ValidatorSet {
  const { validators, main, total, total_weight, utime_until: utimeUntil, shuffle_mc_validators: shuffle } = json;
  const { global_id: globalId } = json;
  const entries = requireList(validators, MAX_VALIDATORS, 'validators');
  if (shuffle !== undefined && typeof shuffle !== 'boolean') {
    throw badShape('boolean', shuffle, 'shuffle_mc_validators');
  }
  const list = Array.from(entries, (entry, k) => readEntry(entry, `validators[${k}]`)) as unknown as Members;
  if (total !== undefined) requireEqual(total, list.length, 'the length of the list', 'total');
  if (total_weight !== undefined) {
    const sum = list.reduce((weight, validator) => weight + validator.weight, 0n);
    requireEqual(readWeight(total_weight, 'total_weight'), sum, 'the sum of the weights', 'total_weight');
  }
  const said = present({
    shuffle,
    utimeUntil: utimeUntil === undefined ? utimeUntil : readUint32(utimeUntil, 'utime_until'),
    globalId: globalId === undefined ? globalId : readInt32(globalId, 'global_id'),
  });
  return statedSet(masterchainSubset(list, main), withStated(opts, said));
}

function fromKeyMap(json: JsonObject, opts: ValidatorSetOptions): ValidatorSet {
  const entries = Object.entries(json);
  requireAtMost(MAX_VALIDATORS, entries.length, '');
  const list = entries.map(([key, weight], index): Validator => {
    const path = `key ${index + 1}`;
    return { publicKey: readHexOrBase64(key, path), weight: readWeight(weight, path) };
  });
  return statedSet(list as unknown as Members, opts);
}

/**
 * Reads a validator set from JSON. There are two forms:
 *  - the list form `{ main, validators: [{ public_key, weight, adnl_addr? }], total?, total_weight?, utime_until?,
 *   shuffle_mc_validators?, global_id? }`, of which only the first `main` validators count;
 *  - a plain key map `{ publicKey: weight }`, of which all count.
 *
 * Keys are 32 bytes in hex or base64. Weights are decimal strings, or numbers up to 2^53 - 1.
 * @param json parsed, in either form
 * @param given what the JSON does not say: `provenance` (default `given`), `utimeUntil` (Unix seconds), `shuffle` and
 * `globalId`
 * @returns the checked and frozen set
 * @throws DecodeError for a shape or a number that does not fit; ValidatorSetError for a list that the node would
 * reject; UsageError `bad-option`, also for options that contradict the JSON
 * @example
 * ```ts
 * import { parseValidatorSet } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * const validators = parseValidatorSet(simplexSample.validators);
 * console.log(validators.validators.length); // 100
 * ```
 */
export function parseValidatorSet(json: unknown, given: ValidatorSetOptions = {}): ValidatorSet {
  const opts = requireOptions(given, SET_OPTIONS);
  const object = requireObject(json, '');
  if (Object.hasOwn(object, 'ok') || Object.hasOwn(object, '@type')) {
    throw new DecodeError('decode/shape', 'expected a validator set, got a server answer');
  }
  return Object.hasOwn(object, 'validators') ? fromList(object, opts) : fromKeyMap(object, opts);
}
