/** One connection to one server: a session, its transport, its timer, and the open questions. */

import { printable } from '../../core/base/errors.ts';
import { CONNECT_TIMEOUT_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { ChannelFault } from '../adnl/fault.ts';
import { AdnlSession } from '../adnl/session.ts';
import { onAbort } from '../async/on-abort.ts';
import type { LiteServer } from '../lite-api/global-config.ts';
import type { OpenTransport, Transport } from './tcp.ts';

/** Milliseconds without a question after which the connection is closed. Source: ton `adnl/adnl-ext-client.hpp`. */
const IDLE_CLOSE_MS = 100_000;

/** Milliseconds between two checks of the session's time limits. */
const TICK_MS = 1000;

interface WaitingRequest {
  readonly request: Uint8Array;
  readonly maxBytes: number | undefined;
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (fault: unknown) => void;
  /** The question's name in the session, once it was sent. */
  question?: string;
}

export interface ConnectionOptions {
  readonly open: OpenTransport;
  readonly clientSeed?: Uint8Array;
  /** Called once, when the connection cannot be used any more. */
  readonly onEnd: (connection: Connection) => void;
}

export class Connection {
  readonly #onEnd: (connection: Connection) => void;
  readonly #session: AdnlSession;
  readonly #transport: Transport;
  readonly #tick: ReturnType<typeof setInterval>;
  readonly #startedMs = performance.now();
  readonly #waiting = new Set<WaitingRequest>();
  #isOpen = false;
  #lastBusyMs = this.#startedMs;
  #ended: ChannelFault | undefined;

  /** @throws UsageError where the transport cannot be opened at all */
  constructor(server: LiteServer, { open, clientSeed, onEnd }: ConnectionOptions) {
    this.#onEnd = onEnd;
    this.#session = new AdnlSession({
      serverKey: server.publicKey,
      nowMs: this.#startedMs,
      ...present({ clientSeed }),
    });
    this.#transport = open(server, {
      onOpen: () => {
        this.#isOpen = true;
        this.#transport.write(this.#session.packet);
      },
      onData: (bytes) => this.#guarded(() => this.#take(bytes)),
      onClose: (why) => this.close(new ChannelFault('source/upstream', this.#wordsForClosed(why))),
    });
    this.#tick = setInterval(() => this.#guarded(() => this.#lookAtClock()), TICK_MS);
    (this.#tick as { unref?: () => void }).unref?.(); // only Node's timers have this method
  }

  /** Whether the handshake is done. */
  get isReady(): boolean {
    return this.#session.isReady;
  }

  #wordsForClosed(why: string | undefined): string {
    const said =
      why === undefined ? 'the server closed the connection' : `no connection, or it failed: ${printable(why, 200)}`;
    return this.#isOpen && !this.#session.isReady ? `${said} at the handshake: check the key` : said;
  }

  /**
   * Returns the answer to one request, without reading it.
   * @param maxBytes largest size of the answer
   * @throws ChannelFault when the connection ends before the answer; the signal's reason when the signal fires first
   */
  ask(request: Uint8Array, signal: Signal, maxBytes?: number): Promise<Uint8Array> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (signal.aborted) return Promise.reject(signal.reason);
    let forget = () => {};
    const answer = new Promise<Uint8Array>((resolve, reject) => {
      const waiting: WaitingRequest = { request, maxBytes, resolve, reject };
      this.#waiting.add(waiting);
      this.#transport.setBusy(true);
      if (this.#session.isReady) this.#send(waiting);
      forget = onAbort(signal, () => {
        if (waiting.question !== undefined) this.#session.forget(waiting.question);
        this.#settle(waiting);
        reject(signal.reason);
      });
    });
    return answer.finally(forget);
  }

  #send(waiting: WaitingRequest): void {
    const { question, bytes } = this.#session.ask(waiting.request, waiting.maxBytes);
    waiting.question = question;
    this.#transport.write(bytes);
  }

  #settle(waiting: WaitingRequest): void {
    this.#waiting.delete(waiting);
    this.#lastBusyMs = performance.now();
    if (this.#waiting.size === 0) this.#transport.setBusy(false);
  }

  /** Runs work of the session. A server that breaks a rule ends the connection, but not the program. */
  #guarded(work: () => void): void {
    if (this.#ended !== undefined) return;
    try {
      work();
    } catch (error) {
      const isFault = error instanceof ChannelFault;
      this.close(isFault ? error : new ChannelFault('source/malformed', 'the answer caused a failure of the client'));
    }
  }

  #take(bytes: Uint8Array): void {
    const wasReady = this.#session.isReady;
    const { isReady, answers, replies } = this.#session.receive(bytes, performance.now());
    for (const reply of replies) this.#transport.write(reply);
    if (isReady && !wasReady) for (const waiting of this.#waiting) this.#send(waiting);
    for (const { question, bytes: answer } of answers) {
      const waiting = [...this.#waiting].find((one) => one.question === question);
      if (waiting === undefined) continue;
      this.#settle(waiting);
      waiting.resolve(answer);
    }
  }

  #lookAtClock(): void {
    const nowMs = performance.now();
    if (!this.#isOpen && nowMs - this.#startedMs >= CONNECT_TIMEOUT_MS) {
      throw new ChannelFault('source/timeout', 'no connection in time');
    }
    if (this.#waiting.size === 0 && nowMs - this.#lastBusyMs >= IDLE_CLOSE_MS) {
      this.close();
      return;
    }
    const ping = this.#session.tick(nowMs);
    if (ping !== undefined) this.#transport.write(ping);
  }

  /** Ends the connection. Open questions fail with the reason. */
  close(fault = new ChannelFault('source/upstream', 'the connection was closed')): void {
    if (this.#ended !== undefined) return;
    this.#ended = fault;
    clearInterval(this.#tick);
    this.#transport.close();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(fault);
    this.#onEnd(this);
  }
}
