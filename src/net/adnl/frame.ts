/**
 * Frames: length, nonce, payload, checksum, all of it encrypted by one key stream for each direction.
 * Source: ton `adnl/adnl-ext-connection.cpp`, receive_packet and send.
 */
import { concatBytes, equalBytes } from '../../core/base/bytes.ts';
import { MAX_FRAME_BYTES } from '../../core/base/limits.ts';
import { tlUint32 } from '../../core/tl/writer.ts';
import { type StreamCipher, sha256 } from './crypto.ts';
import { ChannelFault } from './fault.ts';

const NONCE_BYTES = 32;
const CHECKSUM_BYTES = 32;
const LENGTH_BYTES = 4;
const OVERHEAD = NONCE_BYTES + CHECKSUM_BYTES;
/** Room that is taken before a frame has shown that it is longer. */
const FIRST_ROOM = 64 * 1024;

/** One frame, encrypted. @param nonce 32 fresh random bytes */
export function encodeFrame(cipher: StreamCipher, payload: Uint8Array, nonce: Uint8Array): Uint8Array {
  const head = tlUint32(payload.length + OVERHEAD);
  return cipher.update(concatBytes(head, nonce, payload, sha256(nonce, payload)));
}

/** Cuts a stream into payloads. After a fault the position in the stream is lost, and the reader is of no use. */
export class FrameReader {
  readonly #cipher: StreamCipher;
  readonly #head = new Uint8Array(LENGTH_BYTES);
  #headLength = 0;
  /** What came of the frame so far; it grows with what comes, never by what a length promises. */
  #room = new Uint8Array(0);
  #held = 0;
  #length: number | undefined;
  /** Bytes that the next frame may have. */
  mostBytes = MAX_FRAME_BYTES;

  constructor(cipher: StreamCipher) {
    this.#cipher = cipher;
  }

  /** Whether a frame has begun and not ended. */
  get isInside(): boolean {
    return this.#headLength > 0 || this.#length !== undefined;
  }

  /** Bytes of memory held. */
  get room(): number {
    return this.#room.length;
  }

  /**
   * Takes the next bytes of the stream.
   * @param onPayload gets each payload; the memory is its own
   * @throws ChannelFault `source/malformed`, `source/too-large`
   */
  push(chunk: Uint8Array, onPayload: (payload: Uint8Array) => void): void {
    const bytes = this.#cipher.update(chunk);
    for (let at = 0; at < bytes.length; ) {
      if (this.#length === undefined) {
        this.#head[this.#headLength++] = bytes[at++]!;
        if (this.#headLength === LENGTH_BYTES) this.#begin();
        continue;
      }
      const take = Math.min(this.#length - this.#held, bytes.length - at);
      this.#hold(bytes.subarray(at, at + take), this.#length);
      at += take;
      if (this.#held === this.#length) onPayload(this.#end(this.#length));
    }
  }

  #begin(): void {
    const length = new DataView(this.#head.buffer).getUint32(0, true);
    if (length < OVERHEAD || length > MAX_FRAME_BYTES) {
      throw new ChannelFault(
        'source/malformed',
        `expected a frame of ${OVERHEAD} to ${MAX_FRAME_BYTES} bytes, got ${length}`,
      );
    }
    if (length > this.mostBytes) {
      throw new ChannelFault('source/too-large', `a frame of ${length} bytes, at most ${this.mostBytes} may come`);
    }
    this.#length = length;
    this.#headLength = 0;
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

  #end(length: number): Uint8Array {
    const frame = this.#room.subarray(0, length);
    this.#room = new Uint8Array(0);
    this.#held = 0;
    this.#length = undefined;
    const signed = frame.subarray(0, length - CHECKSUM_BYTES);
    if (!equalBytes(sha256(signed), frame.subarray(length - CHECKSUM_BYTES))) {
      throw new ChannelFault('source/malformed', 'a frame with a wrong checksum');
    }
    return signed.subarray(NONCE_BYTES);
  }
}
