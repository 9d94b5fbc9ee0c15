/**
 * Asks one lite server: connects at the first question, keeps to its pace and time limits, and retries where that can
 * help. Every answer is parsed strictly and must be about what was asked. Other modules verify it.
 */

import { DecodeError, SourceError, type SourceErrorCode, type SourceErrorOptions } from '../../core/base/errors.ts';
import {
  DEFAULT_DEADLINE_MS,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  KEYLESS_RATE_LIMIT_WAIT_MS,
  MAX_FRAME_BYTES,
  MAX_QUESTIONS_IN_FLIGHT,
  QUESTIONS_IN_FLIGHT,
  RECONNECT_EARLY_CAP_MS,
} from '../../core/base/limits.ts';
import { asGiven, callback, flag, number, optional, readOptions } from '../../core/base/options.ts';
import { ownBytesOf } from '../../core/base/own-bytes.ts';
import { present } from '../../core/base/present.ts';
import { ChannelFault } from '../adnl/fault.ts';
import { createPace } from '../async/pace.ts';
import { sleep, startTimer } from '../async/timer.ts';
import { type Tries, withRetries } from '../async/with-retries.ts';
import type { LiteServer } from '../lite-api/global-config.ts';
import { isAnswerId } from '../lite-api/read-answers.ts';
import { classifyLiteError, readLiteServerError } from '../lite-api/server-error.ts';
import { afterBlock } from '../lite-api/write-requests.ts';
import { codeOfUnreadable, unknownIn } from '../machine/outcome.ts';
import { backoffMs } from '../machine/retry.ts';
import { ASK_OPTIONS, type AskOptions } from '../sources/block-source.ts';
import { failureOf, liteHint } from '../sources/failure-hints.ts';
import { observed, type ServerObservers } from '../sources/server-events.ts';
import { Connection } from './connection.ts';
import { liteServerLabel, requireLiteServer } from './server-address.ts';
import { type OpenTransport, openTcp } from './tcp.ts';

/**
 * Milliseconds that a lite server is asked to wait for a block. Servers wait at most ten seconds. Source: ton
 * `validator/impl/liteserver.cpp`.
 */
const WAIT_FOR_BLOCK_MS = 8_000;

/**
 * Delays in milliseconds before a lite server is connected to again: the first delay, the longest during the first two
 * minutes, and the longest after that.
 */
const RECONNECT_BASE_MS = 500;

const RECONNECT_EARLY_MS = 120_000;

const RECONNECT_CAP_MS = 30_000;

/** One answer as it came, before anything was read from it. */
export interface RecordedLiteAnswer {
  /** The server's label. */
  readonly source: string;
  readonly operation: string;
  /** The request and the answer as TL, without the envelope of ADNL. */
  readonly request: Uint8Array;
  readonly answer: Uint8Array;
}

/** How long questions to a lite server may take, and how often to retry. */
export interface LiteOptions extends ServerObservers {
  /** Milliseconds for one attempt. Default 15 s. */
  readonly timeoutMs?: number;
  /** Milliseconds for one question with all attempts and waiting. Default 30 s. */
  readonly deadlineMs?: number;
  /** How often a failed question is tried again. Default 3. */
  readonly retries?: number;
  /** Questions a second. Default `Infinity`; set it for a server that limits its rate. */
  readonly requestsPerSecond?: number;
  /** Questions at a time. Default 2; up to 4 for a server of your own. */
  readonly concurrency?: number;
  /**
   * The seed of your Ed25519 key, 32 bytes, for servers that answer only to clients whose keys they have been given.
   */
  readonly clientSeed?: Uint8Array;
  /** Opens the transport. Default: TCP. */
  readonly open?: OpenTransport;
  /** Receives every whole answer, errors too. If it throws, the question fails with that error. */
  readonly onAnswer?: (answer: RecordedLiteAnswer) => void;
}

/** Limits of one question, in addition to the options of the client. */
export interface LiteAskOptions extends AskOptions {
  /** How often a failed question is tried again. Default: that of the client. */
  readonly retries?: number;
  /**
   * Asks the server itself to wait some seconds for the block. `waitForBlock`, in contrast, asks again and again.
   * Default false.
   */
  readonly serverMayWait?: boolean;
  /** Largest size of the answer in bytes; the connection ends where the server sends more. Default 16 MiB. */
  readonly maxBytes?: number;
  /** Called with the outcome of each attempt, also of those that are tried again. */
  readonly onAttempt?: (error: SourceError | undefined) => void;
}

/** A question, how to read its answer, and how to tell that the answer is about something else. */
export interface LiteQuestion<T> {
  readonly operation: string;
  readonly request: Uint8Array;
  /** Reads the answer. @throws DecodeError, TrustError */
  readonly read: (answer: Uint8Array) => T;
  readonly mismatch?: (value: T) => string | undefined;
  /** The block that the server waits for before it answers, at most some seconds. */
  readonly afterSeqno?: number;
}

/**
 * Removes the unknown id from an error. An answer of a known kind that is not the requested one says nothing about
 * unknown forms.
 */
function withoutKnownId(error: DecodeError): DecodeError {
  const kind = unknownIn(error);
  const isKnown = kind?.isWhole === true && isAnswerId(Number.parseInt(kind.got, 16));
  return isKnown ? new DecodeError(error.code, error.message) : error;
}

/** Milliseconds that an answer may take in addition to the time that the server was asked to wait. */
const WAIT_MARGIN_MS = 5_000;

/** Options of a question. */
const QUESTION_OPTIONS = {
  ...ASK_OPTIONS,
  retries: number(0, Number.MAX_SAFE_INTEGER),
  serverMayWait: flag(),
  onAttempt: callback(),
  maxBytes: number(1, MAX_FRAME_BYTES),
  afterSeqno: asGiven,
};

/** Makes the function that asks one server. @throws UsageError for a server or options that cannot be used */
export function createLiteRequester(
  given: LiteServer | string,
  options: LiteOptions & { readonly network?: unknown } = {},
) {
  const limitMs = (fallback: number) => number(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER, fallback);
  const opts = readOptions(options, '', {
    timeoutMs: limitMs(DEFAULT_TIMEOUT_MS),
    deadlineMs: limitMs(DEFAULT_DEADLINE_MS),
    requestsPerSecond: number(Number.MIN_VALUE, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
    retries: number(0, Number.MAX_SAFE_INTEGER, DEFAULT_RETRIES),
    concurrency: number(1, MAX_QUESTIONS_IN_FLIGHT, QUESTIONS_IN_FLIGHT),
    clientSeed: optional((seed: Uint8Array, path) => ownBytesOf(32, seed, path)),
    open: callback(),
    onAnswer: callback(),
    onServer: callback(),
    network: asGiven, // an option of the client
  });
  const { timeoutMs, clientSeed } = opts;
  const server = requireLiteServer(given);
  const name = liteServerLabel(server);
  const pace = createPace({ requestsPerSecond: opts.requestsPerSecond, concurrency: opts.concurrency });

  let connection: Connection | undefined;
  // The pause grows for a server that does not come up, or that drops new connections.
  let failedConnects = 0;
  let failingSinceMs = 0;
  let connectAgainMs = Number.NEGATIVE_INFINITY;

  function onEnd(ended: Connection): void {
    if (connection !== ended) return;
    connection = undefined;
    const nowMs = performance.now();
    if (ended.isReady) failedConnects = 0;
    if (failedConnects === 0) failingSinceMs = nowMs;
    const cap = nowMs - failingSinceMs < RECONNECT_EARLY_MS ? RECONNECT_EARLY_CAP_MS : RECONNECT_CAP_MS;
    connectAgainMs = nowMs + backoffMs(RECONNECT_BASE_MS, cap, failedConnects, Math.random());
    failedConnects += 1;
  }

  function fail(operation: string, code: SourceErrorCode, what: string, options: SourceErrorOptions = {}): SourceError {
    return failureOf(name, code, `${operation}: ${what}`, { hint: liteHint(code), ...options });
  }

  /** Makes one attempt: its turn, a connection, and the answer, in time. */
  async function attempt<T>(
    { operation, request, read, mismatch, afterSeqno }: LiteQuestion<T>,
    [endMs, waitMs]: readonly [number, number],
    { signal: caller, maxBytes }: LiteAskOptions,
    attempts: number,
  ): Promise<T> {
    const leftMs = endMs - performance.now();
    const sent =
      afterSeqno === undefined || waitMs === 0 ? request : afterBlock(afterSeqno, Math.trunc(waitMs), request);
    const timer = startTimer(leftMs, caller);
    let answer: Uint8Array;
    try {
      answer = await pace.run(async () => {
        const pauseMs = connection === undefined ? connectAgainMs - performance.now() : 0;
        if (pauseMs > 0) await sleep(pauseMs, timer.signal);
        timer.restart(Math.min(timeoutMs + waitMs, endMs - performance.now()));
        connection ??= new Connection(server, { open: opts.open ?? openTcp, onEnd, ...present({ clientSeed }) });
        return await connection.ask(sent, timer.signal, maxBytes);
      }, timer.signal);
    } catch (error) {
      if (timer.expired) throw fail(operation, 'source/timeout', 'no whole answer in time', { attempts });
      if (timer.signal.aborted) throw fail(operation, 'source/aborted', 'stopped by the caller', { attempts });
      if (error instanceof ChannelFault) throw fail(operation, error.code, error.message, { attempts });
      throw error;
    } finally {
      timer.close();
    }
    opts.onAnswer?.({ source: name, operation, request: new Uint8Array(request), answer: new Uint8Array(answer) });
    try {
      const failure = readLiteServerError(answer);
      if (failure !== undefined) {
        const { code, text } = failure;
        throw fail(operation, classifyLiteError(failure, waitMs > 0), `"${text}" (code ${code})`, {
          attempts,
          serverCode: code,
          serverText: text,
          body: answer,
        });
      }
      const value = read(answer);
      const wrong = mismatch?.(value);
      if (wrong !== undefined) throw fail(operation, 'source/wrong-block', wrong, { attempts, body: answer });
      return value;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      // After a malformed answer the position in the stream is unknown, so the connection is dropped.
      connection?.close(new ChannelFault('source/upstream', 'dropped: another answer could not be read'));
      const what = `an answer that cannot be read: ${error.message}`;
      throw fail(operation, codeOfUnreadable(error), what, { attempts, body: answer, cause: withoutKnownId(error) });
    }
  }

  return Object.freeze({
    name,
    server,
    /** Milliseconds for a question whose options name none. */
    deadlineMs: opts.deadlineMs,
    /** Asks a question. @throws SourceError; what `read` throws that is not a DecodeError */
    async ask<T>(question: LiteQuestion<T>, given: LiteAskOptions = {}): Promise<T> {
      const asked = readOptions(given, '', QUESTION_OPTIONS);
      const { operation } = question;
      let attempts = 1;
      const answer = async () => {
        const endMs = performance.now() + (asked.deadlineMs ?? opts.deadlineMs);
        let current = question;
        let extra = 0;
        const tries: Tries<T> = {
          async attempt(tried) {
            for (;;) {
              attempts = tried + extra;
              const leftMs = endMs - performance.now() - WAIT_MARGIN_MS;
              const waitMs = current.afterSeqno === undefined ? 0 : Math.max(0, Math.min(WAIT_FOR_BLOCK_MS, leftMs));
              try {
                const value = await attempt(current, [endMs, waitMs], asked, attempts);
                asked.onAttempt?.(undefined);
                return value;
              } catch (error) {
                if (!(error instanceof SourceError)) throw error;
                asked.onAttempt?.(error);
                if (error.code !== 'source/not-ready' || waitMs === 0) throw error;
                // The server waits for the blocks of all shards; a masterchain block may be there before them.
                const { afterSeqno: _, ...now } = current;
                current = now;
                extra += 1;
              }
            }
          },
          endMs,
          signal: asked.signal,
          stopped: (attempts) => fail(operation, 'source/aborted', 'stopped by the caller', { attempts }),
        };
        return await withRetries(tries, {
          retries: asked.retries ?? opts.retries,
          waitForBlock: asked.waitForBlock === true,
          rateLimitWaitMs: KEYLESS_RATE_LIMIT_WAIT_MS,
        });
      };
      return await observed(opts, name, operation, answer, () => attempts);
    },
    /** Ends the connection. Later questions open a new one. */
    close() {
      connection?.close();
      failedConnects = 0;
      connectAgainMs = Number.NEGATIVE_INFINITY;
    },
  });
}
