/**
 * The byte strings for which libraries and OpenSSL versions answer differently: the 14 encodings of a point of order
 * 1, 2, 4 or 8, and keys whose y is not below p. Fast engines send these to the reference engine.
 */
import { decodeHex } from '../base/bytes.ts';

/** y of the small-order points, canonical and not, without the sign bit; each stands for both signs. Source: RFC 8032 arithmetic; `vectors/ed25519/zip215.json` has all 14. */
const SMALL_ORDER_Y = [
  '0000000000000000000000000000000000000000000000000000000000000000', // order 4
  '0100000000000000000000000000000000000000000000000000000000000000', // order 1
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', // order 8
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', // order 8
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', // order 2
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', // y = p, read as 0
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', // y = p + 1, read as 1
];

const SMALL_ORDER = SMALL_ORDER_Y.map((hex) => decodeHex(hex)!);

function isEqualButForSign(encoded: Uint8Array, y: Uint8Array): boolean {
  for (let at = 0; at < 31; at++) if (encoded[at] !== y[at]) return false;
  return (encoded[31]! & 0x7f) === y[31];
}

/**
 * Whether 32 bytes decode to a point of order 1, 2, 4 or 8. As a public key, anybody can sign for it.
 * @param encoded 32 bytes
 */
export function isSmallOrder(encoded: Uint8Array): boolean {
  return SMALL_ORDER.some((y) => isEqualButForSign(encoded, y));
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
