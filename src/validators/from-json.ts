/** Validator sets as JSON: the list form that this project prints, and a plain key map. */
import * as z from 'zod/mini';
import { decodeBase64, decodeHex } from '../base/bytes.ts';
import { DecodeError, ValidatorSetError } from '../base/errors.ts';
import { HASH_BYTES, MAX_FIELD_CHARS, MAX_VALIDATORS, MAX_WEIGHT, PUBLIC_KEY_BYTES } from '../base/limits.ts';
import { readUint32 } from '../decode/fields.ts';
import { describeJson, isObject, joinPath, parseStructure } from '../decode/structure.ts';
import { masterchainSubset } from './select-masterchain.ts';
import { createValidatorSet, type Validator, type ValidatorSet } from './validator-set.ts';

const text = z.string().check(z.maxLength(MAX_FIELD_CHARS));
const weight = z.union([text, z.number()]);

const listSchema = z.object({
  utime_until: z.optional(z.number()),
  total: z.optional(z.number()),
  main: z.number(),
  total_weight: z.optional(weight),
  shuffle_mc_validators: z.optional(z.boolean()),
  validators: z.array(z.object({ public_key: text, weight, adnl_addr: z.optional(text) })),
});

const DECIMAL = /^(?:0|[1-9][0-9]{0,19})$/;

function readWeight(json: string | number, path: string): bigint {
  if (typeof json === 'number' && !Number.isSafeInteger(json)) {
    throw new DecodeError('decode/range', `expected a whole number of at most 2^53 - 1, got ${json}`, {
      path,
      hint: 'JSON numbers lose digits above 2^53: write the weight as a string',
    });
  }
  const digits = String(json);
  if (!DECIMAL.test(digits)) {
    throw new DecodeError('decode/shape', `expected a decimal weight, got ${JSON.stringify(digits.slice(0, 32))}`, {
      path,
    });
  }
  const value = BigInt(digits);
  if (value > MAX_WEIGHT)
    throw new DecodeError('decode/range', `expected an unsigned 64-bit integer, got ${digits}`, { path });
  return value;
}

/** 32 bytes in 64 hex digits of either case, or in canonical base64. */
function readHexOrBase64(spelled: string, path: string): Uint8Array {
  const bytes = spelled.length === 2 * HASH_BYTES ? decodeHex(spelled) : decodeBase64(spelled);
  if (bytes?.length !== PUBLIC_KEY_BYTES) {
    throw new ValidatorSetError(
      'validators/bad-key',
      `expected 32 bytes in hex (64 digits) or base64 (44 characters), got ${spelled.length} characters`,
      { path },
    );
  }
  return bytes;
}

function requireEqual(got: number | bigint, wanted: number | bigint, what: string, path: string): void {
  if (got !== wanted) throw new DecodeError('decode/range', `expected ${wanted}, ${what}, got ${got}`, { path });
}

function fromList(json: Readonly<Record<string, unknown>>): ValidatorSet {
  if (Array.isArray(json.validators) && json.validators.length > MAX_VALIDATORS) {
    throw new DecodeError('decode/too-large', `expected at most ${MAX_VALIDATORS}, got ${json.validators.length}`, {
      path: 'validators',
    });
  }
  if (json.main === undefined) {
    throw new ValidatorSetError('validators/bad-main', 'expected the number of masterchain validators, got nothing', {
      path: 'main',
      hint: 'only the first `main` validators of config parameter 34 sign the masterchain',
    });
  }
  const parsed = parseStructure(listSchema, json, '');
  const list = parsed.validators.map((entry, index): Validator => {
    const path = joinPath('', ['validators', index]);
    return {
      publicKey: readHexOrBase64(entry.public_key, `${path}.public_key`),
      weight: readWeight(entry.weight, `${path}.weight`),
      ...(entry.adnl_addr === undefined ? {} : { adnlAddr: readHexOrBase64(entry.adnl_addr, `${path}.adnl_addr`) }),
    };
  });
  if (parsed.total !== undefined) requireEqual(parsed.total, list.length, 'the length of the list', 'total');
  if (parsed.total_weight !== undefined) {
    const sum = list.reduce((total, validator) => total + validator.weight, 0n);
    requireEqual(readWeight(parsed.total_weight, 'total_weight'), sum, 'the sum of the weights', 'total_weight');
  }
  const shuffle = parsed.shuffle_mc_validators;
  const utimeUntil = parsed.utime_until === undefined ? undefined : readUint32(parsed.utime_until, 'utime_until');
  return createValidatorSet(masterchainSubset(list, parsed.main), {
    ...(shuffle === undefined ? {} : { shuffle }),
    ...(utimeUntil === undefined ? {} : { utimeUntil }),
  });
}

function fromKeyMap(json: Readonly<Record<string, unknown>>): ValidatorSet {
  const entries = Object.entries(json);
  if (entries.length > MAX_VALIDATORS) {
    throw new DecodeError('decode/too-large', `expected at most ${MAX_VALIDATORS} keys, got ${entries.length}`);
  }
  const validators = entries.map(([key, value], index): Validator => {
    const path = `key ${index + 1}`;
    const publicKey = readHexOrBase64(key, path);
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new DecodeError('decode/shape', `expected a weight, got ${describeJson(value)}`, { path });
    }
    return { publicKey, weight: readWeight(value, path) };
  });
  return createValidatorSet(validators);
}

/**
 * Reads a validator set from JSON, of provenance `given`. Two forms:
 *  - the list form of `vectors/real/<case>/validators.json`: `{ main, validators: [{ public_key, weight, adnl_addr? }],
 *    total?, total_weight?, utime_until?, shuffle_mc_validators? }`, of which only the first `main` count;
 *  - a plain key map `{ publicKey: weight }`, all of which count.
 * Keys are 32 bytes in hex or base64; weights decimal strings, or numbers up to 2^53 - 1.
 * @throws DecodeError for a shape or a number that does not fit; ValidatorSetError for a list that the node would refuse
 */
export function validatorSetFromJson(json: unknown): ValidatorSet {
  if (!isObject(json)) throw new DecodeError('decode/shape', `expected an object, got ${describeJson(json)}`);
  return Object.hasOwn(json, 'validators') ? fromList(json) : fromKeyMap(json);
}
