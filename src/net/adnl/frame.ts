/**
 * Frames: length, nonce, payload and checksum, all encrypted with one key stream for each direction. Source: ton
 * `adnl/adnl-ext-connection.cpp`, receive_packet and send.
 */
import { concatBytes, equalBytes } from '../../core/base/bytes.ts';
import { MAX_FRAME_BYTES } from '../../core/base/limits.ts';
import { tlUint32 } from '../../core/tl/writer.ts';
import { type StreamCipher, sha256Of } from './crypto.ts';
import { ChannelFault } from './fault.ts';

export const NONCE_BYTES = 32;
const CHECKSUM_BYTES = 32;
const LENGTH_BYTES = 4;
const OVERHEAD = NONCE_BYTES + CHECKSUM_BYTES;
/** Bytes of memory for a frame before its own bytes show that it is longer. */
const FIRST_ROOM = 64 * 1024;

/** Encodes and encrypts one frame. @param nonce 32 fresh random bytes */
export function encodeFrame(cipher: StreamCipher, payload: Uint8Array, nonce: Uint8Array): Uint8Array {
  const head = tlUint32(payload.length + OVERHEAD);
  return cipher.update(concatBytes(head, nonce, payload, sha256Of(nonce, payload)));
}

/** Returns the payload of a frame. @throws ChannelFault `source/malformed` */
function payloadOf(frame: Uint8Array): Uint8Array {
  const signed = frame.subarray(0, -CHECKSUM_BYTES);
  if (!equalBytes(sha256Of(signed), frame.subarray(-CHECKSUM_BYTES))) {
    throw new ChannelFault('source/malformed', 'a frame with a wrong checksum');
  }
  return signed.subarray(NONCE_BYTES);
}

/**
 * Cuts a stream into payloads. After a fault its position in the stream is lost, and the reader cannot be used any
 * more.
 */
export class FrameReader {
  readonly #cipher: StreamCipher;
  /**
   * The bytes of the length or of the frame so far. The memory grows with received bytes, never by a length that the
   * server only names.
   */
  #room = new Uint8Array(0);
  #held = 0;
  /** The length of the frame, once it is there. */
  #length: number | undefined;
  /** Largest size of the next frame in bytes. */
  mostBytes = MAX_FRAME_BYTES;

  constructor(cipher: StreamCipher) {
    this.#cipher = cipher;
  }

  /** Whether a frame has begun and has not ended. */
  get isInside(): boolean {
    return this.#held > 0 || this.#length !== undefined;
  }

  /** Bytes of memory held. */
  get room(): number {
    return this.#room.length;
  }

  /**
   * Reads the next bytes of the stream. @param onPayload receives each payload, in memory of its own @throws
   * ChannelFault `source/malformed`, `source/too-large`
   */
  push(chunk: Uint8Array, onPayload: (payload: Uint8Array) => void): void {
    let left = this.#cipher.update(chunk);
    while (left.length > 0) {
      const wanted = this.#length ?? LENGTH_BYTES;
      const piece = left.subarray(0, wanted - this.#held);
      left = left.subarray(piece.length);
      this.#hold(piece, wanted);
      if (this.#held < wanted) return;
      const whole = this.#room.subarray(0, wanted);
      const isFrame = this.#length !== undefined;
      this.#room = new Uint8Array(0);
      this.#held = 0;
      this.#length = isFrame ? undefined : this.#lengthIn(whole);
      if (isFrame) onPayload(payloadOf(whole));
    }
  }

  #lengthIn(head: Uint8Array): number {
    const length = new DataView(head.buffer).getUint32(0, true);
    if (length < OVERHEAD || length > MAX_FRAME_BYTES) {
      const words = `expected a frame of ${OVERHEAD} to ${MAX_FRAME_BYTES} bytes, got ${length}`;
      throw new ChannelFault('source/malformed', words);
    }
    if (length > this.mostBytes) {
      throw new ChannelFault('source/too-large', `a frame of ${length} bytes, at most ${this.mostBytes} may come`);
    }
    return length;
  }

  #hold(piece: Uint8Array, length: number): void {
    const needed = this.#held + piece.length;
    if (needed > this.#room.length) {
      const grown = new Uint8Array(Math.min(length, Math.max(needed, 2 * this.#room.length, FIRST_ROOM)));
      grown.set(this.#room.subarray(0, this.#held));
      this.#room = grown;
    }
    this.#room.set(piece, this.#held);
    this.#held = needed;
  }
}
