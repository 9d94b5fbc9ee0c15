/**
 * The kinds of field in answers of both API versions: numbers of every width, hashes, BoCs, and shards in either
 * spelling. 64-bit values never pass through a JavaScript number.
 */
import { DecodeError } from '../../core/base/errors.ts';
import { readBase64, readHash256, readInt32, readInt64, readUint32 } from '../../core/base/fields.ts';
import { badRange, badShape, requireString } from '../../core/base/json-structure.ts';
import { MAX_FIELD_CHARS, MAX_LONG_TEXT_CHARS } from '../../core/base/limits.ts';
import { readBlockId } from '../../core/block/block-id.ts';
import { by, type Schema } from './schema.ts';

function requireText(value: unknown, max = MAX_FIELD_CHARS): string {
  const { length } = requireString(value, '');
  if (length <= max) return value as string; // checked to be text
  throw new DecodeError('decode/too-large', `expected at most ${max} characters, got ${length}`);
}

function requireNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  throw badShape('number', value, '');
}

/** Returns the error for misspelled text, with a piece of it. */
function misspelled(wanted: string, text: string): DecodeError {
  return new DecodeError('decode/shape', `expected ${wanted}, got ${JSON.stringify(text.slice(0, 32))}`);
}

/**
 * Returns the text of an integer of 64 bits or more. A JSON number is accepted only up to 2^53: above, JSON.parse has
 * lost digits already.
 */
function requireWideText(value: unknown): string {
  if (typeof value !== 'number') return requireText(value);
  if (Number.isSafeInteger(value)) return String(value);
  throw badRange('decimal text', `the number ${value}, whose digits may be lost`, '');
}

const INTEGER_TEXT = /^(?:0|-?[1-9][0-9]{0,9})$/;

/** Reads a 32-bit integer, as the JSON number it is or as the decimal text that some servers send. */
function requireIntegerEither(value: unknown): number {
  if (typeof value !== 'string') return requireNumber(value);
  if (INTEGER_TEXT.test(value)) return Number(value);
  throw misspelled('a decimal integer', value);
}

const UNSIGNED = /^(?:0|[1-9][0-9]{0,74})$/;

function readUnsigned(value: unknown, bits: number): bigint {
  const digits = requireWideText(value);
  if (!UNSIGNED.test(digits)) throw misspelled('an unsigned decimal', digits);
  const number = BigInt(digits);
  if (number >> BigInt(bits) === 0n) return number;
  throw badRange(`a number of at most ${bits} bits`, digits.slice(0, 32), '');
}

const SHARD_HEX = /^(?:0x)?[0-9a-f]{1,16}$/i;
const SHARD_DECIMAL = /^(?:-[1-9][0-9]{0,18}|[1-9][0-9]{16,19})$/;
const UINT64_MAX = (1n << 64n) - 1n;

/**
 * Reads a shard in any spelling as signed int64. v3 servers send unsigned hex without padding ("8000000000000000"),
 * their documentation has decimal text, and v2 sends signed decimal. Text without a sign and of at most 16 digits is
 * hex: as decimal it would be a shard ten or more levels deep, which does not exist. A JSON number is decimal.
 */
export function readShard(value: unknown): bigint {
  const spelled = requireWideText(value);
  if (typeof value === 'number') return BigInt(spelled);
  if (SHARD_HEX.test(spelled)) return BigInt.asIntN(64, BigInt(`0x${spelled.replace(/^0x/i, '')}`));
  if (!SHARD_DECIMAL.test(spelled)) throw misspelled('a shard, hex or decimal', spelled);
  if (BigInt(spelled) > UINT64_MAX || BigInt(spelled) < -(1n << 63n)) throw badRange('a 64-bit shard', spelled, '');
  return BigInt.asIntN(64, BigInt(spelled));
}

const OPCODE_HEX = /^0x[0-9a-f]{1,8}$/i;

export const string: Schema<string> = by((value) => requireText(value));
export const int32: Schema<number> = by((value) => readInt32(requireIntegerEither(value), ''));
/** uint32 that may be printed as int32: read modulo 2^32. */
export const uint32: Schema<number> = by((value) => readUint32(requireIntegerEither(value), ''));
/** uint32 that is never printed negative: counts, seqnos and unix seconds of v3. In v2, tonlib prints them as int32. */
export const count: Schema<number> = by((value) => {
  const number = requireIntegerEither(value);
  if (number >= 0) return readUint32(number, '');
  throw badRange('0 to 4294967295', number, '');
});
/** Signed decimal text. */
export const int64: Schema<bigint> = by((value) => readInt64(requireWideText(value), ''));
/** Nanotons, fees, gas, counts of bits: VarUInteger 32. Source: ton `crypto/block/block.tlb`. */
export const amount: Schema<bigint> = by((value) => readUnsigned(value, 248));
/** A logical time: uint64, as decimal text. */
export const logicalTime: Schema<bigint> = by((value) => readUnsigned(value, 64));
export const shard: Schema<bigint> = by(readShard);
/** The first 32 bits of a message body: an integer in the documentation, `0x%08x` text from servers. */
export const opcode: Schema<number> = by((value) =>
  typeof value === 'string' && OPCODE_HEX.test(value) ? Number(value) : readUint32(requireIntegerEither(value), ''),
);
/** Unix seconds with a fraction (the Python server). */
export const utimeFloat: Schema<number> = by((value) => {
  const seconds = requireNumber(value);
  if (seconds >= 0 && seconds <= 0xffffffff) return seconds;
  throw badRange('unix seconds', seconds, '');
});
export const hash256: Schema<Uint8Array> = by(readHash256);
/** A bag of cells, or any other bytes, in base64. */
export const bytes: Schema<Uint8Array> = by((value) =>
  readBase64(requireText(value, MAX_LONG_TEXT_CHARS), '', MAX_LONG_TEXT_CHARS),
);
export const blockIdExt = by(readBlockId);
