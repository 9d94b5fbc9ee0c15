/**
 * The first 256 bytes of a connection: the ids of both sides and the keys of both directions, encrypted for the server.
 * Source: ton `adnl/adnl-ext-client.cpp`, AdnlOutboundConnection::send_ready; `keys/encryptor.cpp`, EncryptorEd25519.
 */
import { concatBytes } from '../../core/base/bytes.ts';
import { aesCtr, ed25519PublicKey, type StreamCipher, sha256Of, sharedSecret } from './crypto.ts';
import { keyId, montgomeryU } from './keys.ts';

/** Random bytes of a handshake; 96 of them are keys and counters, the rest is sent and unused. */
export const HANDSHAKE_RANDOM_BYTES = 160;

export interface Handshake {
  /** The first bytes that the client sends, outside of any frame. */
  readonly packet: Uint8Array;
  readonly fromServer: StreamCipher;
  readonly toServer: StreamCipher;
}

/**
 * Makes the client's handshake.
 * @param seed the client's Ed25519 seed; fresh for every connection, unless the server has a list of clients
 * @param random HANDSHAKE_RANDOM_BYTES, fresh for every connection; used twice, they let an observer read the traffic
 */
export function clientHandshake(serverKey: Uint8Array, seed: Uint8Array, random: Uint8Array): Handshake {
  const secret = sharedSecret(seed, montgomeryU(serverKey));
  const digest = sha256Of(random);
  const cipher = aesCtr(
    concatBytes(secret.subarray(0, 16), digest.subarray(16, 32)),
    concatBytes(digest.subarray(0, 4), secret.subarray(20, 32)),
  );
  return {
    packet: concatBytes(keyId(serverKey), ed25519PublicKey(seed), digest, cipher.update(random)),
    fromServer: aesCtr(random.subarray(0, 32), random.subarray(64, 80)),
    toServer: aesCtr(random.subarray(32, 64), random.subarray(80, 96)),
  };
}
