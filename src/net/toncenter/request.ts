/**
 * Asks one server one question: paced, with time limits and retries. The answer is parsed strictly and must be about
 * the block asked for. Every call ends with a value or a `SourceError`.
 */

import { requireInteger } from '../../core/base/arguments.ts';
import { DecodeError, SourceError } from '../../core/base/errors.ts';
import { parseOrNothing } from '../../core/base/json-text.ts';
import { BODY_LIMITS, KEYLESS_RATE_LIMIT_WAIT_MS, MAX_SEQNO, QUESTIONS_IN_FLIGHT } from '../../core/base/limits.ts';
import { requireNumber } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { createPace, type Pace } from '../async/pace.ts';
import { startTimer } from '../async/timer.ts';
import { type Tries, withRetries } from '../async/with-retries.ts';
import { costAfter, costProven, leftOf, NO_COST, shareOf } from '../machine/budget.ts';
import { codeOfUnreadable } from '../machine/outcome.ts';
import type { AskOptions } from '../sources/block-source.ts';
import { observed } from '../sources/server-events.ts';
import {
  type Answer,
  type AttemptContext,
  attempt,
  type Fail,
  failuresOf,
  type HttpQuestion,
  NO_ANSWER,
  STOPPED,
} from './attempt.ts';
import { defaultTransport } from './default-transport.ts';
import { createEndpoint } from './endpoint.ts';
import { fetchTransport } from './fetch-transport.ts';
import { MAX_DEADLINE_MS, readToncenterOptions, type ToncenterOptions } from './toncenter-options.ts';
import { BodyTooLarge } from './transport.ts';

/** Requests a second of toncenter.com. Source: docs.ton.org, rate limits: 1 without a key, 10 with a free one. */
const KEYLESS_REQUESTS_PER_SECOND = 1;
const KEYED_REQUESTS_PER_SECOND = 10;

/** A question, how to read its answer, and how to tell that the answer is about something else. */
export interface Asked<T> extends HttpQuestion {
  /** Reads the answer. @param body the answer as it came, without keys @throws DecodeError */
  readonly read: (json: unknown, body: Uint8Array) => T;
  /** Returns a message when the answer is about a different block. */
  readonly mismatch?: (value: T) => string | undefined;
}

export interface Requester {
  readonly label: string;
  /** Returns the milliseconds until a question asked now would be sent. */
  waitMs(): number;
  /** Asks the question. @throws SourceError */
  ask<T>(asked: Asked<T>, opts?: AskOptions): Promise<T>;
}

/**
 * Bytes that one server may send in ten minutes, in addition to readable answers. The limit is a share for eight
 * servers, so that a run over HTTP costs no more than a run over lite servers.
 */
const SHARE = shareOf(8);
/**
 * A readable answer about one block is free up to 128 KiB, about 600 signatures. Lists and configurations are free at
 * any size.
 */
const FREE_UNITS = 2;

/**
 * Returns the number as text. A server would read other text as 0, or as the number that it begins with. @throws
 * UsageError
 */
export function requireSeqno(seqno: unknown, path = 'seqno'): string {
  return String(requireInteger(seqno, path, 1, MAX_SEQNO));
}

/** Returns the limits of the question, or those that the caller set for all questions of this source. */
function withMaxBytes<T extends HttpQuestion>(asked: T, maxBytes: number | undefined): T {
  if (maxBytes === undefined) return asked;
  const factor = Math.max(1, maxBytes / asked.maxBytes);
  return { ...asked, maxBytes, maxValues: asked.maxValues * factor };
}

/**
 * Reads the body without keys, and returns the error of that: the first error may quote a part of a key. `undefined`
 * when the body without keys is valid.
 */
function failureWithoutKeys(read: Asked<unknown>['read'], body: Uint8Array): DecodeError | undefined {
  try {
    read(parseOrNothing(new TextDecoder().decode(body)), body);
  } catch (error) {
    if (error instanceof DecodeError) return error;
  }
  return undefined;
}

/** Makes the function that asks one server. @throws UsageError for options that cannot be used */
export function createRequester(given: ToncenterOptions): Requester {
  const opts = readToncenterOptions(given);
  const endpoint = createEndpoint(opts);
  const { label } = endpoint;
  const hasKey = endpoint.headers['X-API-Key'] !== undefined;
  const {
    requestsPerSecond = hasKey ? KEYED_REQUESTS_PER_SECOND : KEYLESS_REQUESTS_PER_SECOND,
    // A server that counts requests must not see a burst.
    concurrency = hasKey || requestsPerSecond === Number.POSITIVE_INFINITY ? QUESTIONS_IN_FLIGHT : 1,
    timeoutMs,
    retries,
  } = opts;
  const pace: Pace = opts.pace ?? createPace({ requestsPerSecond, concurrency });
  const transport = opts.fetch === undefined ? defaultTransport() : fetchTransport(opts.fetch);
  let cost = NO_COST;
  function charge(bytes: number): void {
    cost = costAfter(cost, bytes, performance.now(), SHARE, 'lasting');
  }
  const context: AttemptContext = {
    endpoint,
    async transport(request) {
      try {
        const exchange = await transport(request);
        charge(exchange.body.length);
        return exchange;
      } catch (error) {
        if (error instanceof BodyTooLarge) charge(request.maxBodyBytes);
        throw error;
      }
    },
    onAnswer: opts.onAnswer,
  };

  /**
   * Checks that a server may be asked. @throws SourceError for a server that has used up its share of bytes, or that
   * asked for a rest longer than the time left
   */
  function requireReady(deadlineMs: number, fail: Fail): void {
    if (leftOf(cost, performance.now(), SHARE, 'lasting') < BODY_LIMITS.block.maxBytes) {
      const [had, most] = [cost.bytes, SHARE].map((bytes) => (bytes / 1_048_576).toFixed(1));
      const what = `not asked: the answers of this server have ${had} MiB more than could be read, at most ${most} MiB in ten minutes is allowed`;
      throw fail('source/budget', what, { attempts: 0 });
    }
    const retryAfterMs = pace.restMs?.() ?? 0;
    if (retryAfterMs <= deadlineMs) return;
    const what = `not asked: the server allows no request for ${Math.ceil(retryAfterMs / 1000)} s more`;
    throw fail('source/rate-limited', what, { attempts: 0, retryAfterMs });
  }

  /**
   * Makes one attempt in its turn. The pace stops waiting when the timer fires, whatever the fetch does.
   * @param before the error of the attempt before, which explains a missing answer better when the turn never came
   */
  async function attemptInTurn(
    question: HttpQuestion,
    endMs: number,
    caller: Signal | undefined,
    fail: Fail,
    before: SourceError | undefined,
  ): Promise<Answer> {
    let hasStarted = false;
    const timer = startTimer(endMs - performance.now(), caller);
    try {
      return await pace.run(() => {
        hasStarted = true;
        timer.restart(Math.min(timeoutMs, endMs - performance.now()));
        return attempt(context, question, timer, fail);
      }, timer.signal);
    } catch (error) {
      // Every later question of this server waits as well, not only this one.
      if (error instanceof SourceError && error.retryAfterMs !== undefined) pace.rest?.(error.retryAfterMs);
      if (!timer.signal.aborted || error instanceof SourceError) throw error;
      if (!timer.expired) throw fail('source/aborted', STOPPED);
      if (!hasStarted && before !== undefined) throw before;
      throw fail('source/timeout', hasStarted ? NO_ANSWER : 'the rate limit allowed no request in time');
    } finally {
      timer.close();
    }
  }

  /** Reads the answer. @throws SourceError for one that cannot be read, or is about a different block */
  function readAnswer<T>(asked: Asked<T>, { json, body, received, status }: Answer, fail: Fail): T {
    let value: T;
    let wrong: string | undefined;
    try {
      value = asked.read(json, body);
      wrong = asked.mismatch?.(value);
    } catch (error) {
      const cause = error instanceof DecodeError && body !== received ? failureWithoutKeys(asked.read, body) : error;
      // Any error but a DecodeError is a defect of this library that the body triggered, and its message could quote
      // anything.
      const words = cause instanceof DecodeError ? `: ${cause.message}` : '';
      const what = `an answer that cannot be read${words}`;
      throw fail(codeOfUnreadable(cause), what, { status, body, ...present({ cause }) });
    }
    if (wrong !== undefined) throw fail('source/wrong-block', wrong, { status, body });
    cost = costProven(cost, received.length, asked.maxBytes > BODY_LIMITS.block.maxBytes ? asked.maxBytes : FREE_UNITS);
    return value;
  }

  return Object.freeze({
    label,
    waitMs: () => pace.waitMs?.() ?? 0,
    async ask<T>(asked: Asked<T>, { deadlineMs = opts.deadlineMs, signal, waitForBlock }: AskOptions = {}): Promise<T> {
      const { operation } = asked;
      const question = withMaxBytes(asked, opts.maxBodyBytes);
      const about = failuresOf(endpoint, operation);
      let attempts = 0;
      const fail: Fail = (code, what, more) => about(code, what, { attempts, ...more });
      const answerOf = async (): Promise<T> => {
        requireNumber(deadlineMs, 1, MAX_DEADLINE_MS, 'deadlineMs');
        requireReady(deadlineMs, fail);
        const endMs = performance.now() + deadlineMs;
        const tries: Tries<Answer> = {
          attempt: (count, before) => {
            attempts = count;
            return attemptInTurn(question, endMs, signal, fail, before);
          },
          endMs,
          signal,
          stopped: () => fail('source/aborted', STOPPED),
        };
        const rateLimitWaitMs = hasKey ? 0 : KEYLESS_RATE_LIMIT_WAIT_MS;
        const answer = await withRetries(tries, { retries, waitForBlock: waitForBlock === true, rateLimitWaitMs });
        return readAnswer(question, answer, fail);
      };
      return await observed(present({ onServer: opts.onServer }), label, operation, answerOf, () => attempts);
    },
  });
}
