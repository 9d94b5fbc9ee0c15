/** One connection to one server: a session, the transport under it, the clock beside it, and who waits for which answer. */

import { printable } from '../../core/base/errors.ts';
import { CONNECT_TIMEOUT_MS, IDLE_CLOSE_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { ChannelFault } from '../adnl/fault.ts';
import { AdnlSession } from '../adnl/session.ts';
import { onAbort } from '../async/on-abort.ts';
import type { LiteServer } from '../lite-api/global-config.ts';
import type { OpenTransport, Transport } from './tcp.ts';

/** How often the clock is looked at. */
const TICK_MS = 1000;

interface Waiting {
  readonly request: Uint8Array;
  readonly maxBytes: number | undefined;
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (fault: unknown) => void;
  /** Its name in the session, once it was sent. */
  question?: string;
}

export interface ConnectionOptions {
  readonly open: OpenTransport;
  readonly clientSeed?: Uint8Array;
  /** Called once, when the connection is of no use any more. */
  readonly onEnd: (connection: Connection) => void;
}

export class Connection {
  readonly #onEnd: (connection: Connection) => void;
  readonly #session: AdnlSession;
  readonly #transport: Transport;
  readonly #tick: ReturnType<typeof setInterval>;
  readonly #startedMs = performance.now();
  readonly #waiting = new Set<Waiting>();
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
      onClose: (why) => this.#end(new ChannelFault('source/upstream', this.#wordsForClosed(why))),
    });
    this.#tick = setInterval(() => this.#guarded(() => this.#lookAtClock()), TICK_MS);
    (this.#tick as { unref?: () => void }).unref?.(); // only Node's timers have it
  }

  /** Whether the handshake is done. */
  get isReady(): boolean {
    return this.#session.isReady;
  }

  #wordsForClosed(why: string | undefined): string {
    const said =
      why === undefined ? 'the server closed the connection' : `no connection, or it broke: ${printable(why, 200)}`;
    return this.#isOpen && !this.#session.isReady ? `${said} at the handshake: is the key right?` : said;
  }

  /**
   * The answer to one request, whatever it is.
   * @param maxBytes of the answer
   * @throws ChannelFault when the connection ends before; the signal's reason when that comes first
   */
  ask(request: Uint8Array, signal: Signal, maxBytes?: number): Promise<Uint8Array> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (signal.aborted) return Promise.reject(signal.reason);
    let forget = () => {};
    const answer = new Promise<Uint8Array>((resolve, reject) => {
      const waiting: Waiting = { request, maxBytes, resolve, reject };
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

  #send(waiting: Waiting): void {
    const { question, bytes } = this.#session.ask(waiting.request, waiting.maxBytes);
    waiting.question = question;
    this.#transport.write(bytes);
  }

  #settle(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    this.#lastBusyMs = performance.now();
    if (this.#waiting.size === 0) this.#transport.setBusy(false);
  }

  /** A server that breaks a rule ends the connection, and nothing else. */
  #guarded(work: () => void): void {
    if (this.#ended !== undefined) return;
    try {
      work();
    } catch (error) {
      this.#end(
        error instanceof ChannelFault ? error : new ChannelFault('source/malformed', 'the answer broke the client'),
      );
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

  /** Ends it. Whoever still waits is told so. */
  close(why = new ChannelFault('source/upstream', 'the connection was closed')): void {
    this.#end(why);
  }

  #end(fault: ChannelFault): void {
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
