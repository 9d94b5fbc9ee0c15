/** A server's Ed25519 key: its id, and the point of the Montgomery curve that X25519 needs. */

import { etc, Point } from '@noble/ed25519';
import { badOption } from '../../core/base/arguments.ts';
import { concatBytes, encodeHex } from '../../core/base/bytes.ts';
import { PUBLIC_KEY_BYTES } from '../../core/base/limits.ts';
import { isSmallOrder } from '../../core/ed25519/small-order.ts';
import { PUB_ED25519 } from '../../core/tl/constructors.ts';
import { tlUint32 } from '../../core/tl/writer.ts';
import { sha256Of } from './crypto.ts';

/** The prime of the field, 2^255 - 19. */
const P = (1n << 255n) - 19n;

/** Computes the key id: SHA-256 of TL pub.ed25519. Source: ton `keys/keys.cpp`, PublicKey::compute_short_id. */
export function keyId(publicKey: Uint8Array): Uint8Array {
  return sha256Of(tlUint32(PUB_ED25519), publicKey);
}

/**
 * Requires a point of large order: with any other point an attacker could compute the shared secret.
 * @param of names the server in the error
 * @throws UsageError
 */
export function requireServerKey(publicKey: Uint8Array, of: string): void {
  const bad = (got: string) => badOption(`expected the key of ${of}, got ${got}`, 'server.publicKey');
  if (isSmallOrder(publicKey)) throw bad('one of small order');
  try {
    Point.fromBytes(publicKey);
  } catch {
    throw bad('bytes that are not one');
  }
}

/**
 * Converts a key to the Montgomery curve: u = (1 + y) / (1 - y), y the key without its sign bit. Source: RFC 7748,
 * section 4.1.
 */
export function montgomeryU(publicKey: Uint8Array): Uint8Array {
  const littleEndian = Uint8Array.from(publicKey).reverse();
  const y = BigInt(`0x${encodeHex(littleEndian)}`) & ((1n << 255n) - 1n);
  const u = etc.mod((1n + y) * etc.invert(etc.mod(1n - y, P), P), P);
  const bytes = new Uint8Array(PUBLIC_KEY_BYTES);
  for (let at = 0, rest = u; at < PUBLIC_KEY_BYTES; at++, rest >>= 8n) bytes[at] = Number(rest & 0xffn);
  return bytes;
}

/** Returns eight hex digits of the key id, enough to tell servers apart in a label. */
export function shortKeyId(publicKey: Uint8Array): string {
  return encodeHex(keyId(concatBytes(publicKey)).subarray(0, 4));
}
