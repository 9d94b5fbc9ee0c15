/**
 * Single fields of an answer, from text or number to typed value. Every function takes the JSON path it reads and
 * throws a `DecodeError` that names it.
 */
import { decodeBase64 } from './bytes.ts';
import { DecodeError } from './errors.ts';
import { badRange, badShape, requireString } from './json-structure.ts';
import { HASH_BYTES, MAX_FIELD_CHARS } from './limits.ts';

/** 32 bytes: root hash, file hash, node id, session id. Decoders copy, so later edits of the input cannot change it. */
export type Hash256 = Uint8Array;

function canonicalBase64(text: string, path: string): Uint8Array {
  const bytes = decodeBase64(text);
  if (bytes !== undefined) return bytes;
  throw new DecodeError('decode/base64', 'expected standard base64 with canonical padding', { path });
}

/** Canonical base64 of any length up to `maxLength` bytes. */
export function readBase64(json: unknown, path: string, maxLength: number): Uint8Array {
  const text = requireString(json, path);
  if (text.length > Math.ceil(maxLength / 3) * 4) {
    throw new DecodeError('decode/too-large', `expected at most ${maxLength} bytes, got ${text.length} characters`, {
      path,
    });
  }
  return canonicalBase64(text, path);
}

/** Canonical base64 of exactly `length` bytes. */
export function readBase64Exact(json: unknown, path: string, length: number): Uint8Array {
  const text = requireString(json, path);
  const bytes = text.length > MAX_FIELD_CHARS ? undefined : canonicalBase64(text, path);
  if (bytes?.length === length) return bytes;
  const got = bytes === undefined ? `${text.length} characters` : bytes.length;
  throw new DecodeError('decode/length', `expected ${length} bytes, got ${got}`, { path });
}

export function readHash256(json: unknown, path: string): Hash256 {
  return readBase64Exact(json, path, HASH_BYTES);
}

const DECIMAL = /^(?:0|-?[1-9][0-9]{0,19})$/;
const INT64_MIN = -(1n << 63n);
export const INT64_MAX = (1n << 63n) - 1n;

/** A signed 64-bit integer as decimal text, the form in which v2 prints shards and logical times. */
export function readInt64(json: unknown, path: string): bigint {
  const text = requireString(json, path);
  if (!DECIMAL.test(text)) throw badShape('a decimal integer', text, path);
  return requireInt64(BigInt(text), path);
}

function readInteger(value: unknown, path: string, min: number, max: number, wanted: string): number {
  if (typeof value !== 'number') throw badShape('number', value, path);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw badRange(wanted, value, path);
}

/**
 * A uint32 that tonlib prints as int32: values from 2^31 arrive negative and are read modulo 2^32.
 * Source: ton `tl/generate/scheme/tonlib_api.tl` has no unsigned type.
 */
export function readUint32(value: unknown, path: string): number {
  return readInteger(value, path, -0x80000000, 0xffffffff, 'a 32-bit integer') >>> 0;
}

/** Requires a uint32 in a typed value: not negative, not larger, and without a fraction. */
export function requireUint32(value: unknown, path: string): number {
  return readInteger(value, path, 0, 0xffffffff, 'an unsigned 32-bit integer');
}

/** A signed 64-bit integer in a typed value. */
export function requireInt64(value: unknown, path: string): bigint {
  if (typeof value !== 'bigint') throw badShape('bigint', value, path);
  if (value >= INT64_MIN && value <= INT64_MAX) return value;
  throw badRange('a signed 64-bit integer', value, path);
}

/** A signed 32-bit integer. */
export function readInt32(value: unknown, path: string): number {
  return readInteger(value, path, -0x80000000, 0x7fffffff, 'a signed 32-bit integer');
}
