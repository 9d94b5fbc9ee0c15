/**
 * The protocol of one connection to a lite server, without a socket: it takes received bytes and the time, and returns
 * bytes to send and answers. All limits on what a server may do are here. Opens no socket and starts no timer.
 */
import { concatBytes, encodeHex } from '../../core/base/bytes.ts';
import { CONNECT_TIMEOUT_MS, MAX_FRAME_BYTES, MAX_USELESS_BYTES, MAX_USELESS_FRAMES } from '../../core/base/limits.ts';
import { ed25519PublicKey, ed25519Sign, randomBytes } from './crypto.ts';
import { ChannelFault } from './fault.ts';
import { encodeFrame, FrameReader, NONCE_BYTES } from './frame.ts';
import { clientHandshake, HANDSHAKE_RANDOM_BYTES, type Handshake } from './handshake.ts';
import {
  decodeMessage,
  encodeAuthentication,
  encodeAuthenticationComplete,
  encodePing,
  encodeQuery,
} from './messages.ts';

/**
 * Milliseconds without a frame after which a lite server is pinged, and after which the connection is closed. One
 * server drops clients that are silent for 20 s.
 */
const PING_AFTER_MS = 5_000;
const SILENT_AFTER_MS = 15_000;

/** Slowest accepted frame: this number of bytes in a window of this many milliseconds. */
const MIN_FRAME_BYTES_PER_WINDOW = 81_920;
const FRAME_RATE_WINDOW_MS = 10_000;

const KEY_SEED_BYTES = 32;
const QUERY_ID_BYTES = 32;
const PING_ID_BYTES = 8;
/** Bytes of a frame around an answer, and a reserve. */
const ENVELOPE_BYTES = 256;

export interface SessionOptions {
  readonly serverKey: Uint8Array;
  /**
   * The client's Ed25519 seed, for servers that have a list of clients. The client then also proves its key. Default: a
   * fresh seed.
   */
  readonly clientSeed?: Uint8Array;
  /** The time in milliseconds, by any clock that never goes back. */
  readonly nowMs: number;
  /** A source of random bytes. Default: the runtime's; tests replace it. */
  readonly random?: (count: number) => Uint8Array;
}

/** The result of reading some bytes of the server. */
export interface Received {
  /** Whether the server has proven its key, so that questions may be asked. */
  readonly isReady: boolean;
  readonly answers: readonly { readonly question: string; readonly bytes: Uint8Array }[];
  /** Bytes to send to the server at once. */
  readonly replies: readonly Uint8Array[];
}

export class AdnlSession {
  readonly #random: (count: number) => Uint8Array;
  readonly #clientSeed: Uint8Array | undefined;
  readonly #handshake: Handshake;
  readonly #reader: FrameReader;
  /** Open questions, each with the largest size of its answer in bytes. */
  readonly #open = new Map<string, number>();
  #isReady = false;
  /** When the last frame came; before the first, when the session began. */
  #lastFrameMs: number;
  #ping: { readonly id: string; readonly sentMs: number } | undefined;
  #clientNonce: Uint8Array | undefined;
  #uselessFrames = 0;
  #uselessBytes = 0;
  /** The time window in which the rate of an incoming frame is measured: its start, and the bytes since. */
  #window: { sinceMs: number; bytes: number } | undefined;

  constructor({ serverKey, clientSeed, nowMs, random = randomBytes }: SessionOptions) {
    this.#random = random;
    this.#clientSeed = clientSeed;
    this.#handshake = clientHandshake(serverKey, clientSeed ?? random(KEY_SEED_BYTES), random(HANDSHAKE_RANDOM_BYTES));
    this.#reader = new FrameReader(this.#handshake.fromServer);
    this.#lastFrameMs = nowMs;
  }

  /** The first 256 bytes to send. */
  get packet(): Uint8Array {
    return this.#handshake.packet;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Bytes of memory held for an incoming frame. */
  get heldBytes(): number {
    return this.#reader.room;
  }

  #frame(payload: Uint8Array): Uint8Array {
    return encodeFrame(this.#handshake.toServer, payload, this.#random(NONCE_BYTES));
  }

  /** Encodes a question. Call only after `isReady`. @param maxBytes largest size of the answer in bytes */
  ask(request: Uint8Array, maxBytes = MAX_FRAME_BYTES): { readonly question: string; readonly bytes: Uint8Array } {
    const queryId = this.#random(QUERY_ID_BYTES);
    const question = encodeHex(queryId);
    this.#open.set(question, maxBytes);
    return { question, bytes: this.#frame(encodeQuery(queryId, request)) };
  }

  /** Forgets a question, because its answer is no longer needed. A later answer to it counts as unasked for. */
  forget(question: string): void {
    this.#open.delete(question);
  }

  /**
   * Reads bytes of the server. @throws ChannelFault when the server breaks a rule; the session cannot be used any more
   */
  receive(chunk: Uint8Array, nowMs: number): Received {
    const answers: { question: string; bytes: Uint8Array }[] = [];
    const replies: Uint8Array[] = [];
    if (this.#window === undefined) this.#window = { sinceMs: nowMs, bytes: 0 };
    this.#window.bytes += chunk.length;
    const mostBytes = Math.max(MAX_USELESS_BYTES, ...this.#open.values()) + ENVELOPE_BYTES;
    this.#reader.mostBytes = Math.min(MAX_FRAME_BYTES, mostBytes);
    this.#reader.push(chunk, (payload) => {
      this.#lastFrameMs = nowMs;
      const expectedPong = this.#ping?.id;
      this.#ping = undefined; // any bytes show that the server is alive
      if (!this.#isReady) return this.#welcome(payload, replies);
      const message = decodeMessage(payload);
      if (message.kind === 'pong' && encodeHex(message.id) === expectedPong) return;
      if (message.kind === 'answer' && this.#open.delete(encodeHex(message.queryId))) {
        this.#uselessFrames = 0;
        this.#uselessBytes = 0;
        answers.push({ question: encodeHex(message.queryId), bytes: message.bytes });
        return;
      }
      if (message.kind === 'nonce' && this.#clientNonce !== undefined) replies.push(this.#showKey(message.nonce));
      this.#countUseless(payload.length);
    });
    if (!this.#reader.isInside) this.#window = undefined;
    return { isReady: this.#isReady, answers, replies };
  }

  /** Checks that the first frame is empty: only a holder of the server's key can have made it. */
  #welcome(payload: Uint8Array, replies: Uint8Array[]): void {
    if (payload.length !== 0) {
      throw new ChannelFault('source/malformed', `expected an empty first frame, got ${payload.length} bytes`);
    }
    this.#isReady = true;
    if (this.#clientSeed === undefined) return;
    this.#clientNonce = this.#random(NONCE_BYTES);
    replies.push(this.#frame(encodeAuthentication(this.#clientNonce)));
  }

  /**
   * Signs both nonces. The signature identifies the client, never the server. Source: ton `adnl/adnl-ext-client.cpp`.
   */
  #showKey(serverNonce: Uint8Array): Uint8Array {
    const [seed, nonce] = [this.#clientSeed!, this.#clientNonce!]; // callers have checked that both exist
    this.#clientNonce = undefined;
    const signed = concatBytes(nonce, serverNonce);
    return this.#frame(encodeAuthenticationComplete(ed25519PublicKey(seed), ed25519Sign(seed, signed)));
  }

  #countUseless(bytes: number): void {
    this.#uselessFrames += 1;
    this.#uselessBytes += bytes;
    if (this.#uselessFrames <= MAX_USELESS_FRAMES && this.#uselessBytes <= MAX_USELESS_BYTES) return;
    const words = `${this.#uselessFrames} unexpected frames with ${this.#uselessBytes} bytes`;
    throw new ChannelFault('source/malformed', words);
  }

  /**
   * Checks the limits of time; call it about once a second.
   * @returns a ping to send, where one is due
   * @throws ChannelFault `source/timeout` when the server took too long
   */
  tick(nowMs: number): Uint8Array | undefined {
    const silentMs = nowMs - this.#lastFrameMs;
    if (!this.#isReady && silentMs >= CONNECT_TIMEOUT_MS) {
      const words = 'no answer to the handshake: the server is slow, or has another key';
      throw new ChannelFault('source/timeout', words);
    }
    if (this.#window !== undefined) {
      this.#judgeRate(this.#window, nowMs);
      return undefined; // no pong can arrive before the frame is whole
    }
    if (!this.#isReady) return undefined;
    if (silentMs >= SILENT_AFTER_MS) throw new ChannelFault('source/timeout', 'the server stopped answering');
    if (silentMs < PING_AFTER_MS || (this.#ping !== undefined && nowMs - this.#ping.sentMs < PING_AFTER_MS)) {
      return undefined;
    }
    const id = this.#random(PING_ID_BYTES);
    this.#ping = { id: encodeHex(id), sentMs: nowMs };
    return this.#frame(encodePing(id));
  }

  #judgeRate(window: { sinceMs: number; bytes: number }, nowMs: number): void {
    if (nowMs - window.sinceMs < FRAME_RATE_WINDOW_MS) return;
    if (window.bytes < MIN_FRAME_BYTES_PER_WINDOW) {
      const words = `a frame that arrived at ${window.bytes} bytes in ${FRAME_RATE_WINDOW_MS} ms`;
      throw new ChannelFault('source/timeout', words);
    }
    this.#window = { sinceMs: nowMs, bytes: 0 };
  }
}
