/**
 * One question to one server, done right: paced, timed, tried again where that can help, its answer read strictly and
 * looked at for the right block. Every ending is a value or a `SourceError`.
 */
import pRetry from 'p-retry';
import { DecodeError, SourceError, type SourceErrorCode, UsageError } from '../base/errors.ts';
import {
  DEFAULT_DEADLINE_MS,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  KEYED_REQUESTS_PER_SECOND,
  KEYLESS_RATE_LIMIT_WAIT_MS,
  KEYLESS_REQUESTS_PER_SECOND,
  RETRY_BASE_MS,
  RETRY_CAP_MS,
} from '../base/limits.ts';
import { type Answer, type AttemptContext, attempt, type Question, sourceError } from './attempt.ts';
import { createEndpoint } from './endpoint.ts';
import { createPace, type Pace } from './pace.ts';
import type { AskOptions, ToncenterOptions } from './source.ts';
import { sleep, startTimer, type Timer } from './timer.ts';

/** A question, how its answer is read, and what in it would be about something else than was asked. */
export interface Asked<T> extends Question {
  /** @throws DecodeError */
  readonly read: (json: unknown) => T;
  /** Says what is wrong when the answer is about another block. */
  readonly mismatch?: (value: T) => string | undefined;
}

export interface Requester {
  readonly label: string;
  readonly maxBodyBytes: number | undefined;
  /** @throws SourceError */
  ask<T>(asked: Asked<T>, opts?: AskOptions): Promise<T>;
}

// Answers whose trouble may be gone in a moment. Of the others, 'not-ready' and 'server' get one more try.
const PASSING: ReadonlySet<SourceErrorCode> = new Set(['source/rate-limited', 'source/upstream', 'source/timeout']);
const ONCE_MORE: ReadonlySet<SourceErrorCode> = new Set(['source/not-ready', 'source/server']);
const WAIT_STEP_MS = 1000;
const WAIT_JITTER_MS = 500;

const bodies = new WeakMap<object, Uint8Array>();

/** The bytes that a raw answer was parsed from; `undefined` for anything this library did not fetch. */
export function bodyOf(answer: unknown): Uint8Array | undefined {
  return typeof answer === 'object' && answer !== null ? bodies.get(answer) : undefined;
}

function requirePositive(value: number, path: string): number {
  if (value > 0) return value;
  throw new UsageError('usage/bad-option', `expected a positive number, got ${value}`, { path });
}

/** @throws UsageError for options that cannot be used */
export function createRequester(opts: ToncenterOptions): Requester {
  const endpoint = createEndpoint(opts);
  const hasKey = endpoint.headers['X-API-Key'] !== undefined;
  const pace: Pace =
    opts.pace ??
    createPace({
      requestsPerSecond: opts.requestsPerSecond ?? (hasKey ? KEYED_REQUESTS_PER_SECOND : KEYLESS_REQUESTS_PER_SECOND),
      concurrency: opts.concurrency ?? (hasKey ? 4 : 1),
    });
  const timeoutMs = requirePositive(opts.timeoutMs ?? DEFAULT_TIMEOUT_MS, 'timeoutMs');
  const defaultDeadlineMs = requirePositive(opts.deadlineMs ?? DEFAULT_DEADLINE_MS, 'deadlineMs');
  const retries = opts.retries ?? DEFAULT_RETRIES;
  if (!(retries >= 0)) throw new UsageError('usage/bad-option', 'expected 0 or more', { path: 'retries' });
  if (opts.maxBodyBytes !== undefined) requirePositive(opts.maxBodyBytes, 'maxBodyBytes');
  const context: AttemptContext = {
    endpoint,
    // Looked up at each call, so that a replaced global is seen, and called without `this`.
    fetch: opts.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    onAnswer: opts.onAnswer,
  };

  /** How long to wait before the next try; `undefined` when there is none. */
  function delayBefore(error: SourceError, waitForBlock: boolean, remainingMs: number): number | undefined {
    const tries = error.attempts;
    let delay: number;
    if (waitForBlock && error.code === 'source/not-ready') delay = WAIT_STEP_MS + Math.random() * WAIT_JITTER_MS;
    else if (PASSING.has(error.code) ? tries > retries : !ONCE_MORE.has(error.code) || tries > Math.min(1, retries)) {
      return undefined;
    } else delay = Math.random() * Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** (tries - 1));
    if (error.code === 'source/rate-limited' && !hasKey) delay = Math.max(delay, KEYLESS_RATE_LIMIT_WAIT_MS);
    delay = Math.max(delay, error.retryAfterMs ?? 0);
    return delay < remainingMs ? delay : undefined;
  }

  async function paced(question: Question, overall: Timer, attempts: number): Promise<Answer> {
    let started = false;
    try {
      return await pace.run(async () => {
        started = true;
        const timer = startTimer(Math.min(timeoutMs, overall.remainingMs()), overall.signal, overall);
        try {
          return await attempt(context, question, timer, attempts);
        } finally {
          timer.close();
        }
      }, overall.signal);
    } catch (error) {
      if (!overall.signal.aborted || error instanceof SourceError) throw error;
      if (!overall.expired) throw stopped(question, attempts);
      const what = started ? 'no whole answer in time' : 'still waiting for its turn: the pace allows no more requests';
      throw sourceError(endpoint, question.operation, 'source/timeout', what, { attempts });
    }
  }

  function stopped(question: Question, attempts: number): SourceError {
    return sourceError(endpoint, question.operation, 'source/aborted', 'stopped by the caller', { attempts });
  }

  async function fetchAnswer(question: Question, opts: AskOptions): Promise<{ answer: Answer; attempts: number }> {
    const deadlineMs = requirePositive(opts.deadlineMs ?? defaultDeadlineMs, 'deadlineMs');
    const overall = startTimer(deadlineMs, opts.signal);
    let attempts = 0;
    try {
      const answer = await pRetry(
        () => {
          attempts++;
          if (overall.signal.aborted) throw stopped(question, 0);
          return paced(question, overall, attempts);
        },
        {
          retries: Number.POSITIVE_INFINITY,
          minTimeout: 0,
          async shouldRetry({ error }) {
            if (!(error instanceof SourceError)) return false;
            const delay = delayBefore(error, opts.waitForBlock === true, overall.remainingMs());
            if (delay === undefined) return false;
            try {
              await sleep(delay, overall.signal);
            } catch {
              if (!overall.expired) throw stopped(question, attempts);
              return false; // the deadline, a hair before the wait was over: the last failure tells more
            }
            return true;
          },
        },
      );
      return { answer, attempts };
    } finally {
      overall.close();
    }
  }

  return Object.freeze({
    label: endpoint.label,
    maxBodyBytes: opts.maxBodyBytes,
    async ask<T>(asked: Asked<T>, opts: AskOptions = {}): Promise<T> {
      const { answer, attempts } = await fetchAnswer(asked, opts);
      const { json, body, status } = answer;
      const options = { status, attempts, body };
      let value: T;
      try {
        value = asked.read(json);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        const what = `an answer that cannot be read: ${error.message}`;
        throw sourceError(endpoint, asked.operation, 'source/malformed', what, {
          ...options,
          // Its words may quote the body, and a body may quote a key.
          ...(endpoint.redact(error.message) === error.message ? { cause: error } : {}),
        });
      }
      const wrong = asked.mismatch?.(value);
      if (wrong !== undefined) throw sourceError(endpoint, asked.operation, 'source/wrong-block', wrong, options);
      bodies.set(json as object, body); // `attempt` returns objects only
      return value;
    },
  });
}
