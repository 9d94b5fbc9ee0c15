/**
 * The byte strings for which libraries and OpenSSL versions answer differently: the 14 encodings of a point of order
 * 1, 2, 4 or 8, and keys whose y is not below p. Fast engines send these to the reference engine.
 */
import { decodeHex } from '../base/bytes.ts';

/** 32 bytes of which only the outer two differ from the ones between. */
function bytesOf(first: number, between: number, last: number): Uint8Array {
  const bytes = new Uint8Array(32).fill(between);
  bytes[0] = first;
  bytes[31] = last;
  return bytes;
}

/**
 * y of the small-order points, canonical and not, without the sign bit; each covers both signs. Source: RFC 8032 arithmetic;
 * `vectors/ed25519/zip215.json` has all 14.
 */
/** p, and one of the two y of order 8; the other one is its negative. */
const P = bytesOf(0xed, 0xff, 0x7f);
const ORDER_8 = decodeHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')!;

const SMALL_ORDER = [
  bytesOf(0, 0, 0), // order 4
  bytesOf(1, 0, 0), // order 1
  bytesOf(0xec, 0xff, 0x7f), // p - 1, order 2
  P, // read as 0
  bytesOf(0xee, 0xff, 0x7f), // p + 1, read as 1
  ORDER_8,
  P.map((byte, at) => byte - ORDER_8[at]!), // p - y, no digit of which borrows
];

/** No two begin with the same byte, and nearly all keys and R with another one. */
const BY_FIRST_BYTE: ReadonlyMap<number | undefined, Uint8Array> = new Map(SMALL_ORDER.map((y) => [y[0], y]));

function isEqualButForSign(encoded: Uint8Array, y: Uint8Array): boolean {
  for (let at = 0; at < 31; at++) if (encoded[at] !== y[at]) return false;
  return (encoded[31]! & 0x7f) === y[31];
}

/**
 * Whether 32 bytes decode to a point of order 1, 2, 4 or 8. Anyone can sign for such a public key.
 * @param encoded 32 bytes, or more, of which the first 32 are read
 */
export function isSmallOrder(encoded: Uint8Array): boolean {
  const y = BY_FIRST_BYTE.get(encoded[0]);
  return y !== undefined && isEqualButForSign(encoded, y);
}

/**
 * Whether y, the sign bit aside, is below p = 2^255 - 19.
 * @param encoded 32 bytes
 */
export function hasCanonicalY(encoded: Uint8Array): boolean {
  if ((encoded[31]! & 0x7f) !== 0x7f) return true;
  for (let at = 30; at > 0; at--) if (encoded[at] !== 0xff) return true;
  return encoded[0]! < 0xed;
}
