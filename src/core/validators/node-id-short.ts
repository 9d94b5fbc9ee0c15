/** The id by which signature entries name their signer. */
import { sha256 } from '@noble/hashes/sha2.js';
import { badArgument } from '../base/arguments.ts';
import { concatBytes } from '../base/bytes.ts';
import type { Hash256 } from '../base/fields.ts';
import { PUBLIC_KEY_BYTES } from '../base/limits.ts';
import { ownBytes } from '../base/own-bytes.ts';
import { PUB_ED25519 } from '../tl/constructors.ts';
import { tlUint32 } from '../tl/writer.ts';

/**
 * Computes the 32-byte id of a signer in signature entries: SHA-256 of the boxed TL pub.ed25519. This is not the ADNL
 * address.
 *
 * pub.ed25519 key:int256 = PublicKey Source: ton `crypto/block/check-proof.cpp`, compute_node_id_short.
 * @param publicKey 32 bytes
 * @returns 32 bytes
 * @throws UsageError `bad-option` for anything else
 * @example
 * ```ts
 * import { nodeIdShort } from 'ton-finality';
 * console.log(nodeIdShort(new Uint8Array(32)).length); // 32
 * ```
 */
export function nodeIdShort(publicKey: Uint8Array): Hash256 {
  const key = ownBytes(publicKey, 'publicKey');
  if (key.length !== PUBLIC_KEY_BYTES) {
    throw badArgument('publicKey', `a Uint8Array of ${PUBLIC_KEY_BYTES} bytes`, key);
  }
  return sha256(concatBytes(tlUint32(PUB_ED25519), key));
}
