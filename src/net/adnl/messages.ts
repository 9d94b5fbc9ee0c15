/** The messages in frames: pings, queries, answers, and a client that proves its key. */
import { concatBytes } from '../../core/base/bytes.ts';
import { DecodeError } from '../../core/base/errors.ts';
import { MAX_AUTHENTICATION_NONCE_BYTES, MAX_FRAME_BYTES } from '../../core/base/limits.ts';
import { readTlBytes } from '../../core/tl/bytes.ts';
import { PUB_ED25519 } from '../../core/tl/constructors.ts';
import { TlReader } from '../../core/tl/reader.ts';
import { tlBytes, tlUint32 } from '../../core/tl/writer.ts';
import * as ID from './constructors.ts';
import { ChannelFault } from './fault.ts';

export type ServerMessage =
  | { readonly kind: 'pong'; readonly id: Uint8Array }
  | { readonly kind: 'answer'; readonly queryId: Uint8Array; readonly bytes: Uint8Array }
  | { readonly kind: 'nonce'; readonly nonce: Uint8Array }
  /** An empty frame as a keep-alive, or a message that a client does not need. */
  | { readonly kind: 'other' };

/** Encodes a ping. @param id 8 random bytes */
export function encodePing(id: Uint8Array): Uint8Array {
  return concatBytes(tlUint32(ID.TCP_PING), id);
}

/** Encodes a question to the lite server behind the channel. @param queryId 32 random bytes */
export function encodeQuery(queryId: Uint8Array, request: Uint8Array): Uint8Array {
  const query = concatBytes(tlUint32(ID.LITE_SERVER_QUERY), tlBytes(request));
  return concatBytes(tlUint32(ID.ADNL_MESSAGE_QUERY), queryId, tlBytes(query));
}

export function encodeAuthentication(nonce: Uint8Array): Uint8Array {
  return concatBytes(tlUint32(ID.TCP_AUTHENTIFICATE), tlBytes(nonce));
}

export function encodeAuthenticationComplete(publicKey: Uint8Array, signature: Uint8Array): Uint8Array {
  return concatBytes(tlUint32(ID.TCP_AUTHENTIFICATION_COMPLETE), tlUint32(PUB_ED25519), publicKey, tlBytes(signature));
}

/**
 * Reads a message of a server, strictly: a known message must be whole and have no surplus. @throws ChannelFault
 * `source/malformed`
 */
export function decodeMessage(payload: Uint8Array): ServerMessage {
  if (payload.length === 0) return { kind: 'other' };
  try {
    const tl = new TlReader(payload, 'frame');
    const message = readMessage(tl, tl.uint32());
    if (message.kind !== 'other') tl.end();
    return message;
  } catch (error) {
    if (error instanceof DecodeError) throw new ChannelFault('source/malformed', error.message);
    throw error;
  }
}

function readMessage(tl: TlReader, id: number): ServerMessage {
  switch (id) {
    case ID.TCP_PONG:
      return { kind: 'pong', id: tl.fixed(8) };
    case ID.ADNL_MESSAGE_ANSWER:
      return { kind: 'answer', queryId: tl.int256(), bytes: readTlBytes(tl, MAX_FRAME_BYTES) };
    case ID.TCP_AUTHENTIFICATION_NONCE:
      return { kind: 'nonce', nonce: readTlBytes(tl, MAX_AUTHENTICATION_NONCE_BYTES) };
    default:
      return { kind: 'other' };
  }
}
