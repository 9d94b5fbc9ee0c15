/**
 * The kinds of field that answers of both API versions are made of, as schemas: numbers of every width, hashes, BoCs,
 * shards in either spelling. 64-bit values never pass through a JavaScript number.
 */

import { DecodeError } from '../../core/base/errors.ts';
import { readBase64, readHash256, readInt32, readInt64, readUint32 } from '../../core/base/fields.ts';
import { describeJson } from '../../core/base/json-structure.ts';
import { MAX_FIELD_CHARS, MAX_LONG_TEXT_CHARS } from '../../core/base/limits.ts';
import { BLOCK_ID_TYPE } from '../../core/block/block-id.ts';
import { anything, boolean, field, optional, type Schema } from './typed-schema.ts';

function requireText(value: unknown, maxLength = MAX_FIELD_CHARS): string {
  if (typeof value !== 'string') throw new DecodeError('decode/shape', `expected string, got ${describeJson(value)}`);
  if (value.length > maxLength) {
    throw new DecodeError('decode/too-large', `expected at most ${maxLength} characters, got ${value.length}`);
  }
  return value;
}

function requireNumber(value: unknown): number {
  if (typeof value !== 'number') throw new DecodeError('decode/shape', `expected number, got ${describeJson(value)}`);
  return value;
}

/**
 * Text of a 64-bit or longer integer. A JSON number is taken only where it cannot have lost digits: above 2^53 the
 * digits were gone before anybody could look.
 */
function requireWideText(value: unknown): string {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return String(value);
    throw new DecodeError('decode/range', `expected decimal text, got the number ${value}, whose digits may be lost`);
  }
  return requireText(value);
}

const INTEGER_TEXT = /^(?:0|-?[1-9][0-9]{0,9})$/;

/** A 32-bit integer as the JSON number it is, or as the decimal text that some servers make of it. */
function requireIntegerEither(value: unknown): number {
  if (typeof value !== 'string') return requireNumber(value);
  if (INTEGER_TEXT.test(value)) return Number(value);
  throw new DecodeError('decode/shape', `expected a decimal integer, got ${JSON.stringify(value.slice(0, 32))}`);
}

/** A count, a seqno or a time: tonlib prints it as int32 in v2, v3 never does, so there a negative one is an error. */
function readCount(value: unknown): number {
  const count = requireIntegerEither(value);
  if (count >= 0) return readUint32(count, '');
  throw new DecodeError('decode/range', `expected 0 to 4294967295, got ${count}`);
}

const UNSIGNED = /^(?:0|[1-9][0-9]{0,74})$/;

function readUnsigned(value: unknown, bits: number): bigint {
  const text = requireWideText(value);
  if (!UNSIGNED.test(text)) {
    throw new DecodeError('decode/shape', `expected an unsigned decimal, got ${JSON.stringify(text.slice(0, 32))}`);
  }
  const number = BigInt(text);
  if (number >> BigInt(bits) === 0n) return number;
  throw new DecodeError('decode/range', `expected a number of at most ${bits} bits, got ${text.slice(0, 32)}`);
}

const SHARD_HEX = /^(?:0x)?[0-9a-f]{1,16}$/i;
const SHARD_DECIMAL = /^(?:-[1-9][0-9]{0,18}|[1-9][0-9]{16,19})$/;
const UINT64_MAX = (1n << 64n) - 1n;

/**
 * A shard in any spelling, as signed int64. v3 servers send unsigned hex without padding ("8000000000000000"), their
 * documentation and the service card say decimal text, v2 sends signed decimal. Text without a sign and of at most 16
 * digits is hex: as decimal it would be a shard ten or more levels deep, which no network has. A JSON number is decimal.
 */
export function readShard(value: unknown): bigint {
  const text = requireWideText(value);
  if (typeof value === 'number') return BigInt(text);
  if (SHARD_HEX.test(text)) return BigInt.asIntN(64, BigInt(`0x${text.replace(/^0x/i, '')}`));
  if (!SHARD_DECIMAL.test(text)) {
    throw new DecodeError('decode/shape', `expected a shard, hex or decimal, got ${JSON.stringify(text.slice(0, 32))}`);
  }
  if (BigInt(text) > UINT64_MAX || BigInt(text) < -(1n << 63n)) {
    throw new DecodeError('decode/range', `expected a 64-bit shard, got ${text}`);
  }
  return BigInt.asIntN(64, BigInt(text));
}

const OPCODE_HEX = /^0x[0-9a-f]{1,8}$/i;

/** The first 32 bits of a message body: an integer in the service card, `0x%08x` text from servers. */
function readOpcode(value: unknown): number {
  if (typeof value === 'string' && OPCODE_HEX.test(value)) return Number(value);
  return readUint32(requireIntegerEither(value), '');
}

function readUtimeFloat(value: unknown): number {
  const seconds = requireNumber(value);
  if (!(seconds >= 0 && seconds <= 0xffffffff)) {
    throw new DecodeError('decode/range', `expected unix seconds, got ${seconds}`);
  }
  return seconds;
}

/** `@type`, which some servers leave out. */
export function typeName(wanted: string): Schema<unknown> {
  const present = field((value) => {
    if (value === wanted) return;
    const got = typeof value === 'string' ? JSON.stringify(value.slice(0, 64)) : describeJson(value);
    throw new DecodeError('decode/shape', `expected ${JSON.stringify(wanted)}, got ${got}`);
  });
  return optional(present); // a field that is not there at all never comes to its reader
}

/** Any network prefix is taken (`ton.`, and `net.` in documentation) and not interpreted. May be left out as well. */
export const blockIdType: Schema<unknown> = optional(
  field((value) => {
    const type = requireText(value);
    if (BLOCK_ID_TYPE.test(type)) return;
    throw new DecodeError('decode/shape', `expected "ton.blockIdExt", got ${JSON.stringify(type.slice(0, 64))}`);
  }),
);

export const text: Schema<string> = field((value) => requireText(value));
export const flag: Schema<boolean> = boolean;
export const int32: Schema<number> = field((value) => readInt32(requireIntegerEither(value), ''));
/** uint32 that may be printed as int32: read modulo 2^32. */
export const uint32: Schema<number> = field((value) => readUint32(requireIntegerEither(value), ''));
/** uint32 that is never printed negative: counts, seqnos and unix seconds of v3. */
export const count: Schema<number> = field(readCount);
/** Signed decimal text. */
export const int64: Schema<bigint> = field((value) => readInt64(requireWideText(value), ''));
/** Nanotons, fees, gas, counts of bits: VarUInteger 32. Source: ton `crypto/block/block.tlb`. */
export const amount: Schema<bigint> = field((value) => readUnsigned(value, 248));
/** A logical time: uint64, as decimal text. */
export const logicalTime: Schema<bigint> = field((value) => readUnsigned(value, 64));
export const shard: Schema<bigint> = field(readShard);
export const opcode: Schema<number> = field(readOpcode);
/** Unix seconds with a fraction (the Python server). */
export const utimeFloat: Schema<number> = field(readUtimeFloat);
export const hash256: Schema<Uint8Array> = field((value) => readHash256(requireText(value), ''));
/** A bag of cells, or any other bytes, in base64. */
export const bytes: Schema<Uint8Array> = field((value) =>
  readBase64(requireText(value, MAX_LONG_TEXT_CHARS), '', MAX_LONG_TEXT_CHARS),
);
/** Any JSON, kept as it is. */
export const anyJson: Schema<unknown> = anything;
