/**
 * One question to one server, done right: paced, timed, tried again where that can help, its answer read strictly and
 * looked at for the right block. Every ending is a value or a `SourceError`.
 */

import { DecodeError, SourceError, UsageError } from '../../core/base/errors.ts';
import { parseOrNothing } from '../../core/base/json-text.ts';
import {
  BODY_LIMITS,
  DEFAULT_DEADLINE_MS,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  KEYED_REQUESTS_PER_SECOND,
  KEYLESS_RATE_LIMIT_WAIT_MS,
  KEYLESS_REQUESTS_PER_SECOND,
  QUESTIONS_IN_FLIGHT,
} from '../../core/base/limits.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { createPace, type Pace } from '../async/pace.ts';
import { startTimer } from '../async/timer.ts';
import { withRetries } from '../async/with-retries.ts';
import { costAfter, costProven, leftOf, NO_COST, shareOf } from '../machine/budget.ts';
import { codeOfUnreadable } from '../machine/outcome.ts';
import type { AskOptions } from '../sources/block-source.ts';
import { observed } from '../sources/server-events.ts';
import { type Answer, type AttemptContext, attempt, NO_ANSWER, type Question, sourceError } from './attempt.ts';
import { defaultTransport } from './default-transport.ts';
import { createEndpoint } from './endpoint.ts';
import { fetchTransport } from './fetch-transport.ts';
import type { ToncenterOptions } from './toncenter-options.ts';
import { BodyTooLarge } from './transport.ts';

/** A question, how its answer is read, and what in it would be about something else than was asked. */
export interface Asked<T> extends Question {
  /** @param body the answer as it came, without keys @throws DecodeError */
  readonly read: (json: unknown, body: Uint8Array) => T;
  /** Says what is wrong when the answer is about another block. */
  readonly mismatch?: (value: T) => string | undefined;
}

export interface Requester {
  readonly label: string;
  /** Milliseconds until a question asked now would be sent. */
  waitMs(): number;
  /** @throws SourceError */
  ask<T>(asked: Asked<T>, opts?: AskOptions): Promise<T>;
}

/** Longest waits, largest bodies and most tries that make sense; beyond them a number is a mistake in its unit. */
const MAX_TIMEOUT_MS = 10 * 60 * 1000;
const MAX_DEADLINE_MS = 24 * 60 * 60 * 1000;
const MAX_RETRIES = 100;
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/**
 * Bytes that one server may cost in ten minutes beyond what could be read of its answers: where a run has up to eight servers they
 * all cost no more than a run over lite servers may.
 */
const SHARE = shareOf(8);
/** An answer about one block that can be read is free up to 128 KiB, some 600 signatures; lists and configurations whatever their size. */
const FREE_UNITS = 2;

function requireWithin(value: number, min: number, max: number, path: string): number {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw new UsageError('usage/bad-option', `expected ${min} to ${max}, got ${String(value)}`, { path });
}

function requireWholeWithin(value: number, min: number, max: number, path: string): number {
  if (Number.isInteger(value)) return requireWithin(value, min, max, path);
  throw new UsageError('usage/bad-option', `expected a whole number, got ${String(value)}`, { path });
}

/** The limits of the question, or those the caller set for all questions of this source. */
function withMaxBytes<T extends Question>(asked: T, maxBytes: number | undefined): T {
  if (maxBytes === undefined) return asked;
  const factor = Math.max(1, maxBytes / asked.maxBytes);
  return { ...asked, maxBytes, maxValues: asked.maxValues * factor };
}

/**
 * What is wrong with a body that quoted a key, told of the body without it: the first words would quote, cut, what the
 * body quotes. `undefined` when the body without it would have been fine.
 */
function failureWithoutKeys(read: Asked<unknown>['read'], body: Uint8Array): DecodeError | undefined {
  try {
    read(parseOrNothing(new TextDecoder().decode(body)), body);
  } catch (error) {
    if (error instanceof DecodeError) return error;
  }
  return undefined;
}

/** @throws UsageError for options that cannot be used */
export function createRequester(opts: ToncenterOptions): Requester {
  const endpoint = createEndpoint(opts);
  const hasKey = endpoint.headers['X-API-Key'] !== undefined;
  const {
    requestsPerSecond = hasKey ? KEYED_REQUESTS_PER_SECOND : KEYLESS_REQUESTS_PER_SECOND,
    // No bursts on a server that counts.
    concurrency = hasKey || requestsPerSecond === Number.POSITIVE_INFINITY ? QUESTIONS_IN_FLIGHT : 1,
  } = opts;
  const pace: Pace = opts.pace ?? createPace({ requestsPerSecond, concurrency });
  const timeoutMs = requireWithin(opts.timeoutMs ?? DEFAULT_TIMEOUT_MS, 1, MAX_TIMEOUT_MS, 'timeoutMs');
  const defaultDeadlineMs = requireWithin(opts.deadlineMs ?? DEFAULT_DEADLINE_MS, 1, MAX_DEADLINE_MS, 'deadlineMs');
  const retries = requireWholeWithin(opts.retries ?? DEFAULT_RETRIES, 0, MAX_RETRIES, 'retries');
  const { maxBodyBytes } = opts;
  if (maxBodyBytes !== undefined) requireWholeWithin(maxBodyBytes, 1, MAX_BODY_BYTES, 'maxBodyBytes');
  const observers = opts.onServer === undefined ? {} : { onServer: opts.onServer };
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

  /** @throws SourceError `source/budget` where the server has cost as much as it may */
  function requireShare({ operation }: Question): void {
    if (leftOf(cost, performance.now(), SHARE, 'lasting') >= BODY_LIMITS.block.maxBytes) return;
    const [had, most] = [cost.bytes, SHARE].map((bytes) => (bytes / 1_048_576).toFixed(1));
    const what = `not asked: its answers have ${had} MiB more than could be read, ${most} may be in ten minutes`;
    throw sourceError(endpoint, operation, 'source/budget', what, { attempts: 0 });
  }

  /**
   * One attempt in its turn. The pace stops waiting when the timer fires, whatever the fetch does. Where it never came to
   * its turn, the attempt before it says more about why there is no answer: `before`.
   */
  async function paced(
    question: Question,
    attempts: number,
    end: number,
    caller: Signal | undefined,
    before: SourceError | undefined,
  ): Promise<Answer> {
    let hasStarted = false;
    const timer = startTimer(end - performance.now(), caller);
    try {
      return await pace.run(() => {
        hasStarted = true;
        timer.restart(Math.min(timeoutMs, end - performance.now()));
        return attempt(context, question, timer, attempts);
      }, timer.signal);
    } catch (error) {
      // Kept by every question from here on, not by this one alone.
      if (error instanceof SourceError && error.retryAfterMs !== undefined) pace.rest?.(error.retryAfterMs);
      if (!timer.signal.aborted || error instanceof SourceError) throw error;
      if (!timer.expired) throw stopped(question, attempts);
      if (!hasStarted && before !== undefined) throw before;
      const what = hasStarted ? NO_ANSWER : 'still waiting for its turn: the pace allows no more requests';
      throw sourceError(endpoint, question.operation, 'source/timeout', what, { attempts });
    } finally {
      timer.close();
    }
  }

  function stopped(question: Question, attempts: number): SourceError {
    return sourceError(endpoint, question.operation, 'source/aborted', 'stopped by the caller', { attempts });
  }

  async function fetchAnswer(question: Question, opts: AskOptions): Promise<{ answer: Answer; attempts: number }> {
    requireShare(question);
    const end =
      performance.now() + requireWithin(opts.deadlineMs ?? defaultDeadlineMs, 1, MAX_DEADLINE_MS, 'deadlineMs');
    const caller = opts.signal;
    const restMs = pace.restMs?.() ?? 0;
    if (restMs > end - performance.now()) {
      const what = `not asked: the server wants to be left alone for ${Math.ceil(restMs / 1000)} s more`;
      throw sourceError(endpoint, question.operation, 'source/rate-limited', what, {
        attempts: 0,
        retryAfterMs: restMs,
      });
    }
    let attempts = 0;
    const answer = await withRetries(
      {
        attempt: (tries, before) => {
          attempts = tries;
          return paced(question, tries, end, caller, before);
        },
        endMs: end,
        signal: caller,
        stopped: (tries) => stopped(question, tries),
      },
      { retries, waitForBlock: opts.waitForBlock === true, rateLimitWaitMs: hasKey ? 0 : KEYLESS_RATE_LIMIT_WAIT_MS },
    );
    return { answer, attempts };
  }

  async function answerOf<T>(asked: Asked<T>, opts: AskOptions, onAttempts: (attempts: number) => void): Promise<T> {
    const { answer, attempts } = await fetchAnswer(withMaxBytes(asked, maxBodyBytes), opts);
    onAttempts(attempts);
    const { json, body, received, status } = answer;
    const options = { status, attempts, body };
    let value: T;
    let wrong: string | undefined;
    try {
      value = asked.read(json, body);
      wrong = asked.mismatch?.(value);
    } catch (error) {
      const cause = error instanceof DecodeError && body !== received ? failureWithoutKeys(asked.read, body) : error;
      // What is no DecodeError is a fault of ours that this body brought out: its words could quote anything.
      const words = cause instanceof DecodeError ? `: ${cause.message}` : '';
      throw sourceError(endpoint, asked.operation, codeOfUnreadable(cause), `an answer that cannot be read${words}`, {
        ...options,
        ...(cause === undefined ? {} : { cause }),
      });
    }
    if (wrong !== undefined) throw sourceError(endpoint, asked.operation, 'source/wrong-block', wrong, options);
    cost = costProven(cost, received.length, asked.maxBytes > BODY_LIMITS.block.maxBytes ? asked.maxBytes : FREE_UNITS);
    return value;
  }

  return Object.freeze({
    label: endpoint.label,
    waitMs: () => pace.waitMs?.() ?? 0,
    async ask<T>(asked: Asked<T>, opts: AskOptions = {}): Promise<T> {
      let attempts = 1;
      const answer = () =>
        answerOf(asked, opts, (count) => {
          attempts = count;
        });
      return await observed(observers, endpoint.label, asked.operation, answer, () => attempts);
    },
  });
}
